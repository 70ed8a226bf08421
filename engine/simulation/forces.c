// What acts on the coordinates and links in a step, beside rows? Torques, springs, dampers, servos; applied wrenches.

#include "engine/dynamics/kinematics.h"
#include "engine/islands/constraint.h"
#include "engine/simulation/simulation.h"
#include "topology/base/errors.h"
#include "topology/model/configuration.h"

#include <string.h>

// Applied torques and servos: force if v stays, and their linear change.
static void find_actuators(const srs_sim *sim, const double *q, const double *v, double h_q, double h_v)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  memcpy(sim->actuator_force, sim->tau, (size_t)m->nv * sizeof *sim->tau);
  memset(sim->actuator_change, 0, (size_t)m->nv * sizeof *sim->actuator_change);
  if (sim->flags[1] == 0) return;
  srs_difference(m, q, sim->q_ref, sim->error_v);
  srs_spring_forces(m, sim->error_v, sim->kp, sim->error_v);
  for (int i = 0; i < m->nv; i++) {
    sim->actuator_force[i] += sim->error_v[i] - sim->kd[i] * (v[i] - sim->v_ref[i]);
    sim->actuator_change[i] = h_q * sim->kp[i] + h_v * sim->kd[i];
    if (sim->gain != NULL) sim->actuator_force[i] += sim->actuator_change[i] * sim->gain[i] / h;
  }
}

// What an actuator with limits puts into the step beside rows: force, and its linear change. An explicit step (h_v 0)
// has it cut off as it stands.
static void limit_actuator(const srs_sim *sim, const joint_coordinate *at, double v, double h_v, double *force,
                           double *change)
{
  const double h = sim->options.dt;
  const bool is_servo = *change > 0;
  if (h_v == 0 && copysign(1, *force) * v >= at->max_velocity) *force = 0;
  if (!sim->actuators_are_rows && is_servo) return;
  const actuator_plan d = srs_plan_actuator(at, h, v, h * *force, *change);
  if (!sim->actuators_are_rows)
    *force = fmax(-at->max_effort, fmin(at->max_effort, *force));
  else if (!d.is_linear || !is_servo)
    *force = d.base / h, *change = 0;
}

static void add_actuators(const srs_sim *sim, const double *v, double h_v, double *force, double *extra)
{
  const struct srs_constraints *c = sim->constraints;
  const int n_limited = c != NULL && c->has_actuator_limits ? c->n_joint_coordinates : 0;
  for (int i = 0, k = 0; i < sim->model->nv; i++) {
    double f = sim->actuator_force[i], change = sim->actuator_change[i];
    if (k < n_limited && c->coordinates[k].v == i) limit_actuator(sim, &c->coordinates[k++], v[i], h_v, &f, &change);
    force[i] += f;
    extra[i] += change;
  }
}

void srs_sim_forces(const srs_sim *sim, const double *q, const double *v, double h_q, double h_v, double *force,
                    double *extra)
{
  const srs_model *m = sim->model;
  for (int i = 0; i < m->nv; i++) {
    force[i] = -m->damping[i] * v[i];
    extra[i] = h_v * m->damping[i];
  }
  if (m->has_springs) {
    srs_difference(m, q, m->reference, sim->error_v);
    srs_spring_forces(m, sim->error_v, m->stiffness, sim->error_v);
    for (int i = 0; i < m->nv; i++) {
      force[i] += sim->error_v[i];
      extra[i] += h_q * m->stiffness[i];
    }
  }
  for (int i = 0; sim->gain != NULL && i < m->nv; i++) force[i] += extra[i] * sim->gain[i] / sim->options.dt;
  find_actuators(sim, q, v, h_q, h_v);
  add_actuators(sim, sim->gain != NULL ? sim->v : v, h_v, force, extra);
}

const double *srs_sim_link_wrenches(srs_sim *sim, const double *q)
{
  if (sim->flags[0] == 0) return NULL;
  const srs_model *m = sim->model;
  memset(sim->link_wrench, 0, 6 * (size_t)m->n_links * sizeof *sim->link_wrench);
  srs_place_links(sim->workspace, q);
  for (int f = 0; f < m->n_frames; f++) {
    const double *slot = sim->wrench + SRS_WRENCH_SIZE * (size_t)f;
    if (slot[0] == SRS_WRENCH_OFF) continue;
    srs_add_wrench(sim->workspace, f, slot[0] == SRS_WRENCH_LOCAL ? SRS_AXES_LOCAL : SRS_AXES_WORLD, slot + 1,
                   sim->link_wrench);
  }
  return sim->link_wrench;
}

void srs_find_actuator_efforts(srs_sim *sim)
{
  const double h = sim->options.dt;
  const struct srs_constraints *c = sim->constraints;
  for (int i = 0; i < sim->model->nv; i++)
    sim->actuator_effort[i] = sim->actuator_force[i] - sim->actuator_change[i] * sim->mean_a[i];
  for (int k = 0; c != NULL && c->has_actuator_limits && k < c->n_joint_coordinates; k++) {
    const joint_coordinate *at = &c->coordinates[k];
    const double impulse = h * sim->actuator_force[at->v], change = sim->actuator_change[at->v];
    double *effort = &sim->actuator_effort[at->v];
    const actuator_plan d = srs_plan_actuator(at, h, sim->v[at->v], impulse, change);
    if (sim->actuators_are_rows && !d.is_linear) *effort = d.base / h;
    if (sim->actuators_are_rows && d.is_linear && change == 0) *effort = d.base / h;
    if (!sim->actuators_are_rows && change == 0) *effort = fmax(-at->max_effort, fmin(at->max_effort, *effort));
  }
  for (int i = 0; sim->actuators_are_rows && i < c->n_scalars; i++)
    if (c->scalars[i].source == SRS_ROW_ACTUATOR && c->scalars[i].subject == SRS_ROW_OF_COORDINATE)
      sim->actuator_effort[c->scalars[i].index] += c->scalars[i].row.coefficient[0] * c->scalars[i].impulse / h;
}
