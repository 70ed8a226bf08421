// Forward dynamics of a tree by the articulated-body algorithm (ABA), O(n), in world axes at each link's own origin.
//
//   out   the motion of every link while all joint accelerations are zero, and the force F that this motion needs
//   in    P_k = I_k + sum of the children's, moved;  for each coordinate of the joint, the last one first:
//           U = P s,  D = s . U + armature + extra,  u = tau - s . F
//           P -= U U^T / D,  F += U u / D
//         both then go to the parent's origin: articulated.h
//   out   A = the parent's, moved;  for each coordinate, the first one first:  a_i = (u - U . A) / D,  A += s a_i
//
// where A is what joint accelerations add to the motion of the first pass. Eliminating one coordinate after the other
// is the block elimination of D = S^T P S without forming it, so joints of one and of six coordinates share the code.
// At other velocities and the same configuration P, U and D stay: only the forces are swept again, as impulses are.
//
// (Featherstone 2008, ch. 7; Jain 2011, ch. 7.)

#include "engine/dynamics/forward_dynamics.h"
#include "engine/dynamics/articulated.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

// Of links k to end - 1, as below.
static void subtract_wrenches(srs_workspace *w, int k, int end, const double *wrenches)
{
  for (; wrenches != NULL && k < end; k++) {
    const double *f = wrenches + 6 * (size_t)k;
    w->force[k] = v6_add_scaled(w->force[k], -1, v6_load(f));
  }
}

// Outward pass: as in inverse dynamics with a = 0.
SRS_INLINE void start_links(srs_workspace *w, bool is_far, const double *q, const double *v)
{
  const srs_model *m = w->model;
  placement here = world_placement;
  link_motion moved = resting_link(w);
  const bool fetches = is_far || needs_fetching(w);
  v6 unread;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (fetches) {
      const int next = parent_ahead(m, k, AHEAD);
      fetch(&w->place[next], sizeof *w->place);
      fetch(&w->velocity[next], 1), fetch(&w->acceleration[next], 1);
    }
    if (p != k - 1) here = parent_placement(w->place, p), moved = parent_motion(w, p);
    here = place_link(m, k, &here, q, w->cosine, w->sine, w->column);
    const v6 rate = joint_motion(m, k, here.axes.z, w->column, v);
    moved = moved_link(m, k, &moved, here.arm, rate, w->column, v);
    const body b = body_in_world(m->inertia + 10 * (size_t)k, here.axes);
    store_placement(&w->place[k], &here);
    if (!is_far) store_body(&w->bodies[k], &b);
    w->velocity[k].ang = moved.spin;
    keep_for_branches(m, is_far, k, &w->acceleration[k], &unread, moved.acceleration);
    store_v6(&w->force[k], body_force_of(&b, moved.spin, moved.acceleration, moved.turning));
  }
}
SRS_KERNEL static void start_near(srs_workspace *w, const double *q, const double *v) { start_links(w, false, q, v); }
SRS_KERNEL static void start_far(srs_workspace *w, const double *q, const double *v) { start_links(w, true, q, v); }

// Outward pass at other velocities, where the links are: the opposite forces.
SRS_KERNEL static void forces_out(srs_workspace *w, int first, int end, const double *v, const double *wrenches)
{
  const srs_model *m = w->model;
  for (int k = first; k < end; k++) {
    const link_motion parent = parent_motion(w, m->parent[k]);
    const placement *here = &w->place[k];
    const v6 rate = joint_motion(m, k, here->axes.z, w->column, v);
    const link_motion moved = moved_link(m, k, &parent, here->arm, rate, w->column, v);
    const body b = body_in_world(m->inertia + 10 * (size_t)k, here->axes);
    w->velocity[k].ang = moved.spin;
    w->acceleration[k] = moved.acceleration;
    w->force[k] = body_force_of(&b, moved.spin, moved.acceleration, moved.turning);
  }
  subtract_wrenches(w, first, end, wrenches);
  for (int k = first; k < end; k++) w->force[k] = v6_scale(-1, w->force[k]);
}

