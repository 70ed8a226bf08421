// Rows of a rollout in lanes. Internal.
#pragma once
#include "engine/lanes/lanes.h"
#include "engine/rollout/row.h"

/// Runs rows first … first + n - 1 of a job that makes sense, each as srs_run_row does, in lanes as far as these carry
/// them: to rounding, not to the bit. Rows that lanes do not carry to their end run alone, from their start.
/// @param sim     in which rows begin, and run alone
/// @param n       1 to SRS_SIM_LANES
/// @param status, error  n each, out: of each row; errors of rows that are good stay
/// @return how many ran alone
int srs_run_lane_rows(srs_lanes *lanes, srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start,
                      long first, int n, srs_status *status, srs_error *error);
