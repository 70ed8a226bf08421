// Velocities at the end of a step: the part that integrators share. Internal.
#pragma once
#include <sarrus/engine.h>

/// Where a step from (q, v) takes what it computes with.
typedef struct srs_scheme {
  const double *q;       // nq: matrices and rows
  const double *q_force; // nq: springs and servos
  const double *v_bias;  // nv: velocity terms, dampers and servos
  double h_q, h_v;       // what positions and velocities change by with v+ (forces.h)
  // Of implicit integrators; zero for others.
  double guess_per_bias;                      // v_guess - v = gain (v_bias - v)
  double predicted_per_bias, predicted_per_v; // ahead = predicted_per_bias v_bias + predicted_per_v v
} srs_scheme;

/// v_next of a step, with what acts and holds.
srs_status srs_find_velocities(srs_sim *sim, const srs_scheme *scheme, int *bad_v);

/// q_mid, where a step takes its matrices `ahead` from its start, onto the loops: rows that depend on each other where
/// loops are closed depend on each other there too. bad_v: with SRS_ERROR_SINGULAR.
srs_status srs_close_q_mid(srs_sim *sim, double elapsed, int *bad_v);
