// What contact puts into the rows of a trajectory. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/engine.h>

enum { SRS_CONTACT_COLUMN_PAIRS = 200 }; // pairs of shapes that columns are written for at most

typedef struct srs_contact_columns {
  int n_columns;          // 3 + 6 n_pairs
  const char **names;     // n_columns
  const char **units;     // n_columns
  double *values;         // n_columns: of the row last filled
  int n_pairs;            // pairs of shapes that may meet
  int *shape_a, *shape_b; // n_pairs, sorted
} srs_contact_columns;

/// What the signs mean, for those who read the file.
extern const char srs_contact_columns_note[];

/// @param arena  for all that the columns keep
/// @return SRS_OK, SRS_ERROR_CAPACITY (too many pairs) or _MEMORY
srs_status srs_contact_columns_make(srs_arena *arena, srs_sim *sim, srs_contact_columns *columns, srs_error *error);

/// Values of the sim's last step; zeros where there was none. Allocates nothing.
void srs_contact_columns_fill(const srs_contact_columns *columns, const srs_sim *sim);
