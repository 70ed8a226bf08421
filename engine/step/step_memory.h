// Memory of the step under way. Internal.
#pragma once
#include "engine/state/sim_state.h"

#include <stdbool.h>

typedef struct srs_step_memory {
  double *q_next, *v_next; // nq, nv: at the end of the step
  double *q_mid;           // nq
  double *force, *extra;   // nv: force on the coordinates, and its linear change, a diagonal added to the mass matrix
  double *a;               // nv
  double *error_v;         // nv: distance from a reference
  double *mean_v;          // nv
  double *embedded_v;      // nv: v at the matrices' configuration, where loops are embedded
  double *lifted_bias;     // nv: the velocity of the terms c, likewise
  double *stage[8];        // nv each: rates of q and v of the Runge-Kutta stages
  double *link_wrench;     // n_links x 6
  const double *wrenches;  // those of the step on links: link_wrench, NULL for none
  double *mean_a;          // nv: change of v in the step, over dt
  const double *bias_v;    // nv: the velocity at which the step took the terms c
  double *half_a;          // nv: acceleration of a half step
  double *half_bias_v[2];  // nv each: those at which its halves took them, where it has_halves
  bool has_halves;         // contacts bounced in its middle
  double *theta_memory;    // nv + n_closures, of midpoint schemes (theta.c)
  double *damping_rate;    // nv + n_closures: likewise, scratch
  double *mobility_most;   // nv: likewise, bounds for all configurations
  const double *theta;     // theta_memory in a step where some coordinate has more than 1/2; NULL: none has
  double *work_v;          // nv: the mean of v and v_next at the configuration of the matrices
  double works[SRS_WORKS]; // of the step
} srs_step_memory;
