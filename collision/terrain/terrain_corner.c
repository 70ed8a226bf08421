// Is a corner of the ground what a solid meets there?
//
// Outside of the solid the way from the corner to its nearest point must be one of the corner's normals. Inside, of all
// ways out through the solid's parts, the shortest counts that is one of them: of a hull with many faces, most of which
// are turned away, a tree over the faces' normals finds it.
#include "collision/terrain/terrain_corner.h"
#include "collision/shapes/point_distance.h"
#include "collision/terrain/terrain_cone.h"

// The shortest way out of a hull whose normal is the corner's; of two as short the first by number.
// @return its distance, -INFINITY: there is none
static double way_out_of_hull(const srs_terrain *terrain, int point, const srs_placed *solid, vec3 *n)
{
  const srs_hull *hull = solid->solid->hull;
  const mat3 axes = solid->axes;
  const vec3 p = terrain->points[point], at = rotate_back(axes, sub3(p, solid->origin));
  srs_corner_cone cone;
  srs_face_walk walk;
  vec3 ways[SRS_CONE_WAYS];
  double least[SRS_CONE_WAYS], distance = -INFINITY;
  int first = -1;
  srs_corner_cone_make(terrain, point, &cone);
  for (int i = 0; i < cone.n; i++) ways[i] = rotate_back(axes, cone.ways[i]), least[i] = -cone.most[i];
  srs_face_walk_start(&hull->tree, at, ways, least, cone.n, &walk);
  for (int i = srs_face_walk_next(&walk); i >= 0; i = srs_face_walk_next(&walk)) {
    const double height = srs_face_height(&hull->tree, i, at);
    if (height < distance || (height == distance && i > first)) continue;
    const vec3 normal = scale3(-1, rotate(axes, hull->normals[i]));
    if (!srs_corner_cone_has(&cone, normal) || !srs_corner_has_normal(terrain, point, normal)) continue;
    walk.deepest = distance = height, first = i, *n = normal;
  }
  return distance;
}

static double way_out_of_solid(const srs_terrain *terrain, int point, const srs_placed *solid, vec3 *n)
{
  double distance, shortest = -INFINITY;
  vec3 outward;
  srs_corner_cone cone;
  srs_corner_cone_make(terrain, point, &cone);
  for (int i = 0; srs_solid_way_out(solid, terrain->points[point], i, &distance, &outward); i++) {
    const vec3 normal = scale3(-1, outward);
    if (distance > shortest && srs_corner_cone_has(&cone, normal) && srs_corner_has_normal(terrain, point, normal))
      shortest = distance, *n = normal;
  }
  return shortest;
}

bool srs_corner_is_met(const srs_terrain *terrain, int point, const srs_placed *solid, double margin, vec3 *n,
                       double *gap)
{
  const vec3 p = terrain->points[point];
  vec3 outward;
  *gap = srs_solid_distance_within(solid, p, margin, &outward);
  *n = vec3_zero;
  if (*gap > margin) return false;
  *n = scale3(-1, outward);
  const double most = solid->solid->radius;
  if (*gap >= -most && srs_corner_has_normal(terrain, point, *n)) return true;
  if (*gap >= 0) return false;
  *gap = solid->solid->kind == SRS_SHAPE_HULL ? way_out_of_hull(terrain, point, solid, n)
                                              : way_out_of_solid(terrain, point, solid, n);
  return *gap >= -most;
}
