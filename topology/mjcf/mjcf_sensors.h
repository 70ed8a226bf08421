// Sensors of MJCF. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Adds those that have a counterpart to the builder; the others are noted by kind. After the actuators.
srs_status srs_mjcf_add_sensors(srs_mjcf *mjcf);
