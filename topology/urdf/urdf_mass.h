// The mass of shapes. Internal.
#pragma once
#include "topology/model/inertia.h"
#include "topology/urdf/urdf_meshes.h"

/// The body that a shape is at a density, in the link's axes. No mass for a kind that is no solid.
/// @param def   with its pose
/// @param mesh  that of a mesh, else NULL
srs_body srs_urdf_shape_body(srs_urdf *urdf, const srs_shape_def *def, const srs_urdf_mesh *mesh, double density);
