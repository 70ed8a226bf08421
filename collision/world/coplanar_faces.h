// Coplanar faces: parts of one body that touch each other and cover faces there. Internal.
#pragma once
#include "collision/manifold/separating_planes.h"
#include "collision/world/geometries.h"

/// For each geometry the others of its body that touch it.
typedef struct srs_coplanar_faces {
  int *begin; // n + 1: into others; NULL: no geometry touches another of its body
  int *others;
} srs_coplanar_faces;

/// Compares the geometries at their places on links that have not moved. Places the geometries.
/// @return SRS_OK, SRS_ERROR_MEMORY
srs_status srs_coplanar_make(srs_geometries *geometries, srs_arena *arena, srs_coplanar_faces *coplanar,
                             srs_error *error);

SRS_INLINE bool srs_coplanar_has(const srs_coplanar_faces *coplanar, int geometry)
{
  return coplanar->begin != NULL && coplanar->begin[geometry] < coplanar->begin[geometry + 1];
}

/// Removes the sides of a pair that lead into a neighbour at all contact points.
/// @param i, j     A and B of the sides
/// @param touches  n_touches: the pair's contact points along the direction of its nearest points
/// @param sides    the first is of the nearest points
/// @param nearest_stands  out: whether that one stays; else another part is nearer   @return how many sides stay
int srs_coplanar_filter(const srs_coplanar_faces *coplanar, const srs_geometries *geometries, int i, int j,
                        const srs_touch *touches, int n_touches, srs_side *sides, int n, bool *nearest_stands);
