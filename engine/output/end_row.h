// The row of a run's end, where it is not one of every so many steps. Internal.
#pragma once
#include <sarrus/scene.h>

/// Adds the sim's present state as a last row. A run that is resumed takes the steps from the row before again.
/// @return as srs_trajectory_add
srs_status srs_trajectory_add_end(srs_trajectory *trajectory, srs_sim *sim, srs_error *error);
