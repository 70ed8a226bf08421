// Solution of one island's problem. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Solves the island's problem; island->impulse is the answer. The solves' reports go into the statistics of the step
/// under way.
srs_status srs_solve_island(struct srs_constraints *constraints, const srs_step_context *step, island *island);

/// Solves one problem of the island; the report goes into the statistics.  @param is_warm  `impulse` holds a guess
srs_status srs_solve_problem(struct srs_constraints *constraints, const srs_step_context *step, const island *island,
                             const srs_contact_problem *problem, bool is_warm, double *impulse, double *velocity);

/// Shows whoever watches the problem of an island whose answer is known (warm_start.h), once it is opened.
srs_status srs_show_settled(struct srs_constraints *constraints, const island *island);
