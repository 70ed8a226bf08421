// Volume, centre of mass and inertia of a triangle mesh.
//
// The sums are those of moments.h, seen from the mean of the surface, so that little cancels; they are exact wherever
// that is.

#include "topology/mesh/mesh_inertia.h"
#include "topology/mesh/moments.h"

#include <stddef.h>

static vec3 corner(const double *points, const int *triangle, int i)
{
  return vec3_load(points + 3 * (size_t)triangle[i]);
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

// Of all pyramids from c, or all triangles, seen from c.
static srs_moments integrate(const double *points, const int *triangles, int n, srs_mesh_body_kind kind, vec3 c)
{
  const bool is_shell = kind == SRS_MESH_SHELL;
  srs_moments m = {0, vec3_zero, sym3_zero};
  for (size_t t = 0; t < (size_t)n; t++) {
    const int *triangle = triangles + 3 * t;
    const vec3 a = sub3(corner(points, triangle, 0), c), b = sub3(corner(points, triangle, 1), c),
               d = sub3(corner(points, triangle, 2), c);
    double weight = is_shell ? norm3(cross3(sub3(b, a), sub3(d, a))) / 2 : srs_pyramid_volume(a, b, d);
    if (kind == SRS_MESH_LEGACY) weight = fabs(weight);
    srs_moments_add(&m, is_shell ? SRS_TRIANGLE : SRS_PYRAMID, weight, a, b, d);
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
  srs_moments m = integrate(points, triangles, n_triangles, kind, c);
  const double total = m.total;
  if (!(total > least_of(points, triangles, n_triangles, kind == SRS_MESH_SHELL, c))) return false;
  vec3 mean = scale3(1 / total, m.first);
  const vec3 com = add3(c, mean);
  if (kind == SRS_MESH_LEGACY) { // once more from the centre of mass
    m = integrate(points, triangles, n_triangles, kind, com);
    mean = vec3_zero;
  }
  *body = (srs_mesh_body){total, com, srs_moments_inertia(&m, mean)};
  return true;
}
