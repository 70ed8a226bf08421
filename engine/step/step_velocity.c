// Velocities at the end of a step, as all integrators but Runge-Kutta find them: forces, the articulated-body
// algorithm, embedded loops, then contacts and rows (engine/islands).
//
// Springs, dampers and servos exert f(q, v) = -K (q - q_ref) - D (v - v_ref). They are taken implicitly, at any
// stiffness, which adds a diagonal to the mass matrix:
//
//   (M + E) (v+ - v) = h (tau - c + f at the scheme's q_force and v_bias),   E = h_v D + h_q K
//
// Explicit schemes take c at the mean of v and v_free (mean_velocity.c), or at v. For implicit integrators f is
// linearised about the guess v_g: f(v+) = f(v_g) - E/h (v+ - v_g), so that with M + E the right-hand side has h f(v_g)
// + E (v_g - v).

#include "engine/step/step_velocity.h"
#include "engine/geometric/geometrically_implicit.h"
#include "engine/islands/constraint_step.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "engine/loops/projection.h"
#include "engine/rows/actuator_plan.h"
#include "engine/rows/loop_joint_rows.h"
#include "engine/state/step_context.h"
#include "engine/step/forces.h"
#include "engine/step/gyroscopic.h"
#include "engine/step/mean_velocity.h"
#include "engine/step/simulation.h"

#include <math.h>
#include <string.h>

enum { MOST_HALF_STEP_ITERATIONS = 20, MOST_TIMES = 8 };

static srs_status fail_embedded(srs_sim *sim, srs_status status)
{
  if (status != SRS_OK) sim->constraints->error = sim->workspace->error;
  return status;
}

srs_status srs_close_q_mid(srs_sim *sim, double elapsed, int *bad_v)
{
  srs_workspace *w = sim->workspace;
  const srs_status status = w->embedding != NULL ? srs_embedding_close(w, sim->step.q_mid) : SRS_OK;
  if (status != SRS_OK) return fail_embedded(sim, status);
  if (sim->projector == NULL || !sim->options.closure.projection) return SRS_OK;
  srs_projector_forget(sim->projector);
  const srs_status closed = srs_project_closures(sim->projector, *sim->state.time + elapsed, sim->step.q_mid, bad_v);
  return closed == SRS_ERROR_UNREACHABLE ? SRS_OK : closed; // reported at the step's end
}

static void predict_motion(srs_sim *sim, const srs_scheme *s, const double *v, const double *v_bias)
{
  for (int i = 0; i < sim->model->nv; i++) {
    sim->fixed_point.guess_change[i] = s->guess_per_bias * (v_bias[i] - v[i]);
    sim->fixed_point.predicted_motion[i] = s->predicted_per_bias * v_bias[i] + s->predicted_per_v * v[i];
  }
}

static bool takes_mean(const srs_sim *sim)
{
  return sim->options.velocity_terms == SRS_VELOCITY_TERMS_MEAN && !sim->integrator->traits.is_implicit;
}

// What half a step needs.
typedef struct half_step {
  srs_sim *sim;
  const double *q, *wrenches; // of the step
} half_step;

