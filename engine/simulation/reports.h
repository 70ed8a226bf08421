// Errors of steps, with time and step. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/sim_state.h"

/// Fills an SRS_ERROR_SINGULAR that names the joint that nothing resists, with time and step.
srs_status srs_report_singular(const srs_workspace *workspace, const srs_sim_state *state, int bad_v, srs_error *error);
