// Which impulses solve a large problem of planar contacts? Internal. Mathematics: planar.c.
#pragma once
#include "contact/iterate/fallback_state.h"

/// Rounds of the fixed point of relaxed problems (contact/large/large.c).
/// @param w  n: velocities to begin from; NULL: from b
/// @param x  n, out: impulses
/// @return false where there are none
typedef bool srs_planar_relax(void *data, int rounds, const double *w, double *x);

/// Searches until a solution is found or the budget is spent.
/// @return whether there is one, which is then fallback->x, to be polished
bool srs_planar_search(srs_fallback *fallback, srs_planar_relax *relax, void *data);
