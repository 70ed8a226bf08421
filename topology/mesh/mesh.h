// Triangles of OBJ, STL and Collada files. Internal.
#pragma once
#include "topology/base/text.h"
#include <sarrus/base.h>

typedef struct srs_mesh {
  const char *path;
  int n_points, n_triangles, n_groups;
  const double *points; // n_points x 3, m as the file's unit says; each place once, in the order in which triangles
                        // name them
  const int *triangles; // n_triangles x 3: into points
  const int *group;     // n_triangles: OBJ: the object, or group where the file has no objects, 0 before any is named;
                        // Collada: the node; else 0
  const int *line;      // n_triangles: of the file; 0 where that is not known (binary STL, Collada)
  const char **groups;  // n_groups: names, "" for none
  char up;              // Collada: 'X', 'Y' or 'Z', the axis that the file says points up; 0 where it says nothing
  srs_arena memory;     // names
} srs_mesh;

/// Reads an OBJ, STL (text or binary) or Collada (.dae) file, by its ending, through assimp; polygons become triangles.
/// Collada: its unit and the placements of its nodes are applied, its up axis is told in `up`. Must be released even
/// after a failure. Allocates. Thread-safe.
/// @param path   must outlive the mesh
/// @param files  notes it; NULL for none
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NOT_FINITE, _UNSUPPORTED (another ending), _MODEL (no faces), _MEMORY
srs_status srs_mesh_read(const char *path, srs_read_files *files, srs_mesh *mesh, srs_error *error);

/// The corners of an OBJ file, whether or not it has faces: a cloud of points. As srs_mesh_read, without triangles.
srs_status srs_mesh_read_points(const char *path, srs_read_files *files, srs_mesh *mesh, srs_error *error);
void srs_mesh_release(srs_mesh *mesh);
