// How a run ended, where it did not end well.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

/// Names the scene in an error that names no file.
void srs_run_name_scene(const char *path, srs_error *error);

/// Reports a failure during the run, and where the rows written so far are.  @return SRS_EXIT_FAILED
int srs_run_report_stop(const char *path, const char *output, srs_error *error);

/// Says in one line that contact problems were not solved, if any: a failure with --strict, else a warning.
/// @param solver  its name where several are compared, else ""
int srs_run_report_unsolved(const srs_command *command, bool is_strict, const char *path, const char *solver,
                            const srs_sim *sim);
