// What a run is to do: the scene's settings, with the options that override them; n = duration / dt steps, rounded, and
// a note where that is no whole number.
#include "engine/cli/run/settings.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/solver_choice.h"
#include "engine/cli/shared/values.h"
#include "engine/output/output_files.h"

#include <math.h>

static const double default_kp = 100, default_kd = 10; // those of srs_input_set_gains
static const double most_steps = 9007199254740992;     // 2^53: beyond it t = n dt would not count up

static int read_names(const srs_command *command, const srs_run_options *given, srs_run_settings *settings)
{
  if (given->solver != NULL) {
    srs_solver_choice choice;
    const int status = srs_solver_choice_read(command, "solver", given->solver, &choice);
    if (status != SRS_EXIT_OK) return status;
    srs_solver_choice_apply(&choice, &settings->sim.contact.solver);
  }
  if (given->integrator == NULL) return SRS_EXIT_OK;
  const char *names[SRS_INTEGRATORS];
  int integrator = 0;
  for (int i = 0; i < SRS_INTEGRATORS; i++) names[i] = srs_integrator_name((srs_integrator)i);
  const int status = srs_value_word(command, "integrator", given->integrator, names, SRS_INTEGRATORS, &integrator);
  if (status == SRS_EXIT_OK) settings->sim.integrator = (srs_integrator)integrator;
  return status;
}

static int read_gains(const srs_command *command, const srs_run_options *given, srs_run_settings *settings)
{
  if (given->input == NULL && (given->kp != NULL || given->kd != NULL))
    return srs_usage_error(command, "--%s is a gain for references and needs --input", given->kp != NULL ? "kp" : "kd");
  int status = SRS_EXIT_OK;
  if (given->kp != NULL) status = srs_value_not_negative(command, "kp", given->kp, &settings->kp);
  if (given->kd != NULL && status == SRS_EXIT_OK)
    status = srs_value_not_negative(command, "kd", given->kd, &settings->kd);
  return status;
}

static int read_numbers(const srs_command *command, const srs_run_options *given, srs_run_settings *settings)
{
  int status = SRS_EXIT_OK;
  if (given->dt != NULL) status = srs_value_positive(command, "dt", given->dt, &settings->sim.dt);
  if (given->duration != NULL && status == SRS_EXIT_OK)
    status = srs_value_not_negative(command, "duration", given->duration, &settings->duration);
  if (given->every != NULL && status == SRS_EXIT_OK)
    status = srs_value_count(command, "every", given->every, &settings->every);
  if (given->n_recorded != NULL && status == SRS_EXIT_OK)
    status = srs_value_count(command, "record", given->n_recorded, &settings->n_recorded);
  if (given->n_recorded != NULL && given->record_folder == NULL && status == SRS_EXIT_OK)
    status = srs_usage_error(command,
                             "--record is the number of problems that --record-problems keeps; give that option too");
  if (given->gravity != NULL && status == SRS_EXIT_OK)
    status = srs_value_vector(command, "gravity", given->gravity, settings->sim.gravity);
  if (status == SRS_EXIT_OK) status = read_gains(command, given, settings);
  return status;
}

static int count_steps(const srs_command *command, srs_run_settings *settings)
{
  char dt[32], duration[32], end[32];
  srs_format_number(settings->sim.dt, dt);
  srs_format_number(settings->duration, duration);
  const double n = round(settings->duration / settings->sim.dt);
  if (!(n <= most_steps))
    return srs_usage_error(command, "a duration of %s s in steps of %s s has more steps than can be counted", duration,
                           dt);
  settings->n_steps = (long)n;
  const double reached = n * settings->sim.dt;
  if (fabs(reached - settings->duration) <= 1e-9 * settings->duration) return SRS_EXIT_OK;
  srs_format_number(reached, end);
  srs_report_note(command, "%s s is not a whole number of steps of %s s: the run ends at %s s", duration, dt, end);
  return SRS_EXIT_OK;
}

static void choose_output(const srs_command *command, const srs_run_options *given, srs_run_settings *settings)
{
  if (given->out != NULL || given->compare != NULL) settings->output = given->out;
  const char *file = settings->output, *columns = given->shows ? NULL : srs_column_request_name(&given->columns);
  const char *useless = given->every != NULL ? "every" : given->compresses ? "compress" : columns;
  if (file == NULL && useless != NULL)
    srs_report_note(command, "--%s has no effect: neither --out nor the scene names a file to write", useless);
  if (file != NULL && given->compresses && !srs_is_hdf5(file))
    srs_report_note(command, "--compress has no effect: %s is CSV; give --out a name that ends with .h5", file);
}

// A geometrically implicit step is one problem of its own, to which neither a choice of solver nor a record of problems
// applies.
static int refuse_solvers(const srs_command *command, const srs_run_options *given, const srs_run_settings *settings)
{
  const char *other = given->solver != NULL          ? "solver"
                      : given->compare != NULL       ? "compare"
                      : given->record_folder != NULL ? "record-problems"
                                                     : NULL;
  if (settings->sim.integrator != SRS_GEOMETRICALLY_IMPLICIT || other == NULL) return SRS_EXIT_OK;
  return srs_usage_error(
      command,
      "--%s is about contact problems, and geometrically-implicit has none: it solves motion and "
      "contacts as one system with its own solver; leave the option out, or take another --integrator",
      other);
}

int srs_run_choose_settings(const srs_command *command, const srs_run_options *given, const srs_scene_settings *scene,
                            srs_run_settings *settings)
{
  *settings = (srs_run_settings){
      .sim = scene->sim, .duration = scene->duration, .every = scene->output_every, .n_recorded = 10};
  settings->output = scene->output_file;
  settings->kp = default_kp;
  settings->kd = default_kd;
  int status = read_names(command, given, settings);
  if (status == SRS_EXIT_OK) status = refuse_solvers(command, given, settings);
  if (status == SRS_EXIT_OK) status = read_numbers(command, given, settings);
  if (status == SRS_EXIT_OK) status = count_steps(command, settings);
  if (status == SRS_EXIT_OK) choose_output(command, given, settings);
  return status;
}
