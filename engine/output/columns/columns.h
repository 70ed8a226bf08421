// A group of columns of a trajectory, and what the sources of such groups share. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/scene.h>

/// The columns of one source, and the values that they were last filled with.
typedef struct srs_columns {
  int n;
  const char **names;   // n: as in the header, but never quoted
  const char **units;   // n
  const char **axes;    // n: those that a component is along, "" where there are none
  double *values;       // n
  double filled_at;     // s: the sim's time then; NAN: there are no values yet
  void *state;          // the source's own
  srs_sensors *sensors; // of the sim, NULL for none; set before the source is asked
  bool *is_used;        // n: columns that stay in the file when it is closed; NULL: all do
} srs_columns;

/// Makes room for so many columns at most, and takes `state_size` bytes for the state, zeroed.
/// @return false: out of memory
bool srs_columns_reserve(srs_arena *arena, srs_columns *columns, size_t most, size_t state_size);

/// Adds a column, named before, name and after in one.  @return false: out of memory
bool srs_columns_add(srs_arena *arena, srs_columns *columns, const char *before, const char *name, const char *after,
                     const char *unit);

/// Says along whose axes the last so many columns are.  @param axes  a text that outlives the columns
void srs_columns_axes(srs_columns *columns, int last, const char *axes);

/// "N m" for an angle, else "N".
const char *srs_force_unit(bool is_angle);

/// Whether a coordinate of v is an angle.
bool srs_is_angle(const srs_model *model, int v_index);

/// Whether a name is meant by a name or pattern (`*`, `?`, `[…]`).
bool srs_column_matches(const char *pattern, const char *name);

/// SRS_OK, or the error that memory for these columns ran out.  @param what  "contact columns", …
srs_status srs_columns_made(bool is_good, const char *what, srs_error *error);
