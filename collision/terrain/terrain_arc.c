// The normals of a ridge along which a solid is highest over it.
//
// s(t) = min over the solid of n(t) . r, n = cos t N + sin t m, r from a point of the edge. Its slope is n'(t) . r at
// the lowest point. Where the solid is apart from the line of the edge, s has one peak; where it overlaps, each way out
// that is the shortest nearby is a peak. Samples bracket the peaks; then slopes, and crossings of the heights of two
// points, close in.
#include "collision/terrain/terrain_arc.h"
#include "collision/shapes/support.h"

enum { STEPS = 60 };

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static srs_arc_point look_at(const srs_arc *c, double t)
{
  const double cosine = cos(t), sine = sin(t);
  const vec3 n = add_scaled3(scale3(cosine, c->start), sine, c->across);
  const vec3 turned = add_scaled3(scale3(-sine, c->start), cosine, c->across);
  const vec3 r = sub3(srs_solid_support(c->solid, scale3(-1, n)), c->point);
  return (srs_arc_point){t, dot3(n, r), dot3(turned, r), r};
}

static double slope_of(const srs_arc *c, vec3 r, double t)
{
  return cos(t) * dot3(c->across, r) - sin(t) * dot3(c->start, r);
}

// Where the heights of the two points of the bracket are the same, or where that of one that they share is highest:
// the answer, if it is one of these two that is lowest there.
static double crossing_of(const srs_arc *c, const srs_arc_point *low, const srs_arc_point *high)
{
  const vec3 d = sub3(low->r, high->r);
  if (same(low->r, high->r)) return atan2(dot3(low->r, c->across), dot3(low->r, c->start));
  const double t = atan2(-dot3(d, c->start), dot3(d, c->across));
  return t < low->t ? t + 3.14159265358979323846 : t > high->t ? t - 3.14159265358979323846 : t;
}

// The highest s between, where it grows at low and falls at high: in turn at a crossing, which is exact for corners,
// where the slopes say, for curves, and halfway.
static double highest_between(const srs_arc *c, srs_arc_point low, srs_arc_point high)
{
  for (int i = 0; i < STEPS && high.t - low.t > 1e-16 * c->end; i++) {
    const double half = 0.5 * (low.t + high.t);
    double t = half;
    if (i % 3 == 0) t = crossing_of(c, &low, &high);
    if (i % 3 == 1) t = low.t + (high.t - low.t) * low.slope / (low.slope - high.slope);
    if (!(t > low.t && t < high.t)) t = half;
    const srs_arc_point at = look_at(c, t);
    if (fabs(at.slope) <= 4e-16 * (fabs(at.r.x) + fabs(at.r.y) + fabs(at.r.z))) return t;
    const bool is_known = i % 3 == 0 && t != half && (same(at.r, low.r) || same(at.r, high.r));
    if (is_known && (same(low.r, high.r) || (slope_of(c, low.r, t) >= 0 && slope_of(c, high.r, t) <= 0))) return t;
    if (at.slope > 0)
      low = at;
    else
      high = at;
  }
  return 0.5 * (low.t + high.t);
}

bool srs_arc_look(const srs_arc *c, srs_arc_point at[SRS_ARC_SAMPLES + 1])
{
  for (int i = 0; i <= SRS_ARC_SAMPLES; i++) {
    at[i] = look_at(c, c->end * i / SRS_ARC_SAMPLES);
    if (at[i].s > c->margin) return false;
  }
  return true;
}

bool srs_arc_has_peak(const srs_arc_point at[SRS_ARC_SAMPLES + 1], int i)
{
  return (i == 0 || at[i].s > at[i - 1].s) && (i == SRS_ARC_SAMPLES || at[i].s >= at[i + 1].s);
}

srs_arc_place srs_arc_peak(const srs_arc *c, const srs_arc_point at[SRS_ARC_SAMPLES + 1], int i, double *t)
{
  if (i == 0 && look_at(c, SRS_ARC_END).slope <= 0) return SRS_ARC_FIRST;
  if (i == SRS_ARC_SAMPLES && look_at(c, c->end - SRS_ARC_END).slope >= 0) return SRS_ARC_OTHER;
  *t = highest_between(c, at[i > 0 ? i - 1 : 0], at[i < SRS_ARC_SAMPLES ? i + 1 : SRS_ARC_SAMPLES]);
  return *t <= SRS_ARC_END ? SRS_ARC_FIRST : *t >= c->end - SRS_ARC_END ? SRS_ARC_OTHER : SRS_ARC_BETWEEN;
}
