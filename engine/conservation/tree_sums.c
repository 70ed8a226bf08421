// Mass centre, inertia and momentum of a tree that floats, from its tips to its root.
//
// A joint's rates move all that lies beyond it as one rigid body. With M, B, S its mass, first and second moments about
// the joint's origin (sum m, sum m x, sum m x x^T; inertia I = tr S 1 - S), the joint's motion (w, u) has the momentum
//
//   p = M u + w x B,   l = I w + B x u
//
// and their sum over joints is the momentum of the tree in motion relative to its root. All goes from a link to its
// parent's origin, which lies at -a from the link's own:
//
//   l += a x p,   S += a B^T + B a^T + M a a^T,   B += M a
//
// in the axes of the links: there a hinge is about z, so that p = v (-B_y, B_x, 0) and l = v (-S_xz, -S_yz, S_xx +
// S_yy); what links are made of is constant; and no link has to be placed. A hinge's a is constant in its parent, hence
// the terms of M are part of the parent's own B and S from the start (augmented bodies). From a hinge to its parent,
// vectors turn about z by its angle, about x by the angle between the two axes (Denavit & Hartenberg), and about z
// again where another hinge of the parent has chosen the parent's x. S_xz and S_yz turn about z as the x and y of a
// vector do. Other joints go by matrices.
//
// At the root, with its twist (w, v), c = B / M and I_c about c:   P = M v + w x B + p,   L about c = I_c w + l - c x p

#include "engine/conservation/tree_sums.h"
#include "engine/dynamics/recursion.h"

#include <math.h>

SRS_INLINE two both(double a) { return (two){a, a}; }
SRS_INLINE two swap(two a) { return __builtin_shufflevector(a, a, 1, 0); }

// Turns second moments in a plane.
SRS_INLINE void turn_plane(double *xx, double *yy, double *xy, double c, double s)
{
  const double ss = s * s, cs = c * s;
  const double apart = *xx - *yy, twice = *xy + *xy, moved = ss * apart + cs * twice;
  *xy += cs * apart - ss * twice;
  *xx -= moved;
  *yy += moved;
}

SRS_INLINE void turn_z(srs_link_sum *a, double c, double s)
{
  const two along = both(c), across = {-s, s};
  double xx = a->square[0], yy = a->square[1];
  a->p = along * a->p + across * swap(a->p);
  a->l = along * a->l + across * swap(a->l);
  a->b = along * a->b + across * swap(a->b);
  a->s = along * a->s + across * swap(a->s);
  turn_plane(&xx, &yy, &a->xy, c, s);
  a->square = (two){xx, yy};
}

// The y and z of two vectors at a time: of p and l, of B and (S_xx, S_xy, S_xz).
SRS_INLINE void turn_x(srs_link_sum *a, two c, two s)
{
  const two pl_y = {a->p[1], a->l[1]}, bs_y = {a->b[1], a->xy}, bs_z = {a->bz, a->s[0]};
  const two pl = c * pl_y - s * a->pl_z, bs = c * bs_y - s * bs_z, new_z = s * bs_y + c * bs_z;
  double yy = a->square[1], yz = a->s[1];
  turn_plane(&yy, &a->zz, &yz, c[0], s[0]);
  a->pl_z = s * pl_y + c * a->pl_z;
  a->p = (two){a->p[0], pl[0]};
  a->l = (two){a->l[0], pl[1]};
  a->b = (two){a->b[0], bs[0]};
  a->s = (two){new_z[1], yz};
  a->square = (two){a->square[0], yy};
  a->bz = new_z[0];
  a->xy = bs[1];
}

// The same by a right angle: y becomes z, z becomes -y.
SRS_INLINE void turn_x_square(srs_link_sum *a)
{
  const srs_link_sum was = *a;
  a->p = (two){was.p[0], -was.pl_z[0]};
  a->l = (two){was.l[0], -was.pl_z[1]};
  a->pl_z = (two){was.p[1], was.l[1]};
  a->b = (two){was.b[0], -was.bz};
  a->bz = was.b[1];
  a->s = (two){was.xy, -was.s[1]};
  a->xy = -was.s[0];
  a->square = (two){was.square[0], was.zz};
  a->zz = was.square[1];
}

SRS_INLINE srs_arm arm_from(vec3 a) { return (srs_arm){{a.x, a.y}, {a.y, -a.x}, {a.z, a.z}, {-a.z, a.z}}; }

// a = base + a moved by r, without the terms of the mass.
SRS_INLINE void carry_sum(srs_link_sum *a, const srs_link_sum *base, const srs_arm *r)
{
  const two p = swap(a->p), rp = r->flat * p, rb = r->flat * swap(a->b), along = r->flat * a->b;
  const double up = r->up[0] * a->bz;
  a->p = base->p + a->p;
  a->l = base->l + a->l + (both(a->pl_z[0]) * r->across + r->turned * p);
  a->pl_z = base->pl_z + (a->pl_z + (two){0, rp[0] - rp[1]});
  a->s = base->s + a->s + (both(a->bz) * r->flat + r->up * a->b);
  a->square = base->square + a->square + (along + along);
  a->b = base->b + a->b;
  a->bz = base->bz + a->bz;
  a->zz = base->zz + a->zz + (up + up);
  a->xy = base->xy + a->xy + (rb[0] + rb[1]);
}

