// The columns of one trajectory, chosen among all sources. Internal.
#pragma once
#include "engine/output/columns/column_table.h"

typedef struct srs_column_choice {
  srs_columns columns[SRS_COLUMN_SOURCES]; // of the sources that were asked
  bool is_on[SRS_COLUMN_SOURCES];          // sources with a column among those chosen
  int n;                                   // columns chosen, `time` first, in the order of the sources
  const char **names, **units, **axes;     // n each
  const double **values;                   // n: where the value of each is
  const bool **stays;                      // n: as srs_columns.is_used, NULL: it does
  bool has_contact_table;                  // HDF5: contacts were asked for
} srs_column_choice;

/// Chooses what options ask for: whole groups, and columns that a name or pattern of options->columns means.
/// @param is_hdf5  contacts are a table there, and no columns
/// @return SRS_OK; SRS_ERROR_NAME where a name or pattern means none; what a source says, placed nowhere
srs_status srs_columns_choose(srs_arena *arena, srs_sim *sim, const srs_trajectory_options *options, bool is_hdf5,
                              srs_column_choice *choice, srs_error *error);

/// Fills the values of the sources that are on. Allocates nothing.
srs_status srs_column_choice_fill(srs_column_choice *choice, srs_sim *sim, srs_error *error);

/// Saves the values of the row filled last, for sources that continue from them (signs of quaternions, turns of loops).
/// @param saved  out: NULL: only counts  @return how many numbers
size_t srs_column_choice_save(const srs_column_choice *choice, double *saved);
void srs_column_choice_load(srs_column_choice *choice, const double *saved);
