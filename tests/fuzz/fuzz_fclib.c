// Contact problems in HDF5 files that libhdf5 itself finds in order, but whose entries are anything: missing, of
// another kind or count, links, groups, never written, with numbers out of range. Each ends in a problem that can be
// solved and written again, or in a message.
//
// The bytes choose sizes and formats, and for every entry what is done to it: zeros make a good file. The file is not
// the bytes themselves, because libhdf5 1.10 crashes in files with damaged headers (docs/safety.md), which would be
// found all the time.
#include "fuzz/fuzz.h"

#include <hdf5.h>

enum { MOST_NUMBERS = 96, MOST_ROWS = 13 }; // rows: 3 of each of 3 contacts, 4 bilateral ones

typedef struct file_maker {
  fuzz_bytes bytes;
  hid_t file;
  int spacedim, contacts, m, p; // m rows of contacts, p bilateral
} file_maker;

// What is done to an entry. Where the byte is below 160: nothing.
typedef enum fault {
  NO_FAULT = 160,
  IS_MISSING,
  IS_A_GROUP,
  IS_A_SOFT_LINK,
  IS_AN_EXTERNAL_LINK,
  IS_A_TEXT,
  IS_A_LONG_TEXT,
  IS_A_TEXT_OF_ANY_LENGTH,
  IS_NOT_WRITTEN,
  IS_IN_ANOTHER_FILE,
  IS_COMPACT,
  IS_IN_CHUNKS,
  IS_HUGE, // by its own account; one chunk is written
  IS_A_TABLE,
  IS_A_SCALAR,
  IS_NULL,
  IS_OF_FLOATS,
  IS_OF_LONG_DOUBLES,
  IS_OF_BYTES,
  IS_OF_UNSIGNED,
  IS_COMPOUND,
  HAS_ONE_MORE,
  HAS_ONE_LESS,
  HAS_NONE,
  HAS_OTHER_NUMBERS // and so all above
} fault;

// ---- entries ----

static void put_link(const file_maker *f, const char *name, fault what)
{
  if (what == IS_A_SOFT_LINK)
    H5Lcreate_soft("/fclib_local/spacedim", f->file, name, H5P_DEFAULT, H5P_DEFAULT);
  else if (what == IS_AN_EXTERNAL_LINK)
    H5Lcreate_external("/dev/null", "/x", f->file, name, H5P_DEFAULT, H5P_DEFAULT);
  else {
    const hid_t group = H5Gcreate2(f->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
  }
}

static void put_text(file_maker *f, const char *name, fault what)
{
  static char text[100000];
  const size_t length = what == IS_A_LONG_TEXT ? sizeof text : (size_t)fuzz_byte(&f->bytes) + 1;
  memset(text, 'x', sizeof text);
  for (int i = 0; i < 4; i++) text[i] = (char)fuzz_byte(&f->bytes);
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, what == IS_A_TEXT_OF_ANY_LENGTH ? H5T_VARIABLE : length);
  const hid_t set = H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  text[sizeof text - 1] = '\0';
  const char *const pointer = text;
  if (set >= 0 && what == IS_A_TEXT_OF_ANY_LENGTH)
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer);
  else if (set >= 0)
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

static hid_t space_of(fault what, hsize_t count)
{
  const hsize_t huge = 1ULL << 40, table[2] = {1, count};
  if (what == IS_A_SCALAR) return H5Screate(H5S_SCALAR);
  if (what == IS_NULL) return H5Screate(H5S_NULL);
  if (what == IS_A_TABLE) return H5Screate_simple(2, table, NULL);
  if (what == IS_HUGE) return H5Screate_simple(1, &huge, NULL);
  return H5Screate_simple(1, &count, NULL);
}

static hid_t type_of(fault what, bool whole) // copied
{
  if (what == IS_COMPOUND) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(type, "x", 0, whole ? H5T_STD_I64LE : H5T_IEEE_F64LE);
    return type;
  }
  return H5Tcopy(what == IS_OF_FLOATS         ? H5T_IEEE_F32LE
                 : what == IS_OF_LONG_DOUBLES ? H5T_NATIVE_LDOUBLE
                 : what == IS_OF_BYTES        ? H5T_STD_I8BE
                 : what == IS_OF_UNSIGNED     ? H5T_STD_U64BE
                 : whole                      ? H5T_STD_I32LE
                                              : H5T_IEEE_F64LE);
}

static hid_t plan_of(fault what, hsize_t count)
{
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = what == IS_HUGE || count == 0 ? 4 : count;
  if (what == IS_COMPACT) H5Pset_layout(plan, H5D_COMPACT);
  if (what == IS_IN_CHUNKS || what == IS_HUGE) H5Pset_chunk(plan, 1, &chunk);
  if (what == IS_IN_ANOTHER_FILE) H5Pset_external(plan, "/dev/zero", 0, H5F_UNLIMITED);
  return plan;
}

