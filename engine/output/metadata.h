// The file beside a trajectory that says what its numbers mean. Internal.
#pragma once
#include <sarrus/engine.h>

/// Writes PATH: version, scene, integrator, dt, and each column's unit. On failure nothing is left of it. Allocates.
/// @param names, units  n_columns each: names as in the trajectory's header, but never quoted
srs_status srs_metadata_write(const char *path, const srs_sim *sim, const srs_trajectory_options *options,
                              const char *const *names, const char *const *units, int n_columns, srs_error *error);

/// SRS_ERROR_ARGUMENT where the file that will be written is one that the run reads: the scene, a robot file, a mesh of
/// the model, the input.
srs_status srs_spare_inputs(const char *written, const srs_model *model, const srs_trajectory_options *options,
                            srs_error *error);

/// Writes all bytes, however many calls it takes.  @return false: errno tells
bool srs_write_all(int descriptor, const char *bytes, size_t length, size_t *written);
