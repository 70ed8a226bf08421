// Inverse dynamics of a tree by the recursive Newton-Euler algorithm (RNEA), in each link's own (turned) axes at its
// own origin. With R = turn Rz(q) and r, the link's axes and origin seen from its parent, all by components:
//
//   out   w = R^T w_p + w_J,   alpha = R^T alpha_p + (R^T w_p) x w_J + sum ang a_i
//         a = R^T (a_p + alpha_p x r + w_p x (w_p x r)) + 2 (R^T w_p) x u_J + sum lin a_i
//         the world accelerates by -gravity: it enters here and nowhere else
//   each  F = [I alpha + w x I w + h x a; m a + alpha x h + w x (w x h)] - external wrench, four links at a time
//   in    tau_i = s_i . F + armature a_i,   F_p += [R n + r x R f; R f]
//
// (Featherstone 2008, ch. 5.) The bias c(q, v) is the case a = 0.
//
// The passes are one number after another: what the axes of one link leave no room for, lanes would not hold either.
// Where the links are in the world is not needed here, and found when it is asked for (srs_place_late).

#include "engine/dynamics/inverse_dynamics.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/workspace.h"
#include "engine/levels/levels.h"

#include <string.h>

// Numbers that pairs of instructions would have to be gathered for.
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE __attribute__((optimize("no-tree-slp-vectorize", "no-jump-tables")))
#else
#define ONE_BY_ONE
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Vectors
// ---------------------------------------------------------------------------------------------------------------------

// A vector of one of four links.
SRS_INLINE vec3 load_of(const double from[3][LANES], int lane)
{
  return (vec3){from[0][lane], from[1][lane], from[2][lane]};
}
SRS_INLINE void store_of(double to[3][LANES], int lane, vec3 a)
{
  to[0][lane] = a.x, to[1][lane] = a.y, to[2][lane] = a.z;
}
SRS_INLINE link_wrench load_wrench(const four_links *l, int lane)
{
  return (link_wrench){load_of(l->n, lane), load_of(l->f, lane)};
}
SRS_INLINE void store_wrench(four_links *l, int lane, link_wrench a)
{
  store_of(l->n, lane, a.n);
  store_of(l->f, lane, a.f);
}
SRS_INLINE link_wrench wrench_add(link_wrench a, link_wrench b)
{
  return (link_wrench){add3(a.n, b.n), add3(a.f, b.f)};
}

// a + b x r
SRS_INLINE vec3 add_cross3(vec3 a, vec3 b, vec3 r)
{
  return (vec3){a.x + b.y * r.z - b.z * r.y, a.y + b.z * r.x - b.x * r.z, a.z + b.x * r.y - b.y * r.x};
}

// Components along given axes, and the vector of such.
SRS_INLINE v3 v3_along(m3 axes, vec3 a) { return a.x * axes.x + a.y * axes.y + a.z * axes.z; }
SRS_INLINE vec3 components(m3 axes, v3 a)
{
  const v3 along = m3_times_back(axes, a);
  return (vec3){along[0], along[1], along[2]};
}

// turn a, and turn^T a: `way` is that of the link, as a constant.
SRS_INLINE vec3 turn_inward(const mat3 *turn, srs_turn_way way, vec3 a)
{
  switch (way) {
  case SRS_TURN_NONE: return a;
  case SRS_TURN_FORTH: return (vec3){a.z, a.x, a.y};
  case SRS_TURN_BACK: return (vec3){a.y, a.z, a.x};
  case SRS_TURN_ABOUT_X: {
    const double c = turn->y.y, s = turn->y.z;
    return (vec3){a.x, c * a.y - s * a.z, s * a.y + c * a.z};
  }
  case SRS_TURN_ANY: break;
  }
  return rotate(*turn, a);
}
SRS_INLINE vec3 turn_outward(const mat3 *turn, srs_turn_way way, vec3 a)
{
  switch (way) {
  case SRS_TURN_NONE: return a;
  case SRS_TURN_FORTH: return (vec3){a.y, a.z, a.x};
  case SRS_TURN_BACK: return (vec3){a.z, a.x, a.y};
  case SRS_TURN_ABOUT_X: {
    const double c = turn->y.y, s = turn->y.z;
    return (vec3){a.x, c * a.y + s * a.z, c * a.z - s * a.y};
  }
  case SRS_TURN_ANY: break;
  }
  return rotate_back(*turn, a);
}
SRS_INLINE vec3 hinge_inward(double c, double s, vec3 a) { return (vec3){c * a.x - s * a.y, s * a.x + c * a.y, a.z}; }
SRS_INLINE vec3 hinge_outward(double c, double s, vec3 a) { return (vec3){c * a.x + s * a.y, c * a.y - s * a.x, a.z}; }

