// Which impulses solve the convex relaxation of a large problem? Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// Minimises, with b as it is now.
/// @return the natural map of `best`; negative where there is no room
double srs_interior_minimise(srs_interior *interior, double goal, int max_iterations, int *iterations);

/// The natural map of `best`, whose velocities go to w, in the problem with the friction polyhedron itself, whose b is
/// less by `ahead` in the contacts' normal rows.
double srs_interior_map(srs_interior *interior, const double *ahead);
