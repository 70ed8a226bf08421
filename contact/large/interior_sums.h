// Impulses, velocities and natural map of an interior point's weights. Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// w of x, also in v for the rows that are kept.
void srs_interior_velocities(const srs_interior *interior);

/// x of the contacts' z; w; and the directions' slopes.
void srs_interior_add_up(const srs_interior *interior);

/// The natural map with the polyhedron for the cone.
/// @param ahead  subtracted from the contacts' normal velocities; or NULL
double srs_interior_natural_map(const srs_interior *interior, const double *ahead);
