// `sarrus run SCENE`: the scene's settings, the options that override them (settings.c), the run, its summary. Whatever
// can be refused is refused before the first file is opened for writing.
#include "engine/cli/run/run.h"
#include "engine/cli/recording/arguments.h"
#include "engine/cli/recording/column_request.h"
#include "engine/cli/recording/kept_run.h"
#include "engine/cli/run/calibrate.h"
#include "engine/cli/run/compare.h"
#include "engine/cli/run/endings.h"
#include "engine/cli/run/energy_report.h"
#include "engine/cli/run/record.h"
#include "engine/cli/run/report.h"
#include "engine/cli/run/settings.h"
#include "engine/cli/run/show.h"
#include "engine/cli/run/simulate.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/solver_choice.h"
#include "engine/cli/shared/start_warnings.h"
#include "engine/cli/shared/state_options.h"
#include "engine/cli/shared/values.h"
#include "engine/output/output_files.h"
#include "topology/base/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------------------------------------------------

static void print_result(const srs_run_options *given, const srs_run_report *report)
{
  if (given->is_json)
    srs_report_json(report);
  else
    srs_report_print(report);
}

// The trajectory is closed first, so that the report about it is final.
static int run_plan(const srs_command *command, const srs_run_options *given, const char *path, const char *output,
                    srs_run_plan *plan, srs_record *record)
{
  srs_run_outcome outcome;
  srs_error error = {0}, closing_error = {0};
  const srs_status status = srs_simulate(command, plan, &outcome, &error);
  const srs_status closing = srs_trajectory_close(plan->trajectory, &closing_error);
  plan->trajectory = NULL;
  srs_error kept_error = {0};
  if (srs_run_keeper_write(plan->keeper, given->record_run, status != SRS_OK, &kept_error) != SRS_OK)
    return srs_report_failure(&kept_error);
  const srs_status recording = srs_record_write(record, command, path, closing == SRS_OK ? &closing_error : NULL);
  if (status != SRS_OK) srs_run_report_unsolved(command, false, path, "", plan->sim);
  if (status != SRS_OK) return srs_run_report_stop(path, closing == SRS_OK ? output : NULL, &error);
  if (closing != SRS_OK || recording != SRS_OK) return srs_report_failure(&closing_error);

  const double work_time = plan->times != NULL ? srs_calibrate(&srs_sim_get_options(plan->sim)->contact.solver) : 0;
  const srs_run_report report = {
      path, output, plan->sim, &outcome, plan->times, work_time, given->record_folder, srs_record_count(record)};
  print_result(given, &report);
  char made[400];
  if (srs_energy_report_warns(plan->sim, &outcome, made)) srs_report_warning(command, made);
  const bool is_strict = given->loading.is_strict && !outcome.was_interrupted;
  const int unsolved = srs_run_report_unsolved(command, is_strict, path, "", plan->sim);
  if (!outcome.was_interrupted) return unsolved;
  char time[32];
  srs_format_number(srs_sim_time(plan->sim), time);
  srs_report_fill(&error, SRS_OK, "interrupted at t = %s s, after step %ld of %ld", time, srs_sim_steps(plan->sim),
                  plan->n_steps);
  return srs_run_report_stop(path, output, &error);
}

// Those of this run and of as many again three times, for a run that is resumed to a later end.
static long most_rows(const srs_run_settings *settings)
{
  const long rows = settings->n_steps / settings->every + 2;
  return rows < LONG_MAX / 8 ? 4 * rows : rows;
}

