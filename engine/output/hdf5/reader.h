// Reads trajectories from HDF5 files (docs/trajectories.md). Internal.
//
// libhdf5 trusts what a file says of itself: files of strangers are not safe to read (docs/safety.md).
#pragma once
#include <sarrus/base.h>
#include <stdbool.h>
#include <stdint.h>

/// The rows of a trajectory, with the columns of all groups: `time`, then `q:…`, `v:…`, then the others by name.
typedef struct srs_h5_rows_read {
  int n_rows, n_columns;
  char **names, **units; // n_columns; "" where there is no unit
  double *values;        // n_rows x n_columns
  // Contacts, where they are recorded; else n_contacts 0 and NULL.
  int n_contacts;
  char *shapes;          // labels, a line each
  int32_t *contact_ends; // n_rows
  int32_t *pairs;        // n_contacts x 2: lines of shapes
  double *points;        // n_contacts x 3, m, world
  double *forces;        // n_contacts x 3, N, on the first of the pair, world
  double *normals;       // n_contacts x 3, from the second to the first, world
  double *friction;      // n_contacts: coefficients; of files without them zeros
  bool lacks_memory;     // is why they were not read
} srs_h5_rows_read;

/// Allocates.
/// @param rows  out: to be released by srs_h5_rows_release, after a failure too
/// @return SRS_OK, SRS_ERROR_FILE, SRS_ERROR_SYNTAX (no trajectory, or damaged) or SRS_ERROR_MEMORY
srs_status srs_h5_rows_read_all(const char *path, srs_h5_rows_read *rows, srs_error *error);
void srs_h5_rows_release(srs_h5_rows_read *rows);

/// A text of the file, as "/scene", or with an attribute's name of the file itself, as "scene_file"; freed by the
/// caller.
srs_status srs_h5_read_text(const char *path, const char *name, char **text, srs_error *error);
