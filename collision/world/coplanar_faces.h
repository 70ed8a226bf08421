// Which solids of one body lie flush beside each other, and which faces do they cover there? Internal to collision/.
#pragma once
#include "collision/gjk/gjk.h"
#include "collision/manifold/separating_planes.h"
#include "collision/world/geometries.h"

/// Of each member the others of its body that it touches.
typedef struct srs_coplanar_faces {
  int *begin; // n + 1: into others; NULL: no member touches another of its body
  int *others;
} srs_coplanar_faces;

/// Looks at the members where they are when no link has moved. Places the members.
/// @return SRS_OK, SRS_ERROR_MEMORY
srs_status srs_coplanar_make(srs_geometries *members, srs_gjk *gjk, srs_arena *arena, srs_coplanar_faces *flush,
                             srs_error *error);

SRS_INLINE bool srs_coplanar_has(const srs_coplanar_faces *flush, int member)
{
  return flush->begin != NULL && flush->begin[member] < flush->begin[member + 1];
}

/// Leaves out those sides of a pair that lead into a neighbour at all of the nodes.
/// @param i, j     A and B of the sides
/// @param touches  n_touches: the pair's nodes along the direction of its nearest points
/// @param sides    the first is of the nearest points
/// @param nearest_stands  out: whether that one is left; else another part is nearer   @return how many sides are left
int srs_coplanar_filter(const srs_coplanar_faces *flush, const srs_geometries *members, int i, int j,
                        const srs_touch *touches, int n_touches, srs_side *sides, int n, bool *nearest_stands);