static int open_files(const srs_command *command, srs_run_options *given, const char *path,
                      const srs_scene_settings *scene, const srs_run_settings *settings, srs_run_plan *plan)
{
  srs_error error = {0};
  if (given->input != NULL) {
    if (srs_input_load(given->input, srs_sim_model(plan->sim), &plan->input, &error) != SRS_OK)
      return srs_report_failure(&error);
    srs_input_set_gains(plan->input, settings->kp, settings->kd);
  }
  if (settings->output == NULL) return SRS_EXIT_OK;
  srs_trajectory_options options = scene->output;
  options.scene_text = scene->text;
  options.scene_file = path;
  options.robot_files = scene->robot_files;
  options.input_file = given->input;
  options.most_rows = most_rows(settings);
  options.arguments = given->arguments;
  options.resumes = given->resume != NULL;
  options.compresses = options.compresses || given->compresses;
  const int status = srs_column_request_apply(command, &given->columns, plan->sim, given->shows, &options);
  if (status != SRS_EXIT_OK) return status;
  if (scene->n_sensors > 0 && (options.sensors || options.columns != NULL) &&
      srs_sensors_create(plan->sim, scene->sensors, scene->n_sensors, &plan->sensors, &error) != SRS_OK)
    return srs_report_failure(&error);
  options.instruments = plan->sensors;
  if (srs_trajectory_create(settings->output, plan->sim, &options, &plan->trajectory, &error) != SRS_OK)
    return srs_report_failure(&error);
  if (given->resume != NULL) plan->first_step = srs_sim_steps(plan->sim);
  plan->is_resumed = given->resume != NULL;
  return SRS_EXIT_OK;
}

// Refuses to write a recorded run over a file that the run reads or writes.
static int spare_files(const srs_command *command, const srs_run_options *given, const char *path,
                       const srs_scene *scene, const srs_run_settings *settings)
{
  if (given->record_run == NULL) return SRS_EXIT_OK;
  if (settings->output != NULL && strcmp(settings->output, given->record_run) == 0)
    return srs_usage_error(command, "--record-run and the trajectory are one file, '%s'", given->record_run);
  const srs_trajectory_options inputs = {
      .scene_file = path, .robot_files = srs_scene_get_settings(scene)->robot_files, .input_file = given->input};
  srs_error error = {0};
  if (srs_spare_inputs(given->record_run, srs_scene_model(scene), &inputs, &error) == SRS_OK) return SRS_EXIT_OK;
  return srs_report_failure(&error);
}

static int keep_run(const srs_run_options *given, const char *path, const srs_scene *scene, srs_run_plan *plan)
{
  const char *text = srs_scene_get_settings(scene)->text;
  if (given->record_run == NULL) return SRS_EXIT_OK;
  srs_error error = {0};
  const srs_kept_run facts = {
      .scene_file = path, .scene = text != NULL ? text : "", .arguments = given->kept_arguments};
  srs_status status = srs_run_keeper_create(plan->sim, &facts, &plan->keeper, &error);
  if (status == SRS_OK) status = srs_run_keeper_write(plan->keeper, given->record_run, false, &error); // no step as yet
  return status == SRS_OK ? SRS_EXIT_OK : srs_report_failure(&error);
}

static int warn_of_start(const srs_command *command, const srs_scene_settings *scene, const srs_run_plan *plan)
{
  srs_start_warnings found;
  srs_error error;
  int status = SRS_EXIT_OK;
  if (command->is_quiet || plan->is_resumed) return status;
  if (srs_start_warnings_find(plan->sim, scene, plan->input, &found)) {
    if (found.left_out != NULL) srs_report_note(command, "%s", found.left_out);
    for (int i = 0; i < found.n; i++) srs_report_warning(command, found.texts[i]);
  } else {
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for warnings");
    status = srs_report_failure(&error);
  }
  srs_start_warnings_free(&found);
  return status;
}

static int open_live(const srs_command *command, const srs_run_options *given, srs_run_plan *plan)
{
  int port = 0;
  const bool is_any = strcmp(given->live, "0") == 0;
  const int status = is_any ? SRS_EXIT_OK : srs_value_count(command, "live", given->live, &port);
  if (status == SRS_EXIT_OK && port > 65535)
    return srs_usage_error(command, "--live '%s' is no port: a number up to 65535, 0 for any that is free",
                           given->live);
  return status == SRS_EXIT_OK ? srs_live_open(port, plan->sim, &plan->live) : status;
}

