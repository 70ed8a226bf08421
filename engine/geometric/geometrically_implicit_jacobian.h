// Their derivatives. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// As an srs_mcp has it; data is the srs_geometric.
void srs_geometric_jacobian(void *data, const double *z, double *J, int stride);
