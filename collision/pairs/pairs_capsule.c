// Capsule against capsule: two segments with radii.
//
// With r between the nearest points P and Q of the two axes, the normal is r / |r| and the gap |r| - ra - rb. Where the
// axes overlap side by side, the ends of the overlap are contact points, each with its own r; the nearest points are
// added where they are nearer than those by more than rounding (the axes cross, or end near one point only). So
// parallel capsules have two contact points, which stay as the capsules turn.
//
// Axes that intersect have no r: then the normal is across both.

#include "collision/pairs/pairs.h"
#include "collision/pairs/segment.h"

static const double ROUNDING = 1e-13; // of the pair's size, whatever the margin

typedef struct capsules {
  const srs_placed *a, *b;
  srs_segment axis_a, axis_b; // seen from B's origin, world axes
  double radius_a, radius_b;
} capsules;

static capsules capsules_of(const srs_placed *a, const srs_placed *b)
{
  return (capsules){.a = a,
                    .b = b,
                    .axis_a = {sub3(a->origin, b->origin), a->axes.z, a->solid->size[1] / 2},
                    .axis_b = {vec3_zero, b->axes.z, b->solid->size[1] / 2},
                    .radius_a = a->solid->size[0],
                    .radius_b = b->solid->size[0]};
}

static srs_touch touch_of(const capsules *c, const srs_segment_pair *pair, vec3 normal, uint32_t feature)
{
  const vec3 p = segment_point(&c->axis_a, pair->s), q = segment_point(&c->axis_b, pair->t);
  const vec3 inward = srs_segment_outward(&c->axis_a, pair->s, scale3(-1, normal));
  const vec3 outward = srs_segment_outward(&c->axis_b, pair->t, normal);
  const vec3 a = add_scaled3(p, c->radius_a, inward), b = add_scaled3(q, c->radius_b, outward);
  return (srs_touch){add3(a, c->b->origin), add3(b, c->b->origin), normal, dot3(normal, sub3(a, b)), feature};
}

int srs_pair_capsule_capsule(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                             srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  const capsules c = capsules_of(a, b);
  const double reach = c.radius_a + c.radius_b + margin;
  const srs_segment_pair nearest = srs_segment_nearest(&c.axis_a, &c.axis_b);
  if (!(nearest.length <= reach)) return 0;
  const vec3 across = cross3(c.axis_a.axis, c.axis_b.axis);
  const double sine = norm3(across);
  const vec3 level = sine > 1e-12 ? scale3(1 / sine, across) : a->axes.x;
  const vec3 normal = unit_or(nearest.r, nearest.length, level);

  srs_segment_pair sides[2];
  const int n_sides = srs_segment_sides(&c.axis_a, &c.axis_b, sides);
  const double size = c.radius_a + c.radius_b + c.axis_a.half + c.axis_b.half;
  bool is_new = true;
  int n = 0;
  for (int i = 0; i < n_sides; i++) {
    const vec3 own = unit_or(sides[i].r, sides[i].length, normal);
    if (!(dot3(own, normal) >= 0.5)) continue; // it faces elsewhere
    touches[n] = touch_of(&c, &sides[i], own, (uint32_t)i);
    if (sides[i].length <= nearest.length + ROUNDING * size) is_new = false;
    if (touches[n].gap <= margin) n++;
  }
  if (!is_new) return n;
  touches[n] = touch_of(&c, &nearest, normal, 2);
  return touches[n].gap <= margin ? n + 1 : n;
}
