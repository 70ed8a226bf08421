// Inputs from the caller: torques, wrenches, servos, and single actuators with a gear ratio. All of them persist.
//
// With q_motor = gear q the motor's torque t acts as gear t, and its servo t = kp (r - q_motor) + kd (w - v_motor) as
// one with gains gear^2 kp, gear^2 kd and references r / gear, w / gear.

#include "engine/simulation/inputs.h"
#include "engine/dynamics/checks.h"
#include "engine/step/simulation.h"
#include "topology/base/errors.h"
#include "topology/base/rotations.h"
#include "topology/model/configuration.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------------------------

static srs_status bad_argument(srs_error *error, const char *what)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", what);
}

srs_status srs_sim_check_finite(srs_sim *sim, const char *what, const double *x, int n, srs_error *error)
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

srs_status srs_sim_normalized_configuration(srs_sim *sim, const double *q, double *out, srs_error *error)
{
  const srs_model *m = sim->model;
  srs_status status = srs_sim_check_finite(sim, "q", q, m->nq, error);
  if (status == SRS_OK) status = srs_check_quaternions(m, q, error);
  if (status != SRS_OK) return status;
  memcpy(out, q, (size_t)m->nq * sizeof *q);
  srs_normalise(m, out);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// All coordinates
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_sim_set_torque(srs_sim *sim, const double *tau, srs_error *error)
{
  if (sim == NULL || (tau == NULL && sim->model->nv > 0)) return bad_argument(error, "no sim, or no torques");
  const srs_status status = srs_sim_check_finite(sim, "tau", tau, sim->model->nv, error);
  if (status == SRS_OK) memcpy(sim->state.inputs.tau, tau, (size_t)sim->model->nv * sizeof *tau);
  return status;
}

const double *srs_sim_torque(const srs_sim *sim) { return sim != NULL ? sim->state.inputs.tau : NULL; }

srs_status srs_sim_set_wrench(srs_sim *sim, int frame, srs_axes axes, const double wrench[6], srs_error *error)
{
  if (sim == NULL || wrench == NULL) return bad_argument(error, "no sim, or no wrench");
  if (frame < 0 || frame >= sim->model->n_frames)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no frame %d", frame);
  if (!srs_axes_known(axes)) return bad_argument(error, "the axes are neither SRS_AXES_WORLD nor SRS_AXES_LOCAL");
  const srs_status status = srs_sim_check_finite(sim, "wrench", wrench, 6, error);
  if (status != SRS_OK) return status;
  double *slot = sim->state.inputs.wrench + SRS_WRENCH_SIZE * (size_t)frame;
  slot[0] = axes == SRS_AXES_LOCAL ? SRS_WRENCH_LOCAL : SRS_WRENCH_WORLD;
  memcpy(slot + 1, wrench, 6 * sizeof *wrench);
  *sim->state.inputs.has_wrench = 1;
  return SRS_OK;
}

void srs_sim_clear_inputs(srs_sim *sim)
{
  if (sim == NULL) return;
  srs_inputs_clear(&sim->state.inputs, sim->model);
  srs_set_targets(sim);
}

srs_status srs_sim_set_servo(srs_sim *sim, const double *q_ref, const double *v_ref, const double *kp, const double *kd,
                             srs_error *error)
{
  if (sim == NULL) return bad_argument(error, "no sim");
  const srs_model *m = sim->model;
  if (m->nv > 0 && (q_ref == NULL || v_ref == NULL || kp == NULL || kd == NULL))
    return bad_argument(error, "a servo needs q_ref, v_ref, kp and kd");
  srs_status status = srs_sim_normalized_configuration(sim, q_ref, sim->step.q_next, error);
  if (status == SRS_OK) status = srs_sim_check_finite(sim, "v", v_ref, m->nv, error);
  if (status == SRS_OK) status = srs_sim_check_finite(sim, "kp", kp, m->nv, error);
  if (status == SRS_OK) status = srs_sim_check_finite(sim, "kd", kd, m->nv, error);
  if (status != SRS_OK) return status;
  for (int i = 0; i < m->nv; i++)
    if (kp[i] < 0 || kd[i] < 0)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, m->v_names[i],
                      "the servo gains of '%s' must not be negative", m->v_names[i]);
  memcpy(sim->state.inputs.q_ref, sim->step.q_next, (size_t)m->nq * sizeof *q_ref);
  memcpy(sim->state.inputs.v_ref, v_ref, (size_t)m->nv * sizeof *v_ref);
  memcpy(sim->state.inputs.kp, kp, (size_t)m->nv * sizeof *kp);
  memcpy(sim->state.inputs.kd, kd, (size_t)m->nv * sizeof *kd);
  *sim->state.inputs.has_servo = 1;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// One coordinate
// ---------------------------------------------------------------------------------------------------------------------

srs_actuator srs_default_actuator(int coordinate) { return (srs_actuator){.coordinate = coordinate, .gear = 1}; }

// The entry of q for a coordinate, -1 for a quaternion's.
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

// Torque, references of position and velocity, and the two gains, as the coordinate has them.
static void on_coordinate(const srs_actuator *a, double values[SRS_LOOP_JOINT_ACTUATOR])
{
  values[0] = a->gear * a->torque;
  values[1] = a->position / a->gear;
  values[2] = a->velocity / a->gear;
  values[3] = a->kp > 0 ? a->gear * a->gear * a->kp : 0;
  values[4] = a->kd > 0 ? a->gear * a->gear * a->kd : 0;
}

static srs_status check_actuator(const srs_actuator *actuator, const char *name, bool takes_position, srs_error *error)
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
  if (wrong != NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "the actuator of '%s': %s", name, wrong);
  double here[SRS_LOOP_JOINT_ACTUATOR];
  on_coordinate(actuator, here);
  if (srs_first_not_finite(here, SRS_LOOP_JOINT_ACTUATOR) < 0) return SRS_OK;
  return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name,
                  "the actuator of '%s': a gear of %g gives the coordinate a number that is not finite", name,
                  actuator->gear);
}

