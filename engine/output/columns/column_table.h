// The table of all sources of columns. Internal.
//
// A further group of columns takes a file with its two functions, their declarations in column_sources.h, a row in the
// table, and an option in srs_trajectory_options; the scene's `output` knows its key then.
#pragma once
#include "engine/output/columns/column_sources.h"

typedef struct srs_column_source {
  const char *key; // of the option, in the scene's `output`; NULL: the columns are always there
  size_t option;   // where the option, a bool, is in srs_trajectory_options
  srs_columns_make make;
  srs_columns_fill fill;
  const char *note_key, *note; // about the columns, for the metadata file; NULL for none
  bool leaves_state;           // filling takes the sim's workspace away from the present state
} srs_column_source;

/// In the order of the columns.
extern const srs_column_source srs_column_sources[SRS_COLUMN_SOURCES];

/// The source's option, NULL for one without.
bool *srs_column_option(const srs_column_source *source, srs_trajectory_options *options);

/// Whether the options ask for the columns.
bool srs_has_columns(const srs_column_source *source, const srs_trajectory_options *options);
