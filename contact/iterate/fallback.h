// Which start leads the solver to an answer? The fallback sequence of the exact cone. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/smooth/smooth_newton.h"

/// Tries stage by stage until one leads to a solution.
/// @param warm  n: impulses to start from, or NULL
void srs_fallback_run(srs_fallback *fallback, const double *warm);

/// Smoothed contacts alone, for contacts that hold each other.
/// @param solver  of smoothed contacts; NULL: W has to be dense, and lm's memory for whole matrices there
/// @return whether they lead to an answer; the best point so far is kept
bool srs_fallback_crowd(srs_fallback *fallback, const srs_smooth_solver *solver);

/// Again from the beginning, for impulses that are not large: `best` are the best of these, also where they are worse.
void srs_fallback_avoid_large(srs_fallback *fallback);

/// Once more from `best`, for a cone problem that has changed a little.
void srs_fallback_again(srs_fallback *fallback);
