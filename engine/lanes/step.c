// A step of semi-implicit Euler of several runs, on which nothing acts but forces on coordinates:
//
//   (M + h D + h^2 K) (v+ - v) = h (tau - c + f(q + h v, v)),   q+ = integrate(q, h v+),   f dampers, springs, servos
//
// c as in srs_lanes_accelerate. A lane is given up where the sim would have a row: where a coordinate is or would be at
// its limit, where a servo exceeds its effort limit, or an actuator its speed limit. Applied torques are cut off at
// theirs (step/forces.c).

#include "engine/batch/solve.h"
#include "engine/batch/states.h"
#include "engine/lanes/lanes.h"
#include "engine/lanes/memory.h"
#include "topology/model/configuration.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------------------------

// Actuators, if v stays.
SRS_KERNEL static void find_efforts(const srs_lanes *w)
{
  const srs_batch *b = w->batch;
  const double h = w->sim.options->dt;
  for (int i = 0; i < w->sim.model->nv; i++) {
    lanes effort = w->tau[i];
    const int at = w->q_of_v[i];
    if (w->has_servo && at >= 0) effort -= w->kp[i] * (b->q[at] + h * b->v[i] - w->q_ref[at]);
    if (w->has_servo) effort -= w->kd[i] * (b->v[i] - w->v_ref[i]);
    w->effort[i] = effort;
  }
  for (int k = 0; k < w->n_limits; k++) {
    const lane_limit *x = &w->limits[k];
    lanes *effort = &w->effort[x->v];
    const lanes most = wide_number(x->max_effort);
    if (w->change[x->v] > 0) continue; // checked when its velocity is known
    *effort = lanes_choose(*effort > most, most, *effort);
    *effort = lanes_choose(*effort < -most, -most, *effort);
  }
}

// Those, dampers and springs.
SRS_KERNEL static void find_forces(const srs_lanes *w)
{
  const srs_batch *b = w->batch;
  const srs_model *m = w->sim.model;
  const double h = w->sim.options->dt;
  for (int i = 0; i < m->nv; i++) {
    lanes force = w->effort[i] - m->damping[i] * b->v[i];
    const int at = w->q_of_v[i];
    if (m->has_springs && at >= 0) force -= m->stiffness[i] * (b->q[at] + h * b->v[i] - m->reference[at]);
    b->tau[i] = force;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What no lane is carried through
// ---------------------------------------------------------------------------------------------------------------------

// v+ = v + h a.  @param lost  out: where it is not finite, or a row would act
SRS_KERNEL static void end_velocities(const srs_lanes *w, lane_mask *lost)
{
  const srs_batch *b = w->batch;
  const double h = w->sim.options->dt, more = 1 + 1e-12;
  lanes zero = {0};
  for (int i = 0; i < w->sim.model->nv; i++) {
    b->v[i] += h * b->a[i];
    zero += 0 * b->v[i];
  }
  lane_mask any = zero != 0;
  for (int k = 0; k < w->n_limits; k++) {
    const lane_limit *x = &w->limits[k];
    const lanes v = b->v[x->v], p = w->effort[x->v] - w->change[x->v] * b->a[x->v];
    any |= (p > more * x->max_effort) | (p < -more * x->max_effort);
    any |= ((p > 0) & (v > more * x->max_velocity)) | ((p < 0) & (v < -more * x->max_velocity));
    if (x->q < 0) continue;
    const lanes above = b->q[x->q] - x->lower, below = x->upper - b->q[x->q];
    any |= (above <= 0) | (above + h * v <= 0) | (below <= 0) | (below - h * v <= 0);
  }
  *lost = any;
}

// ---------------------------------------------------------------------------------------------------------------------
// Positions
// ---------------------------------------------------------------------------------------------------------------------

static void turn_ball(const srs_lanes *w, int k, int quaternion)
{
  const srs_model *m = w->sim.model;
  lanes *q = w->batch->q + m->q_index[k] + quaternion, *v = w->batch->v + m->v_index[k] + quaternion;
  for (int l = 0; l < LANES; l++) {
    double at[4] = {q[0][l], q[1][l], q[2][l], q[3][l]};
    const double rate[3] = {v[0][l], v[1][l], v[2][l]};
    srs_integrate_joint(SRS_JOINT_SPHERICAL, at, rate, w->sim.options->dt, at);
    for (int i = 0; i < 4; i++) q[i][l] = at[i];
  }
}

SRS_KERNEL static void end_numbers(const srs_lanes *w)
{
  const srs_batch *b = w->batch;
  for (int i = 0; i < w->sim.model->nv; i++)
    if (w->q_of_v[i] >= 0) b->q[w->q_of_v[i]] += w->sim.options->dt * b->v[i];
}

SRS_KERNEL static void note_lost_positions(const srs_lanes *w, lane_mask *lost)
{
  lanes zero = {0};
  for (int i = 0; i < w->sim.model->nq; i++) zero += 0 * w->batch->q[i];
  *lost |= zero != 0;
}

static void end_positions(const srs_lanes *w)
{
  const srs_model *m = w->sim.model;
  end_numbers(w);
  for (int k = 0; k < m->n_links && w->has_balls; k++) {
    const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]);
    if (quaternion >= 0) turn_ball(w, k, quaternion);
  }
}

static bool step(srs_lanes *w)
{
  lane_mask lost;
  bool any = false;
  srs_batch_find_angles(w->batch);
  find_efforts(w);
  find_forces(w);
  srs_lanes_accelerate(w);
  end_velocities(w, &lost);
  end_positions(w);
  note_lost_positions(w, &lost);
  for (int l = 0; l < LANES; l++) {
    w->is_lost[l] = w->is_lost[l] || lost[l] != 0;
    w->steps[l]++;
    any = any || !w->is_lost[l];
  }
  return any;
}

bool srs_lanes_step(srs_lanes *w, long n)
{
  bool any = false;
  for (int l = 0; l < LANES; l++) any = any || !w->is_lost[l];
  for (long i = 0; i < n && any; i++) any = step(w);
  return any;
}
