// The impulses of one island. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Solves the island's problem; island->impulse is the answer. What the solves say of themselves goes into the
/// statistics of the step under way.
srs_status srs_solve_island(struct srs_constraints *constraints, const srs_step_context *step, island *island);
