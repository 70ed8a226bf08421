// Proximal points: the last digits of an interior point. Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// From z and y, which are restored afterwards. `best` and its natural map, `residual`, are replaced by better ones.
/// @return false where there is no room
bool srs_interior_finish(srs_interior *interior, double goal, int *iterations, double *residual);
