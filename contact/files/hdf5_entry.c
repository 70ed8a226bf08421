// Reads and writes entries of HDF5 files, and checks what it reads. The only caller of HDF5 in this folder.
//
// HDF5 converts number types, follows links into other files and invents data that were never written; none of this is
// acceptable in a problem file. So an entry is opened only by hard links, must be a data set of the expected class with
// its data in the file itself, and its count is checked before it is read.
#include "contact/files/hdf5_entry.h"
#include "topology/base/errors.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST_PATH = 128, LONGEST_TEXT = 65536, LARGEST_NUMBER = 16, GROWTH = 65536 }; // bytes

srs_status srs_hdf5_fail(const srs_hdf5 *h, srs_status status, const char *entry, const char *format, ...)
{
  srs_error *error = h->error;
  if (error == NULL) return status;
  *error = (srs_error){.status = status};
  const size_t length = strlen(h->path), most = sizeof error->file - 1; // of a long path the end says more
  snprintf(error->file, sizeof error->file, "%s", h->path + (length > most ? length - most : 0));
  if (entry != NULL) snprintf(error->subject, sizeof error->subject, "%s", entry);
  int at = entry != NULL ? snprintf(error->message, sizeof error->message, "%s ", entry) : 0;
  if (at < 0 || (size_t)at >= sizeof error->message) at = 0;
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(error->message + at, sizeof error->message - (size_t)at, format, arguments);
  va_end(arguments);
  return status;
}

// HDF5 closes at exit what is still open, and crashes or complains there about files that were damaged. We close what
// we open; a caller that uses HDF5 too must do so.
void srs_hdf5_begin(void) { (void)H5dont_atexit(); }

// ---- opening ----

static bool is_address(const unsigned char *bytes, int n, uint64_t value)
{
  for (int i = 0; i < n; i++, value >>= 8)
    if (bytes[i] != (value & 0xff)) return false;
  return value == 0;
}

// Whether the superblock, the file's first bytes, has the right begin and end. Where these are wrong HDF5 gets stuck in
// an error state and prints to stderr when the process ends.
static bool begins_well(FILE *file, int64_t length, bool *is_hdf5)
{
  unsigned char b[64] = {0};
  *is_hdf5 = fread(b, 1, sizeof b, file) > 0 && memcmp(b, "\x89HDF\r\n\x1a\n", 8) == 0;
  const int version = b[8], size = version < 2 ? b[13] : b[9]; // bytes of an address
  const int base = version == 0 ? 24 : version == 1 ? 28 : 12, end = base + 2 * size;
  if (!*is_hdf5 || version > 3 || size > 8) return false;
  return is_address(b + base, size, 0) && is_address(b + end, size, (uint64_t)length);
}

srs_status srs_hdf5_open(srs_hdf5 *h)
{
  static const char damaged[] = "cannot be read as HDF5: it is damaged, cut short or open for writing; copy it again";
  static const char other[] = "is no HDF5 file; contact problems are read from HDF5 files as FCLIB lays them out";
  struct stat info;
  char why[128];
  h->file = -1;
  if (stat(h->path, &info) != 0)
    return srs_hdf5_fail(h, SRS_ERROR_FILE, NULL, "cannot be opened: %s", strerror_r(errno, why, sizeof why));
  if (!S_ISREG(info.st_mode))
    return srs_hdf5_fail(h, SRS_ERROR_FILE, NULL, "is no regular file; name the file of one problem");
  FILE *file = fopen(h->path, "rb");
  if (file == NULL)
    return srs_hdf5_fail(h, SRS_ERROR_FILE, NULL, "cannot be opened: %s", strerror_r(errno, why, sizeof why));
  bool is_hdf5;
  const bool is_good = begins_well(file, info.st_size, &is_hdf5);
  fclose(file);
  if (!is_good) return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, NULL, "%s", is_hdf5 ? damaged : other);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0) (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  h->file = H5Fopen(h->path, H5F_ACC_RDONLY, access >= 0 ? access : H5P_DEFAULT);
  if (access >= 0) H5Pclose(access);
  return h->file >= 0 ? SRS_OK : srs_hdf5_fail(h, SRS_ERROR_SYNTAX, NULL, "%s", damaged);
}

void srs_hdf5_close(srs_hdf5 *h)
{
  if (h->file >= 0) H5Fclose(h->file);
  h->file = -1;
}

// ---- looking ----

