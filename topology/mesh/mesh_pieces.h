// The convex solids that a mesh bounds. Internal.
#pragma once
#include "topology/mesh/mesh.h"

/// A connected part of a mesh: a convex solid.
typedef struct srs_mesh_piece {
  const double *points; // n_points x 3: its corners
  int n_points;
  int group;
} srs_mesh_piece;

/// Divides a mesh into its connected pieces, in order of their first triangles.
/// @param scale   x y z, applied first
/// @param arena   for the pieces
/// @param pieces  out: n_pieces
/// @return SRS_OK, SRS_ERROR_MODEL (a piece is dented, or flat: which, by how much, and the cure), _MEMORY
srs_status srs_mesh_convex_pieces(const srs_mesh *mesh, const double scale[3], srs_arena *arena,
                                  const srs_mesh_piece **pieces, int *n_pieces, srs_error *error);
