// What drives, limits and dry friction put into the rows of a trajectory. Internal.
#pragma once
#include "engine/engine.h"
#include "topology/base/arena.h"

typedef struct srs_row_columns {
  int n_columns;
  const char **names; // n_columns
  const char **units; // n_columns
  double *values;     // n_columns: of the row last filled
  int *limit;         // 3 nv + n_closures: columns, -1 for none; of coordinates, closures, swings, twists
  int *friction;      // likewise
} srs_row_columns;

/// @param arena  for all that the columns keep
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_row_columns_make(srs_arena *arena, srs_sim *sim, srs_row_columns *columns, srs_error *error);

/// Values of the sim's last step. Allocates nothing.
void srs_row_columns_fill(srs_row_columns *columns, srs_sim *sim);
