// The meshes that a URDF file names. Internal.
#pragma once
#include "topology/mesh/mesh_solid.h"
#include "topology/urdf/urdf_common.h"

/// How a mesh collides.
typedef enum srs_urdf_collide {
  SRS_COLLIDE_OWN, // by its triangles where it stands still, else as its hull
  SRS_COLLIDE_HULL,
  SRS_COLLIDE_PARTS,
  SRS_COLLIDE_SURFACE,
  SRS_COLLIDE_NONE,
} srs_urdf_collide;

/// Reads a <mesh> element: where its file is, and its scale. A mesh that is drawn is only looked for; one that collides
/// is read, unless it is missing.
/// @param def   in: is_visual, pose; out: SRS_SHAPE_MESH with file, size and pose, turned where its up axis is applied
/// @param mesh  out: read and scaled, NULL for one that is drawn or missing
srs_status srs_urdf_read_mesh(srs_urdf *urdf, srs_xml_node *node, const char *link, srs_shape_def *def,
                              const srs_urdf_mesh **mesh);

/// Adds a mesh that was read to the builder, as its hull, its parts or its triangles.
/// @param is_still  whether its link is welded to the world
/// @param def       as it came from srs_urdf_read_mesh, with its pose, name and filters
srs_status srs_urdf_add_mesh(srs_urdf *urdf, const srs_urdf_mesh *mesh, srs_urdf_collide collide, bool is_still,
                             const srs_shape_def *def);

/// The mass of a mesh of density 1; of its hull where its triangles bound no volume. false: neither has one.
bool srs_urdf_mesh_mass(srs_urdf *urdf, const srs_urdf_mesh *mesh, srs_solid_mass *mass);

/// One note each on all meshes that collide as hulls, and as terrain. Comes last.
srs_status srs_urdf_tell_meshes(srs_urdf *urdf);

void srs_urdf_release_meshes(srs_urdf *urdf);
