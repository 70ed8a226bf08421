// Running a scene from start to end. Between two rows of the trajectory steps are taken in short bursts; between bursts
// the command checks for an interrupt and draws its progress. Inputs and timing need single steps.
#include "engine/cli/run/simulate.h"

#include "engine/cli/run/endings.h"
#include "engine/cli/run/progress.h"
#include "engine/cli/shared/messages.h"
#include "engine/output/end_row.h"
#include "engine/output/run_figures.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST_BURST = 16, BETWEEN_SAMPLES = 32 };
static const double slow_work = 1e9; // multiplications of a step, 0.3 to 1 s; those of all samples take less than 1e8

srs_status srs_total_energy(srs_sim *sim, double *energy, srs_error *error)
{
  srs_energies energies = {0};
  const srs_status status = srs_sim_energies(sim, &energies, error);
  if (status == SRS_OK) *energy = energies.kinetic + energies.potential;
  return status;
}

static srs_status add_row(const srs_run_plan *plan, srs_run_outcome *outcome, srs_error *error)
{
  if (plan->trajectory == NULL) return SRS_OK;
  const srs_status status = srs_trajectory_add(plan->trajectory, plan->sim, error);
  outcome->n_rows = srs_trajectory_rows(plan->trajectory);
  return status;
}

static long burst_length(const srs_run_plan *plan, long done)
{
  if (plan->input != NULL || plan->times != NULL || plan->keeper != NULL) return 1;
  long burst = plan->n_steps - done;
  const long to_row = plan->every - done % plan->every;
  if (burst > to_row) burst = to_row;
  return burst < LONGEST_BURST ? burst : LONGEST_BURST;
}

static srs_status take_steps(const srs_run_plan *plan, long n, srs_error *error)
{
  srs_status status = plan->input != NULL ? srs_input_apply(plan->input, plan->sim, error) : SRS_OK;
  if (status != SRS_OK) return status;
  const long long start = plan->times != NULL ? srs_clock() : 0;
  status = srs_sim_step(plan->sim, n, error);
  if (status == SRS_OK && plan->times != NULL) srs_step_times_add(plan->times, srs_clock() - start);
  return status == SRS_OK && plan->keeper != NULL ? srs_run_keeper_add(plan->keeper, error) : status;
}

// Once a passage, as far as there is one in a burst.
static void warn_of_change_points(const srs_command *command, srs_sim *sim, long *reported)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  if (s->change_points == *reported) return;
  *reported = s->change_points;
  char text[384], time[32];
  srs_format_number(s->change_point_time, time);
  snprintf(
      text, sizeof text,
      "t = %s s: loop '%.80s' passes a change point, where its rows nearly depend on each other and it could go on "
      "another way; %d of %d rows of loops are independent there",
      time, srs_model_loop_name(srs_sim_model(sim), s->change_point_loop), s->change_point_rank, s->bilateral_rows);
  srs_report_warning(command, text);
}

// Adds what the kinetic energy gained or lost since the last sample to the turnover.
static srs_status note_turnover(srs_sim *sim, srs_run_figures *figures, srs_error *error)
{
  srs_energies energies = {0};
  const srs_status status = srs_sim_energies(sim, &energies, error);
  const double step = (double)srs_sim_steps(sim), steps = step - figures->sampled;
  const double change = fabs(energies.kinetic - figures->kinetic);
  figures->turnover += change;
  if (steps > 0) figures->change_max = fmax(figures->change_max, change / steps);
  figures->kinetic = energies.kinetic;
  figures->sampled = step;
  return status;
}

static srs_status begin_figures(srs_sim *sim, srs_run_figures *figures, srs_error *error)
{
  *figures = (srs_run_figures){.sampled = (double)srs_sim_steps(sim)};
  const srs_status status = srs_total_energy(sim, &figures->energy_start, error);
  return status == SRS_OK ? note_turnover(sim, figures, error) : status;
}

// Once a run: what turns too far in a step.
static void warn_of_unresolved(const srs_command *command, srs_sim *sim, bool *was_reported)
{
  const srs_spin_statistics *s = srs_sim_get_spin_statistics(sim);
  if (*was_reported || s->unresolved == 0) return;
  *was_reported = true;
  char text[320], time[32];
  srs_format_number(s->first_time, time);
  const double turn = s->speed * srs_sim_get_options(sim)->dt, digit = pow(10, floor(log10(s->dt)) - 1);
  const int used = snprintf(text, sizeof text, "t = %s s: link '%.80s' turns by %.2g rad in a step, at %.3g rad/s",
                            time, srs_model_link(srs_sim_model(sim), s->link)->name, turn, s->speed);
  if (s->unconverged > 0 && turn <= 0.5) // as with links of very different mass
    snprintf(text + used, sizeof text - (size_t)used,
             ", and the velocity terms do not converge; take integrator: implicit-moreau, or a far smaller dt");
  else
    snprintf(text + used, sizeof text - (size_t)used, ": more than a step resolves; take dt: %.2g",
             floor(s->dt / digit) * digit);
  srs_report_warning(command, text);
}

