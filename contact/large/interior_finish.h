// Proximal points: the last digits of an interior point. Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// From z and y on, which stay as they are: the set of those that push, and what it answers. `best` is replaced by what
/// is better than residual, which is its.
/// @return false where there is no room
bool srs_interior_finish(srs_interior *interior, double goal, int *iterations, double *residual);
