// Inverse dynamics of a wide tree: the passes of engine/dynamics/inverse_dynamics.c over four links at a time
// (engine/levels/levels.h).
//
//   out   of each group: w, alpha, a of the parents; turn^T, then Rz^T, then the joint's rates; F of each link
//   in    of each group, the last one first: tau = s . F + armature a, F_p += [R n + r x R f; R f]
//
// Each lane multiplies by its own `turn`, which on most robots only exchanges axes: no lane has another way than its
// neighbours. Hinges, slides and fixed joints differ in factors that are 1 or 0. Four vectors are read and written
// link by link, and turned into lanes in between.
#include "engine/levels/passes/lane_links.h"

typedef struct lane_motion {
  lanes3 w, alpha, a;
} lane_motion;

SRS_INLINE lane_motion load_motions(const double *ring, const int from[LANES])
{
  const double *at[LANES];
  for (int i = 0; i < LANES; i++) at[i] = ring + SRS_MOTION_NUMBERS * (size_t)from[i];
  lane_motion c;
  lanes a = lanes_load(at[0]), b = lanes_load(at[1]), d = lanes_load(at[2]), e = lanes_load(at[3]);
  quads_transpose(&a, &b, &d, &e);
  c.w = (lanes3){a, b, d}, c.alpha.x = e;
  a = lanes_load(at[0] + 4), b = lanes_load(at[1] + 4), d = lanes_load(at[2] + 4), e = lanes_load(at[3] + 4);
  quads_transpose(&a, &b, &d, &e);
  c.alpha.y = a, c.alpha.z = b, c.a.x = d, c.a.y = e;
  c.a.z = (lanes){at[0][8], at[1][8], at[2][8], at[3][8]};
  return c;
}

// To the places of one group, which are neighbours.
SRS_INLINE void store_motions(double *to, lane_motion c)
{
  const size_t next = SRS_MOTION_NUMBERS;
  lanes a = c.w.x, b = c.w.y, d = c.w.z, e = c.alpha.x;
  quads_transpose(&a, &b, &d, &e);
  lanes_store(to, a), lanes_store(to + next, b), lanes_store(to + 2 * next, d), lanes_store(to + 3 * next, e);
  a = c.alpha.y, b = c.alpha.z, d = c.a.x, e = c.a.y;
  quads_transpose(&a, &b, &d, &e);
  to += 4;
  lanes_store(to, a), lanes_store(to + next, b), lanes_store(to + 2 * next, d), lanes_store(to + 3 * next, e);
  to += 4;
  for (int i = 0; i < LANES; i++) to[(size_t)i * next] = c.a.z[i];
}

