// Which solid does a mesh bound, and by how much does its convex hull exceed it?
//
// Triangles that bound a volume have a vector area of zero, sum (b - a) x (c - a) = 0, and then the sums over the
// tetrahedra that they span with any one point o,
//
//   V = sum v,  v = (a - o) . (b - o) x (c - o) / 6,    V c = sum v (a + b + c + o) / 4,
//   integral of r r^T = sum v / 20 (s s^T + a a^T + b b^T + c c^T),  s = a + b + c, all seen from o
//
// are the solid's, negative throughout where the triangles face inwards. o is the middle of the points' bounds, where
// little cancels. The inertia is the trace of that integral less the integral itself, moved to the centre.
//
// The hull is that of hull_triangles.c; corners that stand out of it by less than NEAR of the mesh's size are left out.
#include "topology/mesh/mesh_solid.h"
#include "topology/base/errors.h"
#include "topology/base/spatial.h"
#include "topology/mesh/hull_triangles.h"

#include <stdlib.h>
#include <string.h>

static const double OPEN = 1e-6;              // vector area, of the area
static const double NEAR = 1e-5, FLAT = 1e-6; // of the longest side

void srs_mesh_scale(srs_mesh *mesh, const double scale[3])
{
  double *points = (double *)mesh->points;
  for (size_t i = 0; i < 3 * (size_t)mesh->n_points; i++) points[i] = scale[i % 3] * points[i] + 0.0; // never -0
  if (scale[0] * scale[1] * scale[2] >= 0) return;
  int *triangles = (int *)mesh->triangles;
  for (size_t t = 0; t < (size_t)mesh->n_triangles; t++) {
    const int second = triangles[3 * t + 1];
    triangles[3 * t + 1] = triangles[3 * t + 2];
    triangles[3 * t + 2] = second;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------------------------

typedef struct sums {
  double volume, area;
  vec3 vector_area, moment;
  sym3 second; // integral of r r^T
} sums;

static void add_outer(sym3 *to, double w, vec3 r)
{
  *to = sym3_add(*to, (sym3){w * r.x * r.x, w * r.y * r.y, w * r.z * r.z, w * r.x * r.y, w * r.x * r.z, w * r.y * r.z});
}

static void add_triangle(sums *s, vec3 a, vec3 b, vec3 c)
{
  const vec3 normal = cross3(sub3(b, a), sub3(c, a)), corner_sum = add3(a, add3(b, c));
  const double v = dot3(a, cross3(b, c)) / 6;
  s->area += norm3(normal);
  s->vector_area = add3(s->vector_area, normal);
  s->volume += v;
  s->moment = add_scaled3(s->moment, v / 4, corner_sum);
  add_outer(&s->second, v / 20, corner_sum);
  add_outer(&s->second, v / 20, a);
  add_outer(&s->second, v / 20, b);
  add_outer(&s->second, v / 20, c);
}

// Whether the sums about o are those of a solid.
static bool finish(const sums *s, vec3 o, double size, srs_solid_mass *mass)
{
  *mass = (srs_solid_mass){0};
  if (!(norm3(s->vector_area) <= OPEN * s->area) || !(fabs(s->volume) > 1e-12 * size * size * size)) return false;
  const double sign = s->volume < 0 ? -1 : 1, v = sign * s->volume;
  const vec3 c = scale3(1 / s->volume, s->moment);
  mass->volume = v;
  vec3_store(mass->com, add3(o, c));
  sym3 second = {0};
  add_outer(&second, -v, c);
  const double scaled[6] = {sign * s->second.xx, sign * s->second.yy, sign * s->second.zz,
                            sign * s->second.xy, sign * s->second.xz, sign * s->second.yz};
  second = sym3_add(second, sym3_load(scaled));
  const double trace = second.xx + second.yy + second.zz;
  sym3_store(mass->inertia,
             (sym3){trace - second.xx, trace - second.yy, trace - second.zz, -second.xy, -second.xz, -second.yz});
  return true;
}

// The middle of the points' bounds, and their longest side.
static vec3 middle_of(const srs_mesh *mesh, double *size)
{
  vec3 low = vec3_load(mesh->points), high = low;
  for (int i = 1; i < mesh->n_points; i++) {
    const vec3 p = vec3_load(mesh->points + 3 * (size_t)i);
    low = (vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
    high = (vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
  }
  const vec3 sides = sub3(high, low);
  *size = fmax(sides.x, fmax(sides.y, sides.z));
  return scale3(0.5, add3(low, high));
}

bool srs_mesh_mass(const srs_mesh *mesh, srs_solid_mass *mass)
{
  double size;
  sums s = {0};
  const vec3 o = middle_of(mesh, &size);
  for (size_t t = 0; t < (size_t)mesh->n_triangles; t++) {
    vec3 corner[3];
    for (size_t k = 0; k < 3; k++)
      corner[k] = sub3(vec3_load(mesh->points + 3 * (size_t)mesh->triangles[3 * t + k]), o);
    add_triangle(&s, corner[0], corner[1], corner[2]);
  }
  return finish(&s, o, size, mass);
}

// ---------------------------------------------------------------------------------------------------------------------
// The hull
// ---------------------------------------------------------------------------------------------------------------------

// Points about the middle, as parts of the size: neither overflows.
static bool take_hull(const srs_mesh *mesh, vec3 middle, double size, const vec3 *points,
                      const srs_hull_triangle *triangles, int n, srs_arena *arena, srs_mesh_hull *hull)
{
  bool *is_corner = calloc((size_t)mesh->n_points, sizeof *is_corner);
  if (is_corner == NULL) return false;
  sums s = {0};
  for (int t = 0; t < n; t++) {
    vec3 corner[3];
    for (int k = 0; k < 3; k++) {
      is_corner[triangles[t].corners[k]] = true;
      corner[k] = scale3(size, points[triangles[t].corners[k]]);
    }
    add_triangle(&s, corner[0], corner[1], corner[2]);
  }
  (void)finish(&s, middle, size, &hull->hull);
  for (int i = 0; i < mesh->n_points; i++) hull->n_points += is_corner[i];
  double *kept = srs_arena_take(arena, 3 * (size_t)hull->n_points, sizeof *kept);
  hull->points = kept;
  for (int i = 0; kept != NULL && i < mesh->n_points; i++)
    if (is_corner[i]) {
      memcpy(kept, mesh->points + 3 * (size_t)i, 3 * sizeof *kept);
      kept += 3;
    }
  free(is_corner);
  return hull->points != NULL;
}

srs_status srs_mesh_make_hull(const srs_mesh *mesh, srs_arena *arena, srs_mesh_hull *hull, srs_error *error)
{
  *hull = (srs_mesh_hull){0};
  double size;
  const vec3 middle = middle_of(mesh, &size);
  vec3 *points = malloc((size_t)mesh->n_points * sizeof *points);
  srs_hull_triangle *triangles = NULL;
  int n = -1;
  if (points != NULL) {
    for (int i = 0; i < mesh->n_points; i++) {
      const vec3 p = scale3(size > 0 ? 1 / size : 0, sub3(vec3_load(mesh->points + 3 * (size_t)i), middle));
      points[i] = (vec3){fabs(p.x) < 1e-90 ? 0 : p.x, fabs(p.y) < 1e-90 ? 0 : p.y, fabs(p.z) < 1e-90 ? 0 : p.z};
    }
    n = srs_hull_triangulate(points, mesh->n_points, NEAR, FLAT, &triangles);
  }
  srs_status status = SRS_OK;
  if (n == 0)
    status = srs_fail(error, SRS_ERROR_MODEL, mesh->path, 0, 0, NULL,
                      "the mesh is flat: it spans no volume that could collide; give it a thickness, or use a box");
  else if (n < 0 || !take_hull(mesh, middle, size, points, triangles, n, arena, hull))
    status = srs_fail(error, SRS_ERROR_MEMORY, mesh->path, 0, 0, NULL, "out of memory for the hull of a mesh");
  else
    hull->is_closed = srs_mesh_mass(mesh, &hull->mesh);
  free(triangles);
  free(points);
  return status;
}