// Once a run: a step whose problems took so much work that it takes half a second or so. Work is counted, and
// the same on every machine.
static void note_slow_step(const srs_command *command, srs_sim *sim, bool *was_reported)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  if (*was_reported || s->step_work_max < slow_work) return;
  *was_reported = true;
  char time[32];
  srs_format_number(srs_sim_time(sim), time);
  srs_report_note(
      command,
      "t = %s s: steps become slow: the contact problems of one took %.2g multiplications, of at most %.2g; "
      "lower dt, look at the motion there, or bound the work by solver: {most_work: 1e7}",
      time, s->step_work_max, s->step_most_work_max);
}

// The state at the end has a row, also where the beat has none there, the run was interrupted, or a step failed: that
// state is the last good one.
static void add_end(const srs_run_plan *plan, srs_run_outcome *outcome, srs_status *status, srs_error *error)
{
  srs_error own = {0};
  const bool is_on_beat = srs_sim_steps(plan->sim) % plan->every == 0;
  if (*status == SRS_OK && is_on_beat) *status = srs_trajectory_flush(plan->trajectory, plan->sim, error);
  if (plan->trajectory == NULL || is_on_beat) return;
  const srs_status added = srs_trajectory_add_end(plan->trajectory, plan->sim, &own);
  outcome->n_rows = srs_trajectory_rows(plan->trajectory);
  if (*status != SRS_OK || added == SRS_OK) return;
  *status = added;
  *error = own;
}

static srs_status run_loop(const srs_command *command, const srs_run_plan *plan, srs_progress *progress,
                           srs_run_figures *figures, srs_run_outcome *outcome, srs_error *error)
{
  long reported = srs_sim_get_statistics(plan->sim)->change_points, done = plan->first_step;
  bool is_reported = false, is_noted = false;
  srs_status status = plan->is_resumed ? SRS_OK : begin_figures(plan->sim, figures, error);
  if (status == SRS_OK && !plan->is_resumed) status = add_row(plan, outcome, error);
  while (plan->live != NULL && !srs_live_is_watched(plan->live) && !srs_interrupt_came()) continue;
  while (done < plan->n_steps && status == SRS_OK && !srs_interrupt_came()) {
    const long burst = burst_length(plan, done);
    status = take_steps(plan, burst, error);
    if (status != SRS_OK) break;
    done += burst;
    warn_of_change_points(command, plan->sim, &reported);
    if ((double)done - figures->sampled >= BETWEEN_SAMPLES) status = note_turnover(plan->sim, figures, error);
    if (status != SRS_OK) break;
    warn_of_unresolved(command, plan->sim, &is_reported);
    note_slow_step(command, plan->sim, &is_noted);
    if (done % plan->every == 0) status = add_row(plan, outcome, error);
    if (plan->live != NULL) srs_live_show(plan->live);
    srs_progress_show(progress, (double)done / (double)plan->n_steps, srs_sim_time(plan->sim));
  }
  outcome->was_interrupted = status == SRS_OK && done < plan->n_steps;
  add_end(plan, outcome, &status, error);
  return status;
}

// The figures that are kept end with the last whole sample, so that they are the same wherever a run stopped.
static srs_status tell_figures(const srs_run_plan *plan, srs_run_figures figures, srs_run_outcome *outcome,
                               srs_error *error)
{
  const srs_status status = note_turnover(plan->sim, &figures, error);
  outcome->energy_start = figures.energy_start;
  outcome->turnover = figures.turnover;
  outcome->change_max = figures.change_max;
  return status;
}

srs_status srs_simulate(const srs_command *command, const srs_run_plan *plan, srs_run_outcome *outcome,
                        srs_error *error)
{
  srs_run_figures own, *figures = plan->trajectory != NULL ? srs_trajectory_figures(plan->trajectory) : &own;
  *outcome = (srs_run_outcome){.was_resumed = plan->is_resumed, .time_start = srs_sim_time(plan->sim)};
  srs_interrupt before;
  srs_interrupt_catch(&before);
  srs_progress progress = srs_progress_start(command->is_quiet);
  const long long start = srs_clock();
  srs_status status = run_loop(command, plan, &progress, figures, outcome, error);
  outcome->wall_time = (double)(srs_clock() - start) / 1e9;
  srs_progress_end(&progress);
  srs_interrupt_release(&before);
  if (status == SRS_OK) status = tell_figures(plan, *figures, outcome, error);
  if (status == SRS_OK) status = srs_total_energy(plan->sim, &outcome->energy_end, error);
  outcome->has_balance = status == SRS_OK && srs_sim_energy_balance(plan->sim, &outcome->balance) == SRS_OK;
  return status;
}
