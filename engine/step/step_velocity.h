// Velocities at the end of a step: the part that integrators share. Internal.
#pragma once
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
