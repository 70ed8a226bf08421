// Which point of a simplex is nearest to the origin? Its barycentric weights, by the regions of segment, triangle and
// tetrahedron.
#include "collision/gjk/simplex.h"

static vec3 nearest_on_segment(vec3 p, vec3 q, double weight[2])
{
  const vec3 d = sub3(q, p);
  const double along = -dot3(p, d), length = dot3(d, d);
  double t = along <= 0 ? 0 : 1;
  if (along > 0 && along < length) t = along / length;
  weight[0] = 1 - t, weight[1] = t;
  return add_scaled3(p, t, d);
}

// Inside the triangle the weights are the areas that the origin's projection cuts; outside it is on an edge.
static vec3 nearest_on_triangle(const vec3 p[3], double weight[3])
{
  const vec3 u = sub3(p[1], p[0]), v = sub3(p[2], p[0]), normal = cross3(u, v);
  const double area = dot3(normal, normal);
  double part[3];
  for (int i = 0; i < 3; i++) part[i] = dot3(cross3(p[(i + 1) % 3], p[(i + 2) % 3]), normal);
  if (area > 0 && part[0] >= 0 && part[1] >= 0 && part[2] >= 0) {
    const double sum = part[0] + part[1] + part[2];
    for (int i = 0; i < 3; i++) weight[i] = part[i] / sum;
    return scale3(dot3(p[0], normal) / area, normal);
  }
  vec3 best = vec3_zero;
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    double pair[2];
    const vec3 at = nearest_on_segment(p[i], p[(i + 1) % 3], pair);
    if (dot3(at, at) >= least) continue;
    least = dot3(at, at), best = at;
    weight[i] = pair[0], weight[(i + 1) % 3] = pair[1], weight[(i + 2) % 3] = 0;
  }
  return best;
}

// Is the origin on the inner corner's side of a b c, and not beyond that corner? (That it cannot be when it is inside;
// a flat tetrahedron holds nothing.)
static bool is_within(vec3 a, vec3 b, vec3 c, vec3 inner)
{
  const vec3 normal = cross3(sub3(b, a), sub3(c, a));
  const double side = dot3(normal, a), all = dot3(normal, sub3(a, inner));
  return side * all > 0 && fabs(side) <= fabs(all);
}

// Of the four triangles the nearest; false when the origin is inside.
static bool nearest_on_tetrahedron(const vec3 p[4], double weight[4], vec3 *nearest)
{
  double least = INFINITY;
  bool is_inside = true;
  for (int skip = 0; skip < 4; skip++) {
    const int i = (skip + 1) % 4, j = (skip + 2) % 4, k = (skip + 3) % 4;
    if (is_within(p[i], p[j], p[k], p[skip])) continue;
    is_inside = false;
    double part[3];
    const vec3 at = nearest_on_triangle((vec3[3]){p[i], p[j], p[k]}, part);
    if (dot3(at, at) >= least) continue;
    least = dot3(at, at), *nearest = at;
    weight[skip] = 0, weight[i] = part[0], weight[j] = part[1], weight[k] = part[2];
  }
  return !is_inside;
}

bool srs_simplex_reduce(srs_simplex *s, vec3 shift, vec3 *nearest)
{
  vec3 p[4];
  for (int i = 0; i < s->n; i++) p[i] = sub3(s->at[i].w, shift);
  switch (s->n) {
  case 1: s->weight[0] = 1, *nearest = p[0]; break;
  case 2: *nearest = nearest_on_segment(p[0], p[1], s->weight); break;
  case 3: *nearest = nearest_on_triangle(p, s->weight); break;
  default:
    if (!nearest_on_tetrahedron(p, s->weight, nearest)) return false;
  }
  int kept = 0;
  for (int i = 0; i < s->n; i++) {
    if (!(s->weight[i] > 0)) continue;
    if (kept < i) s->at[kept] = s->at[i], s->weight[kept] = s->weight[i];
    kept++;
  }
  s->n = kept;
  return true;
}
