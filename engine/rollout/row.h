// What a job asks, checked, and one of its rows. Internal.
#pragma once
#include <sarrus/rollout.h>

/// Whether a job makes sense: SRS_OK or SRS_ERROR_ARGUMENT.
srs_status srs_check_job(const srs_rollout_job *job, srs_error *error);

/// Where a row's samples go.
typedef struct srs_row_samples {
  double *time, *q, *v; // each may be NULL
  size_t nq, nv, taken, count;
} srs_row_samples;

srs_row_samples srs_row_samples_of(const srs_sim *sim, const srs_rollout_job *job, long row);

/// Those of a row's steps, n_steps x nv; NULL: inputs stay.
const double *srs_row_torques(const srs_rollout_job *job, long row, size_t nv);

/// Takes a sim to where a row begins.  @param start  as of srs_run_row
srs_status srs_begin_row(srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start, long row,
                         srs_error *error);

/// Runs a row of a job that makes sense.
/// @param start  where it begins, unless the job has a start for it; NULL: as the sim is
srs_status srs_run_row(srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start, long row,
                       srs_error *error);
