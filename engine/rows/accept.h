// What a step leaves behind once it is taken. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/sim_state.h"

/// The step of dt is taken: its contacts and rows are the last ones now.
void srs_constraints_accept(struct srs_constraints *constraints, double dt, srs_sim_state *state);

/// There was no last step.
void srs_constraints_forget(struct srs_constraints *constraints, srs_sim_state *state);
