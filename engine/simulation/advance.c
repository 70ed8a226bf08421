// Advances time: n steps of dt, one after the other. A step that fails leaves the state as it was, and its error says
// when and where. A step that leads to where it begins is computed once (state/repeat.c).

#include "engine/conservation/energy_balance.h"
#include "engine/dynamics/checks.h"
#include "engine/rows/constraints.h"
#include "engine/simulation/reports.h"
#include "engine/step/simulation.h"
#include "engine/step/step.h"
#include "topology/base/errors.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Subdivision: 2, 4, … smaller steps in place of an implicit one that does not converge
// ---------------------------------------------------------------------------------------------------------------------

// Takes n steps of dt / n.
static srs_status smaller_steps(srs_sim *sim, long n, double dt, int *bad_v)
{
  const double start = *sim->state.time;
  sim->options.dt = dt / (double)n;
  for (long i = 0; i < n; i++) {
    *sim->state.time = start + (double)i * sim->options.dt;
    const srs_status status = srs_step_part(sim, bad_v);
    if (status != SRS_OK) return status;
    if (srs_first_not_finite(sim->step.q_next, sim->model->nq) >= 0) return SRS_ERROR_DIVERGED;
    srs_sim_accept(sim);
  }
  return SRS_OK;
}

static srs_status subdivided_step(srs_sim *sim, int *bad_v)
{
  const double dt = sim->options.dt, time = *sim->state.time;
  const srs_sim_statistics counts = sim->constraints != NULL ? sim->constraints->statistics : (srs_sim_statistics){0};
  const srs_implicit_statistics implicit = sim->fixed_point.statistics;
  srs_status status = SRS_ERROR_DIVERGED;
  memcpy(sim->fixed_point.before, sim->state.block, sim->state.n * sizeof *sim->state.block);
  for (int k = 1; k <= sim->options.implicit.halvings && status == SRS_ERROR_DIVERGED; k++) {
    status = smaller_steps(sim, 1L << k, dt, bad_v);
    sim->options.dt = dt;
    *sim->state.time = time;
    if (status == SRS_OK) break;
    memcpy(sim->state.block, sim->fixed_point.before, sim->state.n * sizeof *sim->state.block);
    if (sim->constraints != NULL) sim->constraints->statistics = counts;
    sim->fixed_point.statistics = implicit;
  }
  if (status == SRS_OK) sim->fixed_point.statistics.halved++;
  if (status == SRS_OK || sim->options.implicit.halvings == 0) return status;
  srs_sim_forget_last_step(sim); // some smaller steps were accepted before one failed
  memcpy(sim->state.block, sim->fixed_point.before, sim->state.n * sizeof *sim->state.block);
  if (sim->constraints != NULL) sim->constraints->statistics = counts;
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

static srs_status report_diverged(const srs_sim *sim, int v_index, srs_error *error)
{
  const srs_model *m = sim->model;
  const char *joint = m->joints[m->link_of_v[v_index]].name;
  return srs_fail(
      error, SRS_ERROR_DIVERGED, NULL, 0, 0, joint,
      "t = %.9g s, step %.0f: the velocity of '%s' left the finite numbers (it was %.3g before); the forces on it "
      "are too large or the step is: lower dt",
      *sim->state.time, *sim->state.steps, m->v_names[v_index], sim->state.v[v_index]);
}

static srs_status report_contact(const srs_sim *sim, srs_status status, srs_error *error)
{
  const srs_error none = {0}, *why = sim->constraints != NULL ? &sim->constraints->error : &none;
  return srs_fail(error, status, NULL, 0, 0, why->subject, "t = %.9g s, step %.0f: %s", *sim->state.time,
                  *sim->state.steps, why->message[0] != '\0' ? why->message : srs_status_string(status));
}

// Whether contacts or loops have said why the step failed.
static bool has_message(const srs_sim *sim)
{
  return sim->constraints != NULL && sim->constraints->error.message[0] != '\0';
}

static srs_status report_no_convergence(const srs_sim *sim, srs_error *error)
{
  const srs_implicit_settings *o = &sim->options.implicit;
  char smaller[64] = "";
  if (o->halvings > 0) snprintf(smaller, sizeof smaller, ", even as %ld smaller ones", 1L << o->halvings);
  return srs_fail(error, SRS_ERROR_DIVERGED, NULL, 0, 0, "dt",
                  "t = %.9g s, step %.0f: the %s step does not converge within %d iterations%s: lower dt, or raise "
                  "'iterations' or 'halvings' of 'implicit'",
                  *sim->state.time, *sim->state.steps, srs_integrator_name(sim->options.integrator), o->iterations,
                  smaller);
}

// ---------------------------------------------------------------------------------------------------------------------
// One step
// ---------------------------------------------------------------------------------------------------------------------

static srs_repeat_counts counts_of(srs_sim *sim)
{
  return (srs_repeat_counts){sim->constraints != NULL ? &sim->constraints->statistics : NULL,
                             &sim->fixed_point.statistics, &sim->mean_velocity.statistics};
}

// What rests: the last step once more, unless someone watches its problems.
static bool repeat_step(srs_sim *sim)
{
  const struct srs_constraints *c = sim->constraints;
  if (!srs_repeats(&sim->repeat, &sim->state) || (c != NULL && c->watch != NULL)) return false;
  const srs_repeat_counts counts = counts_of(sim);
  srs_repeat_count(&sim->repeat, &counts);
  if (sim->options.energy_balance) srs_add_works(sim->step.works, sim->state.works);
  return true;
}

static srs_status take_step(srs_sim *sim, srs_error *error)
{
  int bad_v = -1;
  srs_status status = srs_step(sim, &bad_v);
  const bool is_halved = status == SRS_ERROR_DIVERGED && sim->integrator->traits.is_implicit;
  if (is_halved) status = subdivided_step(sim, &bad_v);
  if (is_halved && status == SRS_ERROR_DIVERGED && bad_v >= 0) return report_diverged(sim, bad_v, error);
  if (is_halved && status == SRS_ERROR_DIVERGED && !has_message(sim)) return report_no_convergence(sim, error);
  if (status == SRS_ERROR_SINGULAR) return srs_report_singular(sim->workspace, &sim->state, bad_v, error);
  if (status != SRS_OK) return report_contact(sim, status, error);
  bad_v = srs_first_not_finite(sim->step.v_next, sim->model->nv);
  if (bad_v >= 0) return report_diverged(sim, bad_v, error);
  const int bad_q = srs_first_not_finite(sim->step.q_next, sim->model->nq);
  if (bad_q >= 0)
    return srs_fail(error, SRS_ERROR_DIVERGED, NULL, 0, 0, sim->model->q_names[bad_q],
                    "t = %.9g s, step %.0f: '%s' left the finite numbers; lower dt", *sim->state.time,
                    *sim->state.steps, sim->model->q_names[bad_q]);
  if (!is_halved) srs_sim_accept(sim);
  return SRS_OK;
}

static srs_status step_or_repeat(srs_sim *sim, srs_error *error)
{
  if (repeat_step(sim)) return SRS_OK;
  const struct srs_constraints *c = sim->constraints;
  const srs_repeat_counts counts = counts_of(sim);
  srs_repeat_begin(&sim->repeat, &sim->state, sim->model->nv, &counts);
  const srs_status status = take_step(sim, error);
  if (status == SRS_OK)
    srs_repeat_end(&sim->repeat, &sim->state, &counts, c == NULL || c->has_same_warm, c == NULL ? 0 : c->deepest);
  else
    srs_repeat_forget(&sim->repeat);
  return status;
}

srs_status srs_sim_step(srs_sim *sim, long n, srs_error *error)
{
  if (sim == NULL || n < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or a negative number of steps");
  for (long i = 0; i < n; i++) {
    const srs_status status = step_or_repeat(sim, error);
    if (status != SRS_OK) return status;
    *sim->state.steps += 1;
    *sim->state.time = sim->state.start[0] +
                       srs_decimal_time(&sim->clock, *sim->state.steps - sim->state.start[1]); // no sum of roundings
  }
  return SRS_OK;
}
