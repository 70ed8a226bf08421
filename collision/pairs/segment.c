// The nearest points of two segments, and the ends of their overlap.
//
// The distance between P(s) = a + s u and Q(t) = b + t v is least at an end of one of them, or where the lines cross:
//
//   r . u = 0,  r . v = 0,  r = P - Q;     det = |u x v|^2,  c = u . v
//   s -= (r . u - c r . v) / det,  t += (r . v - c r . u) / det
//
// Repeated from the result of the step before, with t below s first, this loses no accuracy as the lines become
// parallel.

#include "collision/pairs/segment.h"
#include "collision/pairs/pairs.h"

static srs_segment_pair pair_at(const srs_segment *a, const srs_segment *b, double s, double t)
{
  const vec3 r = sub3(segment_point(a, s), segment_point(b, t));
  return (srs_segment_pair){s, t, r, norm3(r)};
}

// With B's point the one nearest to A's at s; across: r without the rounding along b, where b's inside is nearest.
static srs_segment_pair from_a(const srs_segment *a, const srs_segment *b, double s)
{
  const double along = dot3(b->axis, sub3(segment_point(a, s), b->middle));
  srs_segment_pair pair = pair_at(a, b, s, clamped(along, -b->half, b->half));
  if (fabs(along) <= b->half) {
    pair.r = add_scaled3(pair.r, -dot3(b->axis, pair.r), b->axis);
    pair.length = norm3(pair.r);
  }
  return pair;
}

static srs_segment_pair from_b(const srs_segment *a, const srs_segment *b, double t)
{
  srs_segment_pair pair = from_a(b, a, t);
  const double s = pair.t;
  pair.t = pair.s;
  pair.s = s;
  pair.r = scale3(-1, pair.r);
  return pair;
}

static void take_nearer(srs_segment_pair *best, srs_segment_pair pair)
{
  if (pair.length < best->length) *best = pair;
}

// Where the lines cross; false where that is not inside both.
static bool crossing(const srs_segment *a, const srs_segment *b, srs_segment_pair *pair)
{
  const vec3 across = cross3(a->axis, b->axis);
  const double det = dot3(across, across), c = dot3(a->axis, b->axis);
  if (!(det > 1e-28)) return false;
  double s = 0, t = 0;
  for (int i = det > 1e-4 ? 1 : 0; i < 3; i++) {
    s = clamped(s, -a->half, a->half);
    t = dot3(b->axis, sub3(segment_point(a, s), b->middle)); // so r is short
    const vec3 r = sub3(segment_point(a, s), segment_point(b, t));
    const double ru = dot3(r, a->axis), rv = dot3(r, b->axis);
    s -= (ru - c * rv) / det;
    t += (rv - c * ru) / det;
  }
  if (!(fabs(s) <= a->half && fabs(t) <= b->half)) return false;
  // Across both axes exactly. The direction is known best from r when r is long, from the axes when it is short.
  *pair = pair_at(a, b, s, t);
  const double sine = sqrt(det);
  if (pair->length < sine * (a->half + b->half)) {
    const double height = dot3(pair->r, across) / sine;
    pair->r = scale3(height / sine, across);
    pair->length = fabs(height);
  }
  return true;
}

srs_segment_pair srs_segment_nearest(const srs_segment *a, const srs_segment *b)
{
  srs_segment_pair best = from_a(a, b, -a->half), pair;
  take_nearer(&best, from_a(a, b, a->half));
  take_nearer(&best, from_b(a, b, -b->half));
  take_nearer(&best, from_b(a, b, b->half));
  if (crossing(a, b, &pair)) take_nearer(&best, pair);
  return best;
}

int srs_segment_sides(const srs_segment *a, const srs_segment *b, srs_segment_pair sides[2])
{
  const double c = dot3(a->axis, b->axis), sense = c < 0 ? -1 : 1;
  if (fabs(c) < 0.5) return 0;
  // Along the bisector, from the middle of B: the ends of A and of B.
  const vec3 along = add_scaled3(a->axis, sense, b->axis);
  const double middle = dot3(along, sub3(a->middle, b->middle));
  const double a_reach = a->half * dot3(along, a->axis), b_reach = b->half * sense * dot3(along, b->axis);
  const bool a_ends_high = middle + a_reach <= b_reach, a_ends_low = middle - a_reach >= -b_reach;
  const double high = a_ends_high ? middle + a_reach : b_reach, low = a_ends_low ? middle - a_reach : -b_reach;
  if (!(low < high)) return 0;
  sides[0] = a_ends_low ? from_a(a, b, -a->half) : from_b(a, b, -sense * b->half);
  sides[1] = a_ends_high ? from_a(a, b, a->half) : from_b(a, b, sense * b->half);
  return 2;
}

vec3 srs_across(vec3 d, vec3 axis)
{
  vec3 across = add_scaled3(d, -dot3(d, axis), axis);
  across = add_scaled3(across, -dot3(across, axis), axis); // what rounding left, where little did
  return unit_or(across, norm3(across), d);
}

vec3 srs_segment_outward(const srs_segment *segment, double s, vec3 d)
{
  const double along = dot3(d, segment->axis);
  if ((s >= segment->half && along >= 0) || (s <= -segment->half && along <= 0)) return d;
  return srs_across(d, segment->axis);
}
