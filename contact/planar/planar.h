// Which impulses solve a large problem of planar contacts? Internal. Mathematics: planar.c.
#pragma once
#include "contact/iterate/fallback_state.h"

/// The first impulses: of relaxed problems, say (contact/large/large.c).
/// @param x  n, out
/// @return whether there are any
typedef bool srs_planar_start(void *data, double *x);

/// Searches until a solution is found or the budget is spent.
/// @return whether there is one, which is then fallback->x, to be polished
bool srs_planar_search(srs_fallback *fallback, srs_planar_start *start, void *data);
