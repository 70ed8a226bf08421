// The constraint system's part in a step. Internal.
#pragma once
#include "engine/loops/projection.h"
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// For implicit integrators: the links' motion by step->predicted_motion at its q. Where implicit Euler's step begins,
/// what overlaps is noted. Nothing for others.
void srs_constraints_predict(struct srs_constraints *constraints, const srs_step_context *step);

/// Adds the response to v_next, which holds the velocities without any constraint, after srs_solve_forward at the
/// configuration in the workspace.
/// @param projector  NULL without loops: may take over the factor of the loops' rows
srs_status srs_constraints_step(struct srs_constraints *constraints, const srs_step_context *step,
                                struct srs_projector *projector, double *v_next);
