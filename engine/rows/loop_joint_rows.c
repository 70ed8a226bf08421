// What does a joint keep that was cut to make a tree of a loop? Limits, friction, spring, damper, rotor and actuator of
// the coordinate x that a revolute or prismatic closure leaves free.
//
// Its rate is J V, by the row of srs_closure_coordinate_row; limits, friction and what limits an actuator are rows as
// those of joints are (joint_rows.c). Nothing of it stands in the mass matrix, so what is linear in the velocity is a
// row that yields, with the same values as there:
//
//   p = p0 - e (x+' - x')     passive: p0 = h (k (x_0 - x~) - d x' - armature b),   e = h_q k + h_v d + armature
//                             servo:   p0 = h (torque + kp (r - x~) + kd (w - x')),   e = h_q kp + h_v kd
//
// x~, h_q, h_v as in step.c: x + h x', h^2, h for semi-implicit Euler; x at q^m, h^2/4, h/2 for Moreau's midpoint. b is
// what x' changes by as J turns, dJ/dt v (zero in the plane), and where loops are embedded J times their drift, which
// x+' - x' has not in it. A torque alone is a wrench on both links.

#include "engine/dynamics/kinematics.h"
#include "engine/islands/constraint.h"
#include "engine/loops/embedding.h"
#include "topology/base/errors.h"

#include <string.h>

static bool has_coordinate(const srs_closure *c)
{
  return c->kind == SRS_CLOSURE_REVOLUTE || c->kind == SRS_CLOSURE_PRISMATIC;
}

int srs_loop_joint_coordinates(const srs_model *m, const srs_joint_settings *o, joint_coordinate *coordinates)
{
  int n = 0;
  for (int i = 0; i < m->n_closures; i++) {
    const srs_loop_joint *j = &m->closures[i].joint;
    if (!has_coordinate(&m->closures[i])) continue;
    coordinates[n++] = (joint_coordinate){.subject = SRS_ROW_OF_LOOP,
                                          .v = -1,
                                          .q = -1,
                                          .closure = i,
                                          .lower = o->limits ? j->lower : -INFINITY,
                                          .upper = o->limits ? j->upper : INFINITY,
                                          .friction = o->friction ? j->friction : 0,
                                          .max_effort = o->actuator_limits ? j->max_effort : INFINITY,
                                          .max_velocity = o->actuator_limits ? j->max_velocity : INFINITY};
  }
  return n;
}

static void place(const srs_sim *sim, joint_coordinate *at)
{
  srs_closure_coordinate_row(sim->workspace, at->closure, &at->row);
  srs_closure_coordinate(sim->workspace, at->closure, sim->loop_joint_turn[at->closure], &at->position, NULL);
  if (sim->ahead != NULL) at->position -= srs_row_velocity(&at->row, sim->constraints->velocity_ahead, sim->ahead);
}

void srs_measure_loop_joint(const srs_sim *sim, joint_coordinate *at)
{
  place(sim, at);
  at->rate = srs_row_velocity(&at->row, sim->constraints->velocity_before, NULL);
  at->rate_free = srs_row_velocity(&at->row, sim->workspace->velocity, NULL);
}

void srs_find_rotor_turns(srs_sim *sim, const double *q, const double *v)
{
  struct srs_constraints *c = sim->constraints;
  srs_workspace *w = sim->workspace;
  if (c == NULL || !c->has_loop_joint_rotors) return;
  memset(sim->a, 0, (size_t)sim->model->nv * sizeof *sim->a);
  if (w->is_embedded) srs_embedding_add_drift(w, sim->a);
  srs_place_links(w, q);
  srs_move_links(w, v);
  srs_accelerate_links(w, v, sim->a);
  for (int k = c->n_joint_coordinates; k < c->n_coordinates; k++) {
    joint_coordinate *at = &c->coordinates[k];
    if (at->subject == SRS_ROW_OF_LOOP) at->rate_change = srs_closure_coordinate_bias(w, at->closure);
  }
}

typedef struct step_factors {
  double ahead, h_q, h_v;
} step_factors;

static step_factors factors_of(const srs_sim_options *o)
{
  const double h = o->dt;
  return srs_is_mean(o->integrator) ? (step_factors){0, 0.25 * h * h, 0.5 * h} : (step_factors){h, h * h, h};
}

