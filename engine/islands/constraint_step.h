// The constraint system's part of a step. Internal.
#pragma once
#include "engine/loops/projection.h"
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// For implicit integrators: turns step->predicted_motion into the links' motion at the step's q. At the start of an
/// implicit Euler step, overlaps are recorded next. Does nothing for other integrators.
void srs_constraints_predict(struct srs_constraints *constraints, const srs_step_context *step);

/// Finds the impulses of a step and adds their response to v_next, which holds the velocities without any constraint,
/// after srs_solve_forward at the configuration in the workspace.
/// @param projector  NULL without loops; may take over the factor of the loops' rows
srs_status srs_constraints_step(struct srs_constraints *constraints, const srs_step_context *step,
                                struct srs_projector *projector, double *v_next);
