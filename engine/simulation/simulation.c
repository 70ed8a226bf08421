// What does a control loop hold? State, inputs, and a clock that only srs_sim_step advances.

#include "engine/simulation/simulation.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometric/geometrically_implicit.h"
#include "engine/islands/constraint.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "engine/loops/projection.h"
#include "topology/base/errors.h"
#include "topology/model/configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 8 };

static const char *const integrator_names[SRS_INTEGRATORS] = {
    "semi-implicit-euler", "moreau-midpoint", "rk4", "implicit-euler", "implicit-moreau", "geometrically-implicit"};

const char *srs_integrator_name(srs_integrator integrator)
{
  return (int)integrator >= 0 && (int)integrator < SRS_INTEGRATORS ? integrator_names[integrator] : "";
}

bool srs_integrator_from_name(const char *name, srs_integrator *integrator)
{
  for (int i = 0; name != NULL && i < SRS_INTEGRATORS; i++) {
    if (strcmp(name, integrator_names[i]) != 0) continue;
    *integrator = (srs_integrator)i;
    return true;
  }
  return false;
}

srs_sim_options srs_default_sim_options(void)
{
  return (srs_sim_options){.dt = 0.001,
                           .integrator = SRS_SEMI_IMPLICIT_EULER,
                           .gravity = {0, 0, -9.81},
                           .joint = {.limits = true,
                                     .friction = true,
                                     .actuator_limits = true,
                                     .error_reduction = 0.2,
                                     .max_depenetration_velocity = 1},
                           .closure = {.projection = true, .error_reduction = 0.2},
                           .implicit = {.tolerance = 1e-10, .iterations = 50, .halvings = 8},
                           .contact = {.enabled = true,
                                       .friction = 0.5,
                                       .friction_rule = SRS_COMBINE_GEOMETRIC_MEAN,
                                       .restitution_rule = SRS_COMBINE_LARGER,
                                       .impact = SRS_IMPACT_TWO_PHASE,
                                       .impact_threshold = NAN,
                                       .activation = SRS_ACTIVATION_PREDICT,
                                       .normal = SRS_NORMAL_GAP,
                                       .error_reduction = 0.2,
                                       .max_depenetration_velocity = 1,
                                       .corner_cap = 1e-3,
                                       .solver = srs_default_contact_options(),
                                       .collider = srs_default_collider_options()}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static double *take(double *base, size_t *used, size_t count)
{
  double *at = base != NULL ? base + *used : NULL;
  *used += count;
  return at;
}

static void lay_out_implicit(srs_sim *sim, double *base, size_t *used)
{
  const size_t nv = (size_t)sim->model->nv;
  sim->guess = take(base, used, nv);
  sim->gain = take(base, used, nv);
  sim->ahead = take(base, used, nv);
  sim->residual = take(base, used, nv);
  for (int i = 0; i < 2 * SRS_IMPLICIT_DEPTH; i++) sim->changes[i] = take(base, used, nv);
  sim->before = take(base, used, sim->n_state);
}

static size_t lay_out(srs_sim *sim, double *base)
{
  const size_t nq = (size_t)sim->model->nq, nv = (size_t)sim->model->nv;
  const size_t n_closures = (size_t)sim->model->n_closures;
  size_t used = 0;
  sim->state = base;
  sim->time = take(base, &used, 1);
  sim->steps = take(base, &used, 1);
  sim->start = take(base, &used, 2);
  sim->flags = take(base, &used, 3);
  sim->q = take(base, &used, nq);
  sim->v = take(base, &used, nv);
  sim->tau = take(base, &used, nv);
  sim->wrench = take(base, &used, SRS_WRENCH_SIZE * (size_t)sim->model->n_frames);
  sim->q_ref = take(base, &used, nq);
  sim->v_ref = take(base, &used, nv);
  sim->kp = take(base, &used, nv);
  sim->kd = take(base, &used, nv);
  sim->loop_joint_actuator = take(base, &used, LOOP_JOINT_ACTUATOR * n_closures);
  sim->loop_joint_turn = take(base, &used, n_closures);
  sim->smooth_warm = take(base, &used, sim->geometric != NULL ? sim->geometric->n_warm : 0);
  sim->warm_rows = take(base, &used, sim->constraints != NULL ? 2 * (size_t)sim->constraints->n_slots : 0);
  sim->n_state = used;

  sim->q_next = take(base, &used, nq);
  sim->v_next = take(base, &used, nv);
  sim->q_mid = take(base, &used, nq);
  sim->force = take(base, &used, nv);
  sim->extra = take(base, &used, nv);
  sim->a = take(base, &used, nv);
  sim->error_v = take(base, &used, nv);
  sim->mean_v = take(base, &used, nv);
  sim->embedded_v = take(base, &used, nv);
  sim->lifted_bias = take(base, &used, nv);
  for (int s = 0; s < 8; s++) sim->stage[s] = take(base, &used, nv);
  if (srs_is_implicit(sim->options.integrator)) lay_out_implicit(sim, base, &used);
  sim->actuator_force = take(base, &used, nv);
  sim->actuator_change = take(base, &used, nv);
  sim->actuator_effort = take(base, &used, nv);
  sim->loop_joint_effort = take(base, &used, n_closures);
  sim->link_wrench = take(base, &used, 6 * (size_t)sim->model->n_links);
  sim->mean_a = take(base, &used, nv);
  sim->last_q = take(base, &used, nq);
  sim->last_v = take(base, &used, nv);
  sim->last_a = take(base, &used, nv);
  sim->last_wrench = take(base, &used, SRS_WRENCH_SIZE * (size_t)sim->model->n_frames);
  sim->part_wrench = take(base, &used, 6 * (size_t)sim->model->n_parts);
  sim->last_load = take(base, &used, nv);
  sim->embedded_wrench = take(base, &used, 6 * n_closures);
  return used;
}

static srs_status check_options(const srs_sim_options *o, srs_error *error)
{
  if (!(o->dt > 0) || !isfinite(o->dt))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "dt", "dt must be a positive number of seconds, not %g",
                    o->dt);
  if ((int)o->integrator < 0 || (int)o->integrator >= SRS_INTEGRATORS)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "integrator", "there is no integrator %d",
                    (int)o->integrator);
  for (int i = 0; i < o->contact.n_materials; i++)
    if (o->contact.materials[i].layer.thickness > 0 && o->integrator != SRS_GEOMETRICALLY_IMPLICIT)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.materials[i].name,
                      "the layer of '%s' needs the integrator geometrically-implicit", o->contact.materials[i].name);
  if (o->contact.n_surfaces > 0 && o->integrator != SRS_GEOMETRICALLY_IMPLICIT)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.surfaces[0].shape,
                    "the surface of '%s' needs the integrator geometrically-implicit", o->contact.surfaces[0].shape);
  if (!(o->implicit.tolerance > 0) || o->implicit.iterations < 1 || o->implicit.halvings < 0 ||
      o->implicit.halvings > 20)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "implicit",
                    "implicit steps need a tolerance above 0, one iteration or more, and 0 to 20 halvings");
  for (int i = 0; i < 3; i++)
    if (!isfinite(o->gravity[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, "gravity", "gravity is not finite");
  return SRS_OK;
}

// What was needed at creation only and belongs to the caller.
static void forget_names(srs_contact_settings *o)
{
  o->materials = NULL, o->n_materials = 0;
  o->pairs = NULL, o->n_pairs = 0;
  o->solids = NULL, o->n_solids = 0;
  o->surfaces = NULL, o->n_surfaces = 0;
  o->collider.excluded = o->collider.included = NULL;
}

srs_status srs_sim_create(const srs_model *model, const srs_sim_options *options, srs_sim **sim, srs_error *error)
{
  if (sim != NULL) *sim = NULL;
  if (model == NULL || sim == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a sim needs a model and a place to be put");
  const srs_sim_options chosen = options != NULL ? *options : srs_default_sim_options();
  srs_status status = check_options(&chosen, error);
  if (status != SRS_OK) return status;

  srs_sim *s = calloc(1, sizeof *s);
  if (s == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  s->model = model;
  s->options = chosen;
  s->fingerprint = srs_model_fingerprint(model);
  status = srs_workspace_create(model, &s->workspace, error);
  if (status == SRS_OK) status = srs_constraints_create(s->workspace, &chosen, &s->constraints, error);
  if (status == SRS_OK && chosen.integrator == SRS_GEOMETRICALLY_IMPLICIT)
    status = srs_geometric_create(s, &s->geometric, error);
  if (status == SRS_OK && srs_projector_create(s->workspace, &s->projector) != SRS_OK)
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for loops");
  if (status == SRS_OK) {
    s->memory = calloc(lay_out(s, NULL) + PADDING, sizeof(double));
    if (s->memory == NULL) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation");
  }
  if (status != SRS_OK) {
    srs_sim_destroy(s);
    return status;
  }
  forget_names(&s->options.contact);
  lay_out(s, s->memory);
  s->workspace->gravity = v3_load(chosen.gravity);
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
  free(sim->memory);
  free(sim);
}

void srs_sim_forget_last_step(srs_sim *sim)
{
  if (sim->constraints != NULL) srs_constraints_forget(sim);
  memset(sim->actuator_effort, 0, (size_t)sim->model->nv * sizeof *sim->actuator_effort);
  memset(sim->loop_joint_effort, 0, (size_t)sim->model->n_closures * sizeof *sim->loop_joint_effort);
  sim->has_last = sim->knows_part_wrench = false;
}

void srs_sim_reset(srs_sim *sim)
{
  if (sim == NULL) return;
  memset(sim->state, 0, sim->n_state * sizeof *sim->state);
  memcpy(sim->q, sim->model->neutral, (size_t)sim->model->nq * sizeof *sim->q);
  memcpy(sim->q_ref, sim->model->neutral, (size_t)sim->model->nq * sizeof *sim->q);
  srs_sim_forget_last_step(sim);
  if (sim->constraints != NULL) sim->constraints->statistics = (srs_sim_statistics){0};
  srs_forget_loop_joint_turns(sim);
  sim->implicit = (srs_implicit_statistics){0};
  sim->workspace_is_current = false;
}

// ---------------------------------------------------------------------------------------------------------------------
// State and inputs
// ---------------------------------------------------------------------------------------------------------------------

static srs_status bad_argument(srs_error *error, const char *what)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", what);
}

static srs_status check_finite(srs_sim *sim, const char *what, const double *x, int n, srs_error *error)
{
  const srs_status status = srs_check_finite(sim->workspace, what, x, n);
  if (status != SRS_OK && error != NULL) *error = sim->workspace->error;
  return status;
}

srs_status srs_check_quaternions(const srs_model *m, const double *q, srs_error *error)
{
  for (int k = 0; k < m->n_links; k++) {
    const int at = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]);
    double length;
    if (at < 0 || srs_quaternion_is_unit(q + m->q_index[k] + at, &length)) continue;
    char number[32];
    srs_format_number(length, number);
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, m->joints[k].name,
                    "the quaternion (w x y z) of joint '%s' has length %s, it must be 1 within 1e-6", m->joints[k].name,
                    number);
  }
  return SRS_OK;
}

