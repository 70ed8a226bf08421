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

// What a link hands on.
typedef struct carrier {
  placement here;
  link_motion moved;
} carrier;

SRS_INLINE m3 turn_about_x(m3 r, double c, double s) { return (m3){r.x, c * r.y + s * r.z, c * r.z - s * r.y}; }
SRS_INLINE m3 m3_forth(m3 r) { return (m3){r.y, r.z, r.x}; }
SRS_INLINE m3 m3_back(m3 r) { return (m3){r.z, r.x, r.y}; }

// The axes times `turn`: by the same numbers as with the whole matrix.
SRS_INLINE m3 turn_axes(const srs_model *m, int k, m3 axes)
{
  const mat3 *turn = &m->turn[k];
  switch ((srs_turn_way)m->way[k]) {
  case SRS_TURN_NONE: return axes;
  case SRS_TURN_FORTH: return m3_forth(axes);
  case SRS_TURN_BACK: return m3_back(axes);
  case SRS_TURN_ABOUT_X: return turn_about_x(axes, turn->y.y, turn->y.z);
  case SRS_TURN_ANY: break;
  }
  return m3_times_matrix(axes, turn);
}

// Any joint. Out of line: what it needs would keep registers from the loop over links.
SRS_KERNEL static void move_anyhow(srs_workspace *w, int k, const double *q, const double *v, const double *a,
                                   carrier *c)
{
  const srs_model *m = w->model;
  c->here = place_link(m, k, &c->here, q, w->cosine, w->sine, w->column);
  const v3 z = c->here.axes.z;
  const v6 rate = joint_motion(m, k, z, w->column, v);
  const link_motion *p = &c->moved;
  const v6 carried = carry_acceleration(m, k, p->acceleration, p->spin, p->turning, c->here.arm, rate, w->column, v);
  const v6 accel = v6_add(carried, joint_motion(m, k, z, w->column, a));
  const v3 spin = p->spin + rate.ang;
  c->moved = (link_motion){spin, accel, turning_of(spin, accel.ang)};
}

// Places and moves link k: here hinges, slides and fixed joints.
SRS_INLINE void move_link(srs_workspace *w, int k, const double *q, const double *v, const double *a, carrier *c)
{
  const srs_model *m = w->model;
  const srs_joint_kind kind = (srs_joint_kind)m->kind[k];
  if (turns_only(m, k) || kind == SRS_JOINT_PRISMATIC || kind == SRS_JOINT_FIXED) {
    const int i = m->v_index[k];
    v3 arm = m3_times_packed(c->here.axes, &m->offset[k]);
    m3 axes = turn_axes(m, k, c->here.axes);
    if (kind == SRS_JOINT_PRISMATIC) arm += q[m->q_index[k]] * axes.z;
    v3 spin = c->moved.spin;
    v6 accel = {c->moved.acceleration.ang, c->moved.acceleration.lin + d33_times(c->moved.turning, arm)};
    if (turns_only(m, k)) {
      const int angle = m->first_angle[k];
      axes = turn_about_z(axes, w->cosine[angle], w->sine[angle]);
      const v3 rate = v[i] * axes.z;
      accel.ang += cross(spin, rate) + a[i] * axes.z;
      spin += rate;
    } else if (kind == SRS_JOINT_PRISMATIC) {
      accel.lin += (2 * v[i]) * cross(spin, axes.z) + a[i] * axes.z;
    }
    c->here = (placement){axes, arm, c->here.origin + arm};
    c->moved = (link_motion){spin, accel, turning_of(spin, accel.ang)};
    return;
  }
  carrier moved = *c; // whose address is taken, so that c need not be in memory
  move_anyhow(w, k, q, v, a, &moved);
  *c = moved;
}

