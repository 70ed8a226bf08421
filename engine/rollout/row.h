// What a job asks, checked, and one of its rows. Internal.
#pragma once
#include <sarrus/rollout.h>

/// Whether a job makes sense: SRS_OK or SRS_ERROR_ARGUMENT.
srs_status srs_check_job(const srs_rollout_job *job, srs_error *error);

/// Runs a row of a job that makes sense.
/// @param start  where it begins, unless the job has a start for it; NULL: as the sim is
srs_status srs_run_row(srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start, long row,
                       srs_error *error);