// A copy of q with its quaternions made unit.
static srs_status take_configuration(srs_sim *sim, const double *q, double *out, srs_error *error)
{
  const srs_model *m = sim->model;
  srs_status status = check_finite(sim, "q", q, m->nq, error);
  if (status == SRS_OK) status = srs_check_quaternions(m, q, error);
  if (status != SRS_OK) return status;
  memcpy(out, q, (size_t)m->nq * sizeof *q);
  srs_normalise(m, out);
  return SRS_OK;
}

srs_status srs_sim_set_state(srs_sim *sim, double time, const double *q, const double *v, srs_error *error)
{
  if (sim == NULL) return bad_argument(error, "no sim");
  srs_status status = check_finite(sim, "time", &time, 1, error);
  if (status == SRS_OK && v != NULL) status = check_finite(sim, "v", v, sim->model->nv, error);
  if (status == SRS_OK && q != NULL) status = take_configuration(sim, q, sim->q_next, error);
  if (status != SRS_OK) return status;
  if (q != NULL) memcpy(sim->q, sim->q_next, (size_t)sim->model->nq * sizeof *q);
  if (v != NULL) memcpy(sim->v, v, (size_t)sim->model->nv * sizeof *v);
  *sim->time = time;
  sim->start[0] = time;
  sim->start[1] = *sim->steps;
  if (q != NULL || v != NULL) srs_sim_forget_last_step(sim);
  if (q != NULL) srs_forget_loop_joint_turns(sim);
  sim->workspace_is_current = false;
  return SRS_OK;
}

