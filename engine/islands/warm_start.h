// Warm start of an island's solve. Internal.
#pragma once
#include "engine/islands/island.h"

/// Fills the island's impulses with those of the last step.
/// @param warm_rows  as in srs_sim_state
/// @return whether all of its rows were in the last step's problem, and none bounces
bool srs_warm_start(const struct srs_constraints *constraints, const double *warm_rows, const island *island);
