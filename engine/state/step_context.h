// Context of a step: what the builders of constraint rows may read. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/actuation.h"
#include "engine/state/integrator_traits.h"
#include "engine/state/sim_state.h"

typedef struct srs_step_context {
  const srs_model *model;
  const srs_sim_options *options;
  const srs_integrator_traits *traits;
  const srs_sim_state *state;     // at the step's start
  const srs_actuation *actuation; // of the step under way
  srs_workspace *workspace;       // links and recursions; its links move while rows are made
  const double *q;                // nq: configuration of matrices and rows
  const double *v;                // nv: velocities at the step's start
  const double *predicted_motion; // nv, of implicit integrators: the motion from where an explicit one would take its
                                  // matrices to q; NULL for others
  const double *theta;            // nv + n_closures, of midpoint schemes (step/theta.c); NULL: 1/2 everywhere
} srs_step_context;
