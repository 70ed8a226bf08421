// Constraint rows and forces on the free coordinates of loop joints (revolute and prismatic closures). Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Fills the loop joints' coordinates, which come after those of tree joints; the caller provides the room.
/// @return how many
int srs_loop_joint_coordinates(const srs_model *model, const srs_joint_settings *settings,
                               joint_coordinate *coordinates);

/// Measures a loop joint's coordinate at the configuration in the workspace, which holds the links' velocities without
/// rows; those before the step are in velocity_before.
void srs_measure_loop_joint(const struct srs_constraints *constraints, const srs_step_context *step,
                            const double *v_free, joint_coordinate *at);

/// Plans the actuators of loop joints for a step, and adds their constant parts to the links' wrenches, of tendons to
/// the torques tau.
/// @param wrenches     n_links x 6, or NULL: of others; else link_wrench itself
/// @param link_wrench  n_links x 6, out
/// @return link_wrench, or `wrenches` where no actuator is set
const double *srs_loop_joint_wrenches(struct srs_constraints *constraints, const srs_step_context *step,
                                      const double *wrenches, double *link_wrench, double *tau);

/// Finds the bias of the loop joints' rotors while the links go on with v at q (of embedded loops: lifted there).
/// @param scratch  nv
void srs_find_rotor_turns(struct srs_constraints *constraints, const double *q, const double *v, double *scratch);

/// Spring, damper and armature of a loop joint: impulse = *impulse - *change (v+ - v).  @return whether it has any
bool srs_loop_joint_passive(const srs_step_context *step, const joint_coordinate *at, double *impulse, double *change);

/// Accepts the step of dt: efforts, and the coordinates' expected positions.
/// @param turn, effort  n_closures, out
void srs_accept_loop_joints(const struct srs_constraints *constraints, double dt, bool has_actuators, double *turn,
                            double *effort);

/// Restarts the count of whole turns: coordinates are those nearest to the middle of their limits.  @param turn
/// n_closures, out
void srs_forget_loop_joint_turns(const srs_model *model, double *turn);
