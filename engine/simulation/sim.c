// The simulation object: creation, state, snapshots and queries about the last step.

#include "engine/simulation/sim.h"
#include "engine/conservation/energy_balance.h"
#include "engine/conservation/momentum.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometric/smooth_solids.h"
#include "engine/islands/constraint_create.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "engine/loops/projection.h"
#include "engine/rows/constraints.h"
#include "engine/rows/loop_joint_rows.h"
#include "engine/rows/statistics.h"
#include "engine/simulation/fingerprint.h"
#include "engine/simulation/inputs.h"
#include "engine/simulation/options.h"
#include "engine/simulation/parameters.h"
#include "engine/simulation/snapshot.h"
#include "engine/step/simulation.h"
#include "engine/step/step.h"
#include "engine/step/theta.h"
#include "topology/base/errors.h"
#include "topology/base/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 8 };

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static double *take(double *base, size_t *used, size_t count)
{
  double *at = base != NULL ? base + *used : NULL;
  *used += count;
  return at;
}

static void lay_out_step(srs_step_memory *s, const srs_model *m, double *base, size_t *used)
{
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  s->q_next = take(base, used, nq);
  s->v_next = take(base, used, nv);
  s->q_mid = take(base, used, nq);
  s->force = take(base, used, nv);
  s->extra = take(base, used, nv);
  s->a = take(base, used, nv);
  s->error_v = take(base, used, nv);
  s->mean_v = take(base, used, nv);
  s->embedded_v = take(base, used, nv);
  s->lifted_bias = take(base, used, nv);
  for (int i = 0; i < 8; i++) s->stage[i] = take(base, used, nv);
  s->link_wrench = take(base, used, 6 * (size_t)m->n_links);
  s->mean_a = take(base, used, nv);
  for (int i = 0; i < 2; i++) s->half_bias_v[i] = take(base, used, nv);
  s->half_a = take(base, used, nv);
  s->theta_memory = take(base, used, nv + (size_t)m->n_closures);
  s->damping_rate = take(base, used, nv + (size_t)m->n_closures);
  s->mobility_most = take(base, used, nv);
  s->work_v = take(base, used, nv);
}

static void lay_out_fixed_point(srs_fixed_point *f, size_t nv, size_t n_state, double *base, size_t *used)
{
  f->guess = take(base, used, nv);
  f->guess_change = take(base, used, nv);
  f->predicted_motion = take(base, used, nv);
  f->residual = take(base, used, nv);
  for (int i = 0; i < 2 * SRS_IMPLICIT_DEPTH; i++) f->changes[i] = take(base, used, nv);
  f->before = take(base, used, n_state);
}

static void lay_out_mean_velocity(srs_mean_velocity *s, const srs_model *m, double *base, size_t *used)
{
  const size_t nv = (size_t)m->nv;
  s->v = take(base, used, nv);
  s->v_free = take(base, used, nv);
  s->guess = take(base, used, nv);
  s->best = take(base, used, nv);
  s->residual = take(base, used, nv);
  for (int i = 0; i < 2 * SRS_MEAN_DEPTH; i++) s->changes[i] = take(base, used, nv);
  for (int i = 0; i < 2; i++) s->last[i] = take(base, used, nv);
  const size_t n_flags = ((size_t)m->n_links + sizeof(double) - 1) / sizeof(double);
  s->is_free = (bool *)take(base, used, n_flags);
  s->turn = take(base, used, (size_t)m->n_links);
  for (int i = 0; i < 3; i++) s->again[i] = take(base, used, i < 2 ? nv : (size_t)m->n_links);
}

static void lay_out_actuation(srs_actuation *a, const srs_model *m, double *base, size_t *used)
{
  a->force = take(base, used, (size_t)m->nv);
  a->change = take(base, used, (size_t)m->nv);
  a->effort = take(base, used, (size_t)m->nv);
  a->loop_joint_effort = take(base, used, (size_t)m->n_closures);
}

