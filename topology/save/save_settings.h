// What a robot file says beyond the mechanism, as the settings of a scene. Internal.
#pragma once
#include "topology/save/save_text.h"

/// Adds gravity, time step, integrator, actuators, velocities at the start, frictions, and pairs that meet or do not.
void srs_save_settings(srs_save *save);
