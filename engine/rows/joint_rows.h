// Constraint rows of joint limits, dry friction and limited actuators. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Finds the coordinates that have such rows; NULL where none has.
srs_status srs_joint_coordinates_create(struct srs_constraints *constraints, const srs_model *model,
                                        const srs_joint_settings *settings, srs_error *error);

/// Appends the joints' rows of a step whose velocity without them is v_free; those of actuators where
/// step->actuation->are_rows.
void srs_add_joint_rows(struct srs_constraints *constraints, const srs_step_context *step, const double *v_free);

/// Activates the limits that v_next would break in a step of dt though they are not in the problem.
/// @return whether there are any
bool srs_find_broken_limits(struct srs_constraints *constraints, double dt, const double *v_next);
