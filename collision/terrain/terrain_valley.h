// Faces that a point meets across a valley. Internal.
#pragma once
#include "collision/terrain/terrain_mesh.h"

/// Whether a point that is not straight over or under a triangle meets its plane all the same, across a valley.
/// @param height  of the point over the triangle's plane   @param margin  how far from the triangle it may be before
/// it   @param slack  this much is nothing, m
bool srs_terrain_is_across_valley(const srs_terrain *terrain, int triangle, vec3 p, double height, double margin,
                                  double slack);

/// Whether a point is beside the grid of a heightfield by more than the slack: there is no ground below its faces.
SRS_INLINE bool terrain_is_beside(const srs_terrain *terrain, vec3 p, double slack)
{
  return fabs(p.x) > terrain->reach[0] + slack || fabs(p.y) > terrain->reach[1] + slack;
}
