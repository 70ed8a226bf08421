// What impulses, velocities and residual belong to an interior point's weights? Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// w of x; that of the rows that are kept in v too.
void srs_interior_velocities(const srs_interior *interior);

/// x of z, where it is not in x already; w, and the directions' slopes.
void srs_interior_add_up(const srs_interior *interior);

/// The natural map with the polyhedron for the cone.
/// @param ahead  of the contacts' normal velocities, taken off; or NULL
double srs_interior_natural_map(const srs_interior *interior, const double *ahead);
