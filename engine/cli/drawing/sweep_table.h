// The rows of a sweep: a CSV or HDF5 file whose columns hold numbers or words.
#pragma once
#include <sarrus/base.h>
#include <stdbool.h>

typedef struct sweep_column {
  char *name;
  double *numbers; // n_rows; NULL: not all of its cells are numbers
  char **texts;    // n_rows, as they stand there, quotes taken off; NULL: of an HDF5 file
} sweep_column;

typedef struct sweep_table {
  char *text;      // the file, its cells ended; of HDF5 NULL
  bool owns_names; // they are no part of the text
  sweep_column *columns;
  int n_columns;
  long n_rows;
} sweep_table;

/// Reads it whole; a line without end is left out. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _MEMORY; FILE:LINE named
srs_status sweep_table_read(const char *path, sweep_table *table, srs_error *error);

void sweep_table_destroy(sweep_table *table);

/// @return NULL where no column has the name
const sweep_column *sweep_table_find(const sweep_table *table, const char *name);
