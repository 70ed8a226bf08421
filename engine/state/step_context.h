// Context of a step: what the builders of constraint rows may read. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/actuation.h"
#include "engine/state/integrator_traits.h"
#include "engine/state/sim_state.h"

/// v_next = v + what all forces change in half a step, without constraints; bias_v, out: the velocity of their terms c.
/// The articulated inertias stay as they are.
typedef srs_status (*srs_half_step)(void *of, const double *v, double *bias_v, double *v_next);

typedef struct srs_step_context {
  const srs_model *model;
  const srs_sim_options *options;
  const srs_integrator_traits *traits;
  const srs_sim_state *state;     // at the step's start
  const srs_actuation *actuation; // of the step under way
  srs_workspace *workspace;       // links and recursions; its links move while rows are made
  const double *q;                // nq: configuration of matrices and rows
  const double *v;                // nv: velocities at the step's start
  const double *extra;            // nv: the diagonal that is added to the mass matrix
  const double *predicted_motion; // nv, of implicit integrators: the motion from where an explicit one would take its
                                  // matrices to q; NULL for others
  srs_half_step half;
  void *half_of;          // its first argument
  double *half_bias_v[2]; // nv each, out: the velocities at which the first and the second half took the terms c
  const double *bias_v;   // nv: that of the whole step
  const double *theta;    // nv + n_closures, of midpoint schemes (step/theta.c); NULL: 1/2 everywhere
} srs_step_context;