const srs_model *srs_sim_model(const srs_sim *sim) { return sim != NULL ? sim->model : NULL; }
const srs_sim_options *srs_sim_get_options(const srs_sim *sim) { return sim != NULL ? &sim->options : NULL; }
double srs_sim_time(const srs_sim *sim) { return sim != NULL ? *sim->time : 0; }
long srs_sim_steps(const srs_sim *sim) { return sim != NULL ? (long)*sim->steps : 0; }
const double *srs_sim_q(const srs_sim *sim) { return sim != NULL ? sim->q : NULL; }
const double *srs_sim_v(const srs_sim *sim) { return sim != NULL ? sim->v : NULL; }

srs_status srs_sim_set_torque(srs_sim *sim, const double *tau, srs_error *error)
{
  if (sim == NULL || (tau == NULL && sim->model->nv > 0)) return bad_argument(error, "no sim, or no torques");
  const srs_status status = check_finite(sim, "tau", tau, sim->model->nv, error);
  if (status == SRS_OK) memcpy(sim->tau, tau, (size_t)sim->model->nv * sizeof *tau);
  return status;
}

const double *srs_sim_torque(const srs_sim *sim) { return sim != NULL ? sim->tau : NULL; }

srs_status srs_sim_set_wrench(srs_sim *sim, int frame, srs_axes axes, const double wrench[6], srs_error *error)
{
  if (sim == NULL || wrench == NULL) return bad_argument(error, "no sim, or no wrench");
  if (frame < 0 || frame >= sim->model->n_frames)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no frame %d", frame);
  if (!srs_axes_known(axes)) return bad_argument(error, "the axes are neither SRS_AXES_WORLD nor SRS_AXES_LOCAL");
  const srs_status status = check_finite(sim, "wrench", wrench, 6, error);
  if (status != SRS_OK) return status;
  double *slot = sim->wrench + SRS_WRENCH_SIZE * (size_t)frame;
  slot[0] = axes == SRS_AXES_LOCAL ? SRS_WRENCH_LOCAL : SRS_WRENCH_WORLD;
  memcpy(slot + 1, wrench, 6 * sizeof *wrench);
  sim->flags[0] = 1;
  return SRS_OK;
}

