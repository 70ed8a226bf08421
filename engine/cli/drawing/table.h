// Columns of numbers out of a CSV file: a header, then as many numbers a line as it has names.
#pragma once
#include <sarrus/base.h>

typedef struct table {
  char *text;     // the file, its names ended
  char **names;   // n_columns, of the header
  double *values; // n_rows x n_columns
  int n_columns, n_rows;
} table;

/// Reads it whole. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX (a header alone too, or what is no number), _MEMORY; FILE:LINE:COL named
srs_status table_read(const char *path, table *t, srs_error *error);
void table_destroy(table *t);

/// @return the column's index, -1 when there is none of that name
int table_find(const table *t, const char *name);
