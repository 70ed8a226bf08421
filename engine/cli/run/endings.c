// How a run ended, where it did not end well; and Ctrl-C, of which the signal handler only sets a mark.
#include "engine/cli/run/endings.h"

#include "engine/cli/shared/messages.h"
#include "engine/output/output_files.h"

#include <stdio.h>
#include <string.h>

void srs_run_name_scene(const char *path, srs_error *error)
{
  if (error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%s", path);
}

int srs_run_report_stop(const char *path, const char *output, srs_error *error)
{
  const size_t length = strlen(error->message);
  srs_run_name_scene(path, error);
  if (output != NULL)
    snprintf(error->message + length, sizeof error->message - length, "; the rows written so far are in %s", output);
  return srs_report_failure(error);
}

int srs_run_report_unsolved(const srs_command *command, bool is_strict, const char *path, const char *solver,
                            const srs_sim *sim)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  srs_error error = {0};
  char time[32];
  if (s->failures == 0) return SRS_EXIT_OK;
  srs_format_number(s->first_failure_time, time);
  srs_report_fill(
      &error, SRS_OK,
      "%.64s%s%ld of %ld contact problem%s not solved, the first in the step from t = %s s; the worst scaled "
      "residual is %.3g; the best impulses found were applied, so the motion may be wrong from there on",
      solver, solver[0] != '\0' ? ": " : "", s->failures, s->solves,
      s->solves == 1     ? " was"
      : s->failures == 1 ? "s was"
                         : "s were",
      time, s->failure_residual_max);
  if (is_strict) {
    srs_run_name_scene(path, &error);
    return srs_report_failure(&error);
  }
  srs_report_warning(command, error.message);
  return SRS_EXIT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ctrl-C
// ---------------------------------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupt_mark = 0;

static void mark_interrupt(int number)
{
  (void)number;
  interrupt_mark = 1;
}

void srs_interrupt_catch(srs_interrupt *before)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = mark_interrupt;
  action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  interrupt_mark = 0;
  sigaction(SIGINT, &action, &before->interrupt);
  sigaction(SIGTERM, &action, &before->terminate);
}

void srs_interrupt_release(const srs_interrupt *before)
{
  sigaction(SIGINT, &before->interrupt, NULL);
  sigaction(SIGTERM, &before->terminate, NULL);
}

bool srs_interrupt_came(void) { return interrupt_mark != 0; }