// Writes numbers of the file's own type; of a huge set the first ones.
static void write_set(hid_t set, fault what, hsize_t count, const double *values)
{
  if (what != IS_HUGE) {
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    return;
  }
  const hsize_t from = 0, n = count > 0 ? count : 1;
  const hid_t file = H5Dget_space(set), memory = H5Screate_simple(1, &n, NULL);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, &from, NULL, &n, NULL);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, values);
  H5Sclose(memory);
  H5Sclose(file);
}

static void put_numbers(const file_maker *f, const char *name, fault what, hsize_t count, bool whole,
                        const double *values)
{
  const hid_t space = space_of(what, count), type = type_of(what, whole), plan = plan_of(what, count);
  const hid_t set = H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  const bool is_written = what != IS_NOT_WRITTEN && what != IS_IN_ANOTHER_FILE && what != IS_NULL;
  if (set >= 0 && is_written) write_set(set, what, count, values);
  if (set >= 0) H5Dclose(set);
  H5Pclose(plan);
  H5Tclose(type);
  H5Sclose(space);
}

static void put(file_maker *f, const char *name, bool whole, int count, const double *good)
{
  double values[MOST_NUMBERS + 2] = {0};
  const int choice = fuzz_byte(&f->bytes);
  const fault what = choice < NO_FAULT ? NO_FAULT : choice > HAS_OTHER_NUMBERS ? HAS_OTHER_NUMBERS : (fault)choice;
  if (count > 0) memcpy(values, good, (size_t)count * sizeof *values);
  if (what == IS_MISSING) return;
  if (what == IS_A_GROUP || what == IS_A_SOFT_LINK || what == IS_AN_EXTERNAL_LINK) {
    put_link(f, name, what);
    return;
  }
  if (what == IS_A_TEXT || what == IS_A_LONG_TEXT || what == IS_A_TEXT_OF_ANY_LENGTH) {
    put_text(f, name, what);
    return;
  }
  if (what == HAS_OTHER_NUMBERS)
    for (int n = choice % 4; n >= 0 && count > 0; n--) values[fuzz_below(&f->bytes, count)] = fuzz_number(&f->bytes);
  if (what == HAS_ONE_MORE) count++;
  if (what == HAS_ONE_LESS && count > 0) count--;
  if (what == HAS_NONE) count = 0;
  put_numbers(f, name, what, (hsize_t)count, whole, values);
}

static void put_integer(file_maker *f, const char *name, int value)
{
  const double number = value;
  put(f, name, true, 1, &number);
}

// Whether the group is there; a byte may leave it out.
static bool put_group(file_maker *f, const char *name)
{
  if (fuzz_byte(&f->bytes) == 255) return false;
  put_link(f, name, IS_A_GROUP);
  return true;
}

// ---- the file ----

// A full matrix rows x columns, diagonal entries 2 + i, in one of the three formats.
static void put_matrix(file_maker *f, const char *name, int rows, int columns)
{
  const int format = fuzz_below(&f->bytes, 3) - 2, n = rows * columns; // -2: rows, -1: columns, 0: entries
  const bool by_rows = format != -1;
  double x[MOST_NUMBERS], i[MOST_NUMBERS], p[MOST_NUMBERS];
  int n_starts = n;
  for (int k = 0; k < n; k++) {
    const int row = by_rows ? k / columns : k % rows, column = by_rows ? k % columns : k / rows;
    x[k] = row == column ? 2 + row : 0.25 / (1 + row + column);
    i[k] = format == -1 ? row : column;
    p[k] = row; // of entries
  }
  if (format != 0) n_starts = (by_rows ? rows : columns) + 1;
  for (int k = 0; format != 0 && k < n_starts; k++) p[k] = k * (by_rows ? columns : rows);
  char entry[64];
  const char *const scalars[] = {"m", "n", "nzmax", "nz"};
  const int values[] = {rows, columns, n, format == 0 ? n : format};
  snprintf(entry, sizeof entry, "fclib_local/%s", name);
  if (!put_group(f, entry)) return;
  for (int k = 0; k < 4; k++) {
    snprintf(entry, sizeof entry, "fclib_local/%s/%s", name, scalars[k]);
    put_integer(f, entry, values[k]);
  }
  snprintf(entry, sizeof entry, "fclib_local/%s/p", name);
  put(f, entry, true, n_starts, p);
  snprintf(entry, sizeof entry, "fclib_local/%s/i", name);
  put(f, entry, true, n, i);
  snprintf(entry, sizeof entry, "fclib_local/%s/x", name);
  put(f, entry, false, n, x);
}

