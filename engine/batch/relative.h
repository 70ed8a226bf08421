// One link of a pass over several states, in the links' own (turned) axes. Internal.
//
// With columns s_i of the joint in the link's axes, w_J = sum ang s_i v_i, u_J = sum lin s_i v_i (as in
// engine/dynamics/recursion.h, whose equations these are, turned by R^T):
//
//   w = R^T w_p + w_J
//   alpha = R^T alpha_p + (R^T w_p) x w_J + (universal: s1 v1 x s2 v2) + sum ang s_i a_i
//   a = R^T (a_p + alpha_p x r + w_p x (w_p x r)) + 2 (R^T w_p) x u_J + sum lin s_i a_i
#pragma once
#include "engine/batch/memory.h"

SRS_INLINE wide3 wide_axis(int i) { return (wide3){wide_number(i == 0), wide_number(i == 1), wide_number(i == 2)}; }

// Rotation of a joint's quaternion at q[0..3].
SRS_INLINE wide33 wide_quaternion_axes(const lanes *q) { return wide_from_quaternion(q[0], q[1], q[2], q[3]); }

// Where link k, no hinge, is, seen from its parent. Joints with several coordinates write their columns.
SRS_INLINE void wide_place(const srs_batch *b, int k)
{
  const srs_model *m = b->model;
  const mat3 *turn = &b->fixed[k].turn;
  const lanes *q = b->q + m->q_index[k], *c = b->cosine + m->first_angle[k], *s = b->sine + m->first_angle[k];
  wide6 *column = b->column + m->v_index[k];
  wide33 R = wide_matrix(turn);
  wide3 r = wide_vector(b->fixed[k].offset);
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_PRISMATIC: r = wide_add_scaled(r, q[0], R.z); break;
  case SRS_JOINT_HELICAL:
    r = wide_add_scaled(r, m->pitch[k] * q[0], R.z);
    R = wide_turn(R, c[0], s[0]);
    break;
  case SRS_JOINT_CYLINDRICAL:
    wide_store6(&column[0], wide_axis(2), wide3_zero);
    wide_store6(&column[1], wide3_zero, wide_axis(2));
    r = wide_add_scaled(r, q[1], R.z);
    R = wide_turn(R, c[0], s[0]);
    break;
  case SRS_JOINT_UNIVERSAL: {
    const wide3 first = R.z;
    const wide33 turned = wide_turn(R, c[0], s[0]);
    R = wide_turn(wide_times_constant(&turned, &m->turn2[k]), c[1], s[1]);
    wide_store6(&column[0], wide_rotate_back(&R, first), wide3_zero);
    wide_store6(&column[1], wide_axis(2), wide3_zero);
    break;
  }
  case SRS_JOINT_PLANAR:
    wide_store6(&column[0], wide3_zero, (wide3){c[0], -s[0], wide_number(0)});
    wide_store6(&column[1], wide3_zero, (wide3){s[0], c[0], wide_number(0)});
    wide_store6(&column[2], wide_axis(2), wide3_zero);
    r = wide_add_scaled(wide_add_scaled(r, q[0], R.x), q[1], R.y);
    R = wide_turn(R, c[0], s[0]);
    break;
  case SRS_JOINT_SPHERICAL: {
    const wide33 Q = wide_quaternion_axes(q);
    for (int i = 0; i < 3; i++) wide_store6(&column[i], wide_axis(i), wide3_zero);
    R = wide_constant_times(turn, &Q);
    break;
  }
  case SRS_JOINT_FREE: {
    const wide33 Q = wide_quaternion_axes(q + 3);
    r = wide_add(r, wide_combine(turn, q[0], q[1], q[2]));
    wide_store6(&column[0], wide3_zero, (wide3){Q.x.x, Q.y.x, Q.z.x});
    wide_store6(&column[1], wide3_zero, (wide3){Q.x.y, Q.y.y, Q.z.y});
    wide_store6(&column[2], wide3_zero, (wide3){Q.x.z, Q.y.z, Q.z.z});
    for (int i = 0; i < 3; i++) wide_store6(&column[3 + i], wide_axis(i), wide3_zero);
    R = wide_constant_times(turn, &Q);
    break;
  }
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS:
  case SRS_JOINT_FIXED: break;
  }
  wide_store33(&b->links[k].R, R);
  wide_store3(&b->links[k].r, r);
}

// The way between a link's frame and its parent's.
typedef struct wide_way {
  batch_way kind;
  lanes c, s, cb, sb, ca, sa;
  const wide33 *R;
  wide3 r; // the link's origin in the parent's axes
} wide_way;