// Inward pass. Returns the coordinate that nothing resists, or -1.
SRS_INLINE int pass_links(srs_workspace *w, bool is_far, const double *tau, const double *extra)
{
  const srs_model *m = w->model;
  articulated P = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
  v6 passed = v6_zero;
  const bool fetches = is_far || needs_fetching(w);
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (fetches) {
      fetch_articulated(w, k);
      fetch(&w->force[parent_ahead(m, k, -AHEAD)], 1);
    }
    const body own = is_far ? body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes) : w->bodies[k];
    P = gathered(w, is_far, k, &P, &own);
    v6 force = w->force[k];
    if (m->subtree_end[k] > k + 1) force = v6_add(force, passed);
    const int bad = pass_joint(w, k, &P, &force, tau, extra);
    if (bad >= 0) {
      w->articulated[k] = P;
      return bad;
    }
    passed = force;
    leave_articulated(w, is_far, k, &P);
    const int p = m->parent[k];
    if (p >= 0 && p != k - 1) store_v6(&w->force[p], v6_add(w->force[p], passed));
  }
  return -1;
}
SRS_KERNEL static int pivots_near(srs_workspace *w, const double *tau, const double *extra)
{
  return pass_links(w, false, tau, extra);
}
SRS_KERNEL static int pivots_far(srs_workspace *w, const double *tau, const double *extra)
{
  return pass_links(w, true, tau, extra);
}

// Where nothing resists a joint in any configuration D is rounding, of either sign.  @return a coordinate of it, or -1
static int bare_coordinate(const srs_model *m, const double *extra)
{
  if (!m->is_bare) return -1;
  const int first = m->v_index[m->bare_link], end = m->v_index[m->bare_link + 1];
  double all = 0;
  for (int i = first; i < end; i++) all += extra[i];
  return all == 0 ? first : -1;
}

// Outward pass: w->acceleration becomes what the joint accelerations add.
SRS_INLINE void accelerate_links(srs_workspace *w, bool is_far, int first_link, int end_link, double *a)
{
  const srs_model *m = w->model;
  v6 A = v6_zero;
  const bool fetches = is_far || needs_fetching(w);
  v6 unread;
  for (int k = first_link; k < end_link; k++) {
    const int p = m->parent[k];
    if (fetches) fetch(&w->acceleration[parent_ahead(m, k, AHEAD)], 1);
    const v3 z = w->place[k].axes.z;
    if (p != k - 1) A = p < 0 ? v6_zero : w->acceleration[p];
    const v6 parent = A;
    A = carry_motion(A, w->place[k].arm);
    const int first = m->v_index[k], end = m->v_index[k + 1];
    if (turns_only(m, k)) {
      const pivot *was = &w->pivots[first];
      const double rate = was->u * was->D_inverse + v6_dot(was->G, parent);
      a[first] = rate;
      A.ang += rate * z;
    } else {
      for (int i = first; i < end; i++) {
        const pivot *was = &w->pivots[i];
        a[i] = (was->u - v6_dot(was->U, A)) * was->D_inverse;
        A = v6_add_scaled(A, a[i], joint_column(w, k, i));
      }
    }
    keep_for_branches(m, is_far, k, &w->acceleration[k], &unread, A);
  }
}
SRS_KERNEL static void accelerations_near(srs_workspace *w, int first, int end, double *a)
{
  accelerate_links(w, false, first, end, a);
}
SRS_KERNEL static void accelerations_far(srs_workspace *w, int first, int end, double *a)
{
  accelerate_links(w, true, first, end, a);
}
static void accelerations_out(srs_workspace *w, int first, int end, double *a)
{
  if (has_far_parents(w))
    accelerations_far(w, first, end, a);
  else
    accelerations_near(w, first, end, a);
}