// ---------------------------------------------------------------------------------------------------------------------
// Out
// ---------------------------------------------------------------------------------------------------------------------

// Hinges, slides and fixed joints; all others go by the columns that place_link makes.
SRS_INLINE bool is_plain(const srs_model *m, int k)
{
  return turns_only(m, k) || m->kind[k] == SRS_JOINT_PRISMATIC || m->kind[k] == SRS_JOINT_FIXED;
}

SRS_INLINE vec3 plain_arm(const srs_model *m, int k, const double *q)
{
  const vec3 r = m->offset[k];
  return m->kind[k] == SRS_JOINT_PRISMATIC ? add_scaled3(r, q[m->q_index[k]], m->turn[k].z) : r;
}

// turn Rz
SRS_INLINE mat3 plain_axes(const srs_workspace *w, int k)
{
  const mat3 *turn = &w->model->turn[k];
  if (!turns_only(w->model, k)) return *turn;
  const int angle = w->model->first_angle[k];
  const double c = w->cosine[angle], s = w->sine[angle];
  return (mat3){add_scaled3(scale3(c, turn->x), s, turn->y), add_scaled3(scale3(c, turn->y), -s, turn->x), turn->z};
}

SRS_INLINE void move_plainly(const srs_workspace *w, int k, srs_turn_way way, const double *q, const double *v,
                             const double *a, motion *c)
{
  const srs_model *m = w->model;
  const mat3 *turn = &m->turn[k];
  const int i = m->v_index[k];
  const vec3 r = plain_arm(m, k, q);
  const vec3 beyond = add_cross3(cross3(c->alpha, r), c->w, cross3(c->w, r)); // of the parent's origin
  motion t = {c->w, c->alpha, add3(c->a, beyond)};
  if (way == SRS_TURN_ANY) {
    const mat3 R = plain_axes(w, k);
    w->own_axes[k] = R;
    t = (motion){rotate_back(R, t.w), rotate_back(R, t.alpha), rotate_back(R, t.a)};
  } else {
    t = (motion){turn_outward(turn, way, t.w), turn_outward(turn, way, t.alpha), turn_outward(turn, way, t.a)};
  }
  if (turns_only(m, k)) {
    const double rate = v[i];
    if (way != SRS_TURN_ANY) {
      const int angle = m->first_angle[k];
      const double cosine = w->cosine[angle], sine = w->sine[angle];
      t.w = hinge_outward(cosine, sine, t.w);
      t.alpha = hinge_outward(cosine, sine, t.alpha);
      t.a = hinge_outward(cosine, sine, t.a);
    }
    t.alpha.x += t.w.y * rate, t.alpha.y -= t.w.x * rate, t.alpha.z += a[i];
    t.w.z += rate;
  } else if (m->kind[k] == SRS_JOINT_PRISMATIC) {
    const double twice = 2 * v[i];
    t.a.x += t.w.y * twice, t.a.y -= t.w.x * twice, t.a.z += a[i];
  }
  *c = t;
}

