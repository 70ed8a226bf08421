// All that the next step reads beside model and options, as one block of doubles that a snapshot copies. Internal.
#pragma once
#include "topology/model/model.h"

/// Of a frame's wrench: whether it acts and in which axes, torque, force.
enum { SRS_WRENCH_SIZE = 7, SRS_WRENCH_OFF = 0, SRS_WRENCH_WORLD = 1, SRS_WRENCH_LOCAL = 2 };

/// Of a loop joint's actuator: torque, position, velocity, kp, kd.
enum { SRS_LOOP_JOINT_ACTUATOR = 5 };

/// What the caller sets: it acts step after step until it is set again.
typedef struct srs_inputs {
  double *has_wrench, *has_servo, *has_loop_joint_actuator; // 1 each: 1 where one is set, else 0
  double *tau;                                              // nv
  double *wrench;                                           // n_frames x SRS_WRENCH_SIZE
  double *q_ref, *v_ref;                                    // nq, nv: servo
  double *kp, *kd;                                          // nv: servo
  double *loop_joint_actuator; // n_closures x SRS_LOOP_JOINT_ACTUATOR, on the coordinate that each leaves free
} srs_inputs;

typedef struct srs_sim_state {
  double *block; // n: all of the following
  size_t n;
  double *time;  // 1
  double *steps; // 1: a count, exact as a double
  double *start; // 2: time and step count that time is counted from
  double *q, *v; // nq, nv
  srs_inputs inputs;
  double *loop_joint_turn; // n_closures: about where a loop joint's coordinate is, over whole turns
  double *smooth_warm;     // n_smooth: of the pairs of the geometrically implicit step (engine/geometric)
  double *warm_rows;       // n_slots x 2: of each scalar row whether the last step had it, and its impulse
} srs_sim_state;

/// Points the state into a block, or measures the block.
/// @param block  NULL measures
/// @return doubles of the block
size_t srs_state_lay_out(srs_sim_state *state, const srs_model *model, size_t n_smooth, size_t n_slots, double *block);

/// Time 0, neutral configuration, at rest, no inputs.
void srs_state_reset(srs_sim_state *state, const srs_model *model);

/// No inputs: torques, wrenches and gains are zero.
void srs_inputs_clear(srs_inputs *inputs, const srs_model *model);