void srs_sim_clear_inputs(srs_sim *sim)
{
  if (sim == NULL) return;
  const srs_model *m = sim->model;
  memset(sim->flags, 0, 3 * sizeof *sim->flags);
  memset(sim->tau, 0, (size_t)m->nv * sizeof *sim->tau);
  memset(sim->wrench, 0, SRS_WRENCH_SIZE * (size_t)m->n_frames * sizeof *sim->wrench);
  memset(sim->kp, 0, (size_t)m->nv * sizeof *sim->kp);
  memset(sim->kd, 0, (size_t)m->nv * sizeof *sim->kd);
  memset(sim->loop_joint_actuator, 0, LOOP_JOINT_ACTUATOR * (size_t)m->n_closures * sizeof *sim->loop_joint_actuator);
}

srs_status srs_sim_set_servo(srs_sim *sim, const double *q_ref, const double *v_ref, const double *kp, const double *kd,
                             srs_error *error)
{
  if (sim == NULL) return bad_argument(error, "no sim");
  const srs_model *m = sim->model;
  if (m->nv > 0 && (q_ref == NULL || v_ref == NULL || kp == NULL || kd == NULL))
    return bad_argument(error, "a servo needs q_ref, v_ref, kp and kd");
  srs_status status = take_configuration(sim, q_ref, sim->q_next, error);
  if (status == SRS_OK) status = check_finite(sim, "v", v_ref, m->nv, error);
  if (status == SRS_OK) status = check_finite(sim, "kp", kp, m->nv, error);
  if (status == SRS_OK) status = check_finite(sim, "kd", kd, m->nv, error);
  if (status != SRS_OK) return status;
  for (int i = 0; i < m->nv; i++)
    if (kp[i] < 0 || kd[i] < 0)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, m->v_names[i],
                      "the servo gains of '%s' must not be negative", m->v_names[i]);
  memcpy(sim->q_ref, sim->q_next, (size_t)m->nq * sizeof *q_ref);
  memcpy(sim->v_ref, v_ref, (size_t)m->nv * sizeof *v_ref);
  memcpy(sim->kp, kp, (size_t)m->nv * sizeof *kp);
  memcpy(sim->kd, kd, (size_t)m->nv * sizeof *kd);
  sim->flags[1] = 1;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------------------------

