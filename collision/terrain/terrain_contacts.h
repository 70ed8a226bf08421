// Contact points between a convex solid and a terrain. Internal.
#pragma once
#include "collision/shapes/touch.h"
#include "collision/terrain/terrain_mesh.h"

/// Bytes of scratch memory that srs_terrain_touches needs, aligned as for int.
size_t srs_terrain_scratch_size(const srs_terrain *terrain);

/// All contact points with gap <= margin between a convex solid (A) and the terrain (B). Allocates nothing.
///
/// Each contiguous flat part of the terrain gives at most SRS_MANIFOLD_POINTS, with its own normal. Each sharp edge
/// that the solid lies across gives at most two and each sharp corner one, with normals between those of the faces that
/// meet there. Edges and corners that point into the ground (valleys) give none.
/// @param scratch  srs_terrain_scratch_size bytes
/// @param touches  out: room for `room`
/// @return how many there are; those beyond `room` are not written
int srs_terrain_touches(const srs_terrain *terrain, void *scratch, const srs_placed *solid, const srs_placed *pose,
                        double margin, srs_touch *touches, int room);