static void lay_out_last(srs_last_step *l, const srs_model *m, double *base, size_t *used)
{
  l->q = take(base, used, (size_t)m->nq);
  l->v = take(base, used, (size_t)m->nv);
  l->second_v = take(base, used, (size_t)m->nv);
  l->a = take(base, used, (size_t)m->nv);
  l->wrench = take(base, used, SRS_WRENCH_SIZE * (size_t)m->n_frames);
  l->part_wrench = take(base, used, 6 * (size_t)m->n_parts);
  l->load = take(base, used, (size_t)m->nv);
  l->embedded_wrench = take(base, used, 6 * (size_t)m->n_closures);
}

// Whether state, contacts' impulses and inputs are all that the next step reads.
static bool may_repeat(const srs_sim *sim)
{
  return sim->integrator->traits.takes_rows && sim->geometric == NULL && srs_model_n_loops(sim->model) == 0;
}

static size_t lay_out(srs_sim *sim, double *base)
{
  const srs_model *m = sim->model;
  const size_t n_smooth = sim->geometric != NULL ? sim->geometric->n_warm : 0;
  const size_t n_slots = sim->constraints != NULL ? (size_t)sim->constraints->n_slots : 0;
  size_t used = srs_state_lay_out(&sim->state, m, n_smooth, n_slots, base);
  lay_out_step(&sim->step, m, base, &used);
  if (sim->integrator->traits.is_implicit)
    lay_out_fixed_point(&sim->fixed_point, (size_t)m->nv, sim->state.n, base, &used);
  else if (sim->integrator->traits.takes_rows)
    lay_out_mean_velocity(&sim->mean_velocity, m, base, &used);
  lay_out_actuation(&sim->actuation, m, base, &used);
  lay_out_last(&sim->last, m, base, &used);
  if (may_repeat(sim)) sim->repeat.before = take(base, &used, sim->state.n_read);
  return used;
}