bool srs_hdf5_has(const srs_hdf5 *h, const char *entry)
{
  char part[LONGEST_PATH];
  const size_t length = strlen(entry);
  if (length >= sizeof part) return false;
  for (size_t end = 1; end <= length; end++) {
    if (entry[end] != '/' && entry[end] != '\0') continue;
    memcpy(part, entry, end);
    part[end] = '\0';
    H5L_info_t link;
    if (H5Lexists(h->file, part, H5P_DEFAULT) <= 0) return false;
    if (H5Lget_info(h->file, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return false;
  }
  return true;
}

typedef struct data_set {
  hid_t set, type;
  H5T_class_t class;
  int64_t count;
} data_set;

static void close_set(const data_set *d)
{
  if (d->type >= 0) H5Tclose(d->type);
  if (d->set >= 0) H5Dclose(d->set);
}

// The data are in the file: neither in another one nor never written.
static bool has_data(hid_t set, int64_t count)
{
  const hid_t plan = H5Dget_create_plist(set);
  if (plan < 0) return false;
  const H5D_layout_t layout = H5Pget_layout(plan);
  const bool is_inside =
      H5Pget_external_count(plan) == 0 && (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT);
  H5Pclose(plan);
  return is_inside && (count == 0 || H5Dget_storage_size(set) > 0);
}

static srs_status open_set(const srs_hdf5 *h, const char *entry, data_set *d)
{
  *d = (data_set){-1, -1, H5T_NO_CLASS, 0};
  if (!srs_hdf5_has(h, entry)) return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is missing");
  H5O_info_t info;
  if (H5Oget_info_by_name2(h->file, entry, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "cannot be read: the file is damaged");
  if (info.type != H5O_TYPE_DATASET) return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is no data set");
  d->set = H5Dopen2(h->file, entry, H5P_DEFAULT);
  const hid_t space = d->set >= 0 ? H5Dget_space(d->set) : -1;
  d->type = d->set >= 0 ? H5Dget_type(d->set) : -1;
  d->class = d->type >= 0 ? H5Tget_class(d->type) : H5T_NO_CLASS;
  d->count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (space >= 0) H5Sclose(space);
  if (d->class == H5T_NO_CLASS || d->count < 0)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "cannot be read: the file is damaged");
  if (!has_data(d->set, d->count)) return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "has no data in this file");
  return SRS_OK;
}

static srs_status expect_numbers(const srs_hdf5 *h, const char *entry, const data_set *d, bool whole)
{
  const bool is_number = d->class == H5T_INTEGER || (d->class == H5T_FLOAT && !whole);
  if (is_number && H5Tget_size(d->type) <= LARGEST_NUMBER) return SRS_OK; // a file may claim numbers of gigabytes
  return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "does not hold %s", whole ? "integers" : "numbers");
}

srs_status srs_hdf5_count(const srs_hdf5 *h, const char *entry, int64_t *count)
{
  data_set d;
  srs_status status = open_set(h, entry, &d);
  if (status == SRS_OK) status = expect_numbers(h, entry, &d, false);
  if (status == SRS_OK) *count = d.count;
  close_set(&d);
  return status;
}

// ---- reading ----

static srs_status read_set(const srs_hdf5 *h, const char *entry, int64_t count, bool whole, void *values)
{
  data_set d;
  srs_status status = open_set(h, entry, &d);
  if (status == SRS_OK) status = expect_numbers(h, entry, &d, whole);
  if (status == SRS_OK && d.count != count)
    status = srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "has %" PRId64 " numbers where %" PRId64 " are needed", d.count,
                           count);
  const hid_t type = whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  if (status == SRS_OK && count > 0 && H5Dread(d.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    status = srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "cannot be read: the file is damaged");
  close_set(&d);
  return status;
}

srs_status srs_hdf5_integers(const srs_hdf5 *h, const char *entry, int64_t count, int64_t *values)
{
  return read_set(h, entry, count, true, values);
}

srs_status srs_hdf5_integer(const srs_hdf5 *h, const char *entry, int64_t low, int64_t high, int *value)
{
  int64_t wide = 0;
  const srs_status status = srs_hdf5_integers(h, entry, 1, &wide);
  if (status != SRS_OK) return status;
  if (wide < low || wide > high)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is %" PRId64 ": %" PRId64 " to %" PRId64 " are possible", wide,
                         low, high);
  *value = (int)wide;
  return SRS_OK;
}

