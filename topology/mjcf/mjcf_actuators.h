// <actuator> of MJCF. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Actuators of joints, tendons and sites; their bounds go to joints and tendons, so this comes before those are added.
srs_status srs_mjcf_read_actuators(srs_mjcf *mjcf);
