// Forward kinematics of links and frames: placements, velocities, accelerations and Jacobians.
//
// One outward pass with the steps of recursion.h. A frame at offset d (world axes) from its link's origin has velocity
// v + w x d and acceleration a + alpha x d + w x (w x d). Column i of its Jacobian is the joint column s_i of an
// ancestor at x_i carried to the frame at x: [ang; lin + ang x (x - x_i)].

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/sincos.h"
#include "engine/dynamics/workspace.h"

#include <string.h>

// Arrays are padded to whole lanes; the lanes after the last angle are computed from zeros. Returns whether all angles
// are small enough. Angles are gathered in a register: four numbers that have just been stored are not yet there to be
// loaded as one vector.
SRS_KERNEL static bool sincos_all(int n, const int *index, const double *restrict q, double *restrict sine,
                                  double *restrict cosine)
{
  lane_mask large = {0, 0, 0, 0};
  for (int i = 0; i < n; i += LANES) {
    const int left = n - i;
    const lanes x = left >= LANES
                        ? (lanes){q[index[i]], q[index[i + 1]], q[index[i + 2]], q[index[i + 3]]}
                        : (lanes){q[index[i]], left > 1 ? q[index[i + 1]] : 0, left > 2 ? q[index[i + 2]] : 0, 0};
    lanes s, c;
    large |= (x > SRS_SINCOS_LIMIT) | (x < -SRS_SINCOS_LIMIT);
    sincos_reduced(x, &s, &c);
    lanes_store(sine + i, s);
    lanes_store(cosine + i, c);
  }
  return (large[0] | large[1] | large[2] | large[3]) == 0;
}

void srs_workspace_angles(srs_workspace *w, const double *q)
{
  const srs_model *m = w->model;
  if (w->has_angles && memcmp(w->angles_q, q, (size_t)m->nq * sizeof *q) == 0) return;
  w->has_angles = false;
  if (sincos_all(m->n_angles, m->angle_q, q, w->sine, w->cosine)) return;
  for (int i = 0; i < m->n_angles; i++) {
    w->sine[i] = sin(q[m->angle_q[i]]);
    w->cosine[i] = cos(q[m->angle_q[i]]);
  }
}

void srs_keep_angles(srs_workspace *w, const double *q)
{
  if (w->is_late) w->is_late = false, w->state_level = 0;
  if (w->model->nq > 0) memcpy(w->angles_q, q, (size_t)w->model->nq * sizeof *q);
  w->has_angles = true;
}

SRS_KERNEL static void place_all(const srs_model *m, const double *q, const double *cosine, const double *sine,
                                 bool fetches, placement *place, v6 *column)
{
  placement here = world_placement;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (fetches) fetch(&place[parent_ahead(m, k, AHEAD)], sizeof *place);
    if (p != k - 1) here = parent_placement(place, p);
    here = place_link(m, k, &here, q, cosine, sine, column);
    store_placement(&place[k], &here);
  }
}

void srs_place_links(srs_workspace *w, const double *q)
{
  srs_workspace_angles(w, q);
  place_all(w->model, q, w->cosine, w->sine, needs_fetching(w), w->place, w->column);
  w->state_level = 1;
  w->is_late = w->has_joint_forces = false;
}

void srs_place_later(srs_workspace *w, const double *q)
{
  srs_keep_angles(w, q);
  w->is_late = true;
  w->state_level = 1;
}

void srs_place_late(const srs_workspace *workspace)
{
  if (!workspace->is_late) return;
  srs_workspace *w = (srs_workspace *)workspace; // made by srs_workspace_create, which makes none that is constant
  const bool has_joint_forces = w->has_joint_forces;
  srs_place_links(w, w->angles_q);
  w->has_joint_forces = has_joint_forces;
}

SRS_KERNEL static void move_all(const srs_workspace *w, const double *v)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    const v6 carried = p < 0 ? v6_zero : carry_motion(w->velocity[p], w->place[k].arm);
    w->velocity[k] = v6_add(carried, joint_motion(m, k, w->place[k].axes.z, w->column, v));
  }
}

void srs_move_links(srs_workspace *w, const double *v)
{
  move_all(w, v);
  w->state_level = 2;
}

SRS_KERNEL static void accelerate_all(const srs_workspace *w, const double *v, const double *a)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    const v3 z = w->place[k].axes.z;
    const v6 rate = joint_motion(m, k, z, w->column, v);
    const v3 spin = p < 0 ? v3_zero : w->velocity[p].ang;
    const v6 before = p < 0 ? v6_zero : w->acceleration[p];
    const v6 carried =
        carry_acceleration(m, k, before, spin, turning_of(spin, before.ang), w->place[k].arm, rate, w->column, v);
    w->acceleration[k] = v6_add(carried, joint_motion(m, k, z, w->column, a));
  }
}

void srs_accelerate_links(srs_workspace *w, const double *v, const double *a)
{
  accelerate_all(w, v, a);
  w->state_level = 3;
}

srs_status srs_forward_kinematics(srs_workspace *w, const double *q)
{
  if (w == NULL || (q == NULL && w->model->nq > 0)) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_check_finite(w, "q", q, w->model->nq);
  if (status == SRS_OK) srs_place_links(w, q);
  return status == SRS_OK ? srs_check_links(w, 1) : status;
}

// All inputs are checked before anything is computed, so a call that fails leaves what the getters show.
static srs_status check_state(srs_workspace *w, const double *q, const double *v)
{
  if (w == NULL || (q == NULL && w->model->nq > 0) || (v == NULL && w->model->nv > 0)) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_check_finite(w, "q", q, w->model->nq);
  return status == SRS_OK ? srs_check_finite(w, "v", v, w->model->nv) : status;
}

