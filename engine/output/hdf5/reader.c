// Groups of columns are the data sets of numbers in the file's root; those of a killed run may have more rows than
// `time`, which are left out.
#include "engine/output/hdf5/reader.h"

#include "topology/base/errors.h"

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 512, MOST_GROUPS = 256, MOST_NUMBERS = 1 << 28 };

static srs_status damaged(const char *path, const char *what, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, "", "%s", what);
}

static srs_status no_memory(const char *path, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to read it");
}

static srs_status open_file(const char *path, hid_t *file, srs_error *error)
{
  FILE *there = fopen(path, "rbe");
  char why[128];
  if (there == NULL)
    return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "", "cannot be read: %s",
                       strerror_r(errno, why, sizeof why));
  (void)fclose(there);
  (void)H5dont_atexit();
  *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  return *file >= 0 ? SRS_OK : damaged(path, "is no HDF5 file, or is damaged", error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------------------------

// n zeros of a size, at least one.  @param lacks_memory  set where there are none
static void *take(size_t n, size_t size, bool *lacks_memory)
{
  void *memory = calloc(n + 1, size);
  if (memory == NULL) *lacks_memory = true;
  return memory;
}

static char *copy_of(const char *text, bool *lacks_memory)
{
  char *copy = strdup(text);
  if (copy == NULL) *lacks_memory = true;
  return copy;
}

// The text of a data set of fixed length.
static char *read_fixed(hid_t file, const char *name, bool *lacks_memory)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = set >= 0 ? H5Dget_type(set) : -1;
  char *text = NULL;
  const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  const size_t size = is_text ? H5Tget_size(type) : 0;
  if (size > 0) text = take(size, 1, lacks_memory);
  if (text != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
    free(text);
    text = NULL;
  }
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
  return text;
}

// Texts of an attribute, n of them, as HDF5 allocates them; false where it is not so.
static bool read_attribute(hid_t object, const char *name, int n, char **texts)
{
  if (H5Aexists(object, name) <= 0) return false;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = attribute >= 0 ? H5Aget_space(attribute) : -1;
  const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
  const bool is_good = space >= 0 && type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
                       H5Sget_simple_extent_npoints(space) == n && H5Aread(attribute, type, texts) >= 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return is_good;
}

static char *read_one_attribute(hid_t file, const char *name, bool *lacks_memory)
{
  char *of_hdf5 = NULL, *text = NULL;
  if (read_attribute(file, name, 1, &of_hdf5) && of_hdf5 != NULL) text = copy_of(of_hdf5, lacks_memory);
  if (of_hdf5 != NULL) H5free_memory(of_hdf5);
  return text;
}

srs_status srs_h5_read_text(const char *path, const char *name, char **text, srs_error *error)
{
  hid_t file = -1;
  bool lacks_memory = false;
  *text = NULL;
  srs_status status;
  H5E_BEGIN_TRY
  {
    status = open_file(path, &file, error);
    if (status == SRS_OK)
      *text = name[0] == '/' ? read_fixed(file, name, &lacks_memory) : read_one_attribute(file, name, &lacks_memory);
    if (file >= 0) H5Fclose(file);
  }
  H5E_END_TRY
  if (lacks_memory) return no_memory(path, error);
  if (status == SRS_OK && *text == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, name,
                       "has no text '%s': it is no trajectory of sarrus", name);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------------------------

typedef struct group {
  char name[LONGEST_NAME];
  int width; // columns
} group;

typedef struct group_list {
  group groups[MOST_GROUPS];
  int n;
} group_list;

// The width of a data set of numbers with at least `rows` rows; 0 where it is none.  @param there  out: its rows
static int width_of(hid_t file, const char *name, hsize_t *there)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1;
  const hid_t type = set >= 0 ? H5Dget_type(set) : -1;
  hsize_t size[2] = {0, 1};
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
  const bool is_good = type >= 0 && (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER) &&
                       (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                       size[1] < MOST_NUMBERS;
  *there = size[0];
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return is_good ? (int)size[1] : 0;
}

// Reads the first rows of a data set.
static bool read_rows(hid_t file, const char *name, hsize_t rows, int width, hid_t type, void *values)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1;
  const hsize_t start[2] = {0, 0}, count[2] = {rows, (hsize_t)width};
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
  const hid_t memory = rank > 0 ? H5Screate_simple(rank, count, NULL) : -1;
  const bool is_good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                       (rows == 0 || H5Dread(set, type, memory, space, H5P_DEFAULT, values) >= 0);
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return is_good;
}

