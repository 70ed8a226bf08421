// Which start leads the solver to an answer? The fallback sequence of the exact cone. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"

/// Tries stage by stage until one leads to a solution.
/// @param warm  n: impulses to start from, or NULL
void srs_fallback_run(srs_fallback *fallback, const double *warm);

/// Smoothed contacts alone, for contacts that hold each other: W has to be dense, of lm's memory factors too.
/// @return whether they lead to an answer; the best point so far is kept
bool srs_fallback_crowd(srs_fallback *fallback);

/// Once more from `best`, for a cone problem that has changed a little.
void srs_fallback_again(srs_fallback *fallback);
