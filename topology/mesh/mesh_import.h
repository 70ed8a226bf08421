// Assimp: the one place that calls it. Internal.
#pragma once
#include "topology/mesh/mesh_draft.h"

/// Triangles by corners, each with the name of the node that holds it.
typedef struct srs_mesh_soup {
  double *corners;    // 9 for each of n_triangles
  int *node;          // n_triangles
  const char **names; // n_nodes, in the draft's memory
  int n_triangles, n_nodes;
} srs_mesh_soup;

/// Imports a draft's clean copy: polygons become triangles, placements are applied. Must be released even after a
/// failure. Thread-safe.
/// @return SRS_OK, SRS_ERROR_FILE with assimp's words, _NOT_FINITE, _MODEL (no faces) or _MEMORY
srs_status srs_mesh_import(const srs_mesh_draft *draft, srs_mesh_soup *soup);
void srs_mesh_soup_release(srs_mesh_soup *soup);
