// Files that output writes. Internal.
#pragma once
#include <sarrus/scene.h>

/// Refuses to write over a file that the run reads: the scene, the input, and all that was read for the model: robot
/// files and what they include, meshes, heights.
/// @return SRS_OK or SRS_ERROR_ARGUMENT
srs_status srs_spare_inputs(const char *written, const srs_model *model, const srs_trajectory_options *options,
                            srs_error *error);

/// Whether a trajectory of this name is an HDF5 file.
bool srs_is_hdf5(const char *path);
