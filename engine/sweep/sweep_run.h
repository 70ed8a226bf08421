// One run of a sweep: the scene with its values, simulated, and what is asked of it. Internal.
#pragma once
#include "engine/sweep/run_work.h"

/// Simulates a run. Several threads may do so at once. Allocates.
/// @param row  out; a run that fails is a row with its message
void srs_sweep_run(const srs_sweep_plan *plan, long run, srs_sweep_row *row);

/// Loads the scene of the first run, or of another one where that fails, and reads every expression with its names.
/// Describes the files that the scene is made of, in the plan.
/// @return SRS_OK or the error, FILE:LINE:COL named
srs_status srs_sweep_check(srs_sweep_plan *plan, srs_error *error);
