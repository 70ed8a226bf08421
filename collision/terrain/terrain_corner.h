// What a solid meets at a corner of the ground. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include "collision/terrain/terrain_mesh.h"

/// Whether the corner is what the solid, as it is placed in the terrain's frame, meets there. Inside of the solid by
/// the shortest way out whose normal is the corner's.
/// @param n    out: the normal there   @param gap  out: along it, m
bool srs_corner_is_met(const srs_terrain *terrain, int point, const srs_placed *solid, double margin, vec3 *n,
                       double *gap);