static int run_scene(const srs_command *command, srs_run_options *given, const char *path, const srs_scene *scene)
{
  const srs_scene_settings *scene_settings = srs_scene_get_settings(scene);
  srs_run_settings settings;
  int status = srs_run_choose_settings(command, given, scene_settings, &settings);
  if (status != SRS_EXIT_OK) return status;
  char *own_output = NULL; // where --view asks for a file that nothing names
  if (given->shows) status = srs_run_prepare_page(path, &settings.output, &own_output);
  if (status != SRS_EXIT_OK) return status;

  srs_error error = {0};
  srs_run_plan plan = {.n_steps = settings.n_steps, .every = settings.every};
  if (srs_scene_create_sim(scene, &settings.sim, &plan.sim, &error) != SRS_OK) {
    srs_run_name_scene(path, &error);
    free(own_output);
    return srs_report_failure(&error);
  }
  if (given->has_stats) plan.times = calloc(1, sizeof *plan.times);
  if (given->has_stats && plan.times == NULL)
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the step times"), status = srs_report_failure(&error);
  if (status == SRS_EXIT_OK) status = srs_start_state_set(command, given->q, given->v, plan.sim);
  srs_record *record = NULL;
  if (status == SRS_EXIT_OK && given->record_folder != NULL &&
      srs_record_create(given->record_folder, settings.n_recorded, given->replaces, plan.sim, &record, &error) !=
          SRS_OK)
    status = srs_report_failure(&error);
  if (status == SRS_EXIT_OK)
    status = srs_start_state_assemble(command, scene, given->q != NULL, given->v != NULL, plan.sim);
  if (status == SRS_EXIT_OK) status = spare_files(command, given, path, scene, &settings);
  if (status == SRS_EXIT_OK) status = open_files(command, given, path, scene_settings, &settings, &plan);
  if (status == SRS_EXIT_OK) status = keep_run(given, path, scene, &plan);
  if (status == SRS_EXIT_OK) srs_loading_warn(command, srs_scene_model(scene));
  if (status == SRS_EXIT_OK) status = warn_of_start(command, scene_settings, &plan);
  if (status == SRS_EXIT_OK && given->live != NULL) status = open_live(command, given, &plan);
  if (status == SRS_EXIT_OK) status = run_plan(command, given, path, settings.output, &plan, record);
  if (status == SRS_EXIT_OK && given->shows) status = srs_run_show(command, scene, settings.output, given->is_json);
  free(own_output);
  srs_record_destroy(record);
  srs_run_keeper_destroy(plan.keeper);
  srs_live_close(plan.live);
  (void)srs_trajectory_close(plan.trajectory, NULL); // of a run that did not begin
  free(plan.times);
  srs_sensors_destroy(plan.sensors);
  srs_input_destroy(plan.input);
  srs_sim_destroy(plan.sim);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Several solvers
// ---------------------------------------------------------------------------------------------------------------------

static int refuse_with_compare(const srs_command *command, const srs_run_options *given)
{
  const char *columns = srs_column_request_name(&given->columns);
  const char *other = given->solver != NULL          ? "solver"
                      : columns != NULL              ? columns
                      : given->has_stats             ? "stats"
                      : given->shows                 ? "view"
                      : given->live != NULL          ? "live"
                      : given->record_folder != NULL ? "record-problems"
                      : given->record_run != NULL    ? "record-run"
                                                     : NULL;
  if (other == NULL && given->out != NULL && srs_is_hdf5(given->out))
    return srs_usage_error(command, "--compare writes CSV, not HDF5: give --out a name that ends with .csv");
  if (other == NULL) return SRS_EXIT_OK;
  return srs_usage_error(command, "--compare runs several solvers and cannot be combined with --%s", other);
}

static int make_contender(const srs_command *command, const srs_run_options *given, const srs_scene *scene,
                          const srs_run_settings *settings, srs_contender *one)
{
  srs_error error = {0};
  srs_sim_options options = settings->sim;
  srs_solver_choice_apply(&one->choice, &options.contact.solver);
  if (srs_scene_create_sim(scene, &options, &one->sim, &error) != SRS_OK) return srs_report_failure(&error);
  if (given->input != NULL && srs_input_load(given->input, srs_sim_model(one->sim), &one->input, &error) != SRS_OK)
    return srs_report_failure(&error);
  if (one->input != NULL) srs_input_set_gains(one->input, settings->kp, settings->kd);
  return srs_start_state_set(command, given->q, given->v, one->sim);
}

static int make_comparison(const srs_command *command, const srs_run_options *given, const char *path,
                           const srs_scene *scene, const srs_run_settings *settings, srs_comparison *c)
{
  srs_solver_choice choices[SRS_COMPARE_MOST];
  int n = 0, status = srs_solver_choices_read(command, "compare", given->compare, SRS_COMPARE_MOST, choices, &n);
  *c = (srs_comparison){.scene = path, .output = given->out, .n_steps = settings->n_steps, .every = settings->every};
  for (; c->n < n && status == SRS_EXIT_OK; c->n++) {
    c->contender[c->n].choice = choices[c->n];
    status = make_contender(command, given, scene, settings, &c->contender[c->n]);
  }
  if (status != SRS_EXIT_OK || srs_comparison_prepare(c)) return status;
  srs_error error;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the comparison");
  return srs_report_failure(&error);
}

static srs_status open_table(const srs_run_options *given, const srs_scene_settings *scene, const srs_comparison *c,
                             FILE **file, srs_error *error)
{
  srs_trajectory_options inputs = srs_default_trajectory_options();
  inputs.scene_file = c->scene;
  inputs.robot_files = scene->robot_files;
  inputs.input_file = given->input;
  if (c->output == NULL) return SRS_OK;
  const srs_status status = srs_spare_inputs(c->output, srs_sim_model(c->contender[0].sim), &inputs, error);
  if (status != SRS_OK) return status;
  *file = fopen(c->output, "we");
  return *file != NULL
             ? SRS_OK
             : srs_report_fill(error, SRS_ERROR_FILE,
                               "cannot be created: %s; name a file in an existing folder that can be written to",
                               strerror(errno));
}

// Reports what kept a comparison from being complete, if anything did.
static int report_end(const srs_comparison *c)
{
  srs_error error = {0};
  for (int i = 0; i < c->n; i++) {
    const srs_contender *one = &c->contender[i];
    if (!one->has_stopped) continue;
    srs_report_fill(&error, one->stop.status, "%s: %.*s", one->choice.label, (int)sizeof error.message - 64,
                    one->stop.message);
    return srs_run_report_stop(c->scene, NULL, &error);
  }
  if (!c->was_interrupted) return SRS_EXIT_OK;
  srs_report_fill(&error, SRS_OK, "interrupted after step %ld of %ld", c->steps_done, c->n_steps);
  return srs_run_report_stop(c->scene, NULL, &error);
}

static int run_comparison(const srs_command *command, const srs_run_options *given, const srs_scene_settings *scene,
                          srs_comparison *c)
{
  srs_error error = {0};
  FILE *file = NULL;
  srs_status status = open_table(given, scene, c, &file, &error);
  if (status == SRS_OK) status = srs_compare(command, c, file, &error);
  status = srs_comparison_close(c, file, status, &error);
  if (status != SRS_OK) return srs_run_report_stop(status == SRS_ERROR_FILE ? c->output : c->scene, NULL, &error);
  if (given->is_json)
    srs_comparison_json(c);
  else
    srs_comparison_print(c);
  int unsolved = SRS_EXIT_OK;
  for (int i = 0; i < c->n; i++) {
    const int one = srs_run_report_unsolved(command, given->loading.is_strict, c->scene, c->contender[i].choice.label,
                                            c->contender[i].sim);
    if (one != SRS_EXIT_OK) unsolved = one;
  }
  const int end = report_end(c);
  return end != SRS_EXIT_OK ? end : unsolved;
}

static int compare_scene(const srs_command *command, srs_run_options *given, const char *path, const srs_scene *scene)
{
  const srs_scene_settings *scene_settings = srs_scene_get_settings(scene);
  srs_run_settings settings;
  srs_comparison comparison = {.n = 0};
  int status = refuse_with_compare(command, given);
  if (status == SRS_EXIT_OK) status = srs_run_choose_settings(command, given, scene_settings, &settings);
  if (status == SRS_EXIT_OK) status = make_comparison(command, given, path, scene, &settings, &comparison);
  if (status == SRS_EXIT_OK) {
    srs_loading_warn(command, srs_scene_model(scene));
    if (srs_sim_collider(comparison.contender[0].sim) == NULL)
      srs_report_note(command, "no two shapes of the scene can collide: the solvers have nothing to solve");
    const srs_run_plan first = {.sim = comparison.contender[0].sim, .input = comparison.contender[0].input};
    status = warn_of_start(command, scene_settings, &first);
  }
  if (status == SRS_EXIT_OK) { status = run_comparison(command, given, scene_settings, &comparison); }
  srs_comparison_free(&comparison);
  return status;
}

static int run_file(const srs_command *command, srs_run_options *given, const char *path)
{
  srs_scene *scene = NULL;
  int status = srs_loading_open(command, &given->loading, path, &scene);
  if (status != SRS_EXIT_OK) return status;
  status = (given->compare != NULL ? compare_scene : run_scene)(command, given, path, scene);
  srs_scene_destroy(scene);
  return status;
}

static const char purpose[] =
    "Simulates a scene (.yaml) or a robot file (.urdf: that model alone, without ground) and prints a summary.\n"
    "Options override the scene.";

static const char notes[] =
    "LIST is numbers separated by commas or spaces, in the model's order (sarrus info shows it); quaternions w x y z.\n"
    "Rows are written for the start and after every N steps. FILE.csv.yaml, beside FILE.csv, records the scene and "
    "the units; FILE.h5 holds all of it.\n"
    "The input file has a column `time` and columns tau:NAME, q_ref:NAME, v_ref:NAME; a row holds until the next one.\n"
    "With --strict a run with unsolved contact problems ends with exit status 1.\n"
    "The first Ctrl-C finishes the current step, closes the file and prints the summary, with exit status 1.";

// Reads the arguments, or shows the help.
static int read_command(srs_command *command, srs_run_options *given, int argc, char **argv, const char **path,
                        bool *wants_help)
{
  char integrators[256] = "";
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    const size_t used = strlen(integrators);
    snprintf(integrators + used, sizeof integrators - used, "%s%s",
             i == 0                    ? ""
             : i + 1 < SRS_INTEGRATORS ? ", "
                                       : " or ",
             srs_integrator_name((srs_integrator)i));
  }
  const srs_option options[] = {
      {"dt", "S", "time step, s", .text = &given->dt},
      {"duration", "S", "simulated time, s", .text = &given->duration},
      {"integrator", "NAME", integrators, .text = &given->integrator},
      {"solver", "NAME[@N]", "contact solver; N directions of its friction polyhedron", .text = &given->solver},
      {"compare", "NAME,NAME|all", "run with several contact solvers; --out: their differences",
       .text = &given->compare},
      {"gravity", "X,Y,Z", "m/s^2, world axes", .text = &given->gravity},
      {"q", "LIST", "initial coordinates, rad or m", .text = &given->q},
      {"v", "LIST", "initial velocities, rad/s or m/s", .text = &given->v},
      {"input", "FILE.csv", "torques or servo references of joints over time", .text = &given->input},
      {"kp", "GAIN", "gain of position references, N m/rad or N/m (default 100)", .text = &given->kp},
      {"kd", "GAIN", "gain of velocity references, N m s/rad or N s/m (default 10)", .text = &given->kd},
      {"out", "FILE.csv|.h5", "write the trajectory to this file", .text = &given->out},
      {"every", "N", "a row every N steps", .text = &given->every},
      {"resume", "FILE.h5", "go on with a run that was stopped, in place of SCENE", .text = &given->resume},
      SRS_COLUMN_OPTIONS(given->columns),
      {"compress", NULL, "compress FILE.h5 when it is complete; it cannot be resumed then", .flag = &given->compresses},
      {"view", NULL, "write a page that shows the run beside it, and open it", .flag = &given->shows},
      {"live", "PORT", "show the run while it goes on, at http://127.0.0.1:PORT/; 0: any port", .text = &given->live},
      {"record-problems", "DIR", "write the hardest contact problems to this folder", .text = &given->record_folder},
      {"record", "N", "how many of them (default 10)", .text = &given->n_recorded},
      {"record-run", "FILE", "keep inputs and states of all steps, for `sarrus replay`", .text = &given->record_run},
      {"force", NULL, "replace problems that are in that folder", .flag = &given->replaces},
      {"stats", NULL, "time each step: median, 99.9 %, 99.99 %, worst", .flag = &given->has_stats},
      SRS_LOADING_OPTIONS(given->loading),
      {"json", NULL, "one JSON object instead of the summary", .flag = &given->is_json},
      {"quiet", NULL, "no warnings, no notes, no progress bar", .flag = &command->is_quiet},
  };
  static const char *const operand_names[] = {"SCENE"};
  const srs_usage usage = {"run SCENE", purpose, notes, operand_names, 1, options, sizeof options / sizeof *options};
  const int status = srs_options_read(command, &usage, argc, argv, path, wants_help);
  if (status == SRS_EXIT_OK && *wants_help) srs_options_help(&usage);
  return status;
}

