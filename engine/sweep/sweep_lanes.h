// Runs of a sweep in vector lanes, where values set states and nothing else of the scene. Internal.
#pragma once
#include "engine/sweep/sweep_run.h"

enum { SRS_SWEEP_LANES = 4 };

/// Whether lanes can carry the sweep's runs: the first, and two others that may differ from it in their states alone.
/// @return SRS_OK, SRS_ERROR_MEMORY, or _UNSUPPORTED with a message that says what is in the way and what cures it
srs_status srs_sweep_check_lanes(const srs_sweep_plan *plan, srs_error *error);

/// Simulates runs first … first + n - 1, in lanes where the plan says so: rows are then those of srs_sweep_run to
/// rounding. Runs that lanes do not carry to their end run alone. Several threads may do so at once. Allocates.
/// @param n  1 to SRS_SWEEP_LANES   @param rows  n, out
void srs_sweep_runs(const srs_sweep_plan *plan, long first, int n, srs_sweep_row *rows);
