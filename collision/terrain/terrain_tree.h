// The tree of boxes over a terrain's triangles, and rays through it. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include "collision/terrain/terrain_mesh.h"

/// Orders the triangles (corners: n x 3) so that those near each other in space are near each other, and makes the
/// tree.
/// @return false when out of memory
bool srs_terrain_grow_tree(srs_terrain *terrain);

/// The first triangle that the ray o + t d, 0 <= t <= *length, hits from the front, or -1; *length: where.
int srs_terrain_first_met(const srs_terrain *terrain, vec3 o, vec3 d, double *length);

/// The first triangle that a ray hits from its front. A ray between two triangles that share an edge hits one of them.
/// @param direction  unit, world   @param distance, normal  out, as srs_solid_cast_ray has them
bool srs_terrain_cast_ray(const srs_terrain *terrain, const srs_placed *pose, vec3 from, vec3 direction, double length,
                          double *distance, vec3 *normal);
