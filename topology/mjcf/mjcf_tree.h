// <worldbody> of MJCF: bodies, frames and copies become flat lists. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Lists bodies, joints, geoms and sites with their placements. Settings, classes and assets come first.
srs_status srs_mjcf_read_tree(srs_mjcf *mjcf);
