// What a URDF file holds and the reader does not use. Internal.
#pragma once
#include "topology/urdf/urdf_common.h"

/// Refuses a file that xacro has not expanded.
srs_status srs_urdf_refuse_xacro(srs_urdf *urdf);

/// Warns of every element, attribute and text that nothing has read. Comes last.
srs_status srs_urdf_name_unread(srs_urdf *urdf);
