// A terrain is made from a shape. Internal.
#pragma once
#include "collision/terrain/terrain_mesh.h"
#include <sarrus/topology.h>

/// Prepares a terrain or heightfield shape; its points are copied. A heightfield's cells are cut from the corner with
/// the lowest x and y to the one across. Triangles without area are left out; points given twice are one. Allocates.
/// @return SRS_OK, SRS_ERROR_MODEL (no triangle with an area, or an index without a point), _NOT_FINITE or _MEMORY
srs_status srs_terrain_create(const srs_shape *shape, srs_terrain **terrain, srs_error *error);
void srs_terrain_destroy(srs_terrain *terrain);

/// How many edges have one triangle only, and such a triangle.
int srs_terrain_open_edges(const srs_terrain *terrain, int *triangle);

/// What the triangles enclose, m^3; negative where they show their inside.
double srs_terrain_volume(const srs_terrain *terrain);

/// How far, beyond what the solid's own width gives, it can sink and still be pushed out. A solid belongs to a face as
/// long as its middle is not deeper behind it than a quarter of its width along the face's normal and this together.
/// Meshes: 0, since they can be thin. Heightfields: their larger spacing. m
double srs_terrain_thickness(const srs_terrain *terrain);
