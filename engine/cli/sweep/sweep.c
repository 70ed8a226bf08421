// `sarrus sweep SWEEP`: a scene many times over, with other values each time; a row for each run.
#include "engine/cli/sweep/sweep.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/step_times.h"
#include "engine/cli/shared/values.h"
#include "engine/cli/sweep/ranks.h"
#include "engine/cli/sweep/rows_file.h"
#include "engine/cli/sweep/schedule.h"
#include "engine/sweep/sweep_lanes.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sweep_request {
  const char *out, *threads, *most, *show;
  int n_threads, n_most, shown;
  bool is_forced, in_lanes;
} sweep_request;

static int read_request(const srs_command *command, sweep_request *r)
{
  r->n_threads = srs_sweep_processors();
  int status = SRS_EXIT_OK;
  if (r->threads != NULL) status = srs_value_count(command, "threads", r->threads, &r->n_threads);
  if (status == SRS_EXIT_OK && r->most != NULL) status = srs_value_count(command, "most-runs", r->most, &r->n_most);
  if (status == SRS_EXIT_OK && r->n_threads > 1024)
    status = srs_usage_error(command, "--threads %s: at most 1024", r->threads);
  double shown = -1;
  if (status == SRS_EXIT_OK && r->show != NULL) {
    status = srs_value_not_negative(command, "show", r->show, &shown);
    if (status == SRS_EXIT_OK && !(shown < 1e9 && shown == (double)(int)shown))
      status = srs_usage_error(command, "--show %s: the number of a run, from 0", r->show);
  }
  r->shown = status == SRS_EXIT_OK ? (int)shown : -1;
  return status;
}

// The scene of one run, as text.
static int show_scene(const srs_sweep_plan *plan, const sweep_request *r)
{
  srs_error error = {0};
  double values[SRS_SWEEP_VARIABLES];
  if (r->shown >= plan->n_runs) {
    srs_report_fill(&error, SRS_ERROR_ARGUMENT, "--show %d: the sweep has runs 0 to %ld", r->shown, plan->n_runs - 1);
    return srs_report_failure(&error);
  }
  srs_sweep_values(plan, r->shown, values);
  char *text = srs_sweep_scene_text(plan, values);
  if (text != NULL) (void)fputs(text, stdout);
  if (text == NULL) srs_report_fill(&error, SRS_ERROR_MEMORY, "no memory left for the scene's text");
  free(text);
  return text != NULL ? SRS_EXIT_OK : srs_report_failure(&error);
}

static void summarise(const srs_rows_file *file, long first, long long time, const char *path)
{
  const double seconds = (double)time * 1e-9;
  const long n = file->n_rows - first;
  printf("runs             %ld of %ld, %ld failed\n", file->n_rows, file->plan->n_runs, file->n_failed);
  if (n > 0 && seconds > 0) printf("now              %ld in %.3f s, %.4g a second\n", n, seconds, (double)n / seconds);
  printf("written          %s\n", path);
}

static int carry_out(const srs_command *command, const srs_sweep_plan *plan, const sweep_request *r, const char *path)
{
  srs_rows_file file;
  srs_error error = {0};
  bool was_interrupted = false;
  const long long start = srs_clock();
  srs_status status = srs_rows_file_open(path, plan, r->is_forced, &file, &error);
  const long first = file.n_rows;
  if (status == SRS_OK) {
    if (first > 0) srs_report_note(command, "%s has %ld rows already: going on with run %ld", path, first, first);
    const long end = r->n_most > 0 && first + r->n_most < plan->n_runs ? first + r->n_most : plan->n_runs;
    status = srs_sweep_schedule(command, plan, r->n_threads, end, &file, &was_interrupted, &error);
  } else {
    srs_ranks_dismiss();
  }
  if (status == SRS_OK)
    status = srs_rows_file_close(&file, &error);
  else
    (void)srs_rows_file_close(&file, NULL);
  if (status != SRS_OK) return srs_report_failure(&error);
  summarise(&file, first, srs_clock() - start, path);
  if (was_interrupted) srs_report_note(command, "interrupted; the same command goes on from there");
  return was_interrupted ? SRS_EXIT_FAILED : SRS_EXIT_OK;
}

