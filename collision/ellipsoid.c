// How far is an ellipsoid from a sphere or a hull?
//
// From a sphere: as far as from its centre, less its radius. From a hull: the signed distance is the largest
//
//   s(n) = min over its corners of n . v - n . c - |D R^T n|          (centre c, axes R, semi-axes D)
//
// over unit n, and at its largest n is the opposite of a face's normal, or normal to an edge and there the best for the
// edge's line, or the best for a corner by itself. Each of these is known in closed form or by Newton's method
// (nearest.c), apart and overlapping alike; all are tried. Across an edge the ellipsoid is an ellipse, nT M n being the
// square of its width along n: M = (u_i . R D^2 R^T u_j) for two axes u across the edge, turned to diagonal form.
#include "collision/ellipsoid.h"

#include "collision/nearest.h"
#include "collision/outline.h"

typedef struct search {
  const srs_placed *ellipsoid, *hull;
  double best;
  vec3 normal; // from the ellipsoid to the hull
} search;

static void offer(search *q, vec3 n)
{
  const vec3 to = srs_solid_support(q->hull, scale3(-1, n)), from = srs_solid_support(q->ellipsoid, n);
  const double s = dot3(n, sub3(to, from));
  if (s > q->best) q->best = s, q->normal = n;
}

// A point inside has a second way out that is shortest among those nearby, to the other side of the shortest axis,
// unless it is too far from the middle: F(t) = 0 (nearest.c) with t below -a_min^2, the root nearest to that. F is
// convex there too. p and n in the ellipsoid's frame.
static bool other_way_out(const double half[3], vec3 at, vec3 *n)
{
  const double p[3] = {at.x, at.y, at.z};
  const int shortest = half[0] <= half[1] && half[0] <= half[2] ? 0 : half[1] <= half[2] ? 1 : 2;
  double u = -half[shortest] * fabs(p[shortest]), y[3]; // t + a_min^2
  for (int round = 0; round < 100; round++) {
    double f = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      const double above = (half[i] - half[shortest]) * (half[i] + half[shortest]) + u;
      if (p[i] == 0) continue;
      if (i != shortest && !(above > 0)) return false;
      y[i] = half[i] * p[i] / above;
      f += y[i] * y[i];
      slope -= 2 * y[i] * y[i] / above;
    }
    const double next = u - f / slope;
    if (!(f > 0) || !(next < u)) break;
    if (!(slope > 0)) return false;
    u = next;
  }
  if (!(u < 0)) return false;
  for (int i = 0; i < 3; i++) {
    const double above = (half[i] - half[shortest]) * (half[i] + half[shortest]) + u;
    y[i] = p[i] != 0 ? p[i] / above : 0; // the normal at a^2 p / (a^2 + t)
  }
  const double length = norm3(vec3_load(y));
  *n = scale3(1 / length, vec3_load(y));
  return length > 0;
}

// The ways out of an ellipsoid from a point: the shortest, and the other.
static void offer_ways(search *q, const srs_placed *ellipsoid, vec3 p)
{
  vec3 n, other;
  const bool is_inside = srs_solid_distance(ellipsoid, p, &n) < 0;
  offer(q, n);
  const vec3 at = rotate_back(ellipsoid->axes, sub3(p, ellipsoid->origin));
  if (is_inside && other_way_out(ellipsoid->solid->size, at, &other)) offer(q, rotate(ellipsoid->axes, other));
}

static vec3 unit_across(vec3 d)
{
  const vec3 least = fabs(d.x) <= fabs(d.y) && fabs(d.x) <= fabs(d.z) ? (vec3){1, 0, 0}
                     : fabs(d.y) <= fabs(d.z)                         ? (vec3){0, 1, 0}
                                                                      : (vec3){0, 0, 1};
  const vec3 across = cross3(least, d);
  return scale3(1 / norm3(across), across);
}

// Axis lengths times the parts of u along the ellipsoid's axes: dots of two of these are entries of M.
static vec3 stretched(const srs_placed *ellipsoid, vec3 u)
{
  const vec3 local = rotate_back(ellipsoid->axes, u);
  const double *half = ellipsoid->solid->size;
  return (vec3){half[0] * local.x, half[1] * local.y, half[2] * local.z};
}

static void offer_edge(search *q, vec3 a, vec3 b)
{
  const vec3 edge = sub3(b, a), along = scale3(1 / norm3(edge), edge);
  const vec3 u = unit_across(along), v = cross3(along, u);
  const vec3 du = stretched(q->ellipsoid, u), dv = stretched(q->ellipsoid, v);
  const double turn = 0.5 * atan2(2 * dot3(du, dv), dot3(du, du) - dot3(dv, dv));
  const vec3 x = add3(scale3(cos(turn), u), scale3(sin(turn), v)), y = cross3(along, x);
  const double width = norm3(stretched(q->ellipsoid, x)), height = norm3(stretched(q->ellipsoid, y));
  // The ellipse as an ellipsoid with any third axis, seen from a point in its middle plane.
  const srs_solid ellipse = {.kind = SRS_SHAPE_ELLIPSOID, .size = {width, height, fmax(width, height)}};
  const srs_placed placed = {&ellipse, {x, y, along}, q->ellipsoid->origin};
  const vec3 r = sub3(a, q->ellipsoid->origin);
  offer_ways(q, &placed, add3(q->ellipsoid->origin, add_scaled3(r, -dot3(r, along), along)));
}

static vec3 hull_corner(const srs_placed *hull, int i)
{
  return add3(hull->origin, rotate(hull->axes, hull->solid->hull->corners[i]));
}

static void search_hull(search *q)
{
  const srs_hull *hull = q->hull->solid->hull;
  for (int i = 0; i < hull->n_faces; i++) offer(q, rotate(q->hull->axes, scale3(-1, hull->normals[i])));
  for (int i = 0; i < hull->n_corners; i++) offer_ways(q, q->ellipsoid, hull_corner(q->hull, i));
  for (int i = 0; i < hull->n_edges; i++) {
    const int *edge = hull->edges + 4 * (size_t)i;
    offer_edge(q, hull_corner(q->hull, edge[0]), hull_corner(q->hull, edge[1]));
  }
}

bool srs_ellipsoid_closest(const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest)
{
  const bool is_a = a->solid->kind == SRS_SHAPE_ELLIPSOID;
  search q = {is_a ? a : b, is_a ? b : a, -INFINITY, {0, 0, 1}};
  if (q.hull->solid->kind == SRS_SHAPE_SPHERE)
    q.best = srs_solid_distance(q.ellipsoid, q.hull->origin, &q.normal) - q.hull->solid->size[0];
  else
    search_hull(&q);
  if (!(q.best <= max_gap)) return false;
  const vec3 on_ellipsoid = srs_solid_support(q.ellipsoid, q.normal),
             other = add_scaled3(on_ellipsoid, q.best, q.normal);
  const vec3 n = is_a ? scale3(-1, q.normal) : q.normal;
  *nearest = (srs_touch){is_a ? on_ellipsoid : other, is_a ? other : on_ellipsoid, n, q.best, 0};
  return true;
}
