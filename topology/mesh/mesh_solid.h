// The solid that a mesh bounds, and its convex hull. Internal.
#pragma once
#include "topology/mesh/mesh.h"

/// Volume, centre and inertia of a solid of density 1.
typedef struct srs_solid_mass {
  double volume;     // m^3
  double com[3];     // m
  double inertia[6]; // xx yy zz xy xz yz about com, m^5
} srs_solid_mass;

/// The convex hull of a mesh.
typedef struct srs_mesh_hull {
  const double *points; // n_points x 3: its corners, and perhaps points of its faces, m; in the arena
  int n_points;
  bool is_closed;            // whether the mesh's triangles bound a volume
  srs_solid_mass mesh, hull; // mesh: all zero where it is not closed
} srs_mesh_hull;

/// Multiplies all points by a scale. A scale that mirrors turns the triangles' sense, so that their outside stays
/// outside.
void srs_mesh_scale(srs_mesh *mesh, const double scale[3]);

/// Turns triangles that bound a volume and show their inside.
void srs_mesh_turn_outwards(srs_mesh *mesh);

/// Volume, centre and inertia inside triangles that bound a volume, whichever their sense.
/// @return whether they do
bool srs_mesh_mass(const srs_mesh *mesh, srs_solid_mass *mass);

/// The hull of a mesh, within 1e-5 of its size.
/// @param arena  for the points
/// @return SRS_OK, SRS_ERROR_MODEL (flat) or _MEMORY
srs_status srs_mesh_make_hull(const srs_mesh *mesh, srs_arena *arena, srs_mesh_hull *hull, srs_error *error);
