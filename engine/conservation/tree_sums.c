// Mass centre, inertia and momentum of a tree that floats, from its tips to its root.
//
// A joint's rates move all that lies beyond it as one rigid body, so with its motion s v = (w, u) the momentum of the
// tree in motion relative to the root is
//
//   sum over joints of   p = M u + w x B,   l = I w + B x u       M, B, I: mass, first moment and inertia of what lies
//                                                                 beyond, about the joint's origin
//
// and p, l, B and I of a link go to its parent's origin, which lies -a from the link's own:
//
//   l += a x p,   I += M |a|^2 1 - M a a^T + 2 a.B 1 - a B^T - B a^T,   B += M a
//
// All is in the axes of each link. There a hinge is about z, so its own share is p = v (-B_y, B_x, 0) and
// l = v (I_xz, I_yz, I_zz), what links are made of is constant, and no link has to be placed. A hinge's a is constant in
// its parent: the terms of M are part of the parent's own B and I from the start (augmented bodies). From a hinge to its
// parent, vectors turn about z by its angle, about x by the angle between the two axes (Denavit & Hartenberg), and about
// z again where another hinge of the parent has chosen the parent's x. Pairs turn alike: (I_xz, I_yz) as the x and y of
// a vector, (I_xx - I_yy) / 2 and I_xy by twice the angle. Other joints go by matrices.
//
// At the root, with its twist (w, v), c = B / M and I_c about c:   P = M v + w x B + p,   L about c = I_c w + l - c x p

#include "engine/conservation/tree_sums.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

SRS_INLINE two both(double a) { return (two){a, a}; }

// Turns (x, y) by an angle's (cosine, sine): of vectors, two at a time.
SRS_INLINE void turn(two *x, two *y, double c, double s)
{
  const two x0 = *x;
  *x = both(c) * x0 - both(s) * *y;
  *y = both(s) * x0 + both(c) * *y;
}

// The same for one.
SRS_INLINE two turned(two a, double c, double s) { return (two){c * a[0] - s * a[1], s * a[0] + c * a[1]}; }

// Turns a sum about z.
SRS_INLINE void turn_z(srs_link_sum *a, double c, double s)
{
  turn(&a->momentum[0], &a->momentum[1], c, s);
  turn(&a->x, &a->y, c, s);
  a->across = turned(a->across, 1 - 2 * s * s, 2 * c * s);
}

// Turns a sum about x, by the cosine and sine of an angle and its double.
SRS_INLINE void turn_x(srs_link_sum *a, two once, two twice)
{
  turn(&a->momentum[1], &a->momentum[2], once[0], once[1]);
  const double xx = a->mean + a->across[0], yy = a->mean - a->across[0], zz = a->z[1];
  two y = {a->y[0], a->across[1]}, z = {a->z[0], a->x[1]}; // B and (I_xy, I_xz)
  turn(&y, &z, once[0], once[1]);
  const two across = turned((two){0.5 * (yy - zz), a->y[1]}, twice[0], twice[1]);
  const double mean = 0.5 * (yy + zz), new_yy = mean + across[0];
  a->x[1] = z[1];
  a->y = (two){y[0], across[1]};
  a->z = (two){z[0], mean - across[0]};
  a->across = (two){0.5 * (xx - new_yy), y[1]};
  a->mean = 0.5 * (xx + new_yy);
}

// to += a, moved by the arm, without the terms of the mass.
SRS_INLINE void carry_sum(srs_link_sum *to, const srs_link_sum *a, vec3 arm)
{
  const double px = a->momentum[0][0], py = a->momentum[1][0], pz = a->momentum[2][0];
  const double x = a->x[0], y = a->y[0], z = a->z[0];
  const double along_x = arm.x * x, along_y = arm.y * y, along_z = arm.z * z;
  to->momentum[0] += a->momentum[0] + (two){0, arm.y * pz - arm.z * py};
  to->momentum[1] += a->momentum[1] + (two){0, arm.z * px - arm.x * pz};
  to->momentum[2] += a->momentum[2] + (two){0, arm.x * py - arm.y * px};
  to->x += a->x - (two){0, arm.x * z + arm.z * x};
  to->y += a->y - (two){0, arm.y * z + arm.z * y};
  to->z += a->z + (two){0, 2 * (along_x + along_y)};
  to->across += a->across + (two){along_y - along_x, -(arm.x * y + arm.y * x)};
  to->mean += a->mean + along_x + along_y + 2 * along_z;
}

