// Solutions of a step's system that are no motion of the bodies. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// Whether a point is on its solid's far side, where the equations hold too.
bool srs_is_inside_out(const struct srs_geometric *g, const double *z);

/// Whether a contact lifted its solids over each other within the step. The values are those at z.
bool srs_is_leap(const struct srs_geometric *g, const double *z);
