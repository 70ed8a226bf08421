// Acceptance of a step's constraints. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/sim_state.h"

/// Accepts the step of dt: its contacts and rows are now those of the last step.
void srs_constraints_accept(struct srs_constraints *constraints, double dt, srs_sim_state *state);

/// Forgets the last step.
void srs_constraints_forget(struct srs_constraints *constraints, srs_sim_state *state);