// Any joint, in its parent's axes.
SRS_KERNEL static void move_anyhow(srs_workspace *w, int k, const double *q, const double *v, const double *a,
                                   motion *c)
{
  const srs_model *m = w->model;
  const placement here = place_link(m, k, &world_placement, q, w->cosine, w->sine, w->own_column);
  store_placement(&w->own_place[k], &here);
  const v3 spin = v3_from(c->w), alpha = v3_from(c->alpha), z = here.axes.z;
  const v6 rate = joint_motion(m, k, z, w->own_column, v);
  const v6 carried = carry_acceleration(m, k, (v6){alpha, v3_from(c->a)}, spin, turning_of(spin, alpha), here.arm, rate,
                                        w->own_column, v);
  const v6 accel = v6_add(carried, joint_motion(m, k, z, w->own_column, a));
  *c = (motion){components(here.axes, spin + rate.ang), components(here.axes, accel.ang),
                components(here.axes, accel.lin)};
}

SRS_INLINE void move_link(srs_workspace *w, int k, const double *q, const double *v, const double *a, motion *c)
{
  if (!is_plain(w->model, k)) {
    motion moved = *c; // whose address is taken, so that c need not be in memory
    move_anyhow(w, k, q, v, a, &moved);
    *c = moved;
    return;
  }
  switch ((srs_turn_way)w->model->way[k]) {
  case SRS_TURN_NONE: move_plainly(w, k, SRS_TURN_NONE, q, v, a, c); break;
  case SRS_TURN_FORTH: move_plainly(w, k, SRS_TURN_FORTH, q, v, a, c); break;
  case SRS_TURN_BACK: move_plainly(w, k, SRS_TURN_BACK, q, v, a, c); break;
  case SRS_TURN_ABOUT_X: move_plainly(w, k, SRS_TURN_ABOUT_X, q, v, a, c); break;
  case SRS_TURN_ANY: move_plainly(w, k, SRS_TURN_ANY, q, v, a, c); break;
  }
}

