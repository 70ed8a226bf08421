// What loops put into the rows of a trajectory. Internal.
#pragma once
#include "engine/loops/closure.h"
#include "topology/base/arena.h"

typedef struct srs_loop_columns {
  int n_columns;         // 2 for each loop, 4 for a revolute or prismatic closure
  const char **names;    // n_columns
  const char **units;    // n_columns
  double *values;        // n_columns: of the row last filled
  srs_closure_row *rows; // n_loop_rows: scratch
  double *gap2;          // 4 n_loops: scratch
  double time;           // of the row last filled, NAN before
} srs_loop_columns;

/// @param arena  for all that the columns keep
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_loop_columns_make(srs_arena *arena, srs_sim *sim, srs_loop_columns *columns, srs_error *error);

/// Values of the sim's present state. Angles go on from those of the row before, by as many turns as the mean of the
/// two rates says. Allocates nothing.
void srs_loop_columns_fill(srs_loop_columns *columns, srs_sim *sim);
