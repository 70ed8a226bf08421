// How does a motor drive a coordinate? One coordinate's inputs, through a gear.
//
// With q_motor = gear q the motor's torque t acts as gear t, and its servo t = kp (r - q_motor) + kd (w - v_motor) as
// one with gains gear^2 kp, gear^2 kd and references r / gear, w / gear.

#include "engine/simulation.h"
#include "topology/internal.h"
#include "topology/joint.h"

srs_drive srs_default_drive(int coordinate) { return (srs_drive){.coordinate = coordinate, .gear = 1}; }

// The entry of q that is this coordinate, -1 where a quaternion is turned.
static int q_of(const srs_model *m, int v_index)
{
  const int link = m->link_of_v[v_index], i = v_index - m->v_index[link];
  const int quaternion = srs_hinge_kind_quaternion((srs_hinge_kind)m->kind[link]);
  return quaternion >= 0 && i >= quaternion ? -1 : m->q_index[link] + i;
}

bool srs_drive_takes_position(const srs_model *model, int coordinate)
{
  return model != NULL && coordinate >= 0 && coordinate < model->nv && q_of(model, coordinate) >= 0;
}

srs_status srs_sim_set_drive(srs_sim *sim, const srs_drive *drive, srs_error *error)
{
  if (sim == NULL || drive == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no drive");
  const srs_model *m = sim->model;
  const int i = drive->coordinate;
  if (i < 0 || i >= m->nv) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no coordinate %d", i);
  const char *name = m->v_names[i];
  const double values[] = {drive->gear, drive->torque, drive->position, drive->velocity, drive->kp, drive->kd};
  if (srs_first_not_finite(values, 6) >= 0)
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name,
                    "the drive of '%s' holds a number that is not finite", name);
  const int q = q_of(m, i);
  const char *wrong = NULL;
  if (drive->gear == 0)
    wrong = "its gear is 0";
  else if (drive->kp < 0 || drive->kd < 0)
    wrong = "its gains must not be negative";
  else if (q < 0 && drive->kp > 0)
    wrong = "a coordinate that turns a quaternion takes no kp here: use srs_sim_set_servo";
  if (wrong != NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "the drive of '%s': %s", name, wrong);
  const double gear = drive->gear;
  sim->tau[i] = gear * drive->torque;
  if (q >= 0) sim->q_ref[q] = drive->position / gear;
  sim->v_ref[i] = drive->velocity / gear;
  sim->kp[i] = gear * gear * drive->kp;
  sim->kd[i] = gear * gear * drive->kd;
  if (sim->kp[i] > 0 || sim->kd[i] > 0) sim->flags[1] = 1;
  return SRS_OK;
}
