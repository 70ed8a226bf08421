// The file beside a trajectory that says what its numbers mean. Internal.
#pragma once
#include "engine/output/columns/column_choice.h"

/// Writes PATH: version, scene, integrator, dt, and each column's unit and axes. On failure nothing of it is left.
/// Allocates.
srs_status srs_metadata_write(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                              const srs_column_choice *columns, srs_error *error);

/// The same as text, freed by the caller.  @return false: out of memory
bool srs_metadata_text(srs_sim *sim, const srs_trajectory_options *options, const srs_column_choice *columns,
                       char **text);
