// The rows of a sweep in an HDF5 file.
#pragma once
#include "engine/cli/drawing/sweep_table.h"

/// As sweep_table_read, without the words: columns of words have neither numbers nor texts.
srs_status sweep_table_read_hdf5(const char *path, sweep_table *table, srs_error *error);
