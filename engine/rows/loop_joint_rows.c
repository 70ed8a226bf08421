// Loop joints: limits, friction, spring, damper, rotor and actuator on the coordinate x that a revolute or prismatic
// closure leaves free.
//
// The rate of x is J V, by the row of srs_closure_coordinate_row; limits, friction and limited actuators are rows like
// those of tree joints (joint_rows.c). None of it is in the mass matrix, so what is linear in the velocity is a
// compliant row, with the same values as there:
//
//   p = p0 - e (x+' - x')     passive: p0 = h (k (x_0 - x~) - d x' - armature b),   e = h_q k + h_v d + armature
//                             servo:   p0 = h (torque + kp (r - x~) + kd (w - x')),   e = h_q kp + h_v kd
//
// x~, h_q, h_v as in step/explicit.c: x + h x', h^2, h for semi-implicit Euler; x at q^m, h^2/4, h/2 for Moreau's
// midpoint, and more of stiff ones (step/theta.c). b is the change of x' as J turns, dJ/dt v (zero in the plane), and
// for embedded loops J times their drift, which x+' - x' does not contain. A torque without a servo is a wrench on both
// links; a tendon's, whose length is such a coordinate with a constant J, are torques on its joints.

#include "engine/rows/loop_joint_rows.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/embedding.h"
#include "engine/rows/actuator_plan.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

#include <string.h>