srs_status srs_forward_velocity(srs_workspace *w, const double *q, const double *v)
{
  const srs_status status = check_state(w, q, v);
  if (status != SRS_OK) return status;
  srs_place_links(w, q);
  srs_move_links(w, v);
  return srs_check_links(w, 2);
}

srs_status srs_forward_acceleration(srs_workspace *w, const double *q, const double *v, const double *a)
{
  if (w == NULL || (a == NULL && w->model->nv > 0)) return SRS_ERROR_ARGUMENT;
  srs_status status = check_state(w, q, v);
  if (status == SRS_OK) status = srs_check_finite(w, "a", a, w->model->nv);
  if (status != SRS_OK) return status;
  srs_place_links(w, q);
  srs_move_links(w, v);
  srs_accelerate_links(w, v, a);
  return srs_check_links(w, 3);
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

typedef struct frame_place {
  int link;
  m3 axes;
  v3 arm;    // from its link's origin, world axes
  v3 origin; // in the world
} frame_place;

static frame_place locate(const srs_workspace *w, int frame)
{
  const srs_model *m = w->model;
  const int link = m->frame_link[frame];
  const placement *p = link < 0 ? &world_placement : &w->place[link];
  const v3 arm = m3_times_packed(p->axes, &m->frame_offset[frame]);
  return (frame_place){link, m3_times_matrix(p->axes, &m->frame_axes[frame]), arm, p->origin + arm};
}

static bool can_show(const srs_workspace *w, int frame, const void *out, int level)
{
  if (w == NULL || out == NULL || frame < 0 || frame >= w->model->n_frames || w->state_level < level) return false;
  srs_place_late(w);
  return true;
}

static v6 in_axes(const frame_place *f, srs_axes axes, v6 motion)
{
  if (axes == SRS_AXES_WORLD) return motion;
  return (v6){m3_times_back(f->axes, motion.ang), m3_times_back(f->axes, motion.lin)};
}

srs_status srs_frame_placement(const srs_workspace *w, int frame, srs_pose *pose)
{
  if (!can_show(w, frame, pose, 1)) return SRS_ERROR_ARGUMENT;
  const frame_place f = locate(w, frame);
  v3_store(pose->position, f.origin);
  const m3 rows = m3_transpose(f.axes);
  v3_store(pose->rotation, rows.x);
  v3_store(pose->rotation + 3, rows.y);
  v3_store(pose->rotation + 6, rows.z);
  return SRS_OK;
}

srs_status srs_frame_velocity(const srs_workspace *w, int frame, srs_axes axes, double velocity[6])
{
  if (!can_show(w, frame, velocity, 2) || !srs_axes_known(axes)) return SRS_ERROR_ARGUMENT;
  const frame_place f = locate(w, frame);
  v6_store(velocity, in_axes(&f, axes, f.link < 0 ? v6_zero : carry_motion(w->velocity[f.link], f.arm)));
  return SRS_OK;
}

srs_status srs_frame_acceleration(const srs_workspace *w, int frame, srs_axes axes, double acceleration[6])
{
  if (!can_show(w, frame, acceleration, 3) || !srs_axes_known(axes)) return SRS_ERROR_ARGUMENT;
  const frame_place f = locate(w, frame);
  v6 a = v6_zero;
  if (f.link >= 0) {
    const v3 spin = w->velocity[f.link].ang;
    a = carry_motion(w->acceleration[f.link], f.arm);
    a.lin += cross(spin, cross(spin, f.arm));
  }
  v6_store(acceleration, in_axes(&f, axes, a));
  return SRS_OK;
}

srs_status srs_frame_jacobian(const srs_workspace *w, int frame, srs_axes axes, double *jacobian)
{
  if (!can_show(w, frame, jacobian, 1) || !srs_axes_known(axes)) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const frame_place f = locate(w, frame);
  memset(jacobian, 0, 6 * nv * sizeof *jacobian);
  v3 arm = f.arm; // from link k to the frame
  for (int k = f.link; k >= 0; k = m->parent[k]) {
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      double entries[6];
      v6_store(entries, in_axes(&f, axes, carry_motion(joint_column(w, k, i), arm)));
      for (size_t row = 0; row < 6; row++) jacobian[row * nv + (size_t)i] = entries[row];
    }
    arm += w->place[k].arm;
  }
  return SRS_OK;
}

srs_status srs_add_wrench(const srs_workspace *w, int frame, srs_axes axes, const double wrench[6], double *wrenches)
{
  if (!can_show(w, frame, wrenches, 1) || wrench == NULL || !srs_axes_known(axes)) return SRS_ERROR_ARGUMENT;
  const frame_place f = locate(w, frame);
  if (f.link < 0) return SRS_OK;
  v6 force = v6_load(wrench);
  if (axes == SRS_AXES_LOCAL) force = (v6){m3_times(f.axes, force.ang), m3_times(f.axes, force.lin)};
  double *out = wrenches + 6 * (size_t)f.link;
  v6_store(out, v6_add(v6_load(out), carry_force(force, f.arm)));
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

// The recursions place turned frames (topology/model/model.h). A link's own axes are the turned axes times B^T; the
// origin is the same.
void srs_link_poses(const srs_workspace *w, srs_pose *links)
{
  const srs_model *m = w->model;
  srs_place_late(w);
  for (int k = 0; k < m->n_links; k++) {
    const m3 rows = m3_transpose(m3_times_matrix(w->place[k].axes, &m->link_axes[k]));
    v3_store(links[k].position, w->place[k].origin);
    v3_store(links[k].rotation, rows.x);
    v3_store(links[k].rotation + 3, rows.y);
    v3_store(links[k].rotation + 6, rows.z);
  }
}
