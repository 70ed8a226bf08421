// The rows of a sweep as HDF5: a data set in the file's root for each column, numbers or texts, all of one length, and
// the text `about`, which tells such a file from others (engine/cli/sweep/rows_hdf5.c writes them). Texts are not read.
#include "engine/cli/plot/sweep_hdf5.h"

#include "topology/base/errors.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 28 };

static const char about[] = "about";

static bool open_set(hid_t file, const char *name, hid_t *set, hid_t *type, hid_t *space)
{
  *set = H5Dopen2(file, name, H5P_DEFAULT);
  *type = *set >= 0 ? H5Dget_type(*set) : -1;
  *space = *set >= 0 ? H5Dget_space(*set) : -1;
  return *type >= 0 && *space >= 0;
}

static bool read_column(hid_t file, sweep_table *t, const char *name, bool *lacks_memory)
{
  hid_t set, type, space;
  bool is_good = open_set(file, name, &set, &type, &space) && H5Sget_simple_extent_ndims(space) == 1;
  const hssize_t n = is_good ? H5Sget_simple_extent_npoints(space) : -1;
  sweep_column *column = &t->columns[t->n_columns];
  is_good = n >= 0 && n < MOST_ROWS && (t->n_columns == 0 || n == t->n_rows);
  if (is_good && H5Tget_class(type) == H5T_FLOAT) {
    column->numbers = calloc((size_t)n + 1, sizeof *column->numbers);
    *lacks_memory = column->numbers == NULL;
    is_good =
        column->numbers != NULL && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->numbers) >= 0;
  }
  column->name = strdup(name);
  *lacks_memory = *lacks_memory || column->name == NULL;
  t->n_columns++;
  if (n >= 0) t->n_rows = (long)n;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
  return is_good && column->name != NULL;
}

static bool read_columns(hid_t file, sweep_table *t, bool *lacks_memory)
{
  H5G_info_t root;
  if (H5Lexists(file, about, H5P_DEFAULT) <= 0 || H5Gget_info(file, &root) < 0 || root.nlinks > INT16_MAX) return false;
  t->columns = calloc((size_t)root.nlinks + 1, sizeof *t->columns);
  *lacks_memory = t->columns == NULL;
  bool is_good = t->columns != NULL;
  for (hsize_t i = 0; i < root.nlinks && is_good; i++) {
    char name[512];
    const ssize_t length = H5Lget_name_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    is_good = length > 0 && (size_t)length < sizeof name;
    if (is_good && strcmp(name, about) != 0) is_good = read_column(file, t, name, lacks_memory);
  }
  return is_good && t->n_columns > 0;
}

srs_status sweep_table_read_hdf5(const char *path, sweep_table *t, srs_error *error)
{
  *t = (sweep_table){.owns_names = true};
  const srs_place place = {path, 0, 0};
  FILE *there = fopen(path, "rbe");
  if (there == NULL) return srs_fail_at(error, SRS_ERROR_FILE, place, "", "cannot be read: %s", strerror(errno));
  (void)fclose(there);
  bool is_good, lacks_memory = false;
  (void)H5dont_atexit();
  H5E_BEGIN_TRY
  {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    is_good = file >= 0 && read_columns(file, t, &lacks_memory);
    if (file >= 0) H5Fclose(file);
  }
  H5E_END_TRY
  if (is_good) return SRS_OK;
  sweep_table_destroy(t);
  return lacks_memory ? srs_fail_at(error, SRS_ERROR_MEMORY, place, "", "no memory left to read it")
                      : srs_fail_at(error, SRS_ERROR_SYNTAX, place, "",
                                    "holds no rows of a sweep, or is damaged; sarrus sweep writes such files");
}
