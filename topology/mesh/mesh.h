// Triangles of OBJ and STL files. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/base.h>

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

/// Reads an OBJ file (corners and faces, objects, groups) or an STL file, text or binary, by its ending. Must be
/// released even after a failure. Allocates.
/// @param path  must outlive the mesh
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NOT_FINITE, _UNSUPPORTED (another ending), _MODEL (no faces), _MEMORY
srs_status srs_mesh_read(const char *path, srs_mesh *mesh, srs_error *error);
void srs_mesh_release(srs_mesh *mesh);