// Takes what lies beyond a hinge to the parent.
SRS_INLINE void hinge_in(srs_link_sum *a, const srs_joint_step *h, double rate, double c, double s)
{
  a->p += (two){-rate, rate} * swap(a->b);
  a->l -= both(rate) * a->s;
  a->pl_z += (two){0, rate * (a->square[0] + a->square[1])};
  turn_z(a, h->start[0] * c - h->start[1] * s, h->start[1] * c + h->start[0] * s);
  if (h->twist == SRS_TWIST_SQUARE)
    turn_x_square(a);
  else if (h->twist == SRS_TWIST_ANY)
    turn_x(a, h->twist_cosine, h->twist_sine);
  if (h->has_swing) turn_z(a, h->swing[0], h->swing[1]);
  carry_sum(a, h->base, &h->arm);
}

// ---------------------------------------------------------------------------------------------------------------------
// By matrices
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE sym3 inertia_of(const srs_link_sum *a)
{
  const double xx = a->square[0], yy = a->square[1];
  return (sym3){yy + a->zz, a->zz + xx, xx + yy, -a->xy, -a->s[0], -a->s[1]};
}

SRS_INLINE srs_link_sum sum_from(const body *b, v6 p)
{
  const v3 I = b->inertia.d, e = b->inertia.e;
  const double half = 0.5 * (I[0] + I[1] + I[2]);
  return (srs_link_sum){.p = {p.lin[0], p.lin[1]},
                        .l = {p.ang[0], p.ang[1]},
                        .pl_z = {p.lin[2], p.ang[2]},
                        .b = {b->moment[0], b->moment[1]},
                        .s = {-e[2], -e[1]},
                        .square = {half - I[0], half - I[1]},
                        .bz = b->moment[2],
                        .zz = half - I[2],
                        .xy = -e[0]};
}

// Adds a mass at `arm`.
static void add_point(srs_link_sum *to, double mass, v3 arm)
{
  const v3 h = mass * arm;
  to->b += (two){h[0], h[1]};
  to->bz += h[2];
  to->s += (two){h[0] * arm[2], h[1] * arm[2]};
  to->square += (two){h[0] * arm[0], h[1] * arm[1]};
  to->zz += h[2] * arm[2];
  to->xy += h[0] * arm[1];
}

