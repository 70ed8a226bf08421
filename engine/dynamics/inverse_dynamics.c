// Inverse dynamics of a tree by the recursive Newton-Euler algorithm (RNEA), in world axes at each link's own origin.
//
//   out   w, alpha, a of every link (recursion.h); the world accelerates by -gravity: it enters here and nowhere else
//         F = [I alpha + w x I w + h x a; m a + alpha x h + w x (w x h)] - external wrench
//   in    tau_i = s_i . F + armature a_i,   F_p += [n + arm x f; f]
//
// (Featherstone 2008, ch. 5.) The bias c(q, v) is the case a = 0.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/workspace.h"

// Outward pass: placements, motion and the force that each link needs by itself. a may be NULL for zero.
SRS_KERNEL static void forces_out(srs_workspace *w, const double *q, const double *v, const double *a,
                                  const double *wrenches)
{
  const srs_model *m = w->model;
  placement here = world_placement;
  link_motion moved = resting_link(w);
  const bool fetches = needs_fetching(w);
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (fetches) {
      const int next = parent_ahead(m, k, AHEAD);
      fetch(&w->place[next], sizeof *w->place);
      fetch(&w->velocity[next], 1), fetch(&w->acceleration[next], 1);
    }
    if (p != k - 1) here = parent_placement(w->place, p), moved = parent_motion(w, p);
    here = place_link(m, k, &here, q, w->cosine, w->sine, w->column);
    const v3 z = here.axes.z;
    const v6 rate = joint_motion(m, k, z, w->column, v);
    v6 accel = carry_acceleration(m, k, moved.acceleration, moved.spin, moved.turning, here.arm, rate, w->column, v);
    if (a != NULL) accel = v6_add(accel, joint_motion(m, k, z, w->column, a));
    const v3 spin = moved.spin + rate.ang;
    moved = (link_motion){spin, accel, turning_of(spin, accel.ang)};
    const body b = body_in_world(m->inertia + 10 * (size_t)k, here.axes);
    store_placement(&w->place[k], &here);
    w->velocity[k].ang = spin;
    if (has_branches(m, k)) store_v6(&w->acceleration[k], accel);
    store_v6(&w->force[k], body_force_of(&b, spin, accel, moved.turning));
  }
  if (wrenches == NULL) return;
  for (int k = 0; k < m->n_links; k++) {
    const double *f = wrenches + 6 * (size_t)k;
    w->force[k] = v6_add_scaled(w->force[k], -1, v6_load(f));
  }
}

// Projects a force on the joint's coordinates.
SRS_INLINE void project(const srs_model *m, int k, v3 z, const v6 *column, v6 force, double *tau)
{
  const int i = m->v_index[k];
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: tau[i] = dot(z, force.ang); return;
  case SRS_JOINT_PRISMATIC: tau[i] = dot(z, force.lin); return;
  case SRS_JOINT_HELICAL: tau[i] = dot(z, force.ang) + m->pitch[k] * dot(z, force.lin); return;
  case SRS_JOINT_FIXED: return;
  default: break; // by the columns
  }
  for (int j = i; j < m->v_index[k + 1]; j++) tau[j] = v6_dot(column[j], force);
}

// Inward pass: projects each link's force on its joint and adds the whole force to the parent's.
SRS_KERNEL static void forces_in(srs_workspace *w, double *tau)
{
  const srs_model *m = w->model;
  v6 passed = v6_zero; // by link k + 1
  const bool fetches = needs_fetching(w);
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (fetches) fetch(&w->force[parent_ahead(m, k, -AHEAD)], 1);
    v6 force = w->force[k];
    if (m->subtree_end[k] > k + 1) {
      force = v6_add(force, passed);
      store_v6(&w->force[k], force);
    }
    project(m, k, w->place[k].axes.z, w->column, force, tau);
    passed = carry_force(force, w->place[k].arm);
    const int p = m->parent[k];
    if (p >= 0 && p != k - 1) store_v6(&w->force[p], v6_add(w->force[p], passed));
  }
}

static srs_status newton_euler(srs_workspace *w, const double *q, const double *v, const double *a,
                               const double *wrenches, double *tau)
{
  const srs_model *m = w->model;
  srs_workspace_angles(w, q);
  forces_out(w, q, v, a, wrenches);
  forces_in(w, tau);
  w->state_level = 1;
  w->has_joint_forces = a != NULL;
  for (int i = 0; a != NULL && i < m->nv; i++) tau[i] += m->armature[i] * a[i];
  return srs_check_coordinates(w, "the force", tau);
}

srs_status srs_inverse_dynamics(srs_workspace *w, const double *q, const double *v, const double *a,
                                const double *wrenches, double *tau)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || a == NULL || tau == NULL)) return SRS_ERROR_ARGUMENT;
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  if (status == SRS_OK) status = srs_check_finite(w, "a", a, m->nv);
  if (status == SRS_OK && wrenches != NULL) status = srs_check_finite(w, "wrenches", wrenches, 6 * m->n_links);
  return status == SRS_OK ? newton_euler(w, q, v, a, wrenches, tau) : status;
}

srs_status srs_bias(srs_workspace *w, const double *q, const double *v, double *bias)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || bias == NULL)) return SRS_ERROR_ARGUMENT;
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  return status == SRS_OK ? newton_euler(w, q, v, NULL, NULL, bias) : status;
}

srs_status srs_joint_wrench(const srs_workspace *w, int link, double wrench[6])
{
  if (w == NULL || wrench == NULL || link < 0 || link >= w->model->n_links || !w->has_joint_forces)
    return SRS_ERROR_ARGUMENT;
  v6_store(wrench, w->force[link]);
  return SRS_OK;
}
