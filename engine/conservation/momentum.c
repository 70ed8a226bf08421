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
// The sums are those of tree_sums.c. c, p and L are part of the state (state/sim_state.h), so a step that begins with
// them takes no sums at its start. The order of trees is that of their roots' names.
//
// Where positions move with v+, a root that floats alone turns with the mean of v and v+: with w+ of q+, turning with
// w+ would take energy from the nutation of a body with a wheel (h^2 a step), and turning with w would give it.

#include "engine/conservation/momentum.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/state/sim_state.h"
#include "topology/model/configuration.h"

#include <math.h>
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

// Sums of a tree at q, of which the workspace has the sines and cosines.
static void find_sums(srs_floating_trees *f, const srs_workspace *w, int t, const double *q, const double *v,
                      mass_sum *out)
{
  srs_sum_tree(&f->frames, w, f->root[t], q, v, &f->axes[t], out);
}

// Takes a tree's sums from its root's axes to the world's.
static void turn_to_world(mass_sum *sum, const srs_root_axes *axes)
{
  sum->inertia = sym3_rotate(axes->angular, sum->inertia);
  sum->angular = rotate(axes->angular, sum->angular);
}

// Angular momentum about another point.
static vec3 angular_about(const mass_sum *sum, vec3 point)
{
  return add3(sum->angular, cross3(sub3(sum->centre, point), sum->linear));
}

