// <option> and <keyframe> of MJCF. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Gravity, step, integrator and flags.
srs_status srs_mjcf_read_options(srs_mjcf *mjcf);

/// Finds the <key> that options->key names; all are checked. Comes before actuators and bodies.
srs_status srs_mjcf_read_keys(srs_mjcf *mjcf);