// `kind` is that of the link, as a constant.
SRS_INLINE wide_way wide_way_of(const srs_batch *b, int k, batch_way kind)
{
  const wide_link *l = &b->links[k];
  if (kind == WAY_ANY) return (wide_way){.kind = kind, .R = &l->R, .r = wide_load3(&l->r)};
  const batch_link *f = &b->fixed[k];
  const int angle = b->model->first_angle[k];
  wide_way way = {.kind = kind, .r = wide_vector(f->offset)};
  way.c = b->cosine[angle], way.s = b->sine[angle];
  way.cb = wide_number(f->cosine_b), way.sb = wide_number(f->sine_b);
  way.ca = wide_number(f->cosine_a), way.sa = wide_number(f->sine_a);
  return way;
}

SRS_INLINE bool wide_is_short(batch_way kind) { return kind >= WAY_SHORT; }
SRS_INLINE bool wide_is_right(batch_way kind) { return kind == WAY_SQUARE || kind == WAY_CORNER; } // b
SRS_INLINE bool wide_has_third(batch_way kind) { return kind == WAY_HINGE || kind == WAY_CORNER; } // a

// Rx(b) and back.
SRS_INLINE wide3 wide_tilt(const wide_way *way, wide3 a)
{
  if (way->kind == WAY_PARALLEL) return a;
  return wide_is_right(way->kind) ? (wide3){a.x, -a.z, a.y} : wide_about_x(a, way->cb, way->sb);
}
SRS_INLINE wide3 wide_tilt_back(const wide_way *way, wide3 a)
{
  if (way->kind == WAY_PARALLEL) return a;
  return wide_is_right(way->kind) ? (wide3){a.x, a.z, -a.y} : wide_about_x(a, way->cb, -way->sb);
}

// Into the parent's axes, and back.
SRS_INLINE wide3 wide_inward(const wide_way *way, wide3 a)
{
  if (way->kind == WAY_ANY) return wide_rotate(way->R, a);
  a = wide_about_z(a, way->c, way->s);
  a = wide_tilt(way, a);
  return wide_has_third(way->kind) ? wide_about_z(a, way->ca, way->sa) : a;
}
SRS_INLINE wide3 wide_outward(const wide_way *way, wide3 a)
{
  if (way->kind == WAY_ANY) return wide_rotate_back(way->R, a);
  if (wide_has_third(way->kind)) a = wide_about_z(a, way->ca, -way->sa);
  return wide_about_z(wide_tilt_back(way, a), way->c, -way->s);
}

// a + b x r
SRS_INLINE wide3 wide_add_swing(wide3 a, wide3 b, const wide_way *way)
{
  const wide3 r = way->r;
  if (wide_is_short(way->kind)) return (wide3){a.x + b.y * r.z, a.y + b.z * r.x - b.x * r.z, a.z - b.y * r.x};
  return (wide3){a.x + b.y * r.z - b.z * r.y, a.y + b.z * r.x - b.x * r.z, a.z + b.x * r.y - b.y * r.x};
}
// a - b x r
SRS_INLINE wide3 wide_less_swing(wide3 a, wide3 b, const wide_way *way)
{
  const wide3 r = way->r;
  if (wide_is_short(way->kind)) return (wide3){a.x - b.y * r.z, a.y - b.z * r.x + b.x * r.z, a.z + b.y * r.x};
  return (wide3){a.x - b.y * r.z + b.z * r.y, a.y - b.z * r.x + b.x * r.z, a.z - b.x * r.y + b.y * r.x};
}

SRS_INLINE bool wide_has_columns(const srs_model *m, int k)
{
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS:
  case SRS_JOINT_PRISMATIC:
  case SRS_JOINT_HELICAL:
  case SRS_JOINT_FIXED: return false;
  default: return true;
  }
}

// How a joint with one coordinate turns and slides along z for a unit of it; 0 0 for fixed joints.
SRS_INLINE vec3 wide_screw(const srs_model *m, int k) // x: turns, y: slides
{
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return (vec3){1, 0, 0};
  case SRS_JOINT_PRISMATIC: return (vec3){0, 1, 0};
  case SRS_JOINT_HELICAL: return (vec3){1, m->pitch[k], 0};
  default: return vec3_zero;
  }
}

// Motion of a joint with columns at rates x.
SRS_INLINE wide6 wide_motion(const srs_batch *b, int k, const lanes *x)
{
  const srs_model *m = b->model;
  wide6 sum = {wide3_zero, wide3_zero};
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    sum.ang = wide_add_scaled(sum.ang, x[i], b->column[i].ang);
    sum.lin = wide_add_scaled(sum.lin, x[i], b->column[i].lin);
  }
  return sum;
}

