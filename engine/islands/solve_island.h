// Solution of one island's problem. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Solves the island's problem; island->impulse is the answer. The solves' reports go into the statistics of the step
/// under way.
srs_status srs_solve_island(struct srs_constraints *constraints, const srs_step_context *step, island *island);