SRS_KERNEL ONE_BY_ONE static void motions_out(srs_workspace *w, const double *q, const double *v, const double *a)
{
  const srs_model *m = w->model;
  const motion world = {vec3_zero, vec3_zero, {-w->gravity[0], -w->gravity[1], -w->gravity[2]}};
  motion c = world;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (p != k - 1) {
      const four_links *from = &w->own[p < 0 ? 0 : p / LANES];
      const int lane = p % LANES;
      c = p < 0 ? world : (motion){load_of(from->w, lane), load_of(from->alpha, lane), load_of(from->a, lane)};
    }
    move_link(w, k, q, v, a, &c);
    four_links *to = &w->own[k / LANES];
    const int lane = k % LANES;
    store_of(to->w, lane, c.w), store_of(to->alpha, lane, c.alpha), store_of(to->a, lane, c.a);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Each
// ---------------------------------------------------------------------------------------------------------------------

typedef double pair __attribute__((vector_size(16), aligned(8)));

SRS_INLINE pair pair_load(const double *p)
{
  pair a;
  memcpy(&a, p, sizeof a);
  return a;
}

// Two numbers that stand side by side, of four links.
SRS_INLINE void gather_pair(const double *const of[LANES], int i, lanes *x, lanes *y)
{
  const lanes even = __builtin_shufflevector(pair_load(of[0] + i), pair_load(of[2] + i), 0, 1, 2, 3);
  const lanes odd = __builtin_shufflevector(pair_load(of[1] + i), pair_load(of[3] + i), 0, 1, 2, 3);
  *x = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  *y = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

// The force that each link needs by itself.
SRS_KERNEL static void own_forces(srs_workspace *w)
{
  const srs_model *m = w->model;
  for (int first = 0; first < m->n_links; first += LANES) {
    four_links *l = &w->own[first / LANES];
    const double *of[LANES];
    for (int i = 0; i < LANES; i++) of[i] = m->inertia + 10 * (size_t)(first + i < m->n_links ? first + i : first);
    inertias I;
    gather_pair(of, 0, &I.mass, &I.h.x);
    gather_pair(of, 2, &I.h.y, &I.h.z);
    gather_pair(of, 4, &I.xx, &I.yy);
    gather_pair(of, 6, &I.zz, &I.xy);
    gather_pair(of, 8, &I.xz, &I.yz);
    const lanes3 spin = lanes3_load(l->w), alpha = lanes3_load(l->alpha), a = lanes3_load(l->a);
    lanes3_store(l->n, torque_of(&I, spin, alpha, a));
    lanes3_store(l->f, force_of(&I, spin, alpha, a));
  }
}

// The wrench that the passes keep for link k, in its own axes.
SRS_INLINE link_wrench wrench_of(const srs_workspace *w, int k)
{
  if (w->levels == NULL) return load_wrench(&w->own[k / LANES], k % LANES);
  const double *at = w->levels->wrench + SRS_WRENCH_NUMBERS * (size_t)w->levels->slot[k];
  return (link_wrench){vec3_load(at), vec3_load(at + 3)};
}
SRS_INLINE void set_wrench(srs_workspace *w, int k, link_wrench a)
{
  if (w->levels == NULL) {
    store_wrench(&w->own[k / LANES], k % LANES, a);
    return;
  }
  double *at = w->levels->wrench + SRS_WRENCH_NUMBERS * (size_t)w->levels->slot[k];
  vec3_store(at, a.n);
  vec3_store(at + 3, a.f);
}

// External wrenches are given in the world's axes.
SRS_KERNEL static void less_wrenches(srs_workspace *w, const double *wrenches)
{
  for (int k = 0; k < w->model->n_links; k++) {
    const m3 axes = w->place[k].axes;
    const v6 given = v6_load(wrenches + 6 * (size_t)k);
    const link_wrench own = wrench_of(w, k);
    set_wrench(w, k, (link_wrench){sub3(own.n, components(axes, given.ang)), sub3(own.f, components(axes, given.lin))});
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// In
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE link_wrench pass_plainly(const srs_workspace *w, int k, srs_turn_way way, const double *q, link_wrench force)
{
  const srs_model *m = w->model;
  if (way == SRS_TURN_ANY) {
    const vec3 f = rotate(w->own_axes[k], force.f);
    return (link_wrench){add3(rotate(w->own_axes[k], force.n), cross3(plain_arm(m, k, q), f)), f};
  }
  if (turns_only(m, k)) {
    const int angle = m->first_angle[k];
    const double cosine = w->cosine[angle], sine = w->sine[angle];
    force = (link_wrench){hinge_inward(cosine, sine, force.n), hinge_inward(cosine, sine, force.f)};
  }
  const vec3 f = turn_inward(&m->turn[k], way, force.f);
  return (link_wrench){add3(turn_inward(&m->turn[k], way, force.n), cross3(plain_arm(m, k, q), f)), f};
}

// Projects a force on the coordinates of any joint, and passes it to the parent.  @return 0, NaN where not finite
SRS_KERNEL static double pass_anyhow(srs_workspace *w, int k, const double *a, double *tau, link_wrench *force)
{
  const srs_model *m = w->model;
  const placement *here = &w->own_place[k];
  const v6 turned = {v3_along(here->axes, force->n), v3_along(here->axes, force->f)};
  const v6 passed = carry_force(turned, here->arm);
  double zero = 0;
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    const v6 column =
        m->kind[k] == SRS_JOINT_HELICAL ? (v6){here->axes.z, m->pitch[k] * here->axes.z} : w->own_column[i];
    tau[i] = v6_dot(column, turned) + m->armature[i] * a[i];
    zero += 0 * tau[i];
  }
  v3_store(&force->n.x, passed.ang);
  v3_store(&force->f.x, passed.lin);
  return zero;
}

// Projects a link's whole force on its joint, and passes it to the parent.  @return 0, NaN where not finite
SRS_INLINE double pass_in(srs_workspace *w, int k, const double *q, const double *a, double *tau, link_wrench *force)
{
  const srs_model *m = w->model;
  if (!is_plain(m, k)) {
    link_wrench passed = *force;
    const double zero = pass_anyhow(w, k, a, tau, &passed);
    *force = passed;
    return zero;
  }
  double zero = 0;
  if (m->kind[k] != SRS_JOINT_FIXED) {
    const int i = m->v_index[k];
    const double sum = (turns_only(m, k) ? force->n.z : force->f.z) + m->armature[i] * a[i];
    tau[i] = sum;
    zero = 0 * sum;
  }
  switch ((srs_turn_way)m->way[k]) {
  case SRS_TURN_NONE: *force = pass_plainly(w, k, SRS_TURN_NONE, q, *force); break;
  case SRS_TURN_FORTH: *force = pass_plainly(w, k, SRS_TURN_FORTH, q, *force); break;
  case SRS_TURN_BACK: *force = pass_plainly(w, k, SRS_TURN_BACK, q, *force); break;
  case SRS_TURN_ABOUT_X: *force = pass_plainly(w, k, SRS_TURN_ABOUT_X, q, *force); break;
  case SRS_TURN_ANY: *force = pass_plainly(w, k, SRS_TURN_ANY, q, *force); break;
  }
  return zero;
}

SRS_KERNEL ONE_BY_ONE static double forces_in(srs_workspace *w, const double *q, const double *a, double *tau)
{
  const srs_model *m = w->model;
  link_wrench force = {vec3_zero, vec3_zero}; // passed by link k + 1
  double zero = 0;
  for (int k = m->n_links - 1; k >= 0; k--) {
    four_links *l = &w->own[k / LANES];
    const link_wrench own = load_wrench(l, k % LANES);
    if (m->subtree_end[k] > k + 1) {
      force = wrench_add(own, force);
      store_wrench(l, k % LANES, force);
    } else {
      force = own;
    }
    zero += pass_in(w, k, q, a, tau, &force);
    const int p = m->parent[k];
    if (p < 0 || p == k - 1) continue;
    four_links *to = &w->own[p / LANES];
    store_wrench(to, p % LANES, wrench_add(load_wrench(to, p % LANES), force));
  }
  return zero;
}

// ---------------------------------------------------------------------------------------------------------------------
// For passes by levels
// ---------------------------------------------------------------------------------------------------------------------

void srs_move_anyhow(srs_workspace *w, int k, const double *q, const double *v, const double *a, motion *c)
{
  move_anyhow(w, k, q, v, a, c);
}

double srs_pass_anyhow(srs_workspace *w, int k, const double *a, double *tau, link_wrench *force)
{
  return pass_anyhow(w, k, a, tau, force);
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------------------------------------------------

// What both ways end with.
SRS_INLINE srs_status finish(srs_workspace *w, const double *q, const double *a, const double *wrenches, double zero,
                             const double *tau)
{
  if (wrenches == NULL) srs_place_later(w, q);
  w->has_joint_forces = a != NULL;
  return zero == 0 ? SRS_OK : srs_check_coordinates(w, "the force", tau);
}

static __attribute__((noinline)) srs_status by_levels(srs_workspace *w, const double *q, const double *v,
                                                      const double *a, const double *wrenches, double *tau)
{
  const double *given = a != NULL ? a : w->zero_v;
  if (wrenches != NULL) srs_place_links(w, q);
  srs_level_motions_out(w, q, v, given);
  if (wrenches != NULL) less_wrenches(w, wrenches);
  return finish(w, q, a, wrenches, srs_level_forces_in(w, q, given, tau), tau);
}

SRS_INLINE srs_status newton_euler(srs_workspace *w, const double *q, const double *v, const double *a,
                                   const double *wrenches, double *tau)
{
  if (w->levels != NULL) return by_levels(w, q, v, a, wrenches, tau);
  const double *given = a != NULL ? a : w->zero_v;
  if (wrenches != NULL) srs_place_links(w, q);
  motions_out(w, q, v, given);
  own_forces(w);
  if (wrenches != NULL) less_wrenches(w, wrenches);
  return finish(w, q, a, wrenches, forces_in(w, q, given, tau), tau);
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
  srs_place_late(w);
  const m3 axes = w->place[link].axes;
  const link_wrench force = wrench_of(w, link);
  v6_store(wrench, (v6){v3_along(axes, force.n), v3_along(axes, force.f)});
  return SRS_OK;
}