// The joint's part of the motion, when w, alpha and a are the parent's in the link's axes; a may be NULL for zero.
SRS_INLINE void wide_joint_motion(const srs_batch *b, int k, const lanes *v, const lanes *a, wide_link *link)
{
  const srs_model *m = b->model;
  const int i = m->v_index[k];
  const wide3 w0 = link->w;
  if (wide_has_columns(m, k)) {
    const wide6 rate = wide_motion(b, k, v);
    link->alpha = wide_add(link->alpha, wide_cross(w0, rate.ang));
    if (m->kind[k] == SRS_JOINT_UNIVERSAL)
      link->alpha = wide_add_scaled(link->alpha, v[i] * v[i + 1], wide_cross(b->column[i].ang, b->column[i + 1].ang));
    link->a = wide_add_scaled(link->a, wide_number(2), wide_cross(w0, rate.lin));
    link->w = wide_add(w0, rate.ang);
    if (a == NULL) return;
    const wide6 more = wide_motion(b, k, a);
    link->alpha = wide_add(link->alpha, more.ang);
    link->a = wide_add(link->a, more.lin);
    return;
  }
  if (m->kind[k] == SRS_JOINT_FIXED) return;
  const vec3 screw = wide_screw(m, k);
  if (screw.x != 0) {
    link->alpha.x += w0.y * v[i];
    link->alpha.y -= w0.x * v[i];
    link->w.z += v[i];
    if (a != NULL) link->alpha.z += a[i];
  }
  if (screw.y != 0) {
    const lanes u = screw.y * v[i];
    link->a.x += 2 * w0.y * u;
    link->a.y -= 2 * w0.x * u;
    if (a != NULL) link->a.z += screw.y * a[i];
  }
}

// a + b x c
SRS_INLINE wide3 wide_add_cross(wide3 a, wide3 b, wide3 c)
{
  return (wide3){a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z, a.z + b.x * c.y - b.y * c.x};
}

// The force that gives a link its motion.
SRS_INLINE wide6 wide_body_force(const double *inertia, wide3 w, wide3 alpha, wide3 a)
{
  const wide3 h = wide_vector(vec3_load(inertia + 1));
  const wide3 Iw = wide_constant_sym_times(inertia + 4, w);
  const wide3 n = wide_add_cross(wide_constant_sym_times(inertia + 4, alpha), w, Iw);
  const wide3 f = wide_add_cross(wide_scale(wide_number(inertia[0]), a), alpha, h);
  return (wide6){wide_add_cross(n, h, a), wide_add_cross(f, w, wide_cross(w, h))};
}

// The same for a body without m, h_z and I_yy.
SRS_INLINE wide6 wide_least_force(const double *inertia, wide3 w, wide3 alpha, wide3 a)
{
  const double *I = inertia + 4;
  const lanes x = wide_number(inertia[1]), y = wide_number(inertia[2]), xx = wide_number(I[0]), zz = wide_number(I[2]),
              xy = wide_number(I[3]), xz = wide_number(I[4]), yz = wide_number(I[5]);
  const wide3 Iw = {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yz * w.z, xz * w.x + yz * w.y + zz * w.z};
  const wide3 n = {y * a.z + xx * alpha.x + xy * alpha.y + xz * alpha.z, xy * alpha.x + yz * alpha.z - x * a.z,
                   x * a.y - y * a.x + xz * alpha.x + yz * alpha.y + zz * alpha.z};
  const wide3 u = {-w.z * y, w.z * x, w.x * y - w.y * x}; // w x h
  const wide3 f = {w.y * u.z - w.z * u.y - alpha.z * y, w.z * u.x - w.x * u.z + alpha.z * x,
                   w.x * u.y - w.y * u.x + alpha.x * y - alpha.y * x};
  return (wide6){wide_add_cross(n, w, Iw), f};
}

// The same, added to another vector.
SRS_INLINE wide3 wide_add_inward(const wide_way *way, wide3 to, wide3 a)
{
  if (way->kind == WAY_ANY) return wide_add(to, wide_rotate(way->R, a));
  if (way->kind == WAY_PARALLEL) return wide_add_about_z(to, a, way->c, way->s);
  a = wide_about_z(a, way->c, way->s);
  if (way->kind == WAY_SHORT) return wide_add_about_x(to, a, way->cb, way->sb);
  a = wide_tilt(way, a);
  return wide_has_third(way->kind) ? wide_add_about_z(to, a, way->ca, way->sa) : wide_add(to, a);
}

// Adds a force at the link's origin to that of its parent's: the next link waits for the turned ones, last.
SRS_INLINE void wide_carry_force(const wide_way *way, wide3 ang, wide3 lin, wide6 *to)
{
  const wide3 f = wide_inward(way, lin), rest = wide_less_swing(wide_load3(&to->ang), f, way);
  wide_store6(to, wide_add_inward(way, rest, ang), wide_add(wide_load3(&to->lin), f));
}

// The joint's column . force, for coordinate i of link k.
SRS_INLINE lanes wide_project(const srs_batch *b, int k, int i, const wide6 *force)
{
  if (wide_has_columns(b->model, k))
    return wide_dot(b->column[i].ang, force->ang) + wide_dot(b->column[i].lin, force->lin);
  const vec3 screw = wide_screw(b->model, k);
  return screw.x * force->ang.z + screw.y * force->lin.z;
}

/// Outward pass: placements, motions at zero joint accelerations and the force that each link needs by itself.
void srs_batch_forces_out(srs_batch *batch, const lanes *v);
