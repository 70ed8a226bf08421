// Which solid does a mesh bound, and by how much does its convex hull exceed it?
//
// Triangles that bound a volume have a vector area of zero, sum (b - a) x (c - a) = 0, and then the sums of moments.h
// over the pyramids that they span with any one point are the solid's; the volume is negative where the triangles face
// inwards. The point is the middle of the corners' bounds, where little cancels.
//
// The hull is that of hull_triangles.c; corners that stand out of it by less than NEAR of the mesh's size are left out.
#include "topology/mesh/mesh_solid.h"
#include "topology/base/errors.h"
#include "topology/mesh/hull_triangles.h"
#include "topology/mesh/moments.h"

#include <stdlib.h>
#include <string.h>

static const double OPEN = 1e-6;              // vector area, of the area
static const double NEAR = 1e-5, FLAT = 1e-6; // of the longest side

static void turn_triangles(srs_mesh *mesh)
{
  int *triangles = (int *)mesh->triangles;
  for (size_t t = 0; t < (size_t)mesh->n_triangles; t++) {
    const int second = triangles[3 * t + 1];
    triangles[3 * t + 1] = triangles[3 * t + 2];
    triangles[3 * t + 2] = second;
  }
}

void srs_mesh_scale(srs_mesh *mesh, const double scale[3])
{
  double *points = (double *)mesh->points;
  for (size_t i = 0; i < 3 * (size_t)mesh->n_points; i++) points[i] = scale[i % 3] * points[i] + 0.0; // never -0
  if (scale[0] * scale[1] * scale[2] < 0) turn_triangles(mesh);
}

// ---------------------------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------------------------

typedef struct sums {
  double area;
  vec3 vector_area;
  srs_moments moments;
} sums;

static void add_triangle(sums *s, vec3 a, vec3 b, vec3 c)
{
  const vec3 normal = cross3(sub3(b, a), sub3(c, a));
  s->area += norm3(normal);
  s->vector_area = add3(s->vector_area, normal);
  srs_moments_add(&s->moments, SRS_PYRAMID, srs_pyramid_volume(a, b, c), a, b, c);
}

// Whether the sums about o are those of a solid.
static bool finish(const sums *s, vec3 o, double size, srs_solid_mass *mass)
{
  const double volume = s->moments.total, v = fabs(volume);
  *mass = (srs_solid_mass){0};
  if (!(norm3(s->vector_area) <= OPEN * s->area) || !(v > 1e-12 * size * size * size)) return false;
  const vec3 c = scale3(1 / volume, s->moments.first);
  const sym3 unit = srs_moments_inertia(&s->moments, c);
  mass->volume = v;
  vec3_store(mass->com, add3(o, c));
  sym3_store(mass->inertia, (sym3){v * unit.xx, v * unit.yy, v * unit.zz, v * unit.xy, v * unit.xz, v * unit.yz});
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

// @param o, size  out: where the sums are taken, and the longest side
static sums sum_of(const srs_mesh *mesh, vec3 *o, double *size)
{
  sums s = {0};
  *o = middle_of(mesh, size);
  for (size_t t = 0; t < (size_t)mesh->n_triangles; t++) {
    vec3 corner[3];
    for (size_t k = 0; k < 3; k++)
      corner[k] = sub3(vec3_load(mesh->points + 3 * (size_t)mesh->triangles[3 * t + k]), *o);
    add_triangle(&s, corner[0], corner[1], corner[2]);
  }
  return s;
}

bool srs_mesh_mass(const srs_mesh *mesh, srs_solid_mass *mass)
{
  double size;
  vec3 o;
  const sums s = sum_of(mesh, &o, &size);
  return finish(&s, o, size, mass);
}

void srs_mesh_turn_outwards(srs_mesh *mesh)
{
  double size;
  vec3 o;
  srs_solid_mass mass;
  const sums s = sum_of(mesh, &o, &size);
  if (finish(&s, o, size, &mass) && s.moments.total < 0) turn_triangles(mesh);
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
