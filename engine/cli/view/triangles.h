// Shapes as triangles, in their own frames. Internal.
#pragma once
#include <sarrus/engine.h>
#include <stdint.h>

/// Triangles to draw. Either array may be NULL where memory was short.
typedef struct srs_triangles {
  float *points;    // n_points x 3
  int32_t *corners; // n_triangles x 3
  int n_points, n_triangles;
} srs_triangles;

/// @return false: out of memory
bool srs_triangles_take(srs_triangles *t, int n_points, int n_triangles);

/// Those of meshes, hulls, polygons, heightfields, terrains and surfaces; none of other kinds, and of a mesh for the
/// eye that cannot be read.
/// @param t  zero; out, freed by srs_triangles_free, after a failure too
/// @param n_missing, missing  counts meshes that cannot be read, and says why the first
/// @return false: out of memory
bool srs_triangles_of(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing);
void srs_triangles_free(srs_triangles *t);
