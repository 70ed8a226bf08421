// A run of a sweep under way: its scene, sim, and the values of all columns that its expressions know. Internal.
#pragma once
#include "engine/output/columns/column_table.h"
#include "engine/sweep/sweep_plan.h"
#include <sarrus/scene.h>

enum { SRS_SWEEP_MESSAGE = 320 };

/// What a row of the result says.
typedef struct srs_sweep_row {
  long run;
  bool is_good;
  char message[SRS_SWEEP_MESSAGE]; // why it failed, one line
  double values[SRS_SWEEP_VARIABLES];
  double outcomes[SRS_SWEEP_OUTCOMES]; // NAN where it failed
} srs_sweep_row;

typedef struct srs_run_work {
  const srs_sweep_plan *plan;
  srs_arena arena;
  srs_scene *scene;
  srs_sim *sim;
  bool is_used[SRS_COLUMN_SOURCES];
  int first[SRS_COLUMN_SOURCES]; // of their values; -1: the source has not been made
  srs_columns columns[SRS_COLUMN_SOURCES];
  const char **names; // n_values: of what expressions know, the variables first, then `run`
  double *values;
  int n_values;
  srs_expression *outcomes, stop; // n_outcomes
} srs_run_work;

/// Loads the scene with these values.  @param work  with its plan, ended by srs_run_end, also on failure
srs_status srs_run_begin(srs_run_work *work, const double *values, long run, srs_error *error);
void srs_run_end(srs_run_work *work);

/// The steps to its end, and whether anything is looked at before it.
long srs_run_steps(const srs_run_work *work);
bool srs_run_looks(const srs_run_work *work);

/// Takes the present values, for outcomes.
srs_status srs_run_fill(srs_run_work *work, srs_error *error);

/// The same, and notes them for figures over time.  @param is_stopped  out
srs_status srs_run_look(srs_run_work *work, bool *is_stopped, srs_error *error);

/// The row of a run that came to its end, or of one that failed.
void srs_run_to_row(srs_run_work *work, srs_status status, const srs_error *error, srs_sweep_row *row);