// Inward pass: the share of each coordinate in the impulses on its link and beyond.
SRS_KERNEL static void impulses_in(srs_workspace *w, int first, int end, v6 *impulse, const double *tau)
{
  const srs_model *m = w->model;
  for (int k = end - 1; k >= first; k--) {
    v6 f = impulse[k];
    const int p = m->parent[k], first_v = m->v_index[k];
    const v3 arm = w->place[k].arm;
    if (turns_only(m, k)) {
      pivot *at = &w->pivots[first_v];
      at->u = dot(w->place[k].axes.z, f.ang) + (tau != NULL ? tau[first_v] : 0);
      f = v6_add_scaled(carry_force(f, arm), at->u, at->G);
    } else {
      for (int i = m->v_index[k + 1] - 1; i >= first_v; i--) {
        pivot *at = &w->pivots[i];
        at->u = v6_dot(joint_column(w, k, i), f) + (tau != NULL ? tau[i] : 0);
        f = v6_add_scaled(f, -at->u * at->D_inverse, at->U);
      }
      f = carry_force(f, arm);
    }
    if (p >= 0) impulse[p] = v6_add(impulse[p], f);
  }
}

void srs_tree_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv)
{
  impulses_in(w, 0, w->model->n_links, impulse, tau);
  accelerations_out(w, 0, w->model->n_links, dv);
}

void srs_forward_start(srs_workspace *w, const double *q, const double *v, const double *wrenches)
{
  srs_workspace_angles(w, q);
  if (has_far_parents(w))
    start_far(w, q, v);
  else
    start_near(w, q, v);
  subtract_wrenches(w, 0, w->model->n_links, wrenches);
  w->state_level = 1;
  w->is_late = w->has_joint_forces = false;
}

srs_status srs_tree_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v)
{
  *bad_v = bare_coordinate(w->model, extra);
  if (*bad_v < 0) *bad_v = has_far_parents(w) ? pivots_far(w, tau, extra) : pivots_near(w, tau, extra);
  if (*bad_v >= 0) return SRS_ERROR_SINGULAR;
  accelerations_out(w, 0, w->model->n_links, a);
  return SRS_OK;
}

void srs_tree_solve_again(srs_workspace *w, int root, const double *v, const double *wrenches, const double *tau,
                          double *a)
{
  const int end = w->model->subtree_end[root];
  forces_out(w, root, end, v, wrenches);
  impulses_in(w, root, end, w->force, tau);
  accelerations_out(w, root, end, a);
}

srs_status srs_check_forward_call(srs_workspace *w, const double *q, const double *v, const double *tau,
                                  const double *wrenches, const double *a)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || tau == NULL || a == NULL)) return SRS_ERROR_ARGUMENT;
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  if (status == SRS_OK) status = srs_check_finite(w, "tau", tau, m->nv);
  if (status == SRS_OK && wrenches != NULL) status = srs_check_finite(w, "wrenches", wrenches, 6 * m->n_links);
  return status;
}

srs_status srs_forward_answer(srs_workspace *w, srs_status status, int bad_v, double *a)
{
  const srs_model *m = w->model;
  if (status != SRS_OK) return srs_workspace_singular(w, bad_v);
  const srs_status finite = srs_check_coordinates(w, "the acceleration", w->scratch_v);
  if (finite != SRS_OK) return finite;
  for (int i = 0; i < m->nv; i++) a[i] = w->scratch_v[i];
  return SRS_OK;
}

srs_status srs_forward_dynamics(srs_workspace *w, const double *q, const double *v, const double *tau,
                                const double *wrenches, double *a)
{
  const srs_status checked = srs_check_forward_call(w, q, v, tau, wrenches, a);
  if (checked != SRS_OK) return checked;
  int bad = -1;
  srs_forward_start(w, q, v, wrenches);
  const srs_status status = srs_tree_solve(w, tau, w->zero_v, w->scratch_v, &bad);
  return srs_forward_answer(w, status, bad, a);
}
