// Bullet's counterparts of convex solids, without a collision margin.
//
// Bullet puts a margin around its shapes: boxes and cylinders are shrunk by it first, hulls and cones come out larger.
// With a margin of zero all have their exact size. The margin of a sphere and of a capsule is its radius around a point
// or a segment, which is exact. Bullet has no ellipsoid: its scaled spheres return a wrong point of the surface. Hulls
// become point clouds, which Bullet reads in place.
//
// Bullet's tolerances are lengths, right for solids of 0.1 to 1000: parts of a millimetre would count as touching. So
// it is told lengths in a unit that suits the smallest of the solids, a power of two, which rounds nothing.

#include "collision/bullet/bullet_shape.h"
#include "collision/bullet/bulletc.h"
#include "topology/base/errors.h"

#include <stdlib.h>

typedef struct counterpart {
  void *shape;
  double unit; // m; after it the points stand on a 16-byte boundary
  double points[][4];
} counterpart;

static void *make_shape(const srs_solid *solid, counterpart *owner)
{
  const double ones[3] = {1, 1, 1}, part = 1 / owner->unit;
  const double size[3] = {part * solid->size[0], part * solid->size[1], part * solid->size[2]};
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return btSphereShape_new(size[0]);
  case SRS_SHAPE_CAPSULE: return btCapsuleShapeZ_new(size[0], size[1]);
  case SRS_SHAPE_BOX: return btBoxShape_new3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]);
  case SRS_SHAPE_CYLINDER: return btCylinderShapeZ_new2(size[0], size[0], 0.5 * size[1]);
  case SRS_SHAPE_CONE: return btConeShapeZ_new(size[0], size[1]);
  case SRS_SHAPE_HULL: return btConvexPointCloudShape_new2(owner->points, solid->hull->n_corners, ones, false);
  default: return NULL;
  }
}

bool srs_bullet_knows(srs_shape_kind kind)
{
  return kind == SRS_SHAPE_SPHERE || kind == SRS_SHAPE_CAPSULE || kind == SRS_SHAPE_BOX || kind == SRS_SHAPE_CYLINDER ||
         kind == SRS_SHAPE_CONE || kind == SRS_SHAPE_HULL;
}

double srs_bullet_unit_for(double radius)
{
  int exponent;
  (void)frexp(radius, &exponent);
  return radius > 0 && radius < INFINITY ? ldexp(1, exponent) : 1;
}

void *srs_bullet_shape_create(const srs_solid *solid, double unit)
{
  if (!srs_bullet_knows(solid->kind)) return NULL;
  const int n = solid->kind == SRS_SHAPE_HULL ? solid->hull->n_corners : 0;
  counterpart *owner = malloc(sizeof *owner + (size_t)n * sizeof owner->points[0]);
  if (!owner) return NULL;
  owner->unit = unit;
  for (int i = 0; i < n; i++) {
    vec3_store(owner->points[i], scale3(1 / unit, solid->hull->corners[i]));
    owner->points[i][3] = 0;
  }
  owner->shape = make_shape(solid, owner);
  if (!owner->shape) {
    free(owner);
    return NULL;
  }
  if (solid->kind != SRS_SHAPE_SPHERE && solid->kind != SRS_SHAPE_CAPSULE) btCollisionShape_setMargin(owner->shape, 0);
  return owner;
}

void srs_bullet_shape_destroy(void *shape)
{
  if (!shape) return;
  btCollisionShape_delete(((counterpart *)shape)->shape);
  free(shape);
}

void *srs_bullet_shape(const void *shape) { return ((const counterpart *)shape)->shape; }

double srs_bullet_unit(const void *shape) { return ((const counterpart *)shape)->unit; }

srs_status srs_bullet_check(srs_error *error)
{
  const double radius = 0.1; // as a float it is another number, and read from half a register yet another
  void *sphere = btSphereShape_new(radius);
  if (!sphere) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for a Bullet shape");
  const double answer = btSphereShape_getRadius(sphere);
  btCollisionShape_delete(sphere);
  if (answer == radius) return SRS_OK;
  return srs_fail(
      error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, NULL,
      "the libbulletc in use is built for single precision; install one built with USE_DOUBLE_PRECISION, or "
      "build Sarrus with SARRUS_BULLETC=SHIM");
}
