// How does a motor drive a coordinate? One coordinate's inputs, through a gear.
//
// With q_motor = gear q the motor's torque t acts as gear t, and its servo t = kp (r - q_motor) + kd (w - v_motor) as
// one with gains gear^2 kp, gear^2 kd and references r / gear, w / gear.

#include "engine/dynamics/checks.h"
#include "engine/simulation/simulation.h"
#include "topology/base/errors.h"
#include "topology/model/configuration.h"

#include <string.h>

srs_actuator srs_default_actuator(int coordinate) { return (srs_actuator){.coordinate = coordinate, .gear = 1}; }

// The entry of q that is this coordinate, -1 where a quaternion is turned.
static int q_of(const srs_model *m, int v_index)
{
  const int link = m->link_of_v[v_index], i = v_index - m->v_index[link];
  const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[link]);
  return quaternion >= 0 && i >= quaternion ? -1 : m->q_index[link] + i;
}

bool srs_actuator_takes_position(const srs_model *model, int coordinate)
{
  return model != NULL && coordinate >= 0 && coordinate < model->nv && q_of(model, coordinate) >= 0;
}

static srs_status check(const srs_actuator *actuator, const char *name, bool takes_position, srs_error *error)
{
  const double values[] = {actuator->gear,     actuator->torque, actuator->position,
                           actuator->velocity, actuator->kp,     actuator->kd};
  if (srs_first_not_finite(values, 6) >= 0)
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name,
                    "the actuator of '%s' holds a number that is not finite", name);
  const char *wrong = NULL;
  if (actuator->gear == 0)
    wrong = "its gear is 0";
  else if (actuator->kp < 0 || actuator->kd < 0)
    wrong = "its gains must not be negative";
  else if (!takes_position && actuator->kp > 0)
    wrong = "a coordinate that turns a quaternion takes no kp here: use srs_sim_set_servo";
  if (wrong == NULL) return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "the actuator of '%s': %s", name, wrong);
}

static srs_status actuator_closure(srs_sim *sim, const srs_actuator *d, srs_error *error)
{
  const srs_closure *closure = srs_model_closure(sim->model, d->coordinate);
  if (closure == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no closure %d to drive", d->coordinate);
  if (closure->kind != SRS_CLOSURE_REVOLUTE && closure->kind != SRS_CLOSURE_PRISMATIC)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, closure->name,
                    "closure '%s' cannot be driven: it is a %s, only revolute and prismatic closures can",
                    closure->name, srs_closure_kind_name(closure->kind));
  if (closure->is_embedded)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, closure->name,
                    "closure '%s' cannot be driven: it is embedded; cut the loop at another joint, or do not embed it",
                    closure->name);
  const srs_status status = check(d, closure->name, true, error);
  if (status != SRS_OK) return status;
  const double gear = d->gear;
  const double values[LOOP_JOINT_ACTUATOR] = {gear * d->torque, d->position / gear, d->velocity / gear,
                                              gear * gear * d->kp, gear * gear * d->kd};
  memcpy(sim->loop_joint_actuator + LOOP_JOINT_ACTUATOR * (size_t)d->coordinate, values, sizeof values);
  sim->flags[2] = 1;
  return SRS_OK;
}

srs_status srs_sim_set_actuator(srs_sim *sim, const srs_actuator *actuator, srs_error *error)
{
  if (sim == NULL || actuator == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no actuator");
  if (actuator->is_of_closure) return actuator_closure(sim, actuator, error);
  const srs_model *m = sim->model;
  const int i = actuator->coordinate;
  if (i < 0 || i >= m->nv) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no coordinate %d", i);
  const int q = q_of(m, i);
  const srs_status status = check(actuator, m->v_names[i], q >= 0, error);
  if (status != SRS_OK) return status;
  const double gear = actuator->gear;
  sim->tau[i] = gear * actuator->torque;
  if (q >= 0) sim->q_ref[q] = actuator->position / gear;
  sim->v_ref[i] = actuator->velocity / gear;
  sim->kp[i] = gear * gear * actuator->kp;
  sim->kd[i] = gear * gear * actuator->kd;
  if (sim->kp[i] > 0 || sim->kd[i] > 0) sim->flags[1] = 1;
  return SRS_OK;
}
