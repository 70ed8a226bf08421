// How a run ended, where it did not end well, and Ctrl-C during a run.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

#include <signal.h>
#include <stdbool.h>

/// Names the scene in an error that names no file.
void srs_run_name_scene(const char *path, srs_error *error);

/// Reports a failure during the run, and where the rows written so far are.  @return SRS_EXIT_FAILED
int srs_run_report_stop(const char *path, const char *output, srs_error *error);

/// Says in one line that contact problems were not solved, if any: a failure with --strict, else a warning.
/// @param solver  its name where several are compared, else ""
int srs_run_report_unsolved(const srs_command *command, bool is_strict, const char *path, const char *solver,
                            const srs_sim *sim);

/// How the signals were handled before.
typedef struct srs_interrupt {
  struct sigaction interrupt, terminate;
} srs_interrupt;

/// From here on the first SIGINT or SIGTERM only sets a mark, so that the current step can be finished; a second one
/// ends the process as usual.
void srs_interrupt_catch(srs_interrupt *before);
void srs_interrupt_release(const srs_interrupt *before);

/// Whether a signal has arrived since srs_interrupt_catch.
bool srs_interrupt_came(void);