static srs_status actuator_closure(srs_sim *sim, const srs_actuator *d, srs_error *error)
{
  const srs_closure *closure = srs_model_closure(sim->model, d->coordinate);
  if (closure == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no closure %d to drive", d->coordinate);
  if (!srs_closure_has_coordinate(closure))
    return srs_fail(
        error, SRS_ERROR_ARGUMENT, NULL, 0, 0, closure->name,
        "closure '%s' cannot be driven: it is a %s, only revolute and prismatic closures and free tendons can",
        closure->name, srs_closure_kind_name(closure->kind));
  if (closure->is_embedded)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, closure->name,
                    "closure '%s' cannot be driven: it is embedded; cut the loop at another joint, or do not embed it",
                    closure->name);
  const srs_status status = check_actuator(d, closure->name, true, error);
  if (status != SRS_OK) return status;
  double values[SRS_LOOP_JOINT_ACTUATOR];
  on_coordinate(d, values);
  memcpy(sim->state.inputs.loop_joint_actuator + SRS_LOOP_JOINT_ACTUATOR * (size_t)d->coordinate, values,
         sizeof values);
  *sim->state.inputs.has_loop_joint_actuator = 1;
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
  const srs_status status = check_actuator(actuator, m->v_names[i], q >= 0, error);
  if (status != SRS_OK) return status;
  double values[SRS_LOOP_JOINT_ACTUATOR];
  on_coordinate(actuator, values);
  sim->state.inputs.tau[i] = values[0];
  if (q >= 0) sim->state.inputs.q_ref[q] = values[1];
  sim->state.inputs.v_ref[i] = values[2];
  sim->state.inputs.kp[i] = values[3];
  sim->state.inputs.kd[i] = values[4];
  if (sim->state.inputs.kp[i] > 0 || sim->state.inputs.kd[i] > 0) *sim->state.inputs.has_servo = 1;
  return SRS_OK;
}