// Outward pass: placements, motion and the force that each link needs by itself.
SRS_KERNEL static void forces_out(srs_workspace *w, const double *q, const double *v, const double *a,
                                  const double *wrenches)
{
  const srs_model *m = w->model;
  carrier c = {world_placement, resting_link(w)};
  const bool fetches = needs_fetching(w);
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (fetches) {
      const int next = parent_ahead(m, k, AHEAD);
      fetch(&w->place[next], sizeof *w->place);
      fetch(&w->velocity[next], 1), fetch(&w->acceleration[next], 1);
    }
    if (p != k - 1) c = (carrier){parent_placement(w->place, p), parent_motion(w, p)};
    move_link(w, k, q, v, a, &c);
    store_placement(&w->place[k], &c.here);
    if (has_branches(m, k)) w->velocity[k].ang = c.moved.spin, store_v6(&w->acceleration[k], c.moved.acceleration);
    const body b = body_in_world(m->inertia + 10 * (size_t)k, c.here.axes);
    store_v6(&w->force[k], body_force_of(&b, c.moved.spin, c.moved.acceleration, c.moved.turning));
  }
  if (wrenches == NULL) return;
  for (int k = 0; k < m->n_links; k++) {
    const double *f = wrenches + 6 * (size_t)k;
    w->force[k] = v6_add_scaled(w->force[k], -1, v6_load(f));
  }
}

// Projects a force on the joint's coordinates.  @return 0, NaN where the result is not finite
SRS_INLINE double project(const srs_model *m, int k, v3 z, const v6 *column, v6 force, const double *a, double *tau)
{
  const int i = m->v_index[k];
  double sum = 0;
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: sum = dot(z, force.ang); break;
  case SRS_JOINT_PRISMATIC: sum = dot(z, force.lin); break;
  case SRS_JOINT_HELICAL: sum = dot(z, force.ang) + m->pitch[k] * dot(z, force.lin); break;
  case SRS_JOINT_FIXED: return 0;
  default: {
    double zero = 0;
    for (int j = i; j < m->v_index[k + 1]; j++) {
      tau[j] = v6_dot(column[j], force) + m->armature[j] * a[j];
      zero += 0 * tau[j];
    }
    return zero;
  }
  }
  sum += m->armature[i] * a[i];
  tau[i] = sum;
  return 0 * sum;
}

// Inward pass: projects each link's force on its joint and adds the whole force to the parent's.
SRS_KERNEL static double forces_in(srs_workspace *w, const double *a, double *tau)
{
  const srs_model *m = w->model;
  v6 passed = v6_zero; // by link k + 1
  double zero = 0;
  const bool fetches = needs_fetching(w);
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (fetches) fetch(&w->force[parent_ahead(m, k, -AHEAD)], 1);
    v6 force = w->force[k];
    if (m->subtree_end[k] > k + 1) {
      force = v6_add(force, passed);
      store_v6(&w->force[k], force);
    }
    zero += project(m, k, w->place[k].axes.z, w->column, force, a, tau);
    passed = carry_force(force, w->place[k].arm);
    const int p = m->parent[k];
    if (p >= 0 && p != k - 1) store_v6(&w->force[p], v6_add(w->force[p], passed));
  }
  return zero;
}

static srs_status newton_euler(srs_workspace *w, const double *q, const double *v, const double *a,
                               const double *wrenches, double *tau)
{
  const double *given = a != NULL ? a : w->zero_v;
  forces_out(w, q, v, given, wrenches);
  const double zero = forces_in(w, given, tau);
  w->state_level = 1;
  w->has_joint_forces = a != NULL;
  return zero == 0 ? SRS_OK : srs_check_coordinates(w, "the force", tau);
}

srs_status srs_inverse_dynamics(srs_workspace *w, const double *q, const double *v, const double *a,
                                const double *wrenches, double *tau)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || a == NULL || tau == NULL)) return SRS_ERROR_ARGUMENT;
  srs_workspace_angles(w, q); // takes its time, in which the rest is checked
  srs_status status = srs_check_all_finite(w, q, v, a);
  if (status == SRS_OK && wrenches != NULL) status = srs_check_finite(w, "wrenches", wrenches, 6 * m->n_links);
  return status == SRS_OK ? newton_euler(w, q, v, a, wrenches, tau) : status;
}

srs_status srs_bias(srs_workspace *w, const double *q, const double *v, double *bias)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || bias == NULL)) return SRS_ERROR_ARGUMENT;
  srs_workspace_angles(w, q);
  const srs_status status = srs_check_all_finite(w, q, v, w->zero_v);
  return status == SRS_OK ? newton_euler(w, q, v, NULL, NULL, bias) : status;
}

srs_status srs_joint_wrench(const srs_workspace *w, int link, double wrench[6])
{
  if (w == NULL || wrench == NULL || link < 0 || link >= w->model->n_links || !w->has_joint_forces)
    return SRS_ERROR_ARGUMENT;
  v6_store(wrench, w->force[link]);
  return SRS_OK;
}
