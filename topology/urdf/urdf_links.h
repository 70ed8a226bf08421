// The <link> elements of a URDF file. Internal.
#pragma once
#include "topology/urdf/urdf_common.h"

/// Lists the links by name, then adds them with their inertias and shapes to the builder.
/// @return SRS_OK, or what urdf->error says
srs_status srs_urdf_list_links(srs_urdf *urdf);
srs_status srs_urdf_add_links(srs_urdf *urdf);