srs_status srs_sim_closure_coordinate(srs_sim *sim, int closure, double *value, double *rate, double *effort)
{
  if (sim == NULL || closure < 0 || closure >= sim->model->n_closures) return SRS_ERROR_ARGUMENT;
  if (effort != NULL) *effort = sim->actuation.loop_joint_effort[closure];
  return srs_free_coordinate(srs_sim_workspace(sim), sim->state.q, sim->state.v, closure,
                             sim->state.loop_joint_turn[closure], value, rate);
}

// ---------------------------------------------------------------------------------------------------------------------
// Targets of prescribed motions: a line over time in place of the motion, in the sim's own copy of the loops
// ---------------------------------------------------------------------------------------------------------------------

static srs_motion *own_motion(srs_sim *sim, int loop)
{
  const int n = sim->model->n_closures;
  return loop < n ? &sim->own.closures[loop].motion : &sim->own.couplings[loop - n].motion;
}

static const srs_motion *first_motion(const srs_sim *sim, int loop)
{
  const srs_model *m = sim->own.source;
  return loop < m->n_closures ? &m->closures[loop].motion : &m->couplings[loop - m->n_closures].motion;
}

static void set_target(srs_sim *sim, int loop)
{
  const double *target = sim->state.inputs.targets + SRS_TARGET * (size_t)loop;
  srs_motion *motion = own_motion(sim, loop);
  if (target[0] == 0)
    *motion = *first_motion(sim, loop);
  else
    *motion = (srs_motion){.kind = SRS_MOTION_RATE, .start = target[1], .rate = target[2]};
}

void srs_set_targets(srs_sim *sim)
{
  for (int i = 0; i < srs_model_n_loops(sim->model); i++) set_target(sim, i);
}

static bool has_motion(const srs_sim *sim, int loop)
{
  return sim != NULL && loop >= 0 && loop < srs_model_n_loops(sim->model) &&
         first_motion(sim, loop)->kind != SRS_MOTION_NONE;
}

srs_status srs_sim_set_motion(srs_sim *sim, int loop, double position, double rate, srs_error *error)
{
  if (sim == NULL) return bad_argument(error, "no sim");
  if (!has_motion(sim, loop))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, srs_model_loop_name(sim->model, loop),
                    "loop %d has no prescribed motion in the model: give it one there, of rate 0", loop);
  const double start = position - rate * *sim->state.time, numbers[3] = {position, rate, start};
  if (srs_first_not_finite(numbers, 3) >= 0)
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, srs_model_loop_name(sim->model, loop),
                    "the motion of loop '%s' is not finite", srs_model_loop_name(sim->model, loop));
  double *target = sim->state.inputs.targets + SRS_TARGET * (size_t)loop;
  target[0] = 1, target[1] = start, target[2] = rate;
  set_target(sim, loop);
  return SRS_OK;
}

srs_status srs_sim_get_motion(const srs_sim *sim, int loop, double *position, double *rate)
{
  if (!has_motion(sim, loop)) return SRS_ERROR_ARGUMENT;
  double speed;
  const double now = srs_motion_at(own_motion((srs_sim *)sim, loop), *sim->state.time, &speed); // only read
  if (position != NULL) *position = now;
  if (rate != NULL) *rate = speed;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// As numbers: in the state they are one after the other, but for q and v that stand behind the three flags.
// ---------------------------------------------------------------------------------------------------------------------

enum { INPUT_FLAGS = 3 };

size_t srs_sim_input_count(const srs_sim *sim)
{
  return INPUT_FLAGS + (size_t)(sim->state.loop_joint_turn - sim->state.inputs.tau);
}

double *srs_sim_input(srs_sim *sim, size_t i)
{
  const srs_inputs *inputs = &sim->state.inputs;
  return i < INPUT_FLAGS ? inputs->has_wrench + i : inputs->tau + (i - INPUT_FLAGS);
}
