// The momentum of trees that float: those on a free joint to the world that nothing of the world touches or ties in a
// step. Inner forces leave it as it is, whatever the step's error; so the root's motion is set from it.
//
//   at (q, v)     p, and L about the mass centre c: those that the last step has set, else sums over the links
//   outside       p+ = p + h (m g + sum f),   L+ = L + h sum of the torques about c, at the configuration of the
//                 step's matrices. Gravity exerts none.
//   at q+         the tree is shifted so that c+ = c + h p/m, with p+, or with the mean of p and p+ where positions
//                 move with the mean velocity
//   alignment     of the implicit midpoint scheme: the tree turns until L(q+, v+) has the direction of L+
//   velocities    dw = I^-1 (L+ - L(q+, v+)),   dc = (p+ - p(q+, v+)) / m,   I about c+: added to the root's twist
//
// Shift and dw, dc move the tree as one rigid body, so rows between its own links hold as they did. Trees that closures
// or contacts join move as one body together. A tree is left as it is when a contact or a closure joins it to the
// world or to a tree that does not float, a row acts on its root's coordinates, or its mass is on one line. Under the
// geometrically implicit scheme contacts with any other tree leave it out: that scheme's levers are those of the step's
// end, and have a law of their own (docs/theory.md, section 16).
//
// The sums go over the links, with r from the root's origin to the link's, h = m (centre - link's origin), and the
// link's twist (w, v) at its own origin:
//
//   u = h + m r      mass centre sum u / m
//   s = w x h        p = sum m v + s,   l = sum I w + u x v + r x s      about the root's origin; L = l - c x p
//   g = (h + u) / 2  inertia about the root's origin: sum I + 2 r . g 1 - r g^T - g r^T
//
// What they take of q, placements and inertias in world axes, is what the next step begins with, except where its
// matrices are at the middle of the step: there it is work of its own. So c, p and L are part of the state
// (state/sim_state.h), and a step that begins with them finds no sums at its start. The order of trees is that of their
// roots' names.
//
// Where positions move with v+, a root that floats alone turns with the mean of v and v+: with w+ of q+, turning with
// w+ would take energy from the nutation of a body with a wheel (h^2 a step), and turning with w would give it.

#include "engine/conservation/momentum.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/state/sim_state.h"
#include "topology/model/configuration.h"

#include <string.h>