// Any joint's step, in the axes of the parent.
__attribute__((noinline)) static srs_link_sum joint_in(srs_link_sum a, const srs_tree_frames *f, const srs_workspace *w,
                                                       int k, const double *q, const double *v)
{
  const srs_model *m = f->model;
  const two heading = f->heading[m->parent[k]];
  const placement parent = {turn_about_z(m3_identity, heading[0], -heading[1]), v3_zero, v3_zero};
  const placement at = place_link(m, k, &parent, q, w->cosine, w->sine, f->column);
  const srs_joint_step *step = &f->step[k];
  const sym3 I = inertia_of(&a);
  const double inertia[10] = {f->mass[k], a.b[0], a.b[1], a.bz, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  const body b = body_in_world(inertia, at.axes);
  const v6 rate = joint_motion(m, k, at.axes.z, f->column, v);
  const v3 p = {a.p[0], a.p[1], a.pl_z[0], 0}, l = {a.l[0], a.l[1], a.pl_z[1], 0};
  const v6 inner = {m3_times(at.axes, l), m3_times(at.axes, p)}, momentum = v6_add(inner, body_momentum(&b, rate));
  const srs_arm arm = arm_from((vec3){at.arm[0], at.arm[1], at.arm[2]});
  a = sum_from(&b, momentum);
  carry_sum(&a, step->base, &arm);
  add_point(&a, b.mass, at.arm);
  return a;
}

// ---------------------------------------------------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------------------------------------------------

SRS_KERNEL static void sum_in(const srs_tree_frames *f, const srs_workspace *w, int root, const double *q,
                              const double *v)
{
  const srs_model *m = f->model;
  const int last = m->subtree_end[root] - 1;
  srs_link_sum a = f->own[last];
  for (int k = last; k > root; k--) {
    const srs_joint_step *step = &f->step[k];
    if (step->is_hinge)
      hinge_in(&a, step, v[step->v], w->cosine[step->angle], w->sine[step->angle]);
    else
      a = joint_in(a, f, w, k, q, v);
    if (step->is_first) continue;
    *step->to = a;
    a = f->own[k - 1];
  }
  f->sum[root] = a;
}

SRS_KERNEL static void sum_root(const srs_tree_frames *f, int root, const double *q, const double *v,
                                srs_root_axes *axes, mass_sum *out)
{
  const srs_model *m = f->model;
  const double *x = q + m->q_index[root], *rate = v + m->v_index[root], mass = f->mass[root];
  const srs_link_sum *a = &f->sum[root];
  const mat3 turned = mat3_from_quaternion(x + 3);
  const vec3 w = vec3_load(rate + 3), B = {a->b[0], a->b[1], a->bz}, c = scale3(1 / mass, B);
  const vec3 p = {a->p[0], a->p[1], a->pl_z[0]}, l = {a->l[0], a->l[1], a->pl_z[1]};
  const vec3 P = add3(cross3(w, B), p);
  axes->angular = axes->has_turn ? mul3(axes->linear, turned) : turned;
  axes->origin = add3(m->offset[root], linear_to_world(axes, vec3_load(x)));
  out->inertia = sym3_add(inertia_of(a), sym3_point_mass(-mass, c));
  out->angular = add3(sym3_times(out->inertia, w), sub3(l, cross3(c, p)));
  out->linear = add_scaled3(rotate(axes->angular, P), mass, linear_to_world(axes, vec3_load(rate)));
  out->centre = add3(axes->origin, rotate(axes->angular, c));
  out->mass = mass;
}

void srs_sum_tree(const srs_tree_frames *f, const srs_workspace *w, int root, const double *q, const double *v,
                  srs_root_axes *axes, mass_sum *sum)
{
  sum_in(f, w, root, q, v);
  sum_root(f, root, q, v, axes, sum);
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

// The sum and the difference of two angles, as (cosine, sine).
static two angle_sum(two a, two b) { return (two){a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]}; }
static two angle_difference(two a, two b) { return angle_sum(a, (two){b[0], -b[1]}); }

// A hinge's turn as Rz(swing) Rx(twist) Rz(start): where its axis points says swing and twist.
static void split_turn(const mat3 *T, srs_joint_step *h)
{
  const double tilt = hypot(T->z.x, T->z.y);
  h->twist_cosine = both(T->z.z);
  h->twist_sine = both(tilt);
  h->twist = T->z.z == 0 ? SRS_TWIST_SQUARE : T->z.z == 1 && tilt == 0 ? SRS_TWIST_NONE : SRS_TWIST_ANY;
  h->swing = tilt > 0 ? (two){-T->z.y / tilt, T->z.x / tilt} : (two){1, 0};
  const two flat = angle_difference((two){T->x.x, T->x.y}, h->swing);
  h->start = (two){flat[0], T->z.z * flat[1] + tilt * T->x.z};
}

// Bodies with the masses beyond hinges, in the axes of the model.
static void gather_body(srs_tree_frames *f, int k)
{
  const srs_model *m = f->model;
  const body b = body_in_world(m->inertia + 10 * (size_t)k, m3_identity);
  f->own[k] = sum_from(&b, v6_zero);
  f->mass[k] = b.mass;
  for (int c = k + 1; c < m->subtree_end[k]; c = m->subtree_end[c]) {
    f->mass[k] += f->mass[c];
    if (turns_only(m, c)) add_point(&f->own[k], f->mass[c], v3_from(m->offset[c]));
  }
}

// The x of a hinge's link is chosen so that its first hinge needs no swing.
static void choose_heading(srs_tree_frames *f, int k)
{
  const srs_model *m = f->model;
  f->heading[k] = (two){1, 0};
  if (!turns_only(m, k)) return;
  int c = k + 1;
  while (c < m->subtree_end[k] && !turns_only(m, c)) c = m->subtree_end[c];
  if (c < m->subtree_end[k]) f->heading[k] = f->step[c].swing;
  turn_z(&f->own[k], f->heading[k][0], -f->heading[k][1]);
  f->step[k].start = angle_sum(f->step[k].start, f->heading[k]);
}

static void place_hinge(srs_tree_frames *f, int k)
{
  srs_joint_step *h = &f->step[k];
  const vec3 arm = f->model->offset[k];
  const two heading = f->heading[f->model->parent[k]], flat = angle_difference((two){arm.x, arm.y}, heading);
  h->arm = arm_from((vec3){flat[0], flat[1], arm.z});
  h->has_swing = h->swing[0] != heading[0] || h->swing[1] != heading[1];
  h->swing = angle_difference(h->swing, heading);
}

// Of a link's children the last one comes first, and is added to the link's own body; the first one comes last, just
// before the link.
static void choose_memory(srs_tree_frames *f, int k)
{
  const srs_model *m = f->model;
  const int p = m->parent[k], *end = m->subtree_end;
  srs_joint_step *step = &f->step[k];
  step->is_hinge = turns_only(m, k);
  step->is_first = p == k - 1;
  step->v = m->v_index[k];
  step->angle = m->first_angle[k];
  if (p < 0) return;
  step->to = &f->sum[p];
  step->base = end[k] < end[p] ? &f->sum[p] : &f->own[p];
}

void srs_tree_frames_prepare(srs_tree_frames *f)
{
  const srs_model *m = f->model;
  for (int k = m->n_links - 1; k >= 0; k--) {
    choose_memory(f, k);
    if (f->step[k].is_hinge) split_turn(&m->turn[k], &f->step[k]);
    gather_body(f, k);
    choose_heading(f, k);
  }
  for (int k = 0; k < m->n_links; k++)
    if (f->step[k].is_hinge && m->parent[k] >= 0) place_hinge(f, k);
}
