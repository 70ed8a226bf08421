// One step: the integrator's three parts, then the step is accepted.
//
//   begin        the configuration at which matrices and forces are taken
//   velocities   forces, articulated bodies, contacts and rows: v+ (step_velocity.c; collide, rows, islands, solve and
//                respond are in engine/islands/constraint_step.c)
//   works        of that (energy_balance.c)
//   positions    q+ from v+, projected onto the loops (step_position.c)
//   momentum     of trees that float, q+ and v+ of their roots (momentum.c)
//   accept       the results become the start of the next step, and the answers to queries about the last one

#include "engine/step/step.h"
#include "engine/conservation/energy_balance.h"
#include "engine/conservation/momentum.h"
#include "engine/geometric/geometrically_implicit.h"
#include "engine/rows/accept.h"
#include "engine/rows/loop_joint_rows.h"
#include "engine/rows/statistics.h"
#include "engine/step/forces.h"
#include "engine/step/mean_velocity.h"
#include "engine/step/simulation.h"

#include <string.h>

static void keep_momentum(srs_sim *sim)
{
  const srs_integrator_traits *traits = &sim->integrator->traits;
  const srs_step_memory *step = &sim->step;
  const srs_momentum_step s = {.dt = sim->options.dt,
                               .is_mean = traits->is_mean,
                               .aligns = traits->is_mean && traits->is_implicit,
                               .aligns_bodies = !traits->is_implicit && sim->step.bias_v == sim->mean_velocity.v,
                               .q = sim->state.q,
                               .v = sim->state.v,
                               .known = sim->state.momentum,
                               .q_matrices = traits->is_mean || traits->is_implicit ? step->q_mid : sim->state.q,
                               .force = step->force,
                               .extra = step->extra,
                               .a = step->mean_a,
                               .link_wrench = step->wrenches};
  srs_keep_momentum(sim->floating, sim->workspace, &s, step->q_next, step->v_next);
}

static void find_works(srs_sim *sim)
{
  const srs_integrator_traits *traits = &sim->integrator->traits;
  srs_step_memory *step = &sim->step;
  const srs_work_step s = {.options = &sim->options,
                           .is_mean = traits->is_mean,
                           .theta = step->theta,
                           .has_excess = traits->is_implicit && !traits->is_mean,
                           .constraints = sim->constraints,
                           .geometric = sim->geometric,
                           .q = traits->is_mean || traits->is_implicit ? step->q_mid : sim->state.q,
                           .v = sim->workspace->embedding != NULL ? step->embedded_v : sim->state.v,
                           .v_next = step->v_next,
                           .a = step->a,
                           .link_wrench = step->wrenches,
                           .mean_v = step->work_v,
                           .scratch = step->error_v};
  srs_find_works(sim->workspace, &s, step->works);
}

srs_status srs_step_end(srs_sim *sim, int *bad_v)
{
  const srs_status status = sim->integrator->positions(sim, bad_v);
  if (status == SRS_OK && sim->floating != NULL) keep_momentum(sim);
  return status;
}

// Explicit steps solve a problem again now and then, implicit ones in each iteration.
static void start_work(const srs_sim *sim, struct srs_constraints *c)
{
  const double times = sim->integrator->traits.is_implicit ? sim->options.implicit.iterations : 0.1;
  const double share = times * sim->options.contact.solver.most_work;
  c->much_work = share < 1e9 ? share : 1e9;
  c->next = c->statistics;
  srs_start_work(&c->next);
}

srs_status srs_step(srs_sim *sim, int *bad_v)
{
  sim->fixed_point.left = SRS_IMPLICIT_MOST;
  if (sim->constraints != NULL) start_work(sim, sim->constraints);
  return srs_step_part(sim, bad_v);
}