// Adds one sum to another, in the world's axes.
static void join_sums(mass_sum *sum, const mass_sum *other)
{
  const double mass = sum->mass + other->mass, share = other->mass / mass;
  const vec3 apart = sub3(other->centre, sum->centre), centre = add_scaled3(sum->centre, share, apart);
  sum->angular = add3(angular_about(sum, centre), angular_about(other, centre));
  sum->linear = add3(sum->linear, other->linear);
  sum->inertia = sym3_add(sym3_add(sum->inertia, other->inertia), sym3_point_mass(sum->mass * share, apart));
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

// Fills the start's sums, in the world's axes and without inertias: from the state; where it does not know them, at q
// and v.
static void find_start(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s)
{
  for (int t = 0; t < f->n; t++) {
    if (!srs_tree_floats(f, t)) continue;
    const double *known = s->known + SRS_TREE_MOMENTUM * (size_t)t;
    mass_sum *start = &f->start[t];
    start->mass = f->frames.mass[f->root[t]];
    start->centre = vec3_load(known + 1);
    start->angular = vec3_load(known + 4);
    start->linear = vec3_load(known + 7);
    if (known[0] != 0) continue;
    srs_workspace_angles(w, s->q);
    find_sums(f, w, t, s->q, s->v, start);
    turn_to_world(start, &f->axes[t]);
  }
}

// Keeps what the next step starts from.
SRS_INLINE void store_next(srs_floating_trees *f, int t, vec3 centre, vec3 angular, vec3 linear)
{
  double *next = f->next + SRS_TREE_MOMENTUM * (size_t)t;
  next[0] = 1;
  vec3_store(next + 1, centre);
  vec3_store(next + 4, angular);
  vec3_store(next + 7, linear);
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
  if (s->link_wrench != NULL) return true;
  for (int t = 0; t < f->n; t++) {
    const int first = f->model->v_index[f->root[t]];
    for (int i = first; i < first + 6 && srs_tree_floats(f, t); i++)
      if (root_load(s, f->model, i) != 0) return true;
  }
  return false;
}

// The wrench of `link_wrench` on a tree, about its root's origin.
static v6 applied_wrench(srs_floating_trees *f, const srs_workspace *w, const srs_momentum_step *s, int t)
{
  const srs_model *m = f->model;
  const int root = f->root[t], end = m->subtree_end[root];
  if (s->link_wrench == NULL) return v6_zero;
  for (int k = root; k < end; k++) f->force[k] = v6_load(s->link_wrench + 6 * (size_t)k);
  for (int k = end - 1; k > root; k--)
    f->force[m->parent[k]] = v6_add(f->force[m->parent[k]], carry_force(f->force[k], w->place[k].arm));
  return f->force[root];
}

// Finds the impulses on the trees, about their mass centres at the configuration of the matrices.
static void find_impulses(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s)
{
  if (s->link_wrench != NULL)
    srs_place_links(w, s->q_matrices);
  else
    srs_workspace_angles(w, s->q_matrices);
  for (int t = 0; t < f->n; t++) {
    if (!srs_tree_floats(f, t)) continue;
    mass_sum *to = &f->impulse[t];
    const srs_root_axes *axes = &f->axes[t];
    find_sums(f, w, t, s->q_matrices, s->v, to);
    double load[6];
    for (int i = 0; i < 6; i++) load[i] = root_load(s, f->model, f->model->v_index[f->root[t]] + i);
    double applied[6];
    v6_store(applied, applied_wrench(f, w, s, t));
    const vec3 force = add3(linear_to_world(axes, vec3_load(load)), vec3_load(applied + 3));
    const vec3 torque = add3(rotate(axes->angular, vec3_load(load + 3)), vec3_load(applied));
    to->linear = scale3(s->dt, force);
    to->angular = scale3(s->dt, add3(torque, cross3(sub3(axes->origin, to->centre), force)));
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

// What has the start's sums is to have these after the step.
SRS_INLINE mass_sum find_target(const srs_momentum_step *s, v3 gravity, const mass_sum *start, const mass_sum *impulse)
{
  const vec3 g = {gravity[0], gravity[1], gravity[2]};
  mass_sum to = {.mass = start->mass, .angular = start->angular};
  to.linear = add_scaled3(start->linear, s->dt * start->mass, g);
  if (impulse != NULL) {
    to.angular = add3(to.angular, impulse->angular);
    to.linear = add3(to.linear, impulse->linear);
  }
  const vec3 way = s->is_mean ? scale3(0.5, add3(start->linear, to.linear)) : to.linear;
  to.centre = add_scaled3(start->centre, s->dt / start->mass, way);
  return to;
}

// Shifts a tree and changes its root's velocities: of the origin, in the world's axes, and the spin in the link's own.
SRS_INLINE void move_root(const srs_floating_trees *f, int t, vec3 shift, vec3 rate, vec3 spin, double *q_next,
                          double *v_next)
{
  const srs_model *m = f->model;
  const srs_root_axes *axes = &f->axes[t];
  double *q = q_next + m->q_index[f->root[t]], *v = v_next + m->v_index[f->root[t]];
  vec3_store(q, add3(vec3_load(q), linear_from_world(axes, shift)));
  vec3_store(v, add3(vec3_load(v), linear_from_world(axes, rate)));
  vec3_store(v + 3, add3(vec3_load(v + 3), spin));
}

SRS_KERNEL static void keep_lone(srs_floating_trees *f, const srs_workspace *w, int t, const srs_momentum_step *s,
                                 double *q_next, double *v_next)
{
  const mass_sum *end = &f->end[t];
  const srs_root_axes *axes = &f->axes[t];
  const mass_sum to = find_target(s, w->gravity, &f->start[t], f->has_impulses ? &f->impulse[t] : NULL);
  const vec3 lacks = sub3(to.angular, rotate(axes->angular, end->angular)); // the same axes on both sides
  vec3 spin;
  if (!solve_inertia(&end->inertia, rotate_back(axes->angular, lacks), &spin)) return;
  const vec3 rate = scale3(1 / end->mass, sub3(to.linear, end->linear));
  const vec3 swing = cross3(rotate(axes->angular, spin), sub3(axes->origin, end->centre));
  move_root(f, t, sub3(to.centre, end->centre), add3(rate, swing), spin, q_next, v_next);
  store_next(f, t, to.centre, to.angular, to.linear);
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups, in the world's axes
// ---------------------------------------------------------------------------------------------------------------------

static bool is_lone_body(const srs_floating_trees *f, int t)
{
  return f->model->subtree_end[f->root[t]] == f->root[t] + 1;
}

// The motion as one rigid body of what has this inertia and this momentum, spin and velocity of the centre; and its
// kinetic energy.  @return false: solve_inertia's
static bool rigid_motion(const mass_sum *of, const mass_sum *momentum, spatial *motion, double *energy)
{
  if (!solve_inertia(&of->inertia, momentum->angular, &motion->ang)) return false;
  motion->lin = scale3(1 / of->mass, momentum->linear);
  *energy = 0.5 * (dot3(momentum->angular, motion->ang) + dot3(momentum->linear, motion->lin));
  return true;
}

// The kinetic energy of a group of single bodies.  @return false: it has another tree, or one without a spin
static bool energy_of_bodies(const srs_floating_trees *f, int leader, double *energy)
{
  *energy = 0;
  for (int t = leader; t < f->n; t++) {
    spatial motion;
    double own;
    if (f->leader[t] != leader) continue;
    if (!is_lone_body(f, t) || !rigid_motion(&f->end[t], &f->end[t], &motion, &own)) return false;
    *energy += own;
  }
  return true;
}

// Bodies that strike each other keep their energy to rounding, which a change of the whole's motion would not. So the
// motion of each relative to the whole, which has no momentum, is scaled by 1 + the result. 0 for other trees.
// whole: out, the motion of the whole before
static double internal_change(const srs_floating_trees *f, int leader, const mass_sum *end, const mass_sum *to,
                              spatial *whole)
{
  spatial motion;
  double all, before, after;
  if (!energy_of_bodies(f, leader, &all)) return 0;
  if (!rigid_motion(end, end, whole, &before) || !rigid_motion(end, to, &motion, &after)) return 0;
  const double square = (all - after) / (all - before);
  return all - before > 1e-9 * all && square > 0.5 && square < 2 ? sqrt(square) - 1 : 0;
}

static spatial motion_at(spatial motion, vec3 arm)
{
  return (spatial){motion.ang, add3(motion.lin, cross3(motion.ang, arm))};
}

// What changes in a tree's motion, as the spin and the velocity of `centre`.
static spatial change_of_tree(const mass_sum *tree, spatial change, double internal, const spatial *whole, vec3 centre)
{
  spatial own;
  double energy;
  if (internal == 0 || !rigid_motion(tree, tree, &own, &energy)) return change;
  const spatial there = motion_at(own, sub3(centre, tree->centre));
  return (spatial){add_scaled3(change.ang, internal, sub3(there.ang, whole->ang)),
                   add_scaled3(change.lin, internal, sub3(there.lin, whole->lin))};
}

// Moves a tree of a group and keeps what it has then.
static void move_member(srs_floating_trees *f, int t, vec3 shift, spatial motion, vec3 centre, double *q_next,
                        double *v_next)
{
  const mass_sum *own = &f->end[t];
  const srs_root_axes *axes = &f->axes[t];
  const vec3 rate = motion_at(motion, sub3(axes->origin, centre)).lin;
  const vec3 mean = motion_at(motion, sub3(own->centre, centre)).lin;
  move_root(f, t, shift, rate, rotate_back(axes->angular, motion.ang), q_next, v_next);
  store_next(f, t, add3(own->centre, shift), add3(own->angular, sym3_times(own->inertia, motion.ang)),
             add_scaled3(own->linear, own->mass, mean));
}

static void keep_group(srs_floating_trees *f, const srs_workspace *w, int leader, const srs_momentum_step *s,
                       double *q_next, double *v_next)
{
  for (int t = leader; t < f->n; t++)
    if (f->leader[t] == leader) turn_to_world(&f->end[t], &f->axes[t]);
  const mass_sum start = group_sum(f, leader, f->start), end = group_sum(f, leader, f->end);
  mass_sum impulse = {0};
  if (f->has_impulses) impulse = group_sum(f, leader, f->impulse);
  const mass_sum to = find_target(s, w->gravity, &start, &impulse);
  spatial motion, whole = {vec3_zero, vec3_zero};
  if (!solve_inertia(&end.inertia, sub3(to.angular, end.angular), &motion.ang)) return;
  motion.lin = scale3(1 / end.mass, sub3(to.linear, end.linear));
  const double internal = internal_change(f, leader, &end, &to, &whole);
  for (int t = leader; t < f->n; t++)
    if (f->leader[t] == leader)
      move_member(f, t, sub3(to.centre, end.centre), change_of_tree(&f->end[t], motion, internal, &whole, end.centre),
                  end.centre, q_next, v_next);
}

// ---------------------------------------------------------------------------------------------------------------------
// Alignment
// ---------------------------------------------------------------------------------------------------------------------

// The vector turned by a rotation vector (Rodrigues).
static vec3 turned(vec3 turn, vec3 a)
{
  const double angle = norm3(turn), half = 0.5 * angle;
  const double along = angle > 0 ? sin(angle) / angle : 1,
               across = half > 0 ? 0.5 * sin(half) * sin(half) / (half * half) : 0.5;
  const vec3 once = cross3(turn, a);
  return add_scaled3(add_scaled3(a, along, once), across, cross3(turn, once));
}

// Turns a tree about its root's origin, which keeps its velocity: in q_next, in its sums and in its root's axes.
static void turn_tree(srs_floating_trees *f, int t, vec3 turn, double *q_next, const double *v_next)
{
  const int root = f->root[t];
  srs_root_axes *axes = &f->axes[t];
  mass_sum *sum = &f->end[t];
  double u[6] = {0};
  vec3_store(u + 3, rotate_back(axes->angular, turn));
  double *q = q_next + f->model->q_index[root];
  srs_integrate_joint(SRS_JOINT_FREE, q, u, 1, q);
  const vec3 carried = scale3(sum->mass, linear_to_world(axes, vec3_load(v_next + f->model->v_index[root])));
  sum->centre = add3(axes->origin, turned(turn, sub3(sum->centre, axes->origin)));
  sum->linear = add3(carried, turned(turn, sub3(sum->linear, carried)));
  const mat3 R = axes->angular;
  axes->angular = (mat3){turned(turn, R.x), turned(turn, R.y), turned(turn, R.z)};
}

// Whether a tree is turned.
static bool aligns(const srs_floating_trees *f, const srs_momentum_step *s, int t)
{
  return f->is_alone[t] && (s->aligns || (s->aligns_bodies && is_lone_body(f, t)));
}

// Turns a tree that floats alone about the smallest angle that brings L(q+, v+) into the direction of L+. dw then has
// only the length of L to mend. The implicit midpoint scheme keeps that of one body, and its energy: both stay so. It
// is the scheme of every integrator for a body by itself whose velocity terms are at the mean (mean_velocity.c).
static void align_tree(srs_floating_trees *f, int t, double *q_next, const double *v_next)
{
  vec3 wanted = f->start[t].angular;
  if (f->has_impulses) wanted = add3(wanted, f->impulse[t].angular);
  const vec3 has = rotate(f->axes[t].angular, f->end[t].angular);
  const double size = sqrt(dot3(wanted, wanted) * dot3(has, has));
  if (size > 0 && dot3(wanted, has) > 0.5 * size)
    turn_tree(f, t, scale3(1 / size, cross3(has, wanted)), q_next, v_next);
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