static herr_t add_group(hid_t root, const char *name, const H5L_info_t *link, void *context)
{
  group_list *list = context;
  H5O_info_t info;
  hsize_t there = 0;
  if (link->type != H5L_TYPE_HARD || strlen(name) >= LONGEST_NAME || list->n == MOST_GROUPS) return 0;
  for (int i = 0; i < list->n; i++)
    if (strcmp(list->groups[i].name, name) == 0) return 0;
  if (H5Oget_info_by_name2(root, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0 || info.type != H5O_TYPE_DATASET)
    return 0;
  const int width = width_of(root, name, &there);
  if (width == 0) return 0;
  group *g = &list->groups[list->n++];
  g->width = width;
  snprintf(g->name, sizeof g->name, "%s", name);
  return 0;
}

static void find_groups(hid_t file, group_list *list)
{
  static const char *const first[] = {"time", "q", "v"};
  const H5L_info_t hard = {.type = H5L_TYPE_HARD};
  list->n = 0;
  for (int i = 0; i < 3; i++)
    if (H5Lexists(file, first[i], H5P_DEFAULT) > 0) (void)add_group(file, first[i], &hard, list);
  (void)H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, add_group, list);
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

static char *join(const char *head, const char *name, bool *lacks_memory)
{
  char *text = take(strlen(head) + strlen(name) + 1, 1, lacks_memory);
  if (text != NULL) sprintf(text, "%s:%s", head, name);
  return text;
}

static bool name_columns(hid_t file, const group *g, srs_h5_rows_read *rows, int first)
{
  const hid_t set = H5Dopen2(file, g->name, H5P_DEFAULT);
  bool *lacks = &rows->lacks_memory;
  char **texts = take(2 * (size_t)g->width, sizeof *texts, lacks), **units = texts != NULL ? texts + g->width : NULL;
  bool is_good = set >= 0 && texts != NULL;
  const bool has_names = is_good && read_attribute(set, "names", g->width, texts);
  const bool has_units = is_good && read_attribute(set, "units", g->width, units);
  char *unit = is_good && !has_units ? read_one_attribute(set, "unit", lacks) : NULL;
  for (int i = 0; i < g->width && is_good; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    const char *name = has_names && texts[i] != NULL ? texts[i] : number;
    rows->names[first + i] = g->width == 1 && !has_names ? copy_of(g->name, lacks) : join(g->name, name, lacks);
    rows->units[first + i] = copy_of(has_units && units[i] != NULL ? units[i] : unit != NULL ? unit : "", lacks);
    is_good = rows->names[first + i] != NULL && rows->units[first + i] != NULL;
  }
  for (int i = 0; texts != NULL && i < 2 * g->width; i++)
    if (texts[i] != NULL) H5free_memory(texts[i]);
  free(texts);
  free(unit);
  if (set >= 0) H5Dclose(set);
  return is_good;
}

static bool read_columns(hid_t file, const group_list *list, srs_h5_rows_read *rows)
{
  const size_t n = (size_t)rows->n_rows, all = (size_t)rows->n_columns;
  bool *lacks = &rows->lacks_memory;
  rows->names = take(all, sizeof *rows->names, lacks);
  rows->units = take(all, sizeof *rows->units, lacks);
  rows->values = take(n * all, sizeof *rows->values, lacks);
  bool is_good = rows->names != NULL && rows->units != NULL && rows->values != NULL;
  for (int i = 0, first = 0; i < list->n && is_good; i++) {
    const group *g = &list->groups[i];
    const size_t width = (size_t)g->width;
    double *values = take(n * width, sizeof *values, lacks);
    is_good = values != NULL && read_rows(file, g->name, n, g->width, H5T_NATIVE_DOUBLE, values) &&
              name_columns(file, g, rows, first);
    for (size_t row = 0; row < n && is_good; row++)
      memcpy(rows->values + row * all + (size_t)first, values + row * width, width * sizeof *values);
    free(values);
    first += g->width;
  }
  return is_good;
}

static bool read_contacts(hid_t file, srs_h5_rows_read *rows)
{
  if (H5Lexists(file, "contacts", H5P_DEFAULT) <= 0 || rows->n_rows == 0) return true;
  bool *lacks = &rows->lacks_memory;
  rows->contact_ends = take((size_t)rows->n_rows, sizeof *rows->contact_ends, lacks);
  rows->shapes = read_fixed(file, "/contacts/shapes", lacks);
  if (rows->contact_ends == NULL || rows->shapes == NULL) return false;
  if (!read_rows(file, "/contacts/end", (hsize_t)rows->n_rows, 1, H5T_NATIVE_INT32, rows->contact_ends)) return false;
  const int32_t n = rows->contact_ends[rows->n_rows - 1];
  if (rows->contact_ends[0] < 0 || n < 0 || n > MOST_NUMBERS) return false;
  for (int i = 1; i < rows->n_rows; i++)
    if (rows->contact_ends[i] < rows->contact_ends[i - 1]) return false;
  rows->n_contacts = n;
  rows->pairs = take(2 * (size_t)n, sizeof *rows->pairs, lacks);
  rows->points = take(3 * (size_t)n, sizeof *rows->points, lacks);
  rows->forces = take(3 * (size_t)n, sizeof *rows->forces, lacks);
  rows->normals = take(3 * (size_t)n, sizeof *rows->normals, lacks);
  rows->friction = take((size_t)n, sizeof *rows->friction, lacks);
  const bool has_friction = H5Lexists(file, "/contacts/friction", H5P_DEFAULT) > 0;
  return rows->pairs != NULL && rows->points != NULL && rows->forces != NULL && rows->normals != NULL &&
         rows->friction != NULL &&
         read_rows(file, "/contacts/normal", (hsize_t)n, 3, H5T_NATIVE_DOUBLE, rows->normals) &&
         (!has_friction || read_rows(file, "/contacts/friction", (hsize_t)n, 0, H5T_NATIVE_DOUBLE, rows->friction)) &&
         read_rows(file, "/contacts/pair", (hsize_t)n, 2, H5T_NATIVE_INT32, rows->pairs) &&
         read_rows(file, "/contacts/point", (hsize_t)n, 3, H5T_NATIVE_DOUBLE, rows->points) &&
         read_rows(file, "/contacts/force", (hsize_t)n, 3, H5T_NATIVE_DOUBLE, rows->forces);
}

static srs_status read_all(hid_t file, const char *path, srs_h5_rows_read *rows, srs_error *error)
{
  group_list *list = malloc(sizeof *list);
  if (list == NULL) return no_memory(path, error);
  find_groups(file, list);
  hsize_t n_rows = 0;
  int n_columns = 0;
  const bool has_time =
      list->n > 0 && strcmp(list->groups[0].name, "time") == 0 && width_of(file, "time", &n_rows) == 1;
  int n_kept = 0;
  for (int i = 0; i < list->n && has_time; i++) {
    hsize_t there = 0;
    (void)width_of(file, list->groups[i].name, &there);
    if (there < n_rows) continue; // something else that was put there
    list->groups[n_kept++] = list->groups[i];
    n_columns += list->groups[n_kept - 1].width;
  }
  list->n = n_kept;
  rows->n_rows = (int)n_rows;
  rows->n_columns = n_columns;
  srs_status status = SRS_OK;
  if (!has_time)
    status = damaged(path, "is no trajectory: it has no data set 'time'", error);
  else if (n_rows == 0)
    status = damaged(path, "has no rows", error);
  else if (n_rows > MOST_NUMBERS / (hsize_t)n_columns)
    status = damaged(path, "has more numbers than can be read at once", error);
  else if (!read_columns(file, list, rows) || !read_contacts(file, rows) || rows->lacks_memory)
    status = rows->lacks_memory ? no_memory(path, error) : damaged(path, "cannot be read whole: it is damaged", error);
  free(list);
  return status;
}

srs_status srs_h5_rows_read_all(const char *path, srs_h5_rows_read *rows, srs_error *error)
{
  hid_t file = -1;
  *rows = (srs_h5_rows_read){0};
  srs_status status;
  H5E_BEGIN_TRY
  {
    status = open_file(path, &file, error);
    if (status == SRS_OK) status = read_all(file, path, rows, error);
    if (file >= 0) H5Fclose(file);
  }
  H5E_END_TRY
  return status;
}

void srs_h5_rows_release(srs_h5_rows_read *rows)
{
  for (int i = 0; rows->names != NULL && i < rows->n_columns; i++) free(rows->names[i]);
  for (int i = 0; rows->units != NULL && i < rows->n_columns; i++) free(rows->units[i]);
  free(rows->names);
  free(rows->units);
  free(rows->values);
  free(rows->shapes);
  free(rows->contact_ends);
  free(rows->pairs);
  free(rows->points);
  free(rows->forces);
  free(rows->normals);
  free(rows->friction);
  *rows = (srs_h5_rows_read){0};
}