static srs_status report_singular(const srs_sim *sim, int bad_v, srs_error *error)
{
  const srs_model *m = sim->model;
  const char *joint = m->joints[m->link_of_v[bad_v]].name, *link = m->links[m->link_of_v[bad_v]].name;
  return srs_fail(
      error, SRS_ERROR_SINGULAR, NULL, 0, 0, joint,
      "t = %.9g s, step %.0f: nothing resists joint '%s': link '%s' and all that it carries have no inertia about "
      "it in this configuration; give one of them mass, or the joint an armature",
      *sim->time, *sim->steps, joint, link);
}

static srs_status report_diverged(const srs_sim *sim, int v_index, srs_error *error)
{
  const srs_model *m = sim->model;
  const char *joint = m->joints[m->link_of_v[v_index]].name;
  return srs_fail(
      error, SRS_ERROR_DIVERGED, NULL, 0, 0, joint,
      "t = %.9g s, step %.0f: the velocity of '%s' left the finite numbers (it was %.3g before); the forces on it "
      "are too large or the step is: lower dt",
      *sim->time, *sim->steps, m->v_names[v_index], sim->v[v_index]);
}

static srs_status report_contact(const srs_sim *sim, srs_status status, srs_error *error)
{
  return srs_fail(error, status, NULL, 0, 0, sim->constraints->error.subject, "t = %.9g s, step %.0f: %s", *sim->time,
                  *sim->steps, sim->constraints->error.message);
}

void srs_sim_accept(srs_sim *sim)
{
  srs_find_actuator_efforts(sim);
  srs_accept_loop_joints(sim);
  if (sim->constraints != NULL) srs_constraints_accept(sim);
  if (sim->geometric != NULL) srs_geometric_accept(sim);
  srs_wrenches_keep(sim);
  memcpy(sim->q, sim->q_next, (size_t)sim->model->nq * sizeof *sim->q);
  memcpy(sim->v, sim->v_next, (size_t)sim->model->nv * sizeof *sim->v);
  sim->workspace_is_current = false;
}

static srs_status report_no_convergence(const srs_sim *sim, srs_error *error)
{
  const srs_implicit_settings *o = &sim->options.implicit;
  char smaller[64] = "";
  if (o->halvings > 0) snprintf(smaller, sizeof smaller, ", even as %ld smaller ones", 1L << o->halvings);
  return srs_fail(error, SRS_ERROR_DIVERGED, NULL, 0, 0, "dt",
                  "t = %.9g s, step %.0f: the %s step does not converge within %d iterations%s: lower dt, or raise "
                  "'iterations' or 'halvings' of 'implicit'",
                  *sim->time, *sim->steps, srs_integrator_name(sim->options.integrator), o->iterations, smaller);
}

