// What lanes of runs work in. Internal.
#pragma once
#include "engine/batch/memory.h"
#include "engine/simulation/sim.h"
#include "engine/step/mean_velocity.h"

// A coordinate with limits, or with a limited actuator.
typedef struct lane_limit {
  int v, q;                        // indices; q -1 where it has no position limits
  double lower, upper;             // -+INFINITY for none
  double max_effort, max_velocity; // INFINITY for none
} lane_limit;

// The coordinates of a tree, whose velocity terms are found together.
typedef struct lane_tree {
  int first, end; // links
  int v, nv;      // first coordinate, number
} lane_tree;

// A tree of one lane.
typedef struct lane_progress {
  srs_mean_iteration iteration;
  bool is_wrong;
} lane_progress;

struct srs_lanes {
  srs_sim_inside sim; // that of the model and options
  srs_batch *batch;   // its q and v are the states'
  int *q_of_v;        // nv: where the coordinate of a rate is, -1: a quaternion's
  lane_limit *limits; // n_limits
  int n_limits;
  lane_tree *trees; // n_trees
  int n_trees;
  bool has_servo, has_balls;         // gains are set; quaternions are among q
  double *kp, *kd, *change, *damped; // nv: gains; h kd + h^2 kp; that and what passive dampers and springs add
  lanes *tau, *q_ref, *v_ref;        // nv, nq, nv
  lanes *effort;                     // nv: of actuators, if v stays
  lanes *mean_v, *guess, *kept;      // nv: velocity of the terms c; accelerations
  double *row;                       // nq + 2 nv: one lane's numbers
  srs_mean_velocity memory[LANES];
  lane_progress *progress; // n_trees x LANES
  bool *is_known;          // n_trees x LANES: the last step's acceleration is
  double start[LANES][2], steps[LANES];
  bool is_lost[LANES];
  void *block;
};

/// Accelerations of the batch's state with the velocity terms where the options have them: the batch's a.
void srs_lanes_accelerate(struct srs_lanes *lanes);
