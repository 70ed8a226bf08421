// Velocities at the end of a step: the part that integrators share. Internal.
#pragma once
#include "engine/state/step_context.h"
#include <sarrus/engine.h>

/// Where a step from (q, v) evaluates its terms.
typedef struct srs_scheme {
  const double *q;       // nq: matrices and rows
  const double *q_force; // nq: springs and servos
  const double *v_bias;  // nv: dampers and servos; velocity terms, where they are not at the mean
  double h_q, h_v;       // change of positions and velocities per change of v+ (forces.h)
  // For implicit integrators; zero for others.
  double guess_per_bias;                      // v_guess - v = guess_per_bias (v_bias - v)
  double predicted_per_bias, predicted_per_v; // predicted motion = predicted_per_bias v_bias + predicted_per_v v
} srs_scheme;

/// Finds v_next of a step, with all forces and constraints.
srs_status srs_find_velocities(srs_sim *sim, const srs_scheme *scheme, int *bad_v);

/// Closes the loops at q_mid, the configuration of a step's matrices, which is `elapsed` after its start. Rows that
/// depend on each other where loops are closed must do so there too. bad_v: with SRS_ERROR_SINGULAR.
srs_status srs_close_q_mid(srs_sim *sim, double elapsed, int *bad_v);

/// What rows of a step may read, at this configuration and velocity; without the function for half a step.
srs_step_context srs_step_context_at(srs_sim *sim, const double *q, const double *v);

/// Finds force, extra, link_wrench and wrenches of the step memory. Its `a` is scratch.
void srs_find_step_forces(srs_sim *sim, const srs_scheme *scheme, const srs_step_context *step, const double *v_bias);

/// The scheme of semi-implicit Euler at the sim's state. Uses q_mid of the step memory.
srs_scheme srs_semi_implicit_scheme(srs_sim *sim);
