// Triangles of OBJ and STL files, and the convex pieces that they bound. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/topology.h>

typedef struct srs_mesh {
  const char *path;
  int n_points, n_triangles, n_groups;
  const double *points; // n_points x 3, as the file has them
  const int *triangles; // n_triangles x 3: into points
  const int *group;     // n_triangles: the object, or group where the file has no objects, 0 before any is named
  const int *line;      // n_triangles: of the file; 0 in a binary one
  const char **groups;  // n_groups: names, "" for none
  srs_arena memory;     // names
} srs_mesh;

/// Reads an OBJ file (corners and faces, objects, groups) or an STL one, of text or binary; what it is its ending says.
/// To be released in any case. Allocates.
/// @param path  must outlive the mesh
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NOT_FINITE, _UNSUPPORTED (another ending), _MODEL (no faces), _MEMORY
srs_status srs_mesh_read(const char *path, srs_mesh *mesh, srs_error *error);
void srs_mesh_release(srs_mesh *mesh);

/// What hangs together: a convex solid.
typedef struct srs_mesh_piece {
  const double *points; // n_points x 3: its corners
  int n_points;
  int group;
} srs_mesh_piece;

/// Parts a mesh into pieces, in order of their first triangles.
/// @param scale   x y z, applied first
/// @param arena   for the pieces
/// @param pieces  out: n_pieces
/// @return SRS_OK, SRS_ERROR_MODEL (a piece is dented, or flat: which, by how much, and the cure), _MEMORY
srs_status srs_mesh_convex_pieces(const srs_mesh *mesh, const double scale[3], srs_arena *arena,
                                  const srs_mesh_piece **pieces, int *n_pieces, srs_error *error);
