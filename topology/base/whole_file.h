// Files that are written whole, or not at all. Internal.
#pragma once
#include <sarrus/base.h>

/// What becomes of a file that has the name already.
typedef enum srs_existing {
  SRS_EXISTING_STAYS,      // then nothing is written, and it is an error
  SRS_EXISTING_IS_REPLACED // by the new one, which takes its permissions
} srs_existing;

/// Writes a file of these bytes. It goes to the disk under a name of its own in the same folder, and takes its name
/// when it is complete: whatever fails, and whenever the process dies, the name leads to the old file or to the whole
/// new one. A symbolic link stays one, the file that it leads to is replaced; anything but a regular file is refused.
/// Allocates.
/// @return SRS_OK, SRS_ERROR_FILE or _MEMORY; the error names the path
srs_status srs_write_whole_file(const char *path, const void *bytes, size_t length, srs_existing existing,
                                srs_error *error);

/// Whether srs_write_whole_file with SRS_EXISTING_STAYS would find the name taken; fills the error then.
bool srs_is_name_taken(const char *path, srs_error *error);

/// Whether both paths lead to one file that is there; false for NULL.
bool srs_is_same_file(const char *a, const char *b);

/// Writes all bytes, in as many calls as it takes.  @param written  out: bytes   @return false: errno tells
bool srs_write_all(int descriptor, const char *bytes, size_t length, size_t *written);
