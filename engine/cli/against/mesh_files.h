// Whether two files hold the same mesh. Internal.
#pragma once
#include <stdbool.h>

typedef enum srs_files_are {
  SRS_FILES_SAME,    // one file, or the same bytes
  SRS_FILES_OTHERS,  // other bytes
  SRS_FILES_UNKNOWN, // one of the two or both cannot be read, and their names differ
} srs_files_are;

/// @param a, b  paths as the models have them; NULL for none
srs_files_are srs_compare_files(const char *a, const char *b);