SRS_INLINE void hinge_in(const srs_tree_frames *f, const srs_workspace *w, int k, double rate)
{
  const srs_hinge_frame *h = &f->hinge[k];
  const int angle = f->model->first_angle[k];
  const double c0 = w->cosine[angle], s0 = w->sine[angle];
  const double c = h->start[0] * c0 - h->start[1] * s0, s = h->start[1] * c0 + h->start[0] * s0;
  srs_link_sum a = f->sum[k];
  a.momentum[0] += both(rate) * (two){-a.y[0], a.x[1]};
  a.momentum[1] += both(rate) * (two){a.x[0], a.y[1]};
  a.momentum[2] += (two){0, rate * a.z[1]};
  turn_z(&a, c, s);
  turn_x(&a, h->twist, h->twist2);
  if (h->has_swing) turn_z(&a, h->swing[0], h->swing[1]);
  carry_sum(&f->sum[f->model->parent[k]], &a, h->arm);
}

// ---------------------------------------------------------------------------------------------------------------------
// By matrices
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE v6 momentum_of(const srs_link_sum *a, m3 axes)
{
  const two *p = a->momentum;
  return (v6){m3_times(axes, (v3){p[0][1], p[1][1], p[2][1], 0}), m3_times(axes, (v3){p[0][0], p[1][0], p[2][0], 0})};
}

SRS_INLINE body body_of(const srs_link_sum *a, double mass, m3 axes)
{
  const double inertia[6] = {a->mean + a->across[0], a->mean - a->across[0], a->z[1],
                             a->across[1],           a->x[1],                a->y[1]};
  return (body){turned_inertia(inertia, axes), m3_times(axes, (v3){a->x[0], a->y[0], a->z[0], 0}), mass};
}

SRS_INLINE srs_link_sum sum_from(const body *b, v6 p)
{
  const m3 I = b->inertia;
  return (srs_link_sum){.momentum = {{p.lin[0], p.ang[0]}, {p.lin[1], p.ang[1]}, {p.lin[2], p.ang[2]}},
                        .x = {b->moment[0], I.z[0]},
                        .y = {b->moment[1], I.z[1]},
                        .z = {b->moment[2], I.z[2]},
                        .across = {0.5 * (I.x[0] - I.y[1]), I.y[0]},
                        .mean = 0.5 * (I.x[0] + I.y[1])};
}

// Any joint's step, in the axes of the parent.
static void joint_in(const srs_tree_frames *f, const srs_workspace *w, int k, const double *q, const double *v)
{
  const srs_model *m = f->model;
  const double *heading = f->heading + 2 * (size_t)m->parent[k];
  const placement parent = {turn_about_z(m3_identity, heading[0], -heading[1]), v3_zero, v3_zero};
  const placement at = place_link(m, k, &parent, q, w->cosine, w->sine, f->column);
  body b = body_of(&f->sum[k], f->mass[k], at.axes);
  const v6 p = v6_add(momentum_of(&f->sum[k], at.axes), body_momentum(&b, joint_motion(m, k, at.axes.z, f->column, v)));
  b.inertia = m3_add(b.inertia, point_inertia(b.mass, at.arm));
  const srs_link_sum moved = sum_from(&b, p);
  srs_link_sum *to = &f->sum[m->parent[k]];
  carry_sum(to, &moved, (vec3){at.arm[0], at.arm[1], at.arm[2]});
  to->x[0] += b.mass * at.arm[0];
  to->y[0] += b.mass * at.arm[1];
  to->z[0] += b.mass * at.arm[2];
}

// ---------------------------------------------------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------------------------------------------------

SRS_KERNEL static void sum_in(const srs_tree_frames *f, const srs_workspace *w, int root, const double *q,
                              const double *v)
{
  const srs_model *m = f->model;
  const int end = m->subtree_end[root];
  memcpy(f->sum + root, f->own + root, (size_t)(end - root) * sizeof *f->sum);
  for (int k = end - 1; k > root; k--)
    if (turns_only(m, k))
      hinge_in(f, w, k, v[m->v_index[k]]);
    else
      joint_in(f, w, k, q, v);
}

