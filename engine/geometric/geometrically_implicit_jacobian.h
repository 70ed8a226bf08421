// The Jacobian of a geometrically implicit step's equations. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// The Jacobian as a callback of srs_mcp; data is the srs_geometric.
void srs_geometric_jacobian(void *data, const double *z, double *J, int stride);
