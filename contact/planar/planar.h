// Which impulses solve a large problem of planar contacts? Internal. Mathematics: planar.c.
#pragma once
#include "contact/iterate/fallback_state.h"

/// What impulses to start from are: of relaxed problems, or near a solution.
typedef enum srs_planar_start { SRS_PLANAR_NONE, SRS_PLANAR_FAR, SRS_PLANAR_NEAR } srs_planar_start;

/// The end of a path to the exact law, or rounds of the fixed point of relaxed problems (contact/large/large.c).
/// @param w  n: velocities to begin from; NULL: from b, and the path comes first
/// @param x  n, out: impulses
typedef srs_planar_start srs_planar_relax(void *data, int rounds, const double *w, double *x);

/// Searches until a solution is found or the budget is spent.
/// @return whether there is one, which is then fallback->x, to be polished
bool srs_planar_search(srs_fallback *fallback, srs_planar_relax *relax, void *data);