SRS_INLINE lanes lanes3_dot(lanes3 a, lanes3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Rz^T turn^T a
SRS_INLINE lanes3 turn_out(const lane_joints *j, lanes3 a)
{
  const lanes x = lanes3_dot(j->x, a), y = lanes3_dot(j->y, a), z = lanes3_dot(j->z, a);
  return (lanes3){j->cosine * x + j->sine * y, j->cosine * y - j->sine * x, z};
}

// turn Rz a
SRS_INLINE lanes3 turn_in(const lane_joints *j, lanes3 a)
{
  const lanes x = j->cosine * a.x - j->sine * a.y, y = j->sine * a.x + j->cosine * a.y;
  return (lanes3){j->x.x * x + j->y.x * y + j->z.x * a.z, j->x.y * x + j->y.y * y + j->z.y * a.z,
                  j->x.z * x + j->y.z * y + j->z.z * a.z};
}

// ---------------------------------------------------------------------------------------------------------------------
// Passes
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE lane_motion moved_group(const srs_levels *l, int group, const lane_joints *j, lane_motion c, const double *v,
                                   const double *a)
{
  const int *index = l->v_index + (size_t)group * LANES;
  const lanes speed = gather(v, index), given = gather(a, index);
  const lanes3 r = j->arm;
  c.a = lanes3_add_cross(lanes3_add_cross(c.a, c.alpha, r), c.w, lanes3_cross(c.w, r));
  lane_motion t = {turn_out(j, c.w), turn_out(j, c.alpha), turn_out(j, c.a)};
  const lanes rate = j->hinge * speed;
  if (l->has_slides) {
    const lanes twice = 2 * (j->slide * speed);
    t.a.x += t.w.y * twice, t.a.y -= t.w.x * twice, t.a.z += j->slide * given;
  }
  t.alpha.x += t.w.y * rate, t.alpha.y -= t.w.x * rate, t.alpha.z += j->hinge * given;
  t.w.z += rate;
  return t;
}

// A link with a group to itself: the other slots follow the world.
SRS_INLINE lane_motion moved_single(srs_workspace *w, int k, lane_motion c, const double *q, const double *v,
                                    const double *a)
{
  motion one = {
      {c.w.x[0], c.w.y[0], c.w.z[0]}, {c.alpha.x[0], c.alpha.y[0], c.alpha.z[0]}, {c.a.x[0], c.a.y[0], c.a.z[0]}};
  srs_move_anyhow(w, k, q, v, a, &one);
  c.w.x[0] = one.w.x, c.w.y[0] = one.w.y, c.w.z[0] = one.w.z;
  c.alpha.x[0] = one.alpha.x, c.alpha.y[0] = one.alpha.y, c.alpha.z[0] = one.alpha.z;
  c.a.x[0] = one.a.x, c.a.y[0] = one.a.y, c.a.z[0] = one.a.z;
  return c;
}

SRS_KERNEL void srs_level_motions_out(srs_workspace *w, const double *q, const double *v, const double *a)
{
  srs_levels *l = w->levels;
  double *world = l->ring + ((size_t)l->ring_mask + 1) * SRS_MOTION_NUMBERS;
  for (int i = 0; i < SRS_MOTION_NUMBERS; i++) world[i] = 0;
  for (int i = 0; i < 3; i++) world[6 + i] = -w->gravity[i];
  for (int group = 0; group < l->n_groups; group++) {
    const int first = group * LANES;
    lane_motion c = load_motions(l->ring, l->from + first);
    if (l->is_single[group]) {
      c = moved_single(w, l->link[first], c, q, v, a);
    } else {
      const lane_joints joints = load_joints(w, l, group, q);
      c = moved_group(l, group, &joints, c, v, a);
    }
    store_motions(l->ring + (size_t)(first & l->ring_mask) * SRS_MOTION_NUMBERS, c);
    const inertias I = load_bodies(&l->bodies[group]);
    const lane_wrench needed = {torque_of(&I, c.w, c.alpha, c.a), force_of(&I, c.w, c.alpha, c.a)};
    store_links(l->wrench + (size_t)first * SRS_WRENCH_NUMBERS, links_of(needed));
  }
}

SRS_INLINE double pass_single(srs_workspace *w, int group, const double *a, double *tau)
{
  srs_levels *l = w->levels;
  const size_t first = (size_t)group * LANES;
  const double *from = l->wrench + first * SRS_WRENCH_NUMBERS;
  link_wrench force = {vec3_load(from), vec3_load(from + 3)};
  const double zero = srs_pass_anyhow(w, l->link[first], a, tau, &force);
  double *to = l->wrench + (size_t)l->parent[first] * SRS_WRENCH_NUMBERS;
  to[0] += force.n.x, to[1] += force.n.y, to[2] += force.n.z;
  to[3] += force.f.x, to[4] += force.f.y, to[5] += force.f.z;
  return zero;
}

SRS_KERNEL double srs_level_forces_in(srs_workspace *w, const double *q, const double *a, double *tau)
{
  srs_levels *l = w->levels;
  const int nv = w->model->nv;
  double unread, zero = 0;
  lanes zeros = {0, 0, 0, 0};
  for (int i = 0; i < SRS_WRENCH_NUMBERS; i++) l->wrench[(size_t)l->n_slots * SRS_WRENCH_NUMBERS + (size_t)i] = 0;
  for (int group = l->n_groups - 1; group >= 0; group--) {
    const size_t first = (size_t)group * LANES;
    if (l->is_single[group]) {
      zero += pass_single(w, group, a, tau);
      continue;
    }
    const lane_joints j = load_joints(w, l, group, q);
    const lane_wrench force = lanes_of(load_links(l->wrench + first * SRS_WRENCH_NUMBERS));
    const lanes turned = force.n.z * j.hinge, sum = l->has_slides ? turned + force.f.z * j.slide : turned;
    const lanes t = sum + lanes_load(l->joints[group].armature) * gather(a, l->v_index + first);
    zeros += 0 * t;
    for (int i = 0; i < LANES; i++) {
      const int index = l->tau_index[first + (size_t)i];
      double *at = index < nv ? tau + index : &unread;
      *at = t[i];
    }
    const lanes3 f = turn_in(&j, force.f);
    const lane_wrench passed = {lanes3_add_cross(turn_in(&j, force.n), j.arm, f), f};
    add_to_parents(l->wrench, l->parent + first, links_of(passed));
  }
  return zero + lanes_sum(zeros);
}
