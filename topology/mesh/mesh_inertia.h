// Volume, centre and inertia of what a triangle mesh bounds. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <stdbool.h>

typedef enum srs_mesh_body_kind {
  SRS_MESH_EXACT,  // the volume inside: exact for a closed mesh whose triangles all turn the same way
  SRS_MESH_LEGACY, // as MuJoCo's "legacy": all pyramids counted as positive; those for volume and
                   // inertia are seen from the centre of mass, which is that of pyramids from the surface's mean
  SRS_MESH_SHELL,  // the surface, of even thickness
} srs_mesh_body_kind;

typedef struct srs_mesh_body {
  double volume; // m^3; of a shell its area, m^2
  vec3 com;
  sym3 inertia; // about com, of unit mass
} srs_mesh_body;

/// @param points, triangles  as in srs_mesh
/// @return false: no volume (or area), or a negative one: the mesh is flat, open or inside out
bool srs_mesh_body_of(const double *points, const int *triangles, int n_triangles, srs_mesh_body_kind kind,
                      srs_mesh_body *body);
