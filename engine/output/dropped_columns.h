// Columns that a finished trajectory does without. Internal.
#pragma once
#include <sarrus/scene.h>

typedef struct srs_dropped_columns {
  const char *const *names; // n
  const bool *stays;        // n
  int n;
} srs_dropped_columns;

/// Files up to this size are made smaller, in memory.
enum { SRS_MOST_TO_DROP = 1 << 30 };

/// The name as it stands in a header, quoted where it must be.  @return behind it
char *srs_put_column_name(char *at, const char *name);

/// Takes columns out of a CSV file and the file beside it, each replaced as a whole.
/// @return SRS_OK, SRS_ERROR_FILE or _MEMORY; the file is then as it was
srs_status srs_drop_columns(const char *path, const srs_dropped_columns *dropped);
srs_status srs_drop_metadata_columns(const char *path, const srs_dropped_columns *dropped);
