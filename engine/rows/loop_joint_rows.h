// What acts on the coordinate that a revolute or prismatic closure leaves free. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Their coordinates, which come after those of joints; room was made by the caller.  @return how many
int srs_loop_joint_coordinates(const srs_model *model, const srs_joint_settings *settings,
                               joint_coordinate *coordinates);

/// Measures a closure's coordinate at the configuration in the workspace, which holds the links' velocities without
/// rows; those before the step are in velocity_before.
void srs_measure_loop_joint(const struct srs_constraints *constraints, const srs_step_context *step,
                            joint_coordinate *at);

/// Plans the actuators of loop joints for a step, and adds what they give whatever happens.
/// @param wrenches     n_links x 6, or NULL: of others; else link_wrench itself
/// @param link_wrench  n_links x 6, out
/// @return link_wrench, or `wrenches` where no actuator is set
const double *srs_loop_joint_wrenches(struct srs_constraints *constraints, const srs_step_context *step,
                                      const double *wrenches, double *link_wrench);

/// What the rotors of loop joints are turned by as links go on with v at q (of embedded loops: as lifted there).
/// @param scratch  nv
void srs_find_rotor_turns(struct srs_constraints *constraints, const double *q, const double *v, double *scratch);

/// Spring, damper and armature of a loop joint: impulse = *impulse - *change (v+ - v).  @return whether it has any
bool srs_loop_joint_passive(const srs_step_context *step, const joint_coordinate *at, double *impulse, double *change);

/// The step of dt is taken: efforts, and where coordinates are about to be.
/// @param turn, effort  n_closures, out
void srs_accept_loop_joints(const struct srs_constraints *constraints, double dt, bool has_actuators, double *turn,
                            double *effort);

/// Coordinates are counted from their limits' middle.  @param turn  n_closures, out
void srs_forget_loop_joint_turns(const srs_model *model, double *turn);
