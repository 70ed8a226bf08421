// Trajectories as HDF5 files. Internal; docs/trajectories.md describes the file.
#pragma once
#include "engine/output/columns/column_choice.h"
#include "engine/output/hdf5/writer.h"
#include "engine/output/run_figures.h"

typedef struct srs_hdf5_trajectory srs_hdf5_trajectory;

/// Makes the file, whose columns with one word before the first colon are one data set; or, with options->resumes,
/// opens it and sets the sim to the last snapshot in it. Memory is the arena's. The columns must outlive the
/// trajectory.
/// @param figures  saved with each snapshot; out, of a file that is resumed: those of the snapshot
/// @return as srs_trajectory_create
srs_status srs_hdf5_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                      srs_column_choice *columns, srs_run_figures *figures, srs_arena *arena,
                                      srs_hdf5_trajectory **h, srs_error *error);

/// Adds the sim's present state, of which the columns have been filled.
/// @param is_end  no snapshot is taken with it: a run that goes on cuts it off
srs_status srs_hdf5_trajectory_add(srs_hdf5_trajectory *h, srs_sim *sim, bool is_end, srs_error *error);

/// Writes what is gathered, and a snapshot of the sim.
srs_status srs_hdf5_trajectory_flush(srs_hdf5_trajectory *h, const srs_sim *sim, srs_error *error);

/// Rows so far.
uint64_t srs_hdf5_trajectory_rows(const srs_hdf5_trajectory *h);

/// Writes what is left, unless a write has failed before, and closes.
srs_status srs_hdf5_trajectory_close(srs_hdf5_trajectory *h, bool is_whole, srs_error *error);
