// Many steps in one call, so that a thread need not come back to the interpreter for each. cffi reads this too.
#pragma once
#include <sarrus/sarrus.h>

typedef struct sarrus_rollout {
  const void *snapshot; // to begin from; NULL: as the sim is
  size_t snapshot_size;
  const double *q, *v;   // nq, nv: a state to begin from, after the snapshot; NULL keeps that part
  const double *torques; // n_steps x nv, N m or N: held for a step each; NULL: inputs stay as they are
  long n_steps;
  long every;            // a sample before the first step and after every so many
  double *time;          // n_steps / every + 1, out, s
  double *q_out, *v_out; // that many x nq and x nv, out
  long n_samples;        // out: how many were written
} sarrus_rollout;

/// Allocates nothing.  @return the srs_status of what ended it
int sarrus_roll_out(srs_sim *sim, sarrus_rollout *rollout, srs_error *error);
