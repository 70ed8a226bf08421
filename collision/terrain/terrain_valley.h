// Faces that a point meets across a valley. Internal.
#pragma once
#include "collision/terrain/surface_near.h"

enum { SRS_KNOWN_PLACES = 64 };

/// The places of one surface that are nearest to points asked about before: many triangles ask about the same few.
typedef struct srs_known_places {
  bool is_known[SRS_KNOWN_PLACES]; // all false: nothing is known yet
  vec3 points[SRS_KNOWN_PLACES];
  srs_surface_nearest nearest[SRS_KNOWN_PLACES];
} srs_known_places;

/// Whether a point that is not straight over or under a triangle meets its plane all the same, across a valley.
/// @param height  of the point over the triangle's plane   @param margin  how far from the triangle it may be before
/// it   @param slack  this much is nothing, m   @param name  of the point: by it the known places are told apart
/// @param known  of this terrain, in and out
bool srs_terrain_is_across_valley(const srs_terrain *terrain, int triangle, vec3 p, double height, double margin,
                                  double slack, int name, srs_known_places *known);

/// Whether a point is beside the grid of a heightfield by more than the slack: there is no ground below its faces.
SRS_INLINE bool terrain_is_beside(const srs_terrain *terrain, vec3 p, double slack)
{
  return fabs(p.x) > terrain->reach[0] + slack || fabs(p.y) > terrain->reach[1] + slack;
}