srs_status srs_sim_step(srs_sim *sim, long n, srs_error *error)
{
  if (sim == NULL || n < 0) return bad_argument(error, "no sim, or a negative number of steps");
  for (long i = 0; i < n; i++) {
    int bad_v = -1;
    srs_status status = srs_step(sim, &bad_v);
    const bool is_halved = status == SRS_ERROR_DIVERGED && sim->guess != NULL;
    if (is_halved) status = srs_halved_step(sim, &bad_v);
    if (is_halved && status == SRS_ERROR_DIVERGED) return report_no_convergence(sim, error);
    if (status == SRS_ERROR_SINGULAR) return report_singular(sim, bad_v, error);
    if (status != SRS_OK) return report_contact(sim, status, error);
    bad_v = srs_first_not_finite(sim->v_next, sim->model->nv);
    if (bad_v >= 0) return report_diverged(sim, bad_v, error);
    const int bad_q = srs_first_not_finite(sim->q_next, sim->model->nq);
    if (bad_q >= 0)
      return srs_fail(error, SRS_ERROR_DIVERGED, NULL, 0, 0, sim->model->q_names[bad_q],
                      "t = %.9g s, step %.0f: '%s' left the finite numbers; lower dt", *sim->time, *sim->steps,
                      sim->model->q_names[bad_q]);
    if (!is_halved) srs_sim_accept(sim);
    *sim->steps += 1;
    *sim->time = sim->start[0] + (*sim->steps - sim->start[1]) * sim->options.dt; // no sum of roundings
  }
  return SRS_OK;
}

srs_workspace *srs_sim_workspace(srs_sim *sim)
{
  if (sim == NULL) return NULL;
  if (!sim->workspace_is_current || sim->workspace->state_level < 2) {
    srs_place_links(sim->workspace, sim->q);
    srs_move_links(sim->workspace, sim->v);
    sim->workspace_is_current = true;
  }
  return sim->workspace;
}

srs_status srs_sim_acceleration(srs_sim *sim, double *a, srs_error *error)
{
  if (sim == NULL || (a == NULL && sim->model->nv > 0)) return bad_argument(error, "no sim, or no place for a");
  int bad_v = -1;
  sim->actuators_are_rows = false;
  srs_workspace *w = sim->workspace;
  double *v = sim->embedded_v;
  memcpy(v, sim->v, (size_t)sim->model->nv * sizeof *v);
  sim->workspace_is_current = false;
  if (w->embedding != NULL) {
    const srs_status placed = srs_embedding_prepare(w, sim->q, v);
    if (placed != SRS_OK && error != NULL) *error = w->error;
    if (placed != SRS_OK) return placed;
  }
  srs_sim_forces(sim, sim->q, v, 0, 0, sim->force, sim->extra);
  const double *wrenches = srs_sim_link_wrenches(sim, sim->q);
  w->is_embedded = w->embedding != NULL;
  const srs_status status = srs_solve_forward(w, sim->q, v, sim->force, NULL, wrenches, sim->a, &bad_v);
  w->is_embedded = false;
  if (status != SRS_OK) return report_singular(sim, bad_v, error);
  memcpy(a, sim->a, (size_t)sim->model->nv * sizeof *a);
  return SRS_OK;
}

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

const double *srs_sim_actuator_effort(const srs_sim *sim) { return sim != NULL ? sim->actuator_effort : NULL; }

const char *srs_row_source_name(srs_row_source source)
{
  static const char *const names[SRS_ROW_SOURCES] = {"loop",         "lower limit", "upper limit",
                                                     "dry friction", "actuator",    "spring and damper"};
  return (int)source >= 0 && (int)source < SRS_ROW_SOURCES ? names[source] : "";
}

const srs_sim_statistics *srs_sim_get_statistics(const srs_sim *sim)
{
  static const srs_sim_statistics none = {0};
  return sim != NULL && sim->constraints != NULL ? &sim->constraints->statistics : &none;
}

const srs_implicit_statistics *srs_sim_get_implicit_statistics(const srs_sim *sim)
{
  static const srs_implicit_statistics none = {0};
  return sim != NULL ? &sim->implicit : &none;
}

srs_collider *srs_sim_collider(srs_sim *sim)
{
  return sim != NULL && sim->constraints != NULL ? sim->constraints->collider : NULL;
}

void srs_sim_watch_contacts(srs_sim *sim, srs_contact_watch watch, void *context)
{
  if (sim == NULL) return;
  sim->watch = watch;
  sim->watcher = context;
}