bool srs_loop_joint_passive(const srs_sim *sim, const joint_coordinate *at, double *impulse, double *change)
{
  const srs_loop_joint *j = &sim->model->closures[at->closure].joint;
  const step_factors f = factors_of(&sim->options);
  const double stretch = at->position + f.ahead * at->rate - j->reference;
  *impulse = -sim->options.dt * (j->stiffness * stretch + j->damping * at->rate + j->armature * at->rate_change);
  *change = f.h_q * j->stiffness + f.h_v * j->damping + j->armature;
  return *change > 0;
}

static void plan_actuator(const srs_sim *sim, joint_coordinate *at)
{
  const double *d = sim->loop_joint_actuator + LOOP_JOINT_ACTUATOR * (size_t)at->closure;
  const step_factors f = factors_of(&sim->options);
  const double torque = d[0], kp = d[3], kd = d[4];
  const double force = torque + kp * (d[1] - at->position - f.ahead * at->rate) + kd * (d[2] - at->rate);
  at->has_plan = force != 0 || kp > 0 || kd > 0;
  at->plan = srs_plan_actuator(at, sim->options.dt, at->rate, sim->options.dt * force, f.h_q * kp + f.h_v * kd);
}

// Adds a row's force to wrenches on links.
static void add_force(const srs_step_row *row, double force, double *wrenches)
{
  for (int i = 0; i < row->n_sides; i++) {
    double *on = wrenches + 6 * (size_t)row->link[i];
    v6_store(on, v6_add_scaled(v6_load(on), force, row->wrench[i]));
  }
}

const double *srs_loop_joint_wrenches(srs_sim *sim, const double *q, const double *wrenches)
{
  struct srs_constraints *c = sim->constraints;
  if (sim->flags[2] == 0 || c == NULL) return wrenches;
  const size_t bytes = 6 * (size_t)sim->model->n_links * sizeof *sim->link_wrench;
  if (wrenches == NULL) memset(sim->link_wrench, 0, bytes);
  srs_place_links(sim->workspace, q);
  srs_move_links(sim->workspace, sim->v);
  for (int k = c->n_joint_coordinates; k < c->n_coordinates; k++) {
    joint_coordinate *at = &c->coordinates[k];
    if (at->subject != SRS_ROW_OF_LOOP) continue;
    place(sim, at);
    at->rate = srs_row_velocity(&at->row, sim->workspace->velocity, NULL);
    plan_actuator(sim, at);
    if (at->has_plan) add_force(&at->row, at->plan.base / sim->options.dt, sim->link_wrench);
  }
  return sim->link_wrench;
}

// ---------------------------------------------------------------------------------------------------------------------
// Between steps
// ---------------------------------------------------------------------------------------------------------------------

void srs_accept_loop_joints(srs_sim *sim)
{
  const struct srs_constraints *c = sim->constraints;
  const double h = sim->options.dt;
  for (int k = c != NULL ? c->n_joint_coordinates : 0; c != NULL && k < c->n_coordinates; k++) {
    const joint_coordinate *at = &c->coordinates[k];
    if (at->subject != SRS_ROW_OF_LOOP) continue;
    sim->loop_joint_turn[at->closure] = at->position + h * at->rate;
    sim->loop_joint_effort[at->closure] = sim->flags[2] != 0 && at->has_plan ? at->plan.base / h : 0;
  }
  for (int i = 0; c != NULL && i < c->n_scalars; i++)
    if (c->scalars[i].source == SRS_ROW_ACTUATOR && c->scalars[i].subject == SRS_ROW_OF_LOOP)
      sim->loop_joint_effort[c->scalars[i].index] += c->scalars[i].sign * c->scalars[i].impulse / h;
}

void srs_forget_loop_joint_turns(srs_sim *sim)
{
  for (int i = 0; i < sim->model->n_closures; i++) {
    const srs_loop_joint *j = &sim->model->closures[i].joint;
    sim->loop_joint_turn[i] = isfinite(j->lower) && isfinite(j->upper) ? 0.5 * (j->lower + j->upper) : 0;
  }
}

srs_status srs_sim_closure_coordinate(srs_sim *sim, int closure, double *value, double *rate, double *effort)
{
  if (sim == NULL || closure < 0 || closure >= sim->model->n_closures) return SRS_ERROR_ARGUMENT;
  if (effort != NULL) *effort = sim->loop_joint_effort[closure];
  return srs_closure_coordinate(srs_sim_workspace(sim), closure, sim->loop_joint_turn[closure], value, rate);
}
