// Applied forces of a step: torques, springs, dampers and servos on coordinates, wrenches on links. Constraint rows are
// not among them.

#include "engine/step/forces.h"
#include "engine/dynamics/kinematics.h"
#include "engine/rows/actuator_plan.h"
#include "topology/model/configuration.h"

#include <math.h>
#include <string.h>

static const double *start_velocity(const srs_force_query *query)
{
  return query->guess_change != NULL ? query->state->v : query->v;
}

// Takes a damper and a spring of a coordinate theta of the way to the step's end, where they were taken half the way:
// the force if v stays, and its linear change.
static void move_to_theta(const srs_force_query *query, int i, double damping, double stiffness, double *force,
                          double *change)
{
  const double reach = query->theta[i] * query->dt;
  *force -= stiffness * (reach - 0.5 * query->dt) * start_velocity(query)[i];
  *change = reach * damping + reach * reach * stiffness;
}

// Finds applied torques and servos: the force if v stays, and its linear change.
static void find_actuators(const srs_force_query *query, srs_actuation *actuation, double *error_v)
{
  const srs_model *m = query->model;
  const srs_inputs *in = &query->state->inputs;
  memcpy(actuation->force, in->tau, (size_t)m->nv * sizeof *in->tau);
  memset(actuation->change, 0, (size_t)m->nv * sizeof *actuation->change);
  if (*in->has_servo == 0) return;
  srs_difference(m, query->q, in->q_ref, error_v);
  srs_spring_forces(m, error_v, in->kp, error_v);
  for (int i = 0; i < m->nv; i++) {
    actuation->force[i] += error_v[i] - in->kd[i] * (query->v[i] - in->v_ref[i]);
    actuation->change[i] = query->h_q * in->kp[i] + query->h_v * in->kd[i];
    if (query->guess_change != NULL) actuation->force[i] += actuation->change[i] * query->guess_change[i] / query->dt;
    if (query->theta != NULL)
      move_to_theta(query, i, in->kd[i], in->kp[i], &actuation->force[i], &actuation->change[i]);
  }
}

// The part of a limited actuator that is not in rows: force, and its linear change. In an explicit step (h_v 0) the
// force is cut off at the limit.
static void limit_actuator(const joint_coordinate *x, bool are_rows, double h, double v, double h_v, double *force,
                           double *change)
{
  const bool is_servo = *change > 0;
  if (h_v == 0 && copysign(1, *force) * v >= x->max_velocity) *force = 0;
  if (!are_rows && is_servo) return;
  const actuator_plan d = srs_plan_actuator(x, h, v, h * *force, *change);
  if (!are_rows)
    *force = fmax(-x->max_effort, fmin(x->max_effort, *force));
  else if (!d.is_linear || !is_servo)
    *force = d.base / h, *change = 0;
}

static void add_actuators(const srs_force_query *query, const srs_actuation *actuation, double *force, double *extra)
{
  const struct srs_constraints *c = query->limited;
  const double *v = start_velocity(query);
  const int n_limited = c != NULL && c->has_actuator_limits ? c->n_joint_coordinates : 0;
  for (int i = 0, k = 0; i < query->model->nv; i++) {
    double f = actuation->force[i], change = actuation->change[i];
    if (k < n_limited && c->coordinates[k].v == i)
      limit_actuator(&c->coordinates[k++], actuation->are_rows, query->dt, v[i], query->h_v, &f, &change);
    force[i] += f;
    extra[i] += change;
  }
}

void srs_explicit_efforts(const srs_force_query *query, const srs_actuation *actuation, double share, double *effort)
{
  const struct srs_constraints *c = query->limited;
  const int n_limited = c != NULL && c->has_actuator_limits ? c->n_joint_coordinates : 0;
  for (int i = 0, k = 0; i < query->model->nv; i++) {
    double f = actuation->force[i], change = 0;
    if (k < n_limited && c->coordinates[k].v == i)
      limit_actuator(&c->coordinates[k++], false, query->dt, query->v[i], 0, &f, &change);
    effort[i] += share * f;
  }
}

void srs_find_forces(const srs_force_query *query, srs_actuation *actuation, double *error_v, double *force,
                     double *extra)
{
  const srs_model *m = query->model;
  for (int i = 0; i < m->nv; i++) {
    force[i] = -m->damping[i] * query->v[i];
    extra[i] = query->h_v * m->damping[i];
  }
  if (m->has_springs) {
    srs_difference(m, query->q, m->reference, error_v);
    srs_spring_forces(m, error_v, m->stiffness, error_v);
    for (int i = 0; i < m->nv; i++) {
      force[i] += error_v[i];
      extra[i] += query->h_q * m->stiffness[i];
    }
  }
  for (int i = 0; query->guess_change != NULL && i < m->nv; i++)
    force[i] += extra[i] * query->guess_change[i] / query->dt;
  for (int i = 0; query->theta != NULL && i < m->nv; i++)
    move_to_theta(query, i, m->damping[i], m->stiffness[i], &force[i], &extra[i]);
  find_actuators(query, actuation, error_v);
  add_actuators(query, actuation, force, extra);
}

const double *srs_link_wrenches(srs_workspace *w, const srs_inputs *in, const double *q, double *link_wrench)
{
  if (*in->has_wrench == 0) return NULL;
  const srs_model *m = w->model;
  memset(link_wrench, 0, 6 * (size_t)m->n_links * sizeof *link_wrench);
  srs_place_links(w, q);
  for (int f = 0; f < m->n_frames; f++) {
    const double *slot = in->wrench + SRS_WRENCH_SIZE * (size_t)f;
    if (slot[0] == SRS_WRENCH_OFF) continue;
    srs_add_wrench(w, f, slot[0] == SRS_WRENCH_LOCAL ? SRS_AXES_LOCAL : SRS_AXES_WORLD, slot + 1, link_wrench);
  }
  return link_wrench;
}

void srs_find_efforts(const srs_model *m, const struct srs_constraints *c, double h, const double *v, const double *a,
                      srs_actuation *actuation)
{
  for (int i = 0; i < m->nv; i++) actuation->effort[i] = actuation->force[i] - actuation->change[i] * a[i];
  for (int k = 0; c != NULL && c->has_actuator_limits && k < c->n_joint_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    const double impulse = h * actuation->force[x->v], change = actuation->change[x->v];
    double *effort = &actuation->effort[x->v];
    const actuator_plan d = srs_plan_actuator(x, h, v[x->v], impulse, change);
    if (actuation->are_rows && !d.is_linear) *effort = d.base / h;
    if (actuation->are_rows && d.is_linear && change == 0) *effort = d.base / h;
    if (!actuation->are_rows && change == 0) *effort = fmax(-x->max_effort, fmin(x->max_effort, *effort));
  }
  for (int i = 0; actuation->are_rows && i < c->n_scalars; i++)
    if (c->scalars[i].source == SRS_ROW_ACTUATOR && c->scalars[i].subject == SRS_ROW_OF_COORDINATE)
      actuation->effort[c->scalars[i].index] += c->scalars[i].row.coefficient[0] * c->scalars[i].impulse / h;
}
