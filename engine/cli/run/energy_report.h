// The energy balance of a run: its lines, its object in JSON, and the warning of energy that the scheme made. Internal.
#pragma once
#include "engine/cli/run/simulate.h"
#include "engine/cli/shared/json.h"

/// Prints a line for each part of the balance that is not zero.
void srs_energy_report_print(const srs_run_outcome *outcome);
void srs_energy_report_json(srs_json *json, const srs_run_outcome *outcome);

/// Whether the step itself made more than 0.1 % of the energy turned over; if so, `text` says how much, why, and what
/// helps.
bool srs_energy_report_warns(srs_sim *sim, const srs_run_outcome *outcome, char text[400]);