// Half of v_free - v. Explicit schemes take their velocity terms at the mean of the half step, by a few iterations, so
// that the two parts of a step with an impact keep the energy of fast spin: what follows an impact turns otherwise than
// what came before it.
static srs_status take_half_step(void *of, const double *v, double *bias_v, double *v_next)
{
  const half_step *half = of;
  srs_sim *sim = half->sim;
  srs_step_memory *memory = &sim->step;
  const int nv = sim->model->nv;
  const double h = sim->options.dt;
  memory->has_halves = true;
  if (!takes_mean(sim) || sim->workspace->is_embedded) {
    for (int i = 0; i < nv; i++) v_next[i] = v[i] + 0.5 * h * memory->a[i];
    memcpy(bias_v, memory->bias_v, (size_t)nv * sizeof *bias_v);
    return SRS_OK;
  }
  double *mean = memory->error_v, change = INFINITY;
  int bad_v;
  memcpy(mean, v, (size_t)nv * sizeof *mean);
  for (int k = 0; k < MOST_HALF_STEP_ITERATIONS && change > 0; k++) {
    const srs_status status = srs_solve_forward(sim->workspace, half->q, mean, memory->force, memory->extra,
                                                half->wrenches, memory->half_a, &bad_v);
    if (status != SRS_OK) return status;
    double size = 0;
    change = 0;
    memcpy(bias_v, mean, (size_t)nv * sizeof *bias_v);
    for (int i = 0; i < nv; i++) {
      v_next[i] = v[i] + 0.5 * h * memory->half_a[i];
      const double next = 0.5 * (v[i] + v_next[i]);
      size = fmax(size, fabs(next));
      change = fmax(change, fabs(next - mean[i]));
      mean[i] = next;
    }
    if (change <= 1e-15 * size) break;
  }
  return SRS_OK;
}

static srs_mean_problem mean_problem_of(const srs_sim *sim, const srs_scheme *s, const double *v)
{
  return (srs_mean_problem){.dt = sim->options.dt,
                            .q = s->q,
                            .v = v,
                            .first = sim->mean_velocity.first,
                            .rows = sim->mean_velocity.rows,
                            .is_free = sim->mean_velocity.is_known,
                            .tau = sim->step.force,
                            .extra = sim->step.extra,
                            .link_wrenches = sim->step.wrenches};
}

// Finds the acceleration without contacts and rows.
static srs_status find_free_acceleration(srs_sim *sim, const srs_scheme *s, const double *v, const double *v_bias,
                                         int *bad_v)
{
  srs_step_memory *memory = &sim->step;
  if (!takes_mean(sim))
    return srs_solve_forward(sim->workspace, s->q, v_bias, memory->force, memory->extra, memory->wrenches, memory->a,
                             bad_v);
  const srs_mean_problem problem = mean_problem_of(sim, s, v);
  memory->bias_v = sim->mean_velocity.v;
  return srs_solve_at_mean(sim->workspace, &problem, &sim->mean_velocity, memory->a, bad_v);
}

// Contacts and rows: v_next becomes v+ from v_free.
static srs_status constrain(srs_sim *sim, const srs_step_context *step)
{
  double *v_next = sim->step.v_next;
  srs_mean_velocity *mean = takes_mean(sim) ? &sim->mean_velocity : NULL;
  if (mean != NULL) memcpy(mean->v_free, v_next, (size_t)sim->model->nv * sizeof *v_next);
  const srs_status status = sim->geometric != NULL
                                ? srs_geometric_step(sim->geometric, step, sim->step.extra, v_next)
                                : srs_constraints_step(sim->constraints, step, sim->projector, v_next);
  const struct srs_constraints *c = sim->constraints;
  if (mean != NULL && sim->geometric == NULL && c->has_blows)
    memcpy(mean->v_free, c->v_struck, (size_t)sim->model->nv * sizeof *v_next);
  if (mean != NULL) srs_find_free_groups(sim->workspace, mean, v_next);
  return status;
}

srs_step_context srs_step_context_at(srs_sim *sim, const double *q, const double *v)
{
  return (srs_step_context){.model = sim->model,
                            .options = &sim->options,
                            .traits = &sim->integrator->traits,
                            .state = &sim->state,
                            .actuation = &sim->actuation,
                            .workspace = sim->workspace,
                            .q = q,
                            .v = v,
                            .extra = sim->step.extra,
                            .predicted_motion = sim->fixed_point.predicted_motion,
                            .half_bias_v = {sim->step.half_bias_v[0], sim->step.half_bias_v[1]},
                            .theta = sim->step.theta};
}

