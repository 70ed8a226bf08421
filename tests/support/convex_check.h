// Solids of every convex kind for tests, hulls too, judged by brute force.
#pragma once
#include "collision/shapes/outline.h"
#include "support/pairs_check.h"

#include <math.h>

static const srs_shape_kind convex_kinds[] = {SRS_SHAPE_SPHERE,  SRS_SHAPE_BOX,  SRS_SHAPE_CYLINDER,
                                              SRS_SHAPE_CAPSULE, SRS_SHAPE_CONE, SRS_SHAPE_ELLIPSOID,
                                              SRS_SHAPE_HULL};
enum { CONVEX_KINDS = sizeof convex_kinds / sizeof *convex_kinds };

static inline void make_hull(srs_solid *solid, const double *points, int n)
{
  srs_hull *hull = NULL;
  *solid = (srs_solid){.kind = SRS_SHAPE_HULL};
  assert_int_equal(srs_hull_create(points, n, &hull, NULL), SRS_OK);
  solid->hull = hull;
  for (int i = 0; i < hull->n_corners; i++) solid->radius = fmax(solid->radius, norm3(hull->corners[i]));
}

// The corners of a box as a hull.
static inline void make_box_hull(srs_solid *solid, double x, double y, double z)
{
  double points[24];
  const double size[3] = {x, y, z};
  for (int i = 0; i < 24; i++) points[i] = ((i / 3) >> (i % 3) & 1 ? 0.5 : -0.5) * size[i % 3];
  make_hull(solid, points, 8);
}

// Sizes from 0.1 to 1; hulls of 4 to 40 points.
static inline void make_solid(testing_random *random, srs_shape_kind kind, srs_solid *solid)
{
  if (kind != SRS_SHAPE_HULL) {
    *solid = random_solid(random, kind);
    return;
  }
  double points[120];
  const int n = 4 + testing_below(random, 37);
  for (int i = 0; i < 3 * n; i++) points[i] = testing_uniform(random, -0.6, 0.6);
  make_hull(solid, points, n);
}

// Turned at random, its origin within `most` of the world's in each direction. One after the other, so that all
// compilers agree.
static inline srs_placed random_placed(testing_random *random, const srs_solid *solid, double most)
{
  const mat3 axes = random_axes(random);
  return (srs_placed){solid, axes, random_vector(random, most)};
}

// A point at the height z, x and y at random.
static inline vec3 random_at(testing_random *random, double most, double z)
{
  const double x = testing_uniform(random, -most, most), y = testing_uniform(random, -most, most);
  return (vec3){x, y, z};
}

static inline void release_solid(srs_solid *solid) { free((void *)solid->hull); }

static inline vec3 solid_reach(const srs_placed *placed, vec3 d)
{
  const srs_hull *hull = placed->solid->hull;
  if (placed->solid->kind == SRS_SHAPE_CONE) {
    const vec3 local = rotate_back(placed->axes, d);
    const double r = placed->solid->size[0], half = 0.5 * placed->solid->size[1];
    const double across = fmax(hypot(local.x, local.y), 1e-300);
    const vec3 rim = {r * local.x / across, r * local.y / across, -half}, apex = {0, 0, half};
    const vec3 p = dot3(rim, local) > dot3(apex, local) ? rim : apex;
    return add3(placed->origin, rotate(placed->axes, p));
  }
  if (placed->solid->kind != SRS_SHAPE_HULL) return support(placed, d);
  vec3 best = placed->origin;
  double far = -INFINITY;
  for (int i = 0; i < hull->n_corners; i++) {
    const vec3 p = add3(placed->origin, rotate(placed->axes, hull->corners[i]));
    if (dot3(p, d) > far) far = dot3(p, d), best = p;
  }
  return best;
}

// Signed: negative inside; the distance itself only on the surface.
static inline double solid_height(const srs_placed *placed, vec3 p)
{
  if (placed->solid->kind != SRS_SHAPE_HULL) return height(placed, p);
  const srs_hull *hull = placed->solid->hull;
  const vec3 local = rotate_back(placed->axes, sub3(p, placed->origin));
  double most = -INFINITY;
  for (int f = 0; f < hull->n_faces; f++) most = fmax(most, dot3(hull->normals[f], local) - hull->offsets[f]);
  return most;
}