SRS_KERNEL static void sum_root(const srs_tree_frames *f, const srs_workspace *w, int root, const double *q,
                                const double *v, srs_root_axes *axes, mass_sum *out)
{
  const srs_model *m = f->model;
  const double *x = v + m->v_index[root];
  const v6 *s = f->column + m->v_index[root];
  const placement at = place_link(m, root, &world_placement, q, w->cosine, w->sine, f->column);
  *axes = (srs_root_axes){{s[0].lin, s[1].lin, s[2].lin}, {s[3].ang, s[4].ang, s[5].ang}, at.origin};
  const double mass = f->mass[root];
  const body b = body_of(&f->sum[root], mass, at.axes);
  const v6 inner = momentum_of(&f->sum[root], at.axes);
  const v3 spin = m3_times(axes->angular, v3_load(x + 3)), c = (1 / mass) * b.moment;
  const m3 far = point_inertia(mass, c);
  out->inertia = (m3){b.inertia.x - far.x, b.inertia.y - far.y, b.inertia.z - far.z};
  out->momentum = (v6){m3_times(out->inertia, spin) + inner.ang - cross(c, inner.lin),
                       mass * m3_times(axes->linear, v3_load(x)) + cross(spin, b.moment) + inner.lin};
  out->centre = at.origin + c;
  out->mass = mass;
}

void srs_sum_tree(const srs_tree_frames *f, const srs_workspace *w, int root, const double *q, const double *v,
                  srs_root_axes *axes, mass_sum *sum)
{
  sum_in(f, w, root, q, v);
  sum_root(f, w, root, q, v, axes, sum);
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

static two angle_difference(two a, const double *b) { return turned(a, b[0], -b[1]); }

// A hinge's turn as Rz(swing) Rx(twist) Rz(start): the second axis seen from the first says swing and twist.
static void split_turn(const mat3 *T, srs_hinge_frame *h)
{
  const double tilt = hypot(T->z.x, T->z.y);
  h->twist = (two){T->z.z, tilt};
  h->swing = tilt > 0 ? (two){-T->z.y / tilt, T->z.x / tilt} : (two){1, 0};
  const double x = h->swing[0] * T->x.x + h->swing[1] * T->x.y, y = h->swing[0] * T->x.y - h->swing[1] * T->x.x;
  h->start = (two){x, h->twist[0] * y + h->twist[1] * T->x.z};
  h->twist2 = (two){1 - 2 * tilt * tilt, 2 * tilt * T->z.z};
}

// Masses and bodies, with the masses beyond hinges; in the axes of the model.
static void gather_bodies(srs_tree_frames *f, int k)
{
  const srs_model *m = f->model;
  const double *t = m->inertia + 10 * (size_t)k;
  m3 I = {{t[4], t[7], t[8], 0}, {t[7], t[5], t[9], 0}, {t[8], t[9], t[6], 0}};
  v3 moment = v3_load(t + 1);
  f->mass[k] = t[0];
  for (int c = k + 1; c < m->subtree_end[k]; c = m->subtree_end[c]) {
    f->mass[k] += f->mass[c];
    if (!turns_only(m, c)) continue;
    const v3 arm = v3_from(m->offset[c]);
    moment += f->mass[c] * arm;
    I = m3_add(I, point_inertia(f->mass[c], arm));
  }
  const body b = {I, moment, f->mass[k]};
  f->own[k] = sum_from(&b, v6_zero);
}

// The x of a hinge's link is that by which its first hinge child needs no swing.
static void choose_heading(srs_tree_frames *f, int k)
{
  const srs_model *m = f->model;
  double *heading = f->heading + 2 * (size_t)k;
  heading[0] = 1, heading[1] = 0;
  for (int c = k + 1; turns_only(m, k) && c < m->subtree_end[k]; c = m->subtree_end[c]) {
    if (!turns_only(m, c)) continue;
    heading[0] = f->hinge[c].swing[0], heading[1] = f->hinge[c].swing[1];
    break;
  }
  turn_z(&f->own[k], heading[0], -heading[1]);
  f->hinge[k].start = turned(f->hinge[k].start, heading[0], heading[1]);
}

void srs_tree_frames_prepare(srs_tree_frames *f)
{
  const srs_model *m = f->model;
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (turns_only(m, k)) split_turn(&m->turn[k], &f->hinge[k]);
    gather_bodies(f, k);
    choose_heading(f, k);
  }
  for (int k = 0; k < m->n_links; k++) {
    if (!turns_only(m, k) || m->parent[k] < 0) continue;
    const double *heading = f->heading + 2 * (size_t)m->parent[k];
    srs_hinge_frame *h = &f->hinge[k];
    const two flat = angle_difference((two){m->offset[k].x, m->offset[k].y}, heading);
    h->arm = (vec3){flat[0], flat[1], m->offset[k].z};
    h->has_swing = h->swing[0] != heading[0] || h->swing[1] != heading[1];
    h->swing = angle_difference(h->swing, heading);
  }
}
