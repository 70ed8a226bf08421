// Bilateral constraint rows of loops. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Appends the loops' rows of a step. The links' velocities at its v are in velocity_before.
void srs_add_loop_rows(struct srs_constraints *constraints, const srs_step_context *step);
