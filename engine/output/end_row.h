// The row of a run's end, where it is not one of every so many steps. Internal.
#pragma once
#include <sarrus/scene.h>

/// Adds the sim's present state as a last row, after a flush. A run that is resumed goes on without it.
/// @return as srs_trajectory_add
srs_status srs_trajectory_add_end(srs_trajectory *trajectory, srs_sim *sim, srs_error *error);
