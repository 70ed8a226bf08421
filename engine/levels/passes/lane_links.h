// Four links of a group (engine/levels/levels.h) as lanes: their constants, and numbers that are kept link by link.
// Internal.
#pragma once
#include "engine/dynamics/inverse_dynamics.h"
#include "engine/dynamics/recursion.h"
#include "engine/levels/levels.h"

_Static_assert((int)LANES == (int)SRS_LEVEL_LANES, "a group is a vector");

typedef struct lane_wrench {
  lanes3 n, f;
} lane_wrench;

typedef double pair __attribute__((vector_size(16), aligned(8)));

// ---------------------------------------------------------------------------------------------------------------------
// Links and lanes
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE lanes gather(const double *x, const int index[LANES])
{
  return (lanes){x[index[0]], x[index[1]], x[index[2]], x[index[3]]};
}

SRS_INLINE pair pair_load(const double *p)
{
  pair a;
  memcpy(&a, p, sizeof a);
  return a;
}
SRS_INLINE void pair_store(double *p, pair a) { memcpy(p, &a, sizeof a); }

// Six numbers of each of four links, and back: the first four by lanes, then two by pairs.
typedef struct link_numbers {
  lanes four[LANES];
  pair two[LANES];
} link_numbers;

SRS_INLINE lane_wrench lanes_of(link_numbers l)
{
  lanes a = l.four[0], b = l.four[1], c = l.four[2], d = l.four[3];
  quads_transpose(&a, &b, &c, &d);
  const lanes even = __builtin_shufflevector(l.two[0], l.two[2], 0, 1, 2, 3);
  const lanes odd = __builtin_shufflevector(l.two[1], l.two[3], 0, 1, 2, 3);
  return (lane_wrench){
      {a, b, c}, {d, __builtin_shufflevector(even, odd, 0, 4, 2, 6), __builtin_shufflevector(even, odd, 1, 5, 3, 7)}};
}

SRS_INLINE link_numbers links_of(lane_wrench w)
{
  lanes a = w.n.x, b = w.n.y, c = w.n.z, d = w.f.x;
  quads_transpose(&a, &b, &c, &d);
  const lanes low = __builtin_shufflevector(w.f.y, w.f.z, 0, 4, 2, 6),
              high = __builtin_shufflevector(w.f.y, w.f.z, 1, 5, 3, 7);
  return (link_numbers){{a, b, c, d},
                        {__builtin_shufflevector(low, low, 0, 1), __builtin_shufflevector(high, high, 0, 1),
                         __builtin_shufflevector(low, low, 2, 3), __builtin_shufflevector(high, high, 2, 3)}};
}

SRS_INLINE link_numbers load_links(const double *wrench)
{
  link_numbers l;
  for (size_t i = 0; i < LANES; i++) {
    const double *at = wrench + SRS_WRENCH_NUMBERS * i;
    l.four[i] = lanes_load(at), l.two[i] = pair_load(at + 4);
  }
  return l;
}

SRS_INLINE void store_links(double *wrench, link_numbers l)
{
  for (size_t i = 0; i < LANES; i++) {
    double *at = wrench + SRS_WRENCH_NUMBERS * i;
    lanes_store(at, l.four[i]), pair_store(at + 4, l.two[i]);
  }
}

// Several may have one parent: one after the other.
SRS_INLINE void add_to_parents(double *wrench, const int parent[LANES], link_numbers l)
{
  for (int i = 0; i < LANES; i++) {
    double *at = wrench + SRS_WRENCH_NUMBERS * (size_t)parent[i];
    lanes_store(at, lanes_load(at) + l.four[i]), pair_store(at + 4, pair_load(at + 4) + l.two[i]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints of four links
// ---------------------------------------------------------------------------------------------------------------------

typedef struct lane_joints {
  lanes3 x, y, z; // columns of `turn`
  lanes3 arm;
  lanes cosine, sine; // 1, 0 where nothing turns
  lanes hinge, slide;
} lane_joints;

SRS_INLINE lane_joints load_joints(const srs_workspace *w, const srs_levels *l, int group, const double *q)
{
  const srs_level_joints *j = &l->joints[group];
  const size_t first = (size_t)group * LANES;
  lane_joints out;
  out.x = lanes3_load(j->turn), out.y = lanes3_load(j->turn + 3), out.z = lanes3_load(j->turn + 6);
  out.arm = lanes3_load(j->offset);
  out.hinge = lanes_load(j->hinge), out.slide = lanes_load(j->slide);
  const lane_mask turns = out.hinge != 0;
  const lanes one = {1, 1, 1, 1}, none = {0, 0, 0, 0};
  out.cosine = lanes_choose(turns, gather(w->cosine, l->angle + first), one);
  out.sine = lanes_choose(turns, gather(w->sine, l->angle + first), none);
  if (l->has_slides) {
    const lanes by = out.slide * gather(q, l->q_index + first);
    out.arm.x += by * out.z.x, out.arm.y += by * out.z.y, out.arm.z += by * out.z.z;
  }
  return out;
}

SRS_INLINE inertias load_bodies(const srs_level_bodies *b)
{
  return (inertias){lanes_load(b->inertia[0]), lanes3_load(b->inertia + 1), lanes_load(b->inertia[4]),
                    lanes_load(b->inertia[5]), lanes_load(b->inertia[6]),   lanes_load(b->inertia[7]),
                    lanes_load(b->inertia[8]), lanes_load(b->inertia[9])};
}
