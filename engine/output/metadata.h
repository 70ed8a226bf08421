// The file beside a trajectory that says what its numbers mean. Internal.
#pragma once
#include <sarrus/scene.h>

/// Writes PATH: version, scene, integrator, dt, and each column's unit. On failure nothing of it is left. Allocates.
/// @param names, units  n_columns each: names as in the trajectory's header, but never quoted
srs_status srs_metadata_write(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                              const char *const *names, const char *const *units, int n_columns, srs_error *error);

/// The same as text, freed by the caller.  @return false: out of memory
bool srs_metadata_text(srs_sim *sim, const srs_trajectory_options *options, const char *const *names,
                       const char *const *units, int n_columns, char **text);