srs_status srs_hdf5_numbers(const srs_hdf5 *h, const char *entry, int64_t count, double *values)
{
  srs_status status = read_set(h, entry, count, false, values);
  for (int64_t i = 0; status == SRS_OK && i < count; i++)
    if (!isfinite(values[i]))
      status = srs_hdf5_fail(h, SRS_ERROR_NOT_FINITE, entry, "holds, at index %" PRId64 ", no finite number", i);
  return status;
}

srs_status srs_hdf5_text(const srs_hdf5 *h, const char *entry, char **text)
{
  data_set d;
  char *bytes = NULL;
  srs_status status = open_set(h, entry, &d);
  if (status == SRS_OK && (d.class != H5T_STRING || d.count != 1 || H5Tis_variable_str(d.type) != 0))
    status = srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is no text of fixed length");
  const size_t size = status == SRS_OK ? H5Tget_size(d.type) : 0;
  if (status == SRS_OK && (size == 0 || size > LONGEST_TEXT))
    status = srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is a text of %zu bytes: %d are possible", size, LONGEST_TEXT);
  if (status == SRS_OK && (bytes = calloc(1, size + 1)) == NULL)
    status = srs_hdf5_fail(h, SRS_ERROR_MEMORY, entry, "finds no memory for its %zu bytes", size);
  if (status == SRS_OK && H5Dread(d.set, d.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
    status = srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "cannot be read: the file is damaged");
  close_set(&d);
  if (status == SRS_OK)
    *text = bytes;
  else
    free(bytes);
  return status;
}

// ---- writing ----

// In memory nothing else can fail.
static srs_status cannot_write(const srs_hdf5 *h, const char *entry)
{
  return srs_hdf5_fail(h, SRS_ERROR_MEMORY, entry, "cannot be written: no memory left");
}

srs_status srs_hdf5_create_in_memory(srs_hdf5 *h)
{
  char name[64]; // of files that are open the names differ
  h->file = -1;
  srs_print(name, sizeof name, "in memory at %p", (const void *)h);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0)
    h->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  return h->file >= 0 ? SRS_OK : cannot_write(h, NULL);
}

srs_status srs_hdf5_image(const srs_hdf5 *h, void **bytes, size_t *length)
{
  *bytes = NULL;
  if (H5Fflush(h->file, H5F_SCOPE_GLOBAL) < 0) return cannot_write(h, NULL);
  const ssize_t size = H5Fget_file_image(h->file, NULL, 0);
  if (size > 0) *bytes = malloc((size_t)size);
  if (*bytes == NULL) return cannot_write(h, NULL);
  *length = (size_t)size;
  return H5Fget_file_image(h->file, *bytes, *length) == size ? SRS_OK : cannot_write(h, NULL);
}

srs_status srs_hdf5_make_group(const srs_hdf5 *h, const char *entry)
{
  const hid_t group = H5Gcreate2(h->file, entry, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return cannot_write(h, entry);
  H5Gclose(group);
  return SRS_OK;
}

// The values lie in memory as `type` and in the file as `stored`.
static bool put_set(const srs_hdf5 *h, const char *entry, hid_t space, hid_t type, hid_t stored, const void *values)
{
  if (space < 0 || type < 0) return false;
  const hid_t set = H5Dcreate2(h->file, entry, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set < 0) return false;
  const bool is_good =
      H5Sget_simple_extent_npoints(space) == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  return H5Dclose(set) >= 0 && is_good;
}

static bool put_numbers(const srs_hdf5 *h, const char *entry, size_t count, hid_t type, hid_t stored,
                        const void *values)
{
  const hsize_t size = count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const bool is_good = put_set(h, entry, space, type, stored, values);
  if (space >= 0) H5Sclose(space);
  return is_good;
}

srs_status srs_hdf5_put_integers(const srs_hdf5 *h, const char *entry, size_t count, const int *values)
{
  const bool is_good = put_numbers(h, entry, count, H5T_NATIVE_INT, H5T_STD_I32LE, values);
  return is_good ? SRS_OK : cannot_write(h, entry);
}

srs_status srs_hdf5_put_numbers(const srs_hdf5 *h, const char *entry, size_t count, const double *values)
{
  const bool is_good = put_numbers(h, entry, count, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, values);
  return is_good ? SRS_OK : cannot_write(h, entry);
}

srs_status srs_hdf5_put_text(const srs_hdf5 *h, const char *entry, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  const bool is_good =
      type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 && put_set(h, entry, space, type, type, text);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return is_good ? SRS_OK : cannot_write(h, entry);
}