void srs_find_step_forces(srs_sim *sim, const srs_scheme *s, const srs_step_context *step, const double *v_bias)
{
  srs_step_memory *memory = &sim->step;
  struct srs_constraints *c = sim->constraints;
  if (c != NULL) srs_find_rotor_turns(c, s->q, v_bias, memory->a);
  const srs_force_query forces = {.model = sim->model,
                                  .state = &sim->state,
                                  .limited = c,
                                  .dt = sim->options.dt,
                                  .q = s->q_force,
                                  .v = v_bias,
                                  .h_q = s->h_q,
                                  .h_v = s->h_v,
                                  .guess_change = sim->fixed_point.guess_change,
                                  .theta = memory->theta};
  srs_find_forces(&forces, &sim->actuation, memory->error_v, memory->force, memory->extra);
  memory->wrenches = srs_link_wrenches(sim->workspace, &sim->state.inputs, s->q, memory->link_wrench);
  if (c != NULL)
    memory->wrenches = srs_loop_joint_wrenches(c, step, memory->wrenches, memory->link_wrench, memory->force);
}

// Finds v_next of a step from v.
static srs_status find_constrained_velocities(srs_sim *sim, const srs_scheme *s, const double *v, const double *v_bias,
                                              int *bad_v)
{
  srs_step_memory *memory = &sim->step;
  srs_workspace *w = sim->workspace;
  const bool is_implicit = sim->integrator->traits.is_implicit;
  const double h = sim->options.dt;
  if (is_implicit) predict_motion(sim, s, v, v_bias);
  half_step half = {.sim = sim, .q = s->q};
  srs_step_context step = srs_step_context_at(sim, s->q, v);
  step.half = take_half_step, step.half_of = &half;
  memory->has_halves = false;
  struct srs_constraints *c = sim->constraints;
  if (c != NULL && is_implicit) srs_constraints_predict(c, &step);
  srs_find_step_forces(sim, s, &step, v_bias);
  half.wrenches = memory->wrenches;
  const srs_status status = find_free_acceleration(sim, s, v, v_bias, bad_v);
  if (status != SRS_OK) return status;
  step.bias_v = memory->bias_v;
  for (int i = 0; i < sim->model->nv; i++) memory->v_next[i] = v[i] + h * memory->a[i];
  if (w->is_embedded) srs_embedding_lift(w, memory->v_next); // the rows are those at q, so without drift
  if (!is_implicit && sim->options.implicit_gyroscopic) srs_gyroscopic_steps(w, h, memory->bias_v, memory->v_next);
  sim->mean_velocity.all_free = sim->geometric == NULL && c == NULL;
  return sim->mean_velocity.all_free ? SRS_OK : constrain(sim, &step);
}

static srs_status solve_velocities(srs_sim *sim, const srs_scheme *s, int *bad_v)
{
  srs_workspace *w = sim->workspace;
  if (w->embedding == NULL) return find_constrained_velocities(sim, s, sim->state.v, s->v_bias, bad_v);
  const size_t bytes = (size_t)sim->model->nv * sizeof *sim->state.v;
  memcpy(sim->step.lifted_bias, s->v_bias, bytes);
  sim->step.bias_v = sim->step.lifted_bias;
  srs_status status = srs_embedding_prepare(w, s->q, sim->step.lifted_bias);
  if (status != SRS_OK) return fail_embedded(sim, status);
  memcpy(sim->step.embedded_v, sim->state.v, bytes);
  srs_embedding_lift(w, sim->step.embedded_v);
  srs_embedding_keep(w);
  w->is_embedded = true;
  status = find_constrained_velocities(sim, s, sim->step.embedded_v, sim->step.lifted_bias, bad_v);
  w->is_embedded = false;
  return status;
}

// Keeps the change of v by forces and impulses, over dt, before loops change v_next once more.
static void keep_mean_acceleration(srs_sim *sim)
{
  for (int i = 0; i < sim->model->nv; i++)
    sim->step.mean_a[i] = (sim->step.v_next[i] - sim->state.v[i]) / sim->options.dt;
  if (sim->workspace->embedding == NULL) return;
  srs_embedding_lift(sim->workspace, sim->step.mean_a);
  srs_embedding_add_drift(sim->workspace, sim->step.mean_a);
}

