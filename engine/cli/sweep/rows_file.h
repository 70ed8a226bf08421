// The rows of a sweep as a CSV file that is only ever a beginning of the whole, in the order of the runs; or as HDF5,
// made of such a file at the end.
#pragma once
#include "engine/sweep/sweep_run.h"

typedef struct srs_rows_file {
  const srs_sweep_plan *plan;
  char *path, *rows_path, *note_path; // as asked for; of the CSV, the same unless HDF5 is asked for; of its description
  bool is_hdf5;
  int descriptor;
  long n_rows, n_failed; // in the file
  char *buffer;          // lines that are not yet written
  size_t length, room;
} srs_rows_file;

/// Opens the file, or begins it. A file of the same sweep is gone on with behind its last whole row.
/// @param is_forced  begin anew whatever is there
/// @return SRS_OK; SRS_ERROR_FILE, also where the file is of another sweep or another process writes it; _MEMORY
srs_status srs_rows_file_open(const char *path, const srs_sweep_plan *plan, bool is_forced, srs_rows_file *file,
                              srs_error *error);

/// Adds the row of the next run.
srs_status srs_rows_file_add(srs_rows_file *file, const srs_sweep_row *row, srs_error *error);
srs_status srs_rows_file_flush(srs_rows_file *file, srs_error *error);

/// Closes it; a whole one becomes an HDF5 file where that was asked for.
srs_status srs_rows_file_close(srs_rows_file *file, srs_error *error);

/// rows_hdf5.c: a data set of each column, of a CSV file that is whole.
srs_status srs_rows_to_hdf5(const char *csv, const char *note, const srs_sweep_plan *plan, const char *path,
                            srs_error *error);