static void put_impulses(file_maker *f, const char *group, bool has_velocity)
{
  const double numbers[MOST_ROWS] = {0.5, 0.25};
  char entry[64];
  if (!put_group(f, group)) return;
  snprintf(entry, sizeof entry, "%s/r", group);
  put(f, entry, false, f->m, numbers);
  snprintf(entry, sizeof entry, "%s/l", group);
  if (f->p > 0) put(f, entry, false, f->p, numbers);
  snprintf(entry, sizeof entry, "%s/u", group);
  if (has_velocity) put(f, entry, false, f->m, numbers);
}

static void put_all(file_maker *f)
{
  static const double q[MOST_ROWS] = {-1, 0.5, 0.25, -2, 0.125, 0.5, -1, 1, 1}, mu[3] = {0.5, 0.25, 1};
  if (!put_group(f, "fclib_local")) return;
  put_integer(f, "fclib_local/spacedim", f->spacedim);
  put_matrix(f, "W", f->m, f->m);
  if (f->p > 0) put_matrix(f, "V", f->m, f->p);
  if (f->p > 0) put_matrix(f, "R", f->p, f->p);
  if (put_group(f, "fclib_local/vectors")) {
    put(f, "fclib_local/vectors/q", false, f->m, q);
    put(f, "fclib_local/vectors/mu", false, f->contacts, mu);
    if (f->p > 0) put(f, "fclib_local/vectors/s", false, f->p, q);
  }
  const int parts = fuzz_byte(&f->bytes);
  if (parts & 1) put_impulses(f, "solution", parts & 2);
  if (parts & 4 && put_group(f, "guesses")) {
    put_integer(f, "guesses/number_of_guesses", 2);
    put_impulses(f, "guesses/1", false);
    put_impulses(f, "guesses/2", false);
  }
  if (parts & 8 && put_group(f, "fclib_local/info")) {
    put_text(f, "fclib_local/info/title", IS_A_TEXT);
    put_integer(f, "fclib_local/info/description", 1); // no text, unless a fault makes it one
    if (parts & 16) put_text(f, "fclib_local/info/math_info", IS_A_LONG_TEXT);
  }
}

static const char *made_file(fuzz_bytes bytes)
{
  file_maker f = {.bytes = bytes};
  f.spacedim = 2 + fuzz_below(&f.bytes, 2);
  f.contacts = fuzz_below(&f.bytes, 4);
  f.p = fuzz_below(&f.bytes, 5);
  f.m = f.contacts * f.spacedim;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 65536, false);
  f.file = H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  put_all(&f);
  H5Fflush(f.file, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(f.file, NULL, 0);
  fuzz_demand(size > 0, "libhdf5 makes a file");
  void *image = malloc((size_t)size);
  fuzz_demand(image != NULL && H5Fget_file_image(f.file, image, (size_t)size) == size, "libhdf5 gives its bytes");
  const char *path = fuzz_file("p.hdf5", image, (size_t)size);
  free(image);
  H5Fclose(f.file);
  H5Pclose(access);
  return path;
}

// ---- reading, solving, writing ----

static void solve(const srs_contact_problem *problem, int method)
{
  double impulse[MOST_ROWS], velocity[MOST_ROWS];
  const int n = srs_contact_problem_rows(problem);
  srs_contact_solver *solver = NULL;
  srs_contact_report report;
  srs_error error = {0};
  srs_contact_options options = srs_default_contact_options();
  options.most_work = 1e6;
  options.method = (srs_contact_method)method;
  fuzz_demand(n <= MOST_ROWS, "no more rows than were written");
  fuzz_demand(srs_contact_solver_create(n, &solver, &error) == SRS_OK, "a solver");
  const srs_status status = srs_contact_solve(solver, problem, &options, false, impulse, velocity, &report);
  fuzz_demand(status == SRS_OK || status == SRS_ERROR_DIVERGED, "what was read can be given to a solver");
  for (int i = 0; i < n; i++) fuzz_demand(isfinite(impulse[i]), "impulses are finite");
  for (int i = 0; i < n; i++) fuzz_demand(isfinite(velocity[i]), "velocities are finite");
  srs_contact_solver_destroy(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  srs_contact_file file = {0}, again = {0};
  srs_error error = {0};
  const char *path;
  H5dont_atexit();
  H5E_BEGIN_TRY { path = made_file((fuzz_bytes){data, size}); }
  H5E_END_TRY
  srs_status status = srs_contact_file_read(path, &file, &error);
  fuzz_judge(status, &error);
  if (status == SRS_OK) {
    for (int method = 0; method < SRS_CONTACT_METHODS; method++) solve(&file.problem, method);
    path = fuzz_path("written.hdf5");
    status = srs_contact_file_write(path, &file, &error);
    fuzz_judge(status, &error);
    if (status == SRS_OK)
      fuzz_demand(srs_contact_file_read(path, &again, &error) == SRS_OK, "what was written can be read");
    if (status == SRS_OK) srs_contact_file_free(&again);
    srs_contact_file_free(&file);
  }
  return 0;
}