// Velocity terms act at the mean of v and v+, so they depend on what contacts and rows do. What these did in the last
// step counts as known in slow trees; a first step, where nothing is known, and steps of fast trees are taken again
// with what they did until that is so.
static srs_status take_step(srs_sim *sim, const srs_scheme *s, int *bad_v)
{
  srs_mean_velocity *mean = &sim->mean_velocity;
  const bool has_rows =
      takes_mean(sim) && sim->constraints != NULL && sim->geometric == NULL && sim->workspace->embedding == NULL;
  srs_mean_velocity_begin(mean, &sim->state);
  for (int k = 0;; k++) {
    srs_status status = solve_velocities(sim, s, bad_v);
    if (status == SRS_OK && sim->watch != NULL) status = sim->watch(sim->watcher, k);
    if (status != SRS_OK || !has_rows || k == MOST_TIMES) return status;
    if (srs_has_worked_much(sim->constraints)) return SRS_OK;
    const srs_mean_problem problem = mean_problem_of(sim, s, sim->state.v);
    if (srs_rows_are_known(sim->workspace, &problem, mean, sim->step.a, sim->step.v_next)) return SRS_OK;
  }
}

// Whether an actuator was held to its limits by a row at the end of the last step.
static bool was_limited(const struct srs_constraints *c, double h, const srs_sim_state *state)
{
  for (int k = 0; k < c->n_joint_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    if (!isfinite(x->max_effort) && !isfinite(x->max_velocity)) continue;
    const double *last = state->warm_rows + 2 * (size_t)(JOINT_SLOTS * k);
    if (fabs(last[2 * SLOT_ACTUATOR + 1]) > (1 - 1e-9) * h * x->max_effort) return true;
    if (last[2 * SLOT_ACTUATOR_SPEED + 1] != 0) return true;
  }
  return false;
}

static bool exceeds_limits(const srs_sim *sim)
{
  const struct srs_constraints *c = sim->constraints;
  const double h = sim->options.dt;
  bool exceeds = false;
  for (int k = 0; k < c->n_joint_coordinates && !exceeds; k++) {
    const int i = c->coordinates[k].v;
    const double change = sim->actuation.change[i], force = sim->actuation.force[i],
                 most = c->coordinates[k].max_effort;
    const double impulse = change > 0 ? h * (force - change * sim->step.mean_a[i]) : h * fmax(-most, fmin(most, force));
    exceeds = srs_actuator_exceeds(&c->coordinates[k], h, impulse, sim->step.v_next[i]);
  }
  return exceeds;
}

// First, servos act without limits, inside the mass matrix. If one of them exceeds its limits, the step is repeated
// with all limited actuators as constraint rows. If none does, the limits have no effect and the step is solved. A step
// after one in which an actuator was limited has them as rows from the outset: the rows are right whether or not their
// limits have an effect.
srs_status srs_find_velocities(srs_sim *sim, const srs_scheme *scheme, int *bad_v)
{
  const struct srs_constraints *c = sim->constraints;
  const bool has_limits = c != NULL && c->has_actuator_limits;
  sim->step.bias_v = scheme->v_bias;
  sim->actuation.are_rows = has_limits && was_limited(c, sim->options.dt, &sim->state);
  srs_status status = take_step(sim, scheme, bad_v);
  if (status == SRS_OK) keep_mean_acceleration(sim);
  if (status != SRS_OK || !has_limits || sim->actuation.are_rows || !exceeds_limits(sim)) return status;
  sim->actuation.are_rows = true;
  status = take_step(sim, scheme, bad_v);
  if (status == SRS_OK) keep_mean_acceleration(sim);
  return status;
}
