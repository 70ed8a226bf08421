// The state of a simulation: all that the next step reads besides model and options, as one block of doubles that a
// snapshot copies. Internal.
#pragma once
#include "topology/model/model.h"

/// A frame's wrench: whether it acts and in which axes, torque, force.
enum { SRS_WRENCH_SIZE = 7, SRS_WRENCH_OFF = 0, SRS_WRENCH_WORLD = 1, SRS_WRENCH_LOCAL = 2 };

/// A loop joint's actuator: torque, position, velocity, kp, kd.
enum { SRS_LOOP_JOINT_ACTUATOR = 5 };

/// A loop's target: 1 where one is set, position at time 0, rate.
enum { SRS_TARGET = 3 };

/// The works that a balance of energy adds up (engine/conservation/energy_balance.c), J.
enum {
  SRS_WORK_DRIVES,
  SRS_WORK_DAMPERS,
  SRS_WORK_DRY_FRICTION,
  SRS_WORK_CONTACT_NORMAL,
  SRS_WORK_CONTACT_FRICTION,
  SRS_WORK_LIMITS,
  SRS_WORK_LOOPS,
  SRS_WORK_LOOP_JOINTS,
  SRS_WORK_PUSH_OUT,
  SRS_WORKS
};

/// The momentum of a tree that floats: 1 where it is known, else 0; mass centre, angular momentum about it, momentum.
enum { SRS_TREE_MOMENTUM = 10 };

/// Inputs from the caller: they act in every step until they are set again.
typedef struct srs_inputs {
  double *has_wrench, *has_servo, *has_loop_joint_actuator; // 1 each: 1 where one is set, else 0
  double *tau;                                              // nv
  double *wrench;                                           // n_frames x SRS_WRENCH_SIZE
  double *q_ref, *v_ref;                                    // nq, nv: servo
  double *kp, *kd;                                          // nv: servo
  double *loop_joint_actuator; // n_closures x SRS_LOOP_JOINT_ACTUATOR, on the coordinate that each leaves free
  double *targets;             // (n_closures + n_couplings) x SRS_TARGET: in place of motions of the model
} srs_inputs;

typedef struct srs_sim_state {
  double *block; // n: all of the arrays below
  size_t n;
  size_t n_read; // of these from inputs.has_wrench on: what a step reads besides the time
  double *time;  // 1
  double *steps; // 1: a count, exact as a double
  double *start; // 2: time and step count from which the time is computed
  double *q, *v; // nq, nv
  srs_inputs inputs;
  double *loop_joint_turn; // n_closures: approximate position of each loop joint's coordinate, whole turns included
  int n_floating;          // roots on a free joint to the world
  double *momentum;        // n_floating x SRS_TREE_MOMENTUM, by the roots' names: of q and v (conservation/momentum.h)
  double *free_a;          // nv: acceleration of the last step without contacts and rows, or 0 (mean_velocity.c)
  double *row_a;           // nv: by contacts and rows, impacts aside
  double *is_free; // n_links, of roots: 1, -1: neither contacts nor rows acted on the tree in the last step, or some
                   // did; 0: there was no last step
  double *smooth_warm; // n_smooth: warm starts of the pairs of the geometrically implicit step (engine/geometric)
  double *warm_rows;   // n_slots x 2: for each scalar row, whether the last step had it and its impulse
  // Of the energy balance; no step reads it.
  double *works;             // SRS_WORKS: since the start
  double *start_q, *start_v; // nq, nv: the state in which it starts
} srs_sim_state;

/// Points the state's arrays into a block, or measures the block.
/// @param block  NULL: only measure
/// @return doubles of the block
size_t srs_state_lay_out(srs_sim_state *state, const srs_model *model, size_t n_smooth, size_t n_slots, double *block);

bool srs_is_floating_root(const srs_model *model, int link);
int srs_floating_root_count(const srs_model *model);

/// Forgets the momentum of trees, where q or v are set.
void srs_forget_momentum(srs_sim_state *state);

/// Resets the state: time 0, neutral configuration, at rest, no inputs.
void srs_state_reset(srs_sim_state *state, const srs_model *model);

/// Starts the energy balance at the present state.
void srs_state_start_balance(srs_sim_state *state, const srs_model *model);

/// Clears the inputs: torques, wrenches and gains are zero.
void srs_inputs_clear(srs_inputs *inputs, const srs_model *model);
