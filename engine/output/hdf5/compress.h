// A finished trajectory, compressed. Internal.
#pragma once
#include <sarrus/base.h>

/// Replaces the file as a whole by one whose data sets are compressed (gzip, bytes of numbers shuffled), and which
/// cannot be resumed. Allocates as much as the new file takes.
/// @return SRS_OK; SRS_ERROR_FILE, _SYNTAX (no HDF5 file, or no gzip in this HDF5), _MEMORY: the file is as it was
srs_status srs_h5_compress(const char *path, srs_error *error);
