// Volume, centre of mass and inertia of a triangle mesh.
//
// A solid is the sum of the pyramids from a point c to each triangle (a, b, d seen from c), of signed volume
// V = a . (b x d) / 6, with the centre (a + b + d) / 4 and the second moments
//
//   int x x^T = V / 20 (a a^T + b b^T + d d^T + s s^T),   s = a + b + d
//
// A shell is the sum of its triangles, of area A, centre s / 3 and second moments A / 12 (a a^T + b b^T + d d^T + s
// s^T). Inertia is trace(C) 1 - C. c is the mean of the surface, so that little cancels; the sums are exact wherever c
// is.

#include "topology/mesh/mesh_inertia.h"

#include <stddef.h>

static vec3 corner(const double *points, const int *triangle, int i)
{
  return vec3_load(points + 3 * (size_t)triangle[i]);
}

static sym3 outer(double w, vec3 a)
{
  return (sym3){w * a.x * a.x, w * a.y * a.y, w * a.z * a.z, w * a.x * a.y, w * a.x * a.z, w * a.y * a.z};
}

// The mean of the surface.  @param area  out
static vec3 surface_mean(const double *points, const int *triangles, int n, double *area)
{
  vec3 sum = vec3_zero;
  *area = 0;
  for (size_t t = 0; t < (size_t)n; t++) {
    const int *triangle = triangles + 3 * t;
    const vec3 a = corner(points, triangle, 0), b = corner(points, triangle, 1), d = corner(points, triangle, 2);
    const double twice = norm3(cross3(sub3(b, a), sub3(d, a)));
    *area += twice / 2;
    sum = add_scaled3(sum, twice / 6, add3(a, add3(b, d)));
  }
  return *area > 0 ? scale3(1 / *area, sum) : vec3_zero;
}

typedef struct moments {
  double total;
  vec3 first;
  sym3 second;
} moments;

// Of all pyramids from c, or all triangles, seen from c.
static moments integrate(const double *points, const int *triangles, int n, srs_mesh_body_kind kind, vec3 c)
{
  const bool is_shell = kind == SRS_MESH_SHELL;
  moments m = {0, vec3_zero, sym3_zero};
  for (size_t t = 0; t < (size_t)n; t++) {
    const int *triangle = triangles + 3 * t;
    const vec3 a = sub3(corner(points, triangle, 0), c), b = sub3(corner(points, triangle, 1), c),
               d = sub3(corner(points, triangle, 2), c), s = add3(a, add3(b, d));
    double weight = dot3(a, cross3(b, d)) / 6;
    if (kind == SRS_MESH_LEGACY) weight = fabs(weight);
    if (is_shell) weight = norm3(cross3(sub3(b, a), sub3(d, a))) / 2;
    const double w = weight / (is_shell ? 12 : 20);
    m.total += weight;
    m.first = add_scaled3(m.first, weight / (is_shell ? 3 : 4), s);
    m.second = sym3_add(m.second, sym3_add(sym3_add(outer(w, a), outer(w, b)), sym3_add(outer(w, d), outer(w, s))));
  }
  return m;
}

// The volume below which a mesh of this size has none.
static double least_of(const double *points, const int *triangles, int n, bool is_shell, vec3 c)
{
  double longest = 0;
  for (int i = 0; i < 3 * n; i++) longest = fmax(longest, norm3(sub3(vec3_load(points + 3 * (size_t)triangles[i]), c)));
  return 1e-12 * longest * longest * (is_shell ? 1 : longest);
}

bool srs_mesh_body_of(const double *points, const int *triangles, int n_triangles, srs_mesh_body_kind kind,
                      srs_mesh_body *body)
{
  double area;
  const vec3 c = surface_mean(points, triangles, n_triangles, &area);
  moments m = integrate(points, triangles, n_triangles, kind, c);
  double total = m.total;
  if (!(total > least_of(points, triangles, n_triangles, kind == SRS_MESH_SHELL, c))) return false;
  vec3 mean = scale3(1 / total, m.first);
  const vec3 com = add3(c, mean);
  if (kind == SRS_MESH_LEGACY) { // once more from the centre of mass
    m = integrate(points, triangles, n_triangles, kind, com);
    total = m.total;
    mean = vec3_zero;
  }
  const sym3 s = sym3_add((sym3){m.second.xx / total, m.second.yy / total, m.second.zz / total, m.second.xy / total,
                                 m.second.xz / total, m.second.yz / total},
                          outer(-1, mean));
  const double trace = s.xx + s.yy + s.zz;
  *body = (srs_mesh_body){total, com, (sym3){trace - s.xx, trace - s.yy, trace - s.zz, -s.xy, -s.xz, -s.yz}};
  return true;
}
