// The report at the end of `sarrus run`: a summary to read, or one JSON object.
#pragma once
#include "engine/cli/run/simulate.h"

typedef struct srs_run_report {
  const char *scene;  // path
  const char *output; // path, NULL for none
  srs_sim *sim;       // at its last state
  const srs_run_outcome *outcome;
  const srs_step_times *times; // NULL unless --stats
  double work_time;            // s for a multiplication of contact problems; with --stats
  const char *record_folder;   // NULL unless --record-problems
  int n_recorded;
} srs_run_report;

/// Both write on stdout.
void srs_report_print(const srs_run_report *report);
void srs_report_json(const srs_run_report *report);
