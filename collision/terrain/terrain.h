// Ground made of triangles: meshes and heightfields that do not move. Internal to collision/.
//
// Triangles are seen from the side that shows their corners counter-clockwise; a heightfield's from above. Their
// normals are what solids feel: between two triangles that continue each other there is no edge.
#pragma once
#include "collision/shapes/solid.h"

typedef struct srs_terrain srs_terrain;

/// Prepares a terrain or heightfield shape; its points are copied. A heightfield's cells are cut from the corner with
/// the lowest x and y to the one across. Triangles without area are left out; points given twice are one. Allocates.
/// @return SRS_OK, SRS_ERROR_MODEL (no triangle with an area, or an index without a point), _NOT_FINITE or _MEMORY
srs_status srs_terrain_create(const srs_shape *shape, srs_terrain **terrain, srs_error *error);
void srs_terrain_destroy(srs_terrain *terrain);

/// Bytes of scratch memory that srs_terrain_touches needs, aligned as for int.
size_t srs_terrain_scratch_size(const srs_terrain *terrain);

/// How far, beyond what the solid's own width gives, it can sink and still be pushed out. A solid belongs to a face as
/// long as its middle is not deeper behind it than a quarter of its width along the face's normal and this together.
/// Meshes: 0, since they can be thin. Heightfields: their larger spacing. m
double srs_terrain_thickness(const srs_terrain *terrain);

/// All nodes with gap <= margin between a convex solid (A) and the terrain (B). Allocates nothing.
///
/// Each contiguous flat part of the terrain gives at most SRS_MANIFOLD_POINTS, with its own normal. Each sharp edge
/// that the solid lies across gives at most two and each sharp corner one, with normals between those of the faces that
/// meet there. Edges and corners that point into the ground (valleys) give none.
/// @param scratch  srs_terrain_scratch_size bytes
/// @param touches  out: room for `room`
/// @return how many there are; those beyond `room` are not written
int srs_terrain_touches(const srs_terrain *terrain, void *scratch, const srs_placed *solid, const srs_placed *pose,
                        double margin, srs_touch *touches, int room);

/// The first triangle that a ray meets from the side that it shows. Rays between two triangles that share an edge meet
/// one of them.
/// @param direction  unit, world   @param distance, normal  out, as srs_solid_cast_ray has them
bool srs_terrain_cast_ray(const srs_terrain *terrain, const srs_placed *pose, vec3 from, vec3 direction, double length,
                          double *distance, vec3 *normal);
