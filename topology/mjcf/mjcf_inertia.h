// Masses of MJCF bodies: from <inertial>, from geoms, and what the compiler's settings do to them. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Finds the mass of every body.
srs_status srs_mjcf_find_masses(srs_mjcf *mjcf);
