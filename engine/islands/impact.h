// Impacts of an island, before its other rows act. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Solves one problem of the step, whose report enters the statistics.
typedef srs_status (*srs_problem_solve)(struct srs_constraints *constraints, const srs_step_context *step,
                                        const island *island, const srs_contact_problem *problem, bool is_warm,
                                        double *impulse, double *velocity);

/// Whether one of the island's contacts approaches fast enough to bounce.
bool srs_has_impacts(const island *island);

/// Finds the impulses of the island's impacts, in island->phase; then b2 = b + W phase is what is left to solve, with
/// e = 0. Overwrites `rest`, and the system's row_of.
srs_status srs_solve_impacts(struct srs_constraints *constraints, const srs_step_context *step, const island *island,
                             srs_problem_solve solve);
