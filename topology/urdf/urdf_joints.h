// The <joint> elements of a URDF file and the tree that they form. Internal.
#pragma once
#include "topology/urdf/urdf_common.h"

/// Lists the joints by name (the links must be listed), finds the root link, then adds joints and mimic couplings to
/// the builder.
/// @return SRS_OK, or what urdf->error says
srs_status srs_urdf_list_joints(srs_urdf *urdf);
srs_status srs_urdf_find_root(srs_urdf *urdf, int *root);
srs_status srs_urdf_add_joints(srs_urdf *urdf);
