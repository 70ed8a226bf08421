// The supporting feature of a convex solid: the part that faces a direction, from which manifolds are clipped.
// Internal.
#pragma once
#include "collision/shapes/solid.h"

enum {
  SRS_OUTLINE_POINTS = 256, // of a face with more corners every second, third, ... is taken
  SRS_DISC_POINTS = 5
};

typedef enum srs_outline_kind {
  SRS_OUTLINE_POINT,   // spheres and ellipsoids
  SRS_OUTLINE_SEGMENT, // a generator of a cylinder, cone or capsule
  SRS_OUTLINE_POLYGON, // a face of a box or hull
  SRS_OUTLINE_DISC,    // a cap of a cylinder, a cone's base
} srs_outline_kind;

typedef struct srs_outline {
  srs_outline_kind kind;
  int n;         // points; of a segment the ends, of a disc SRS_DISC_POINTS that lie in it
  vec3 normal;   // polygon, disc: unit, outward, world
  double offset; // polygon, disc: normal . x of its plane
  mat3 axes;     // disc: its x and y axes, fixed in the solid, and the normal's line
  vec3 centre;   // disc
  double radius; // disc
  vec3 line[2];  // segment: the generator's ends (a capsule's points are not both on it)
  int name;      // of the feature, among the solid's
  const srs_placed *solid;
  vec3 points[SRS_OUTLINE_POINTS]; // world, on the surface; a polygon's counter-clockwise seen from outside
  int names[SRS_OUTLINE_POINTS];   // of the points; of a polygon's edges that start there: first_edge + index
  int first_edge;
} srs_outline;

/// The face, disc, generator or point that faces a direction most among those that hold a farthest point along it.
/// @param direction  unit, world
void srs_solid_outline(const srs_placed *solid, vec3 direction, srs_outline *outline);

/// Whether it bounds an area: a face or a disc.
SRS_INLINE bool srs_outline_is_area(const srs_outline *outline)
{
  return outline->kind == SRS_OUTLINE_POLYGON || outline->kind == SRS_OUTLINE_DISC;
}
