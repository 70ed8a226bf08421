// The options of `sarrus run` as they were typed, and a scene's settings with these applied. Internal.
#pragma once
#include "engine/cli/recording/column_request.h"
#include "engine/cli/shared/loading.h"
#include <sarrus/engine.h>

/// Options as they were typed.
typedef struct srs_run_options {
  srs_loading loading;
  const char *dt, *duration, *solver, *compare, *integrator, *out, *every, *input, *gravity, *kp, *kd;
  const char *q, *v, *resume, *live;
  const char *arguments;      // as they were given, for a file that can be resumed
  const char *kept_arguments; // for --record-run: with those of a run that is resumed
  const char *record_folder, *n_recorded, *record_run;
  srs_column_request columns;
  bool has_stats, is_json, replaces, shows, compresses;
} srs_run_options;

/// The scene's settings with the options applied.
typedef struct srs_run_settings {
  srs_sim_options sim;
  double duration, kp, kd;
  int every, n_recorded;
  long n_steps;
  const char *output;
} srs_run_settings;

/// Reads the values of the options and puts them in the place of the scene's.
/// @return SRS_EXIT_OK, or SRS_EXIT_USAGE, reported
int srs_run_choose_settings(const srs_command *command, const srs_run_options *given, const srs_scene_settings *scene,
                            srs_run_settings *settings);