void srs_turn_with_mean(const srs_floating_trees *f, const double *v, const double *v_next, double *rate)
{
  for (int t = 0; f != NULL && t < f->n; t++) {
    if (!f->is_alone[t]) continue;
    const int first = f->model->v_index[f->root[t]];
    for (int i = first + 3; i < first + 6; i++) rate[i] = 0.5 * (v[i] + v_next[i]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE vec3 packed(const v3 *a) { return (vec3){(*a)[0], (*a)[1], (*a)[2]}; }

static void find_sums(srs_floating_trees *f, const srs_workspace *w, int t, const double *q, const double *v,
                      mass_sum *out)
{
  srs_sum_tree(&f->frames, w, f->root[t], q, v, &f->axes[t], out);
}

// A tree's sum in the world's axes.
static mass_sum in_world(const mass_sum *tree, const srs_root_axes *axes)
{
  const m3 *R = &axes->angular;
  const v3 L = m3_times_packed(*R, &tree->angular);
  mass_sum out = *tree;
  out.inertia = sym3_rotate((mat3){packed(&R->x), packed(&R->y), packed(&R->z)}, tree->inertia);
  out.angular = packed(&L);
  return out;
}

// Angular momentum about another point.
static vec3 carried(const mass_sum *sum, v3 point)
{
  const v3 arm = sum->centre - point, swing = cross(arm, sum->linear);
  return add3(sum->angular, packed(&swing));
}

// Adds one sum to another, in the world's axes.
static void join_sums(mass_sum *sum, const mass_sum *other)
{
  const double mass = sum->mass + other->mass, share = other->mass / mass;
  const v3 apart = other->centre - sum->centre, centre = sum->centre + share * apart;
  const sym3 far = sym3_point_mass(sum->mass * share, packed(&apart));
  sum->angular = add3(carried(sum, centre), carried(other, centre));
  sum->linear += other->linear;
  sum->inertia = sym3_add(sym3_add(sum->inertia, other->inertia), far);
  sum->centre = centre;
  sum->mass = mass;
}

// The sum of the trees that move together, from theirs in the world's axes.
static mass_sum group_sum(const srs_floating_trees *f, int leader, const mass_sum *trees)
{
  mass_sum sum = trees[leader];
  for (int t = leader + 1; t < f->n; t++)
    if (f->leader[t] == leader) join_sums(&sum, &trees[t]);
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// The start
// ---------------------------------------------------------------------------------------------------------------------

// Fills the start's sums in the world's axes, without inertias: from the state; where it does not know them, at q and v.
static void find_start(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s)
{
  for (int t = 0; t < f->n; t++) {
    if (!srs_tree_floats(f, t)) continue;
    const double *known = s->known + SRS_TREE_MOMENTUM * (size_t)t;
    mass_sum *start = &f->start[t];
    start->mass = f->frames.mass[f->root[t]];
    start->centre = v3_load(known + 1);
    start->angular = vec3_load(known + 4);
    start->linear = v3_load(known + 7);
    if (known[0] != 0) continue;
    srs_workspace_angles(w, s->q);
    find_sums(f, w, t, s->q, s->v, start);
    *start = in_world(start, &f->axes[t]);
  }
}

// Keeps what the next step starts from.
SRS_INLINE void store_next(srs_floating_trees *f, int t, v3 centre, vec3 angular, v3 linear)
{
  double *next = f->next + SRS_TREE_MOMENTUM * (size_t)t;
  next[0] = 1;
  v3_store(next + 1, centre);
  vec3_store(next + 4, angular);
  v3_store(next + 7, linear);
}

// ---------------------------------------------------------------------------------------------------------------------
// Impulses from outside
// ---------------------------------------------------------------------------------------------------------------------

static double root_load(const srs_momentum_step *s, const srs_model *m, int i)
{
  return s->force[i] - (s->extra[i] + m->armature[i]) * s->a[i];
}

static bool has_impulses(const srs_floating_trees *f, const srs_momentum_step *s)
{
  bool any = s->link_wrench != NULL;
  for (int t = 0; t < f->n && !any; t++) {
    const int first = f->model->v_index[f->root[t]];
    for (int i = first; i < first + 6 && srs_tree_floats(f, t); i++) any = any || root_load(s, f->model, i) != 0;
  }
  return any;
}

// The wrench on a tree from outside, about its root's origin.
static v6 outside_wrench(srs_floating_trees *f, const srs_workspace *w, const srs_momentum_step *s, int t)
{
  const srs_model *m = f->model;
  const int root = f->root[t], end = m->subtree_end[root], first = m->v_index[root];
  double load[6];
  for (int i = 0; i < 6; i++) load[i] = root_load(s, m, first + i);
  const v6 wrench = {m3_times(f->axes[t].angular, v3_load(load + 3)), m3_times(f->axes[t].linear, v3_load(load))};
  if (s->link_wrench == NULL) return wrench;
  for (int k = root; k < end; k++) f->force[k] = v6_load(s->link_wrench + 6 * (size_t)k);
  for (int k = end - 1; k > root; k--)
    f->force[m->parent[k]] = v6_add(f->force[m->parent[k]], carry_force(f->force[k], w->place[k].arm));
  return v6_add(wrench, f->force[root]);
}

// Finds the impulses from outside, about the mass centres at the configuration of the matrices.
__attribute__((noinline)) static void find_impulses(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s)
{
  if (s->link_wrench != NULL)
    srs_place_links(w, s->q_matrices);
  else
    srs_workspace_angles(w, s->q_matrices);
  for (int t = 0; t < f->n; t++) {
    if (!srs_tree_floats(f, t)) continue;
    mass_sum *to = &f->impulse[t];
    find_sums(f, w, t, s->q_matrices, s->v, to);
    const v6 impulse = carry_force(v6_scale(s->dt, outside_wrench(f, w, s, t)), f->axes[t].origin - to->centre);
    to->angular = packed(&impulse.ang), to->linear = impulse.lin;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The root's motion
// ---------------------------------------------------------------------------------------------------------------------

// Solves I x = b by cofactors.  @return false: the mass is on one line, or nearly so, or a number is not finite
SRS_INLINE bool solve_inertia(const sym3 *I, vec3 b, vec3 *x)
{
  const sym3 cofactors = {I->yy * I->zz - I->yz * I->yz, I->xx * I->zz - I->xz * I->xz, I->xx * I->yy - I->xy * I->xy,
                          I->xz * I->yz - I->xy * I->zz, I->xy * I->yz - I->xz * I->yy, I->xy * I->xz - I->xx * I->yz};
  const double trace = I->xx + I->yy + I->zz;
  const double determinant = I->xx * cofactors.xx + I->xy * cofactors.xy + I->xz * cofactors.xz;
  if (!(determinant > 1e-10 * trace * trace * trace) || !(dot3(b, b) < INFINITY)) return false;
  *x = scale3(1 / determinant, sym3_times(cofactors, b));
  return true;
}

// Shifts a tree and changes its root's velocities: of the origin, in the world's axes, and the spin in the link's own.
SRS_INLINE void move_root(const srs_floating_trees *f, int t, v3 shift, v3 rate, v3 spin, double *q_next,
                          double *v_next)
{
  const srs_model *m = f->model;
  double *q = q_next + m->q_index[f->root[t]], *v = v_next + m->v_index[f->root[t]];
  v3_store(q, v3_load(q) + m3_times_back(f->axes[t].linear, shift));
  v3_store(v, v3_load(v) + m3_times_back(f->axes[t].linear, rate));
  v3_store(v + 3, v3_load(v + 3) + spin);
}

static bool is_lone_body(const srs_floating_trees *f, int t)
{
  return f->model->subtree_end[f->root[t]] == f->root[t] + 1;
}

// The spin of what has these sums, and its kinetic energy as one rigid body.  @return false: solve_inertia's
SRS_INLINE bool rigid_motion(const mass_sum *sum, vec3 angular, v3 linear, v6 *motion, double *energy)
{
  vec3 spin;
  if (!solve_inertia(&sum->inertia, angular, &spin)) return false;
  *motion = (v6){v3_from(spin), (1 / sum->mass) * linear};
  *energy = 0.5 * (dot3(angular, spin) + dot(linear, motion->lin));
  return true;
}

// The kinetic energy of a group of single bodies.  @return false: it has another tree, or one without a spin
SRS_INLINE bool energy_of_bodies(const srs_floating_trees *f, int leader, double *energy)
{
  *energy = 0;
  for (int t = leader; t < f->n; t++) {
    v6 motion;
    double own;
    if (f->leader[t] != leader) continue;
    if (!is_lone_body(f, t) || !rigid_motion(&f->end[t], f->end[t].angular, f->end[t].linear, &motion, &own)) return false;
    *energy += own;
  }
  return true;
}

// Bodies that strike each other keep their energy to rounding, which a change of the whole's motion would not. So the
// motion of each relative to the whole, which has no momentum, is scaled by 1 + the result. 0 for other trees.
// whole: out, the motion of the whole before
SRS_INLINE double internal_change(const srs_floating_trees *f, int leader, const mass_sum *end, const mass_sum *to,
                                  v6 *whole)
{
  v6 motion;
  double all, before, after;
  *whole = v6_zero;
  if (!energy_of_bodies(f, leader, &all)) return 0;
  if (!rigid_motion(end, end->angular, end->linear, whole, &before)) return 0;
  if (!rigid_motion(end, to->angular, to->linear, &motion, &after)) return 0;
  const double square = (all - after) / (all - before);
  return all - before > 1e-9 * all && square > 0.5 && square < 2 ? sqrt(square) - 1 : 0;
}

// What changes in a tree's motion, as the velocity of `centre` and the spin.
SRS_INLINE v6 change_of_tree(const mass_sum *tree, v6 change, double internal, v6 whole, v3 centre)
{
  v6 own;
  double energy;
  if (internal == 0 || !rigid_motion(tree, tree->angular, tree->linear, &own, &energy)) return change;
  const v6 there = {own.ang, own.lin + cross(own.ang, centre - tree->centre)};
  return v6_add(change, v6_scale(internal, (v6){there.ang - whole.ang, there.lin - whole.lin}));
}

// Moves a tree of a group and keeps what it has then.
SRS_INLINE void move_member(srs_floating_trees *f, int t, v3 shift, v6 motion, v3 centre, double *q_next,
                            double *v_next)
{
  const mass_sum *own = &f->end[t];
  const srs_root_axes *axes = &f->axes[t];
  const v3 rate = carry_motion(motion, axes->origin - centre).lin, mean = carry_motion(motion, own->centre - centre).lin;
  move_root(f, t, shift, rate, m3_times_back(axes->angular, motion.ang), q_next, v_next);
  const vec3 gain = sym3_times(own->inertia, packed(&motion.ang));
  store_next(f, t, own->centre + shift, add3(own->angular, gain), own->linear + own->mass * mean);
}

// What has the start's sums is to have these after the step.
SRS_INLINE mass_sum find_target(const srs_momentum_step *s, v3 gravity, const mass_sum *start, const mass_sum *impulse)
{
  mass_sum to = *start;
  to.linear += s->dt * start->mass * gravity;
  if (impulse != NULL) to.angular = add3(to.angular, impulse->angular), to.linear += impulse->linear;
  const v3 way = s->is_mean ? 0.5 * (start->linear + to.linear) : to.linear;
  to.centre += (s->dt / start->mass) * way;
  return to;
}

SRS_KERNEL static void keep_lone(srs_floating_trees *f, const srs_workspace *w, int t, const srs_momentum_step *s,
                                 double *q_next, double *v_next)
{
  const mass_sum *end = &f->end[t];
  const srs_root_axes *axes = &f->axes[t];
  const mass_sum to = find_target(s, w->gravity, &f->start[t], f->has_impulses ? &f->impulse[t] : NULL);
  const v3 lacks = m3_times_back(axes->angular, v3_from(to.angular) - m3_times_packed(axes->angular, &end->angular));
  vec3 spin;
  if (!solve_inertia(&end->inertia, packed(&lacks), &spin)) return;
  const v6 motion = {m3_times_packed(axes->angular, &spin), (1 / end->mass) * (to.linear - end->linear)};
  move_root(f, t, to.centre - end->centre, carry_motion(motion, axes->origin - end->centre).lin, v3_from(spin), q_next,
            v_next);
  store_next(f, t, to.centre, to.angular, to.linear);
}

__attribute__((noinline)) static void keep_group(srs_floating_trees *f, const srs_workspace *w, int leader,
                                                 const srs_momentum_step *s, double *q_next, double *v_next)
{
  for (int t = leader; t < f->n; t++)
    if (f->leader[t] == leader) f->end[t] = in_world(&f->end[t], &f->axes[t]);
  const mass_sum start = group_sum(f, leader, f->start), end = group_sum(f, leader, f->end);
  mass_sum impulse = {0};
  if (f->has_impulses) impulse = group_sum(f, leader, f->impulse);
  const mass_sum to = find_target(s, w->gravity, &start, &impulse);
  vec3 spin;
  if (!solve_inertia(&end.inertia, sub3(to.angular, end.angular), &spin)) return;
  const v6 motion = {v3_from(spin), (1 / end.mass) * (to.linear - end.linear)};
  v6 whole;
  const double internal = internal_change(f, leader, &end, &to, &whole);
  for (int t = leader; t < f->n; t++)
    if (f->leader[t] == leader)
      move_member(f, t, to.centre - end.centre, change_of_tree(&f->end[t], motion, internal, whole, end.centre),
                  end.centre, q_next, v_next);
}

// ---------------------------------------------------------------------------------------------------------------------
// Alignment
// ---------------------------------------------------------------------------------------------------------------------

// The rotation by a rotation vector (Rodrigues).
SRS_INLINE m3 rotation_by(v3 turn)
{
  const double angle = sqrt(dot(turn, turn)), half = 0.5 * angle;
  const double along = angle > 0 ? sin(angle) / angle : 1,
               across = half > 0 ? 0.5 * sin(half) * sin(half) / (half * half) : 0.5;
  m3 R = m3_identity;
  R.x += along * cross(turn, m3_identity.x) + across * cross(turn, cross(turn, m3_identity.x));
  R.y += along * cross(turn, m3_identity.y) + across * cross(turn, cross(turn, m3_identity.y));
  R.z += along * cross(turn, m3_identity.z) + across * cross(turn, cross(turn, m3_identity.z));
  return R;
}

// Turns a tree about its root's origin, which keeps its velocity: in q_next, in its sums and in its root's axes.
static void turn_tree(srs_floating_trees *f, int t, v3 turn, double *q_next, const double *v_next)
{
  const int root = f->root[t];
  srs_root_axes *axes = &f->axes[t];
  mass_sum *sum = &f->end[t];
  double u[6] = {0};
  v3_store(u + 3, m3_times_back(axes->angular, turn));
  double *q = q_next + f->model->q_index[root];
  srs_integrate_joint(SRS_JOINT_FREE, q, u, 1, q);
  const m3 R = rotation_by(turn);
  const v3 carried = sum->mass * m3_times(axes->linear, v3_load(v_next + f->model->v_index[root]));
  sum->centre = axes->origin + m3_times(R, sum->centre - axes->origin);
  sum->linear = carried + m3_times(R, sum->linear - carried);
  axes->angular = m3_times_m3(R, axes->angular);
}

// Whether a tree is turned.
static bool aligns(const srs_floating_trees *f, const srs_momentum_step *s, int t)
{
  return f->is_alone[t] && (s->aligns || (s->aligns_bodies && is_lone_body(f, t)));
}

// Turns a tree that floats alone about the smallest angle that brings L(q+, v+) into the direction of L+. dw then has
// only the length of L to mend. The implicit midpoint scheme keeps that of one body, and its energy: both stay so. It
// is the scheme of every integrator for a body by itself whose velocity terms are at the mean (mean_velocity.c).
__attribute__((noinline)) static void align_tree(srs_floating_trees *f, int t, double *q_next, const double *v_next)
{
  v3 wanted = v3_from(f->start[t].angular);
  if (f->has_impulses) wanted += v3_from(f->impulse[t].angular);
  const v3 has = m3_times_packed(f->axes[t].angular, &f->end[t].angular);
  const double size = sqrt(dot(wanted, wanted) * dot(has, has));
  if (size > 0 && dot(wanted, has) > 0.5 * size) turn_tree(f, t, (1 / size) * cross(has, wanted), q_next, v_next);
}

// ---------------------------------------------------------------------------------------------------------------------
// The step
// ---------------------------------------------------------------------------------------------------------------------

void srs_keep_momentum(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s, double *q_next,
                       double *v_next)
{
  if (f == NULL) return;
  memset(f->next, 0, (size_t)f->n * SRS_TREE_MOMENTUM * sizeof *f->next);
  if (!f->any) return;
  find_start(f, w, s);
  f->has_impulses = has_impulses(f, s);
  if (f->has_impulses) find_impulses(f, w, s);
  srs_workspace_angles(w, q_next);
  for (int t = 0; t < f->n; t++) {
    if (!srs_tree_floats(f, t)) continue;
    find_sums(f, w, t, q_next, v_next, &f->end[t]);
    if (aligns(f, s, t)) align_tree(f, t, q_next, v_next);
    if (f->is_alone[t]) keep_lone(f, w, t, s, q_next, v_next);
  }
  for (int t = 0; t < f->n; t++)
    if (f->leader[t] == t && !f->is_alone[t] && !f->is_held[t]) keep_group(f, w, t, s, q_next, v_next);
  if (!s->is_mean) srs_keep_angles(w, q_next);
}

void srs_accept_momentum(const srs_floating_trees *f, int n, double *known)
{
  const size_t bytes = (size_t)n * SRS_TREE_MOMENTUM * sizeof *known;
  if (f != NULL)
    memcpy(known, f->next, bytes);
  else if (n > 0)
    memset(known, 0, bytes);
}
