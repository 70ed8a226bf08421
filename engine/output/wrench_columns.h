// What joints and closures carry, in the rows of a trajectory. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/engine.h>

typedef struct srs_wrench_columns {
  int n_columns;      // 6 for each link of the file that a joint holds, then 6 for each closure
  int n_joints;       // of those
  int *frames;        // n_joints: of these links
  const char **names; // n_columns
  const char **units; // n_columns
  double *values;     // n_columns: of the row last filled
} srs_wrench_columns;

/// @param arena  for all that the columns keep
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_wrench_columns_make(srs_arena *arena, const srs_model *model, srs_wrench_columns *columns,
                                   srs_error *error);

/// Values of the sim's last step. Allocates nothing.
void srs_wrench_columns_fill(srs_wrench_columns *columns, srs_sim *sim);