int srs_loop_joint_coordinates(const srs_model *m, const srs_joint_settings *o, joint_coordinate *coordinates)
{
  int n = 0;
  for (int i = 0; i < m->n_closures; i++) {
    const srs_loop_joint *j = &m->closures[i].joint;
    if (!srs_closure_has_coordinate(&m->closures[i])) continue;
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

static void measure_position(const struct srs_constraints *c, const srs_step_context *step, joint_coordinate *x)
{
  srs_closure_coordinate_row(step->workspace, x->closure, &x->row);
  srs_free_coordinate(step->workspace, step->q, NULL, x->closure, step->state->loop_joint_turn[x->closure],
                      &x->position, NULL);
  if (step->predicted_motion != NULL)
    x->position -= srs_row_velocity(&x->row, c->predicted_motion, step->predicted_motion);
}

void srs_measure_loop_joint(const struct srs_constraints *c, const srs_step_context *step, const double *v_free,
                            joint_coordinate *x)
{
  measure_position(c, step, x);
  x->rate = srs_row_velocity(&x->row, c->velocity_before, step->v);
  x->rate_free = srs_row_velocity(&x->row, step->workspace->velocity, v_free);
}

void srs_find_rotor_turns(struct srs_constraints *c, const double *q, const double *v, double *a)
{
  if (!c->has_loop_joint_rotors) return;
  srs_workspace *w = c->workspace;
  memset(a, 0, (size_t)w->model->nv * sizeof *a);
  if (w->is_embedded) srs_embedding_add_drift(w, a);
  srs_place_links(w, q);
  srs_move_links(w, v);
  srs_accelerate_links(w, v, a);
  for (int k = c->n_joint_coordinates; k < c->n_coordinates; k++) {
    joint_coordinate *x = &c->coordinates[k];
    if (x->subject == SRS_ROW_OF_LOOP) x->rate_change = srs_closure_coordinate_bias(w, x->closure);
  }
}

typedef struct step_factors {
  double prediction, h_q, h_v;
} step_factors;

static step_factors factors_of(const srs_step_context *step, const joint_coordinate *x)
{
  const double h = step->options->dt;
  if (!step->traits->is_mean) return (step_factors){h, h * h, h};
  const double theta = step->theta != NULL ? step->theta[step->model->nv + x->closure] : 0.5;
  return (step_factors){(theta - 0.5) * h, theta * theta * h * h, theta * h};
}

bool srs_loop_joint_passive(const srs_step_context *step, const joint_coordinate *x, double *impulse, double *change)
{
  const srs_loop_joint *j = &step->model->closures[x->closure].joint;
  const step_factors f = factors_of(step, x);
  const double stretch = x->position + f.prediction * x->rate - j->reference;
  *impulse = -step->options->dt * (j->stiffness * stretch + j->damping * x->rate + j->armature * x->rate_change);
  *change = f.h_q * j->stiffness + f.h_v * j->damping + j->armature;
  return *change > 0;
}

static void plan_actuator(const srs_step_context *step, joint_coordinate *x)
{
  const double *d = step->state->inputs.loop_joint_actuator + SRS_LOOP_JOINT_ACTUATOR * (size_t)x->closure;
  const step_factors f = factors_of(step, x);
  const double torque = d[0], kp = d[3], kd = d[4];
  const double force = torque + kp * (d[1] - x->position - f.prediction * x->rate) + kd * (d[2] - x->rate);
  x->has_plan = force != 0 || kp > 0 || kd > 0;
  x->plan = srs_plan_actuator(x, step->options->dt, x->rate, step->options->dt * force, f.h_q * kp + f.h_v * kd);
}

// Adds a row's force to the wrenches on links, and to the torques on coordinates of a tendon.
static void add_force(const srs_step_row *row, double force, double *wrenches, double *tau)
{
  for (int i = 0; i < row->n_sides; i++) {
    if (row->is_coordinate[i]) {
      tau[row->coordinate[i]] += force * row->coefficient[i];
      continue;
    }
    double *on = wrenches + 6 * (size_t)row->link[i];
    v6_store(on, v6_add_scaled(v6_load(on), force, row->wrench[i]));
  }
}

const double *srs_loop_joint_wrenches(struct srs_constraints *c, const srs_step_context *step, const double *wrenches,
                                      double *link_wrench, double *tau)
{
  if (*step->state->inputs.has_loop_joint_actuator == 0) return wrenches;
  const size_t bytes = 6 * (size_t)step->model->n_links * sizeof *link_wrench;
  if (wrenches == NULL) memset(link_wrench, 0, bytes);
  srs_place_links(step->workspace, step->q);
  srs_move_links(step->workspace, step->state->v);
  for (int k = c->n_joint_coordinates; k < c->n_coordinates; k++) {
    joint_coordinate *x = &c->coordinates[k];
    if (x->subject != SRS_ROW_OF_LOOP) continue;
    measure_position(c, step, x);
    x->rate = srs_row_velocity(&x->row, step->workspace->velocity, step->state->v);
    plan_actuator(step, x);
    if (x->has_plan) add_force(&x->row, x->plan.base / step->options->dt, link_wrench, tau);
  }
  return link_wrench;
}

// ---------------------------------------------------------------------------------------------------------------------
// After a step
// ---------------------------------------------------------------------------------------------------------------------

void srs_accept_loop_joints(const struct srs_constraints *c, double h, bool has_actuators, double *turn, double *effort)
{
  for (int k = c->n_joint_coordinates; k < c->n_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    if (x->subject != SRS_ROW_OF_LOOP) continue;
    turn[x->closure] = x->position + h * x->rate;
    effort[x->closure] = has_actuators && x->has_plan ? x->plan.base / h : 0;
  }
  for (int i = 0; i < c->n_scalars; i++)
    if (c->scalars[i].source == SRS_ROW_ACTUATOR && c->scalars[i].subject == SRS_ROW_OF_LOOP)
      effort[c->scalars[i].index] += c->scalars[i].sign * c->scalars[i].impulse / h;
}

void srs_forget_loop_joint_turns(const srs_model *m, double *turn)
{
  for (int i = 0; i < m->n_closures; i++) {
    const srs_loop_joint *j = &m->closures[i].joint;
    turn[i] = isfinite(j->lower) && isfinite(j->upper) ? 0.5 * (j->lower + j->upper) : 0;
  }
}