int srs_command_run(int argc, char **argv)
{
  srs_command command = {.name = "run"};
  srs_run_options given = {0};
  srs_resumed_arguments arguments;
  int status = srs_run_read_arguments(argc, argv, &arguments);
  if (status != SRS_EXIT_OK) return status;
  given.arguments = arguments.text;
  given.kept_arguments = arguments.merged;
  status = srs_loading_create(&given.loading, arguments.argc);
  given.loading.text = arguments.scene;
  if (status != SRS_EXIT_OK) return status;
  const char *path = NULL;
  bool wants_help = false;
  status = read_command(&command, &given, arguments.argc, arguments.argv, &path, &wants_help);
  if (status == SRS_EXIT_OK && !wants_help) status = run_file(&command, &given, path);
  srs_loading_destroy(&given.loading);
  srs_column_request_free(&given.columns);
  srs_run_free_arguments(&arguments);
  return status;
}

int srs_run_again(const srs_command *command, int argc, char **argv, const char *text, srs_sim_use use, void *context)
{
  srs_command quiet = {.name = command->name};
  srs_run_options given = {0};
  const char *path = NULL;
  bool wants_help = false;
  int status = srs_loading_create(&given.loading, argc);
  if (status != SRS_EXIT_OK) return status;
  given.loading.text = text;
  status = read_command(&quiet, &given, argc, argv, &path, &wants_help);
  quiet.is_quiet = true;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_run_settings settings;
  srs_error error = {0};
  if (status == SRS_EXIT_OK) status = srs_loading_open(&quiet, &given.loading, path, &scene);
  if (status == SRS_EXIT_OK) status = srs_run_choose_settings(&quiet, &given, srs_scene_get_settings(scene), &settings);
  if (status == SRS_EXIT_OK && srs_scene_create_sim(scene, &settings.sim, &sim, &error) != SRS_OK) {
    srs_run_name_scene(path, &error);
    status = srs_report_failure(&error);
  }
  if (status == SRS_EXIT_OK) status = use(context, sim);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  srs_loading_destroy(&given.loading);
  return status;
}
