// Convex relaxation of a large problem, by a primal-dual interior point. Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// Minimises with the current b.
/// @return the natural map of `best`; negative where there is no room
double srs_interior_minimise(srs_interior *interior, double goal, int max_iterations, int *iterations);

/// The natural map of `best`, whose velocities go to w, in the unrelaxed problem with the friction polyhedron, with
/// `ahead` subtracted from b in the contacts' normal rows.
double srs_interior_map(srs_interior *interior, const double *ahead);

/// Proximal points, the last digits: from z and y, which are restored afterwards. `best` and its natural map,
/// `residual`, are replaced by better ones.
/// @return false where there is no room
bool srs_interior_finish(srs_interior *interior, double goal, int *iterations, double *residual);
