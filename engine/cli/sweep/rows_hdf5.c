// A sweep's rows as HDF5: a data set for each column, numbers as doubles, words and messages as text; the texts of
// sweep and scene beside them. Nothing in it tells when it was made, so the same rows are the same bytes.
#include "engine/cli/sweep/rows_file.h"

#include "engine/cli/drawing/sweep_table.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A data set notes when it was made unless it is told not to.
static hid_t create_set(hid_t file, const char *name, hid_t type, hid_t space)
{
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation, false);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Pclose(creation);
  return set;
}

static bool write_numbers(hid_t file, const char *name, const double *values, hsize_t n)
{
  const hid_t space = H5Screate_simple(1, &n, NULL);
  const hid_t set = create_set(file, name, H5T_IEEE_F64LE, space);
  const bool is_good =
      set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 && H5Dclose(set) >= 0;
  return H5Sclose(space) >= 0 && is_good;
}

// n texts, each as long as the longest.
static bool write_texts(hid_t file, const char *name, char *const *texts, hsize_t n)
{
  size_t longest = 1;
  for (hsize_t i = 0; i < n; i++) longest = strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
  char *packed = calloc(n + 1, longest);
  if (packed == NULL) return false;
  for (hsize_t i = 0; i < n; i++) memcpy(packed + i * longest, texts[i], strlen(texts[i]));
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &n, NULL);
  H5Tset_size(type, longest);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t set = create_set(file, name, type, space);
  const bool is_good =
      set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) >= 0 && H5Dclose(set) >= 0;
  free(packed);
  return H5Sclose(space) >= 0 && H5Tclose(type) >= 0 && is_good;
}

static bool write_columns(hid_t file, const sweep_table *table)
{
  bool is_good = true;
  for (int i = 0; i < table->n_columns && is_good; i++) {
    const sweep_column *column = &table->columns[i];
    is_good = column->numbers != NULL ? write_numbers(file, column->name, column->numbers, (hsize_t)table->n_rows)
                                      : write_texts(file, column->name, column->texts, (hsize_t)table->n_rows);
  }
  return is_good;
}

static bool write_all(const char *path, const sweep_table *table, const char *note)
{
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_obj_track_times(creation, false);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  char *about[1] = {(char *)(size_t)note};
  bool is_good = file >= 0 && write_columns(file, table);
  is_good = is_good && write_texts(file, "about", about, 1);
  if (file >= 0) is_good = H5Fclose(file) >= 0 && is_good;
  H5Pclose(creation);
  H5Pclose(access);
  return is_good;
}

srs_status srs_rows_to_hdf5(const char *csv, const char *note, const srs_sweep_plan *plan, const char *path,
                            srs_error *error)
{
  sweep_table table;
  char *text = NULL;
  size_t length = 0;
  (void)plan;
  srs_status status = srs_read_text(note, NULL, &text, &length, error);
  if (status != SRS_OK) return status;
  status = sweep_table_read(csv, &table, error);
  char *part = malloc(strlen(path) + 8);
  if (status == SRS_OK && part == NULL)
    status = srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "no memory left to write it");
  if (status == SRS_OK) {
    sprintf(part, "%s.part", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (!write_all(part, &table, text) || rename(part, path) != 0) {
      (void)unlink(part);
      status = srs_fail(error, SRS_ERROR_FILE, path, 0, 0, NULL,
                        "cannot be written; its rows are in %.200s: make room and run the same command again", csv);
    }
    sweep_table_destroy(&table);
  }
  free(part), free(text);
  return status;
}
