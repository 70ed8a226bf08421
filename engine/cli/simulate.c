// How is a scene run from its start to its end? Between two rows of the trajectory steps are taken in short bursts;
// between the bursts the command looks whether it was interrupted and draws its progress. Inputs and timing need single
// steps.
//
// The first SIGINT or SIGTERM only sets a mark, so the step and the row under way are finished; a second one ends the
// process in the usual way.
#include "engine/cli/simulate.h"

#include "engine/cli/progress.h"

#include <signal.h>
#include <string.h>

enum { LONGEST_BURST = 16 };

static volatile sig_atomic_t interrupt_mark = 0;

static void mark_interrupt(int number)
{
  (void)number;
  interrupt_mark = 1;
}

typedef struct signal_state {
  struct sigaction interrupt, terminate;
} signal_state;

static void catch_signals(signal_state *before)
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

static void release_signals(const signal_state *before)
{
  sigaction(SIGINT, &before->interrupt, NULL);
  sigaction(SIGTERM, &before->terminate, NULL);
}

static srs_status total_energy(srs_sim *sim, double *energy, srs_error *error)
{
  srs_workspace *workspace = srs_sim_workspace(sim);
  srs_energies energies = {0};
  const srs_status status = srs_energy(workspace, srs_sim_q(sim), srs_sim_v(sim), &energies);
  if (status != SRS_OK)
    *error = *srs_workspace_error(workspace);
  else
    *energy = energies.kinetic + energies.potential;
  return status;
}

static srs_status add_row(const srs_run_plan *plan, srs_run_outcome *outcome, srs_error *error)
{
  if (plan->trajectory == NULL) return SRS_OK;
  const srs_status status = srs_trajectory_add(plan->trajectory, plan->sim, error);
  if (status == SRS_OK) outcome->n_rows++;
  return status;
}

static long burst_length(const srs_run_plan *plan, long done)
{
  if (plan->input != NULL || plan->times != NULL) return 1;
  long burst = plan->n_steps - done;
  const long to_row = plan->every - done % plan->every;
  if (burst > to_row) burst = to_row;
  return burst < LONGEST_BURST ? burst : LONGEST_BURST;
}

static srs_status take_steps(const srs_run_plan *plan, long n, srs_error *error)
{
  srs_status status = plan->input != NULL ? srs_input_apply(plan->input, plan->sim, error) : SRS_OK;
  if (status != SRS_OK) return status;
  if (plan->times == NULL) return srs_sim_step(plan->sim, n, error);
  const long long start = srs_clock();
  status = srs_sim_step(plan->sim, n, error);
  if (status == SRS_OK) srs_step_times_add(plan->times, srs_clock() - start);
  return status;
}

static srs_status run_loop(const srs_run_plan *plan, srs_progress *progress, srs_run_outcome *outcome, srs_error *error)
{
  srs_status status = add_row(plan, outcome, error);
  long done = 0;
  while (done < plan->n_steps && status == SRS_OK && interrupt_mark == 0) {
    const long burst = burst_length(plan, done);
    status = take_steps(plan, burst, error);
    if (status != SRS_OK) break;
    done += burst;
    if (done % plan->every == 0) status = add_row(plan, outcome, error);
    srs_progress_show(progress, (double)done / (double)plan->n_steps, srs_sim_time(plan->sim));
  }
  outcome->was_interrupted = status == SRS_OK && done < plan->n_steps;
  return status;
}

srs_status srs_simulate(const srs_command *command, const srs_run_plan *plan, srs_run_outcome *outcome,
                        srs_error *error)
{
  *outcome = (srs_run_outcome){0};
  srs_status status = total_energy(plan->sim, &outcome->energy_start, error);
  if (status != SRS_OK) return status;
  signal_state before;
  catch_signals(&before);
  srs_progress progress = srs_progress_start(command->is_quiet);
  const long long start = srs_clock();
  status = run_loop(plan, &progress, outcome, error);
  outcome->wall_time = (double)(srs_clock() - start) / 1e9;
  srs_progress_end(&progress);
  release_signals(&before);
  if (status == SRS_OK) status = total_energy(plan->sim, &outcome->energy_end, error);
  return status;
}