srs_status srs_sim_create(const srs_model *model, const srs_sim_options *options, srs_sim **sim, srs_error *error)
{
  if (sim != NULL) *sim = NULL;
  if (model == NULL || sim == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a sim needs a model and a place to be put");
  const srs_sim_options chosen = options != NULL ? *options : srs_default_sim_options();
  if (model->obstacle.status != SRS_OK && error != NULL) *error = model->obstacle;
  if (model->obstacle.status != SRS_OK) return model->obstacle.status;
  srs_status status = srs_check_sim_options(&chosen, error);
  if (status != SRS_OK) return status;

  srs_sim *s = calloc(1, sizeof *s);
  if (s == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  if (srs_own_model_create(model, &s->own) != SRS_OK) {
    free(s);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  }
  model = s->model = &s->own.model;
  s->integrator = srs_integrator_of(chosen.integrator);
  s->pieces = calloc((size_t)srs_fingerprint_pieces(model), sizeof *s->pieces);
  if (s->pieces == NULL) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  if (status == SRS_OK) s->fingerprint = srs_model_fingerprint(model, s->pieces);
  if (status == SRS_OK) status = srs_copy_sim_options(&chosen, &s->options_memory, &s->options, error);
  s->clock = srs_decimal_step_of(chosen.dt);
  if (status == SRS_OK) status = srs_workspace_create(model, &s->workspace, error);
  if (status == SRS_OK && srs_plan_elimination(s->workspace, false) != SRS_OK)
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for loops");
  if (status == SRS_OK)
    status = srs_constraints_create(s->workspace, &chosen, &s->integrator->traits, &s->constraints, error);
  if (status == SRS_OK && s->integrator->traits.takes_surfaces)
    status = srs_geometric_create(s->workspace, s->constraints, &chosen, &s->geometric, error);
  const bool has_rows = status == SRS_OK && !(s->workspace->embedding != NULL && s->workspace->embedding->holds_all);
  if (has_rows && srs_projector_create(s->workspace, &s->projector) != SRS_OK)
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for loops");
  if (status == SRS_OK && chosen.keep_momentum && s->integrator->traits.sets_momentum &&
      srs_floating_trees_create(model, &s->floating) != SRS_OK)
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for floating trees");
  if (status == SRS_OK) {
    const size_t bytes = (lay_out(s, NULL) + PADDING) * sizeof(double);
    s->memory = srs_take_pages(bytes);
    if (s->memory != NULL) memset(s->memory, 0, bytes);
    if (s->memory == NULL) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  }
  if (status != SRS_OK) {
    srs_sim_destroy(s);
    return status;
  }
  lay_out(s, s->memory);
  srs_mean_velocity_start(&s->mean_velocity, model);
  s->workspace->gravity = v3_load(chosen.gravity);
  if (s->integrator->traits.is_mean) srs_bound_mobilities(s);
  srs_keep_first_parameters(s);
  srs_sim_reset(s);
  *sim = s;
  return SRS_OK;
}

void srs_sim_destroy(srs_sim *sim)
{
  if (sim == NULL) return;
  srs_geometric_destroy(sim->geometric);
  srs_workspace_destroy(sim->workspace);
  srs_constraints_destroy(sim->constraints);
  srs_projector_destroy(sim->projector);
  srs_arena_release(&sim->options_memory);
  srs_floating_trees_destroy(sim->floating);
  srs_own_model_release(&sim->own);
  free(sim->pieces);
  free(sim->memory);
  free(sim);
}

void srs_sim_reset(srs_sim *sim)
{
  if (sim == NULL) return;
  if (sim->own.is_changed) srs_restore_parameters(sim);
  srs_state_reset(&sim->state, sim->model);
  srs_set_targets(sim);
  srs_sim_forget_last_step(sim);
  if (sim->constraints != NULL) sim->constraints->statistics = srs_no_statistics();
  srs_forget_loop_joint_turns(sim->model, sim->state.loop_joint_turn);
  sim->fixed_point.statistics = (srs_implicit_statistics){0};
  sim->mean_velocity.statistics = (srs_spin_statistics){.first_time = NAN};
  sim->workspace_is_current = sim->knows_start_energy = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// State
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_sim_set_state(srs_sim *sim, double time, const double *q, const double *v, srs_error *error)
{
  if (sim == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim");
  srs_status status = srs_sim_check_finite(sim, "time", &time, 1, error);
  if (status == SRS_OK && v != NULL) status = srs_sim_check_finite(sim, "v", v, sim->model->nv, error);
  if (status == SRS_OK && q != NULL) status = srs_sim_normalized_configuration(sim, q, sim->step.q_next, error);
  if (status != SRS_OK) return status;
  if (q != NULL) memcpy(sim->state.q, sim->step.q_next, (size_t)sim->model->nq * sizeof *q);
  if (v != NULL) memcpy(sim->state.v, v, (size_t)sim->model->nv * sizeof *v);
  *sim->state.time = time;
  sim->state.start[0] = time;
  sim->state.start[1] = *sim->state.steps;
  if (q != NULL || v != NULL) {
    srs_sim_forget_last_step(sim);
    srs_state_start_balance(&sim->state, sim->model);
    srs_forget_momentum(&sim->state);
  }
  if (q != NULL) srs_forget_loop_joint_turns(sim->model, sim->state.loop_joint_turn);
  sim->workspace_is_current = sim->knows_start_energy = false;
  return SRS_OK;
}

const srs_model *srs_sim_model(const srs_sim *sim) { return sim != NULL ? sim->own.source : NULL; }
const srs_sim_options *srs_sim_get_options(const srs_sim *sim) { return sim != NULL ? &sim->options : NULL; }
double srs_sim_time(const srs_sim *sim) { return sim != NULL ? *sim->state.time : 0; }
long srs_sim_steps(const srs_sim *sim) { return sim != NULL ? (long)*sim->state.steps : 0; }
const double *srs_sim_q(const srs_sim *sim) { return sim != NULL ? sim->state.q : NULL; }
const double *srs_sim_v(const srs_sim *sim) { return sim != NULL ? sim->state.v : NULL; }

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots
// ---------------------------------------------------------------------------------------------------------------------

static srs_snapshot_parts parts_of(srs_sim *sim)
{
  const uint64_t fingerprint = sim->own.is_changed ? srs_parameter_fingerprint(sim) : sim->fingerprint;
  return (srs_snapshot_parts){sim->model,  fingerprint,      sim->pieces,     &sim->options,
                              &sim->state, sim->constraints, sim->step.q_next};
}

size_t srs_sim_snapshot_size(const srs_sim *sim)
{
  if (sim == NULL) return 0;
  const srs_snapshot_parts parts = parts_of((srs_sim *)sim); // only read
  return srs_snapshot_size(&parts);
}

void srs_sim_snapshot_save(const srs_sim *sim, void *bytes)
{
  if (sim == NULL || bytes == NULL) return;
  const srs_snapshot_parts parts = parts_of((srs_sim *)sim); // only read
  srs_snapshot_save(&parts, bytes);
}

srs_status srs_sim_snapshot_restore(srs_sim *sim, const void *bytes, size_t size, srs_error *error)
{
  if (sim == NULL || bytes == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no snapshot");
  const srs_snapshot_parts parts = parts_of(sim);
  size_t n_warm = 0;
  const srs_status status = srs_snapshot_check(&parts, bytes, size, &n_warm, error);
  if (status != SRS_OK) return status;
  srs_sim_forget_last_step(sim);
  srs_snapshot_load(&parts, bytes, n_warm);
  srs_set_targets(sim);
  sim->workspace_is_current = sim->knows_start_energy = false;
  return SRS_OK;
}

// Inputs stand between the velocities and the turns of loop joints, their flags before the coordinates.
uint64_t srs_sim_state_hash(const srs_sim *sim)
{
  const srs_sim_state *s = &sim->state;
  const double *end = s->block + s->n;
  uint64_t hash = srs_hash_bytes(SRS_HASH_START, s->block, (size_t)((char *)s->inputs.has_wrench - (char *)s->block));
  hash = srs_hash_bytes(hash, s->q, (size_t)((char *)s->inputs.tau - (char *)s->q));
  hash = srs_hash_bytes(hash, s->loop_joint_turn, (size_t)((const char *)end - (char *)s->loop_joint_turn));
  if (sim->constraints == NULL || sim->constraints->n_warm == 0) return hash;
  return srs_hash_bytes(hash, sim->constraints->warm,
                        (size_t)sim->constraints->n_warm * sizeof *sim->constraints->warm);
}

// ---------------------------------------------------------------------------------------------------------------------
// Results of the last step
// ---------------------------------------------------------------------------------------------------------------------

const srs_sim_contact *srs_sim_contacts(const srs_sim *sim, int *n)
{
  const bool any = sim != NULL && sim->constraints != NULL;
  if (n != NULL) *n = any ? sim->constraints->n_results : 0;
  return any ? sim->constraints->results : NULL;
}

const srs_sim_row *srs_sim_rows(const srs_sim *sim, int *n)
{
  const bool any = sim != NULL && sim->constraints != NULL;
  if (n != NULL) *n = any ? sim->constraints->n_row_results : 0;
  return any ? sim->constraints->row_results : NULL;
}

srs_status srs_sim_energies(srs_sim *sim, srs_energies *energies, srs_error *error)
{
  if (sim == NULL || energies == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no place for its energies");
  srs_workspace *w = srs_sim_workspace(sim);
  srs_energy_of_moving_links(w, sim->state.q, sim->state.v, energies);
  if (isfinite(energies->kinetic) && isfinite(energies->potential)) return SRS_OK;
  const srs_status status = srs_energy(w, sim->state.q, sim->state.v, energies); // says which link is lost
  return srs_fail(error, status, NULL, 0, 0, w->error.subject, "t = %.9g s, step %.0f: %s", *sim->state.time,
                  *sim->state.steps, w->error.message);
}

srs_status srs_sim_balance_to(srs_sim *sim, const srs_energies *now, srs_energy_balance *balance)
{
  if (!sim->knows_start_energy) {
    const srs_status status = srs_energy(sim->workspace, sim->state.start_q, sim->state.start_v, &sim->start_energy);
    sim->workspace_is_current = false;
    if (status != SRS_OK) return status;
    sim->knows_start_energy = true;
  }
  srs_balance_energy(&sim->start_energy, now, sim->state.works, balance);
  return SRS_OK;
}

srs_status srs_sim_energy_balance(srs_sim *sim, srs_energy_balance *balance)
{
  srs_energies now;
  srs_error error = {0};
  if (sim == NULL || balance == NULL) return SRS_ERROR_ARGUMENT;
  if (!sim->options.energy_balance) return SRS_ERROR_UNSUPPORTED;
  const srs_status status = srs_sim_energies(sim, &now, &error);
  return status == SRS_OK ? srs_sim_balance_to(sim, &now, balance) : status;
}

const double *srs_sim_actuator_effort(const srs_sim *sim) { return sim != NULL ? sim->actuation.effort : NULL; }

const srs_sim_statistics *srs_sim_get_statistics(const srs_sim *sim)
{
  static const srs_sim_statistics none = {.first_failure_time = NAN};
  return sim != NULL && sim->constraints != NULL ? &sim->constraints->statistics : &none;
}

const srs_implicit_statistics *srs_sim_get_implicit_statistics(const srs_sim *sim)
{
  static const srs_implicit_statistics none = {0};
  return sim != NULL ? &sim->fixed_point.statistics : &none;
}

const srs_spin_statistics *srs_sim_get_spin_statistics(const srs_sim *sim)
{
  static const srs_spin_statistics none = {.first_time = NAN};
  return sim != NULL ? &sim->mean_velocity.statistics : &none;
}

srs_sim_counts srs_sim_get_counts(const srs_sim *sim)
{
  return (srs_sim_counts){*srs_sim_get_statistics(sim), *srs_sim_get_implicit_statistics(sim),
                          *srs_sim_get_spin_statistics(sim)};
}

void srs_sim_set_counts(srs_sim *sim, const srs_sim_counts *counts)
{
  const srs_model *m = sim->model;
  const srs_sim_statistics *s = &counts->statistics;
  const bool has_loop = s->change_point_loop >= 0 && s->change_point_loop < m->n_closures;
  if (sim->constraints != NULL && (s->change_points == 0 || has_loop))
    sim->constraints->statistics = sim->constraints->next = *s;
  sim->fixed_point.statistics = counts->implicit;
  if (counts->spin.unresolved == 0 || (counts->spin.link >= 0 && counts->spin.link < m->n_links))
    sim->mean_velocity.statistics = counts->spin;
}

srs_collider *srs_sim_collider(srs_sim *sim)
{
  return sim != NULL && sim->constraints != NULL ? sim->constraints->collider : NULL;
}

void srs_sim_watch_contacts(srs_sim *sim, srs_contact_watch watch, void *context)
{
  if (sim == NULL) return;
  if (sim->constraints == NULL) return; // there are no contact problems to watch
  sim->constraints->watch = watch;
  sim->constraints->watcher = context;
}

const char *srs_sim_solver_name(const srs_sim *sim)
{
  if (sim->geometric != NULL) return "mcp";
  return sim->constraints != NULL ? srs_contact_method_name(sim->options.contact.solver.method) : "none";
}

bool srs_sim_chooses_velocity_terms(const srs_sim *sim) { return sim->mean_velocity.v != NULL; }

bool srs_sim_has_wrenches(const srs_sim *sim) { return sim->last.exists || !sim->integrator->traits.keeps_wrenches; }

srs_sim_inside srs_sim_look_inside(const srs_sim *sim)
{
  srs_sim_inside inside = {.model = sim->model,
                           .options = &sim->options,
                           .state = &sim->state,
                           .constraints = sim->constraints,
                           .clock = sim->clock,
                           .takes_mean = sim->options.velocity_terms == SRS_VELOCITY_TERMS_MEAN,
                           .sets_momentum = sim->floating != NULL,
                           .is_semi_implicit = sim->integrator == &srs_semi_implicit_euler};
  v3_store(inside.gravity, sim->workspace->gravity);
  return inside;
}

void srs_sim_put(srs_sim *sim, double time, double steps, const double *q, const double *v, const double *free_a)
{
  srs_sim_state *state = &sim->state;
  srs_sim_forget_last_step(sim);
  memcpy(state->q, q, (size_t)sim->model->nq * sizeof *q);
  memcpy(state->v, v, (size_t)sim->model->nv * sizeof *v);
  *state->time = time, *state->steps = steps;
  for (int k = 0; k < sim->model->n_links && free_a != NULL; k++) state->is_free[k] = sim->model->parent[k] < 0;
  if (free_a != NULL) memcpy(state->free_a, free_a, (size_t)sim->model->nv * sizeof *free_a);
  sim->workspace_is_current = false;
}