srs_status srs_step_part(srs_sim *sim, int *bad_v)
{
  srs_error *why = sim->constraints != NULL ? &sim->constraints->error : NULL;
  if (why != NULL) why->message[0] = why->subject[0] = '\0'; // no more: a step is short
  const srs_integrator_table *integrator = sim->integrator;
  srs_status status = integrator->begin != NULL ? integrator->begin(sim, bad_v) : SRS_OK;
  if (status == SRS_OK) status = integrator->velocities(sim, bad_v);
  if (status == SRS_OK && sim->options.energy_balance && integrator->traits.takes_rows) find_works(sim);
  if (status == SRS_OK && sim->floating != NULL)
    srs_find_floating_trees(sim->floating, sim->constraints, !integrator->traits.takes_surfaces);
  return status == SRS_OK ? srs_step_end(sim, bad_v) : status;
}

static void forget_first_guess(srs_sim *sim)
{
  const size_t bytes = (size_t)sim->model->nv * sizeof *sim->state.free_a;
  memset(sim->state.free_a, 0, bytes);
  memset(sim->state.row_a, 0, bytes);
  memset(sim->state.is_free, 0, (size_t)sim->model->n_links * sizeof *sim->state.is_free);
}

void srs_sim_accept(srs_sim *sim)
{
  const double h = sim->options.dt;
  srs_sim_state *state = &sim->state;
  srs_find_efforts(sim->model, sim->constraints, h, state->v, sim->step.mean_a, &sim->actuation);
  if (sim->options.energy_balance) {
    if (sim->integrator->traits.takes_rows) // rk4 has its own
      sim->step.works[SRS_WORK_DRIVES] += srs_work_of(sim->model->nv, h, sim->actuation.effort, sim->step.work_v);
    srs_add_works(sim->step.works, state->works);
  }
  if (sim->constraints != NULL) {
    srs_accept_loop_joints(sim->constraints, h, *state->inputs.has_loop_joint_actuator != 0, state->loop_joint_turn,
                           sim->actuation.loop_joint_effort);
    srs_constraints_accept(sim->constraints, h, state);
  }
  if (sim->integrator->accept != NULL) sim->integrator->accept(sim);
  srs_last_step_keep(&sim->last, &sim->integrator->traits, sim->model, state, &sim->step);
  if (sim->workspace->embedding != NULL && sim->last.exists)
    srs_find_loads(sim->model, h, sim->step.force, sim->step.extra, sim->last.a, sim->constraints, sim->last.load);
  const bool is_at_mean = sim->mean_velocity.v != NULL && sim->step.bias_v == sim->mean_velocity.v;
  if (is_at_mean)
    srs_keep_first_guess(sim->workspace, &sim->mean_velocity, h, sim->step.a, sim->step.v_next, state->free_a,
                         state->row_a, state->is_free);
  else if (sim->model->n_links > 0 && state->is_free[0] != 0) // of another scheme, by a snapshot
    forget_first_guess(sim);
  if (sim->integrator->traits.takes_rows && srs_spin_counts(&sim->mean_velocity))
    srs_count_spin(&sim->mean_velocity, sim->model, *state->time, h, sim->step.v_next);
  srs_accept_momentum(sim->floating, sim->state.n_floating, state->momentum);
  memcpy(sim->state.q, sim->step.q_next, (size_t)sim->model->nq * sizeof *sim->state.q);
  memcpy(sim->state.v, sim->step.v_next, (size_t)sim->model->nv * sizeof *sim->state.v);
  sim->workspace_is_current = false;
}

void srs_sim_forget_last_step(srs_sim *sim)
{
  if (sim->constraints != NULL) srs_constraints_forget(sim->constraints, &sim->state);
  if (sim->geometric != NULL) srs_geometric_forget(sim->geometric, &sim->state);
  forget_first_guess(sim);
  srs_repeat_forget(&sim->repeat);
  memset(sim->actuation.effort, 0, (size_t)sim->model->nv * sizeof *sim->actuation.effort);
  memset(sim->actuation.loop_joint_effort, 0,
         (size_t)sim->model->n_closures * sizeof *sim->actuation.loop_joint_effort);
  sim->last.exists = sim->last.has_part_wrench = false;
}
