// Reads and writes entries of HDF5 files, and checks what it reads. Internal.
//
// Every call that fails fills the error with the file and the entry. Files are not trusted: types, counts and locations
// of data are checked before a number is read. The caller switches HDF5's own messages off (H5E_BEGIN_TRY).
#pragma once
#include <hdf5.h>
#include <sarrus/base.h>
#include <stdint.h>

typedef struct srs_hdf5 {
  const char *path;
  hid_t file;
  srs_error *error; // may be NULL
} srs_hdf5;

/// Fills the error; entry may be NULL.  @return status
srs_status srs_hdf5_fail(const srs_hdf5 *h, srs_status status, const char *entry, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Comes before any other use of HDF5, H5E_BEGIN_TRY included.
void srs_hdf5_begin(void);

/// Opens a regular file for reading.  @return SRS_OK, SRS_ERROR_FILE or _SYNTAX (no HDF5, or damaged)
srs_status srs_hdf5_open(srs_hdf5 *h);
void srs_hdf5_close(srs_hdf5 *h);

/// Whether there is a group or data set of that path, "fclib_local/W". Links to elsewhere count as none.
bool srs_hdf5_has(const srs_hdf5 *h, const char *entry);

/// How many elements a data set of numbers has.
srs_status srs_hdf5_count(const srs_hdf5 *h, const char *entry, int64_t *count);

/// Exactly `count` integers.
srs_status srs_hdf5_integers(const srs_hdf5 *h, const char *entry, int64_t count, int64_t *values);

/// One integer from low to high.
srs_status srs_hdf5_integer(const srs_hdf5 *h, const char *entry, int64_t low, int64_t high, int *value);

/// Exactly `count` finite numbers.
srs_status srs_hdf5_numbers(const srs_hdf5 *h, const char *entry, int64_t count, double *values);

/// A text of at most 64 KiB.  @param text  out: freed by the caller
srs_status srs_hdf5_text(const srs_hdf5 *h, const char *entry, char **text);

// Writing. An entry's groups must be there.

/// A new file in memory alone.  @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_hdf5_create_in_memory(srs_hdf5 *h);

/// The file as it would lie on a disk.  @param bytes  out: freed by the caller
srs_status srs_hdf5_image(const srs_hdf5 *h, void **bytes, size_t *length);

srs_status srs_hdf5_make_group(const srs_hdf5 *h, const char *entry);
srs_status srs_hdf5_put_integers(const srs_hdf5 *h, const char *entry, size_t count, const int *values);
srs_status srs_hdf5_put_numbers(const srs_hdf5 *h, const char *entry, size_t count, const double *values);
srs_status srs_hdf5_put_text(const srs_hdf5 *h, const char *entry, const char *text);