static int sweep(const srs_command *command, const sweep_request *r, const char *path, int rank)
{
  srs_sweep_plan plan;
  srs_error error = {0};
  srs_status status = srs_sweep_plan_read(path, &plan, &error);
  plan.in_lanes = r->in_lanes;
  const char *out = r->out != NULL ? r->out : plan.output;
  if (status == SRS_OK && r->show == NULL) status = srs_sweep_check(&plan, &error);
  if (status == SRS_OK && r->show == NULL && plan.in_lanes) status = srs_sweep_check_lanes(&plan, &error);
  if (status == SRS_OK && out == NULL && r->show == NULL)
    status = srs_report_fill(&error, SRS_ERROR_ARGUMENT,
                             "%s: no file for the rows: give --out FILE, or the sweep a line 'output: FILE'", path);
  int result = SRS_EXIT_FAILED;
  if (status != SRS_OK)
    result = rank == 0 ? srs_report_failure(&error) : SRS_EXIT_FAILED;
  else if (r->show != NULL)
    result = rank == 0 ? show_scene(&plan, r) : SRS_EXIT_OK;
  else if (rank == 0)
    result = carry_out(command, &plan, r, out);
  else
    result =
        srs_sweep_schedule(command, &plan, r->n_threads, 0, NULL, NULL, NULL) == SRS_OK ? SRS_EXIT_OK : SRS_EXIT_FAILED;
  srs_sweep_plan_free(&plan);
  return result;
}

static const char purpose[] =
    "Simulates a scene many times with other values: at the points of a grid, drawn from distributions, or both. "
    "Every\n"
    "run is a row: its values, what was asked of it, and whether it failed. The rows are the same to the byte "
    "whatever\n"
    "the number of threads, and after an interruption the same command goes on where the file ends.";

int srs_command_sweep(int argc, char **argv)
{
  srs_command command = {.name = "sweep"};
  sweep_request request = {.out = NULL};
  bool wants_help = false;
  const srs_option options[] = {
      {"out", "FILE", "where the rows go, .csv or .h5 (default: the sweep's output)", .text = &request.out},
      {"threads", "N", "threads that compute (default: a thread for each processor)", .text = &request.threads},
      {"most-runs", "N", "end after so many runs; the same command goes on", .text = &request.most},
      {"show", "RUN", "print the scene of one run, from 0, and simulate nothing", .text = &request.show},
      {"lanes", NULL, "runs of free motion four at a time in vector lanes: rows to rounding, not to the bit",
       .flag = &request.in_lanes},
      {"force", NULL, "begin anew where FILE is there already", .flag = &request.is_forced},
      {"quiet", NULL, "no notes and no progress", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"SWEEP"};
  const srs_usage usage = {"sweep SWEEP",
                           purpose,
                           "docs/sweep.md describes the file. Under mpirun, where the command is built with MPI, the\n"
                           "runs are spread over all ranks.",
                           operand_names,
                           1,
                           options,
                           sizeof options / sizeof *options};
  const char *operands[1] = {NULL};
  int status = srs_options_read(&command, &usage, argc, argv, operands, &wants_help);
  if (status == SRS_EXIT_OK && wants_help) {
    srs_options_help(&usage);
    return status;
  }
  if (status == SRS_EXIT_OK) status = read_request(&command, &request);
  if (status != SRS_EXIT_OK) return status;
  int rank = 0, n_ranks = 1;
  if (!srs_ranks_begin(&rank, &n_ranks))
    return srs_usage_error(&command, "started by mpirun, but this command is built without MPI: configure with "
                                     "-DSARRUS_MPI=ON, or start it alone");
  openblas_set_num_threads(1); // threads have a run each
  if (rank > 0) command.is_quiet = true;
  status = sweep(&command, &request, operands[0], rank);
  srs_ranks_end();
  return status;
}
