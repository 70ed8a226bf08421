// Writes contact problems to files: FCLIB's local problem in HDF5, whose entries contact/files/fclib_read.c lists. W, V
// and R are in compressed columns, without zeros. Rows that the format lacks become equivalent contacts
// (contact/problem/as_contacts.c). A complete new file replaces the old one (topology/base/whole_file.h).
#include "contact/files/hdf5_entry.h"
#include "contact/problem/as_contacts.h"
#include "contact/problem/problem.h"
#include "topology/base/whole_file.h"
#include <sarrus/contact_file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ENTRY = 64 };

typedef struct writing {
  srs_hdf5 h;
  const srs_contact_file *file;
  int spacedim, n_local, n_rows;
  int *starts, *indices; // of a sparse matrix: n_rows + 1, n_rows^2
  double *entries;       // n_rows^2
} writing;

static bool all_finite(const double *x, size_t n)
{
  for (size_t i = 0; x != NULL && i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static srs_status check(writing *w)
{
  const srs_contact_file *f = w->file;
  const srs_contact_problem *p = &f->problem;
  srs_contact_form form;
  const srs_status status = srs_contact_problem_check(p, &form);
  const size_t n = (size_t)w->n_rows, bilateral = (size_t)p->n_bilateral;
  if (status == SRS_ERROR_NOT_FINITE ||
      (status == SRS_OK && (!all_finite(f->impulse, n) || !all_finite(f->velocity, n) ||
                            !all_finite(f->guesses, n * (size_t)f->n_guesses))))
    return srs_hdf5_fail(&w->h, SRS_ERROR_NOT_FINITE, NULL, "not written: a number of the problem is not finite");
  if (status != SRS_OK) return srs_hdf5_fail(&w->h, status, NULL, "not written: its sizes or bounds make no problem");
  double largest = 0, apart = 0;
  for (size_t i = bilateral; i < n; i++)
    for (size_t j = 0; j < bilateral; j++) {
      largest = fmax(largest, fabs(p->W[i * n + j]));
      apart = fmax(apart, fabs(p->W[i * n + j] - p->W[j * n + i]));
    }
  if (apart > 1e-9 * largest)
    return srs_hdf5_fail(&w->h, SRS_ERROR_UNSUPPORTED, NULL,
                         "not written: FCLIB wants the columns of bilateral rows equal to these rows");
  return SRS_OK;
}

// By compressed columns, zeros left out; one entry at least, since libfclib wants some.
static int compress(const writing *w, size_t first_row, size_t rows, size_t first_column, size_t columns)
{
  const double *W = w->file->problem.W;
  int n = 0;
  w->starts[0] = 0;
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < rows; i++) {
      const double x = W[(first_row + i) * (size_t)w->n_rows + first_column + j];
      const bool is_last = n == 0 && i + 1 == rows && j + 1 == columns;
      if (x == 0 && !is_last) continue;
      w->indices[n] = (int)i;
      w->entries[n++] = x;
    }
    w->starts[j + 1] = n;
  }
  return n;
}

static srs_status put_matrix(const writing *w, const char *name, int first_row, int rows, int first_column, int columns)
{
  char group[LONGEST_ENTRY], entry[LONGEST_ENTRY + 8];
  const int n = compress(w, (size_t)first_row, (size_t)rows, (size_t)first_column, (size_t)columns);
  snprintf(group, sizeof group, "fclib_local/%s", name);
  srs_status status = srs_hdf5_make_group(&w->h, group);
  const char *const names[] = {"nzmax", "m", "n", "nz"};
  const int values[] = {n, rows, columns, -1};
  for (size_t i = 0; i < 4 && status == SRS_OK; i++) {
    snprintf(entry, sizeof entry, "%s/%s", group, names[i]);
    status = srs_hdf5_put_integers(&w->h, entry, 1, &values[i]);
  }
  snprintf(entry, sizeof entry, "%s/p", group);
  if (status == SRS_OK) status = srs_hdf5_put_integers(&w->h, entry, (size_t)columns + 1, w->starts);
  snprintf(entry, sizeof entry, "%s/i", group);
  if (status == SRS_OK) status = srs_hdf5_put_integers(&w->h, entry, (size_t)n, w->indices);
  snprintf(entry, sizeof entry, "%s/x", group);
  return status == SRS_OK ? srs_hdf5_put_numbers(&w->h, entry, (size_t)n, w->entries) : status;
}

static srs_status put_problem(const writing *w)
{
  const srs_contact_problem *p = &w->file->problem;
  const int bilateral = p->n_bilateral, local = w->n_local;
  srs_status status = srs_hdf5_make_group(&w->h, "fclib_local");
  if (status == SRS_OK) status = srs_hdf5_put_integers(&w->h, "fclib_local/spacedim", 1, &w->spacedim);
  if (status == SRS_OK) status = put_matrix(w, "W", bilateral, local, bilateral, local);
  if (status == SRS_OK && bilateral > 0) status = put_matrix(w, "V", bilateral, local, 0, bilateral);
  if (status == SRS_OK && bilateral > 0) status = put_matrix(w, "R", 0, bilateral, 0, bilateral);
  if (status == SRS_OK) status = srs_hdf5_make_group(&w->h, "fclib_local/vectors");
  if (status == SRS_OK) status = srs_hdf5_put_numbers(&w->h, "fclib_local/vectors/q", (size_t)local, p->b + bilateral);
  if (status == SRS_OK)
    status = srs_hdf5_put_numbers(&w->h, "fclib_local/vectors/mu", (size_t)p->n_contacts, p->friction);
  if (status == SRS_OK && bilateral > 0)
    status = srs_hdf5_put_numbers(&w->h, "fclib_local/vectors/s", (size_t)bilateral, p->b);
  return status;
}

static srs_status put_info(const writing *w)
{
  const char *const names[] = {"title", "description", "math_info"};
  const char *const texts[] = {w->file->title, w->file->description, w->file->math_info};
  if (texts[0] == NULL && texts[1] == NULL && texts[2] == NULL) return SRS_OK;
  srs_status status = srs_hdf5_make_group(&w->h, "fclib_local/info");
  for (size_t i = 0; i < 3 && status == SRS_OK; i++) {
    char entry[LONGEST_ENTRY];
    snprintf(entry, sizeof entry, "fclib_local/info/%s", names[i]);
    status = srs_hdf5_put_text(&w->h, entry, texts[i] != NULL ? texts[i] : ""); // libfclib reads all three
  }
  return status;
}

// velocity NULL: left out.
static srs_status put_solution(const writing *w, const char *group, const double *impulse, const double *velocity)
{
  const int bilateral = w->file->problem.n_bilateral;
  char entry[LONGEST_ENTRY];
  srs_status status = srs_hdf5_make_group(&w->h, group);
  snprintf(entry, sizeof entry, "%s/r", group);
  if (status == SRS_OK) status = srs_hdf5_put_numbers(&w->h, entry, (size_t)w->n_local, impulse + bilateral);
  snprintf(entry, sizeof entry, "%s/l", group);
  if (status == SRS_OK && bilateral > 0) status = srs_hdf5_put_numbers(&w->h, entry, (size_t)bilateral, impulse);
  snprintf(entry, sizeof entry, "%s/u", group);
  if (status == SRS_OK && velocity != NULL)
    status = srs_hdf5_put_numbers(&w->h, entry, (size_t)w->n_local, velocity + bilateral);
  return status;
}

static srs_status put_rest(const writing *w)
{
  const srs_contact_file *f = w->file;
  srs_status status = put_info(w);
  if (status == SRS_OK && f->impulse != NULL) status = put_solution(w, "solution", f->impulse, f->velocity);
  if (status != SRS_OK || f->n_guesses == 0) return status;
  status = srs_hdf5_make_group(&w->h, "guesses");
  if (status == SRS_OK) status = srs_hdf5_put_integers(&w->h, "guesses/number_of_guesses", 1, &f->n_guesses);
  for (int i = 0; i < f->n_guesses && status == SRS_OK; i++) {
    char group[LONGEST_ENTRY];
    snprintf(group, sizeof group, "guesses/%d", i + 1);
    status = put_solution(w, group, f->guesses + (size_t)i * (size_t)w->n_rows, NULL);
  }
  return status;
}

// The file's bytes, made in memory: HDF5 itself meets no disk that is full.
static srs_status put_all(writing *w, void **bytes, size_t *length)
{
  srs_status status = srs_hdf5_create_in_memory(&w->h);
  if (status == SRS_OK) status = put_problem(w);
  if (status == SRS_OK) status = put_rest(w);
  if (status == SRS_OK) status = srs_hdf5_image(&w->h, bytes, length);
  srs_hdf5_close(&w->h);
  return status;
}

static srs_status write_file(writing *w)
{
  void *bytes = NULL;
  size_t length = 0;
  srs_status status = put_all(w, &bytes, &length);
  if (status == SRS_OK) status = srs_write_whole_file(w->h.path, bytes, length, SRS_EXISTING_IS_REPLACED, w->h.error);
  free(bytes);
  return status;
}

// A problem that is in the format's terms.
static srs_status write_problem(const char *path, const srs_contact_file *file, srs_error *error)
{
  const srs_contact_problem *p = &file->problem;
  writing w = {.h = {.path = path, .file = -1, .error = error}, .file = file};
  w.spacedim = 1 + (p->n_contacts > 0 ? srs_contact_tangents(p, 0) : 2);
  w.n_local = w.spacedim * p->n_contacts;
  w.n_rows = p->n_bilateral + w.n_local;
  const size_t n = (size_t)w.n_rows;
  w.starts = calloc(n + 1, sizeof *w.starts);
  w.indices = calloc(n * n + 1, sizeof *w.indices);
  w.entries = calloc(n * n + 1, sizeof *w.entries);
  srs_status status = SRS_OK;
  if (w.starts == NULL || w.indices == NULL || w.entries == NULL)
    status = srs_hdf5_fail(&w.h, SRS_ERROR_MEMORY, NULL, "no memory to write it");
  srs_hdf5_begin();
  H5E_BEGIN_TRY
  {
    if (status == SRS_OK) status = write_file(&w);
  }
  H5E_END_TRY
  free(w.starts), free(w.indices), free(w.entries);
  return status;
}

// One that is not, as one of contacts alone that asks the same.
static srs_status write_as_contacts(const writing *w, const char *path, srs_error *error)
{
  const srs_contact_file *f = w->file;
  srs_as_contacts as = {0};
  srs_status status = srs_as_contacts_make(&f->problem, &as);
  if (status == SRS_ERROR_MEMORY) return srs_hdf5_fail(&w->h, status, NULL, "no memory to write it");
  if (status != SRS_OK)
    return srs_hdf5_fail(&w->h, status, NULL,
                         "not written: FCLIB has no place for friction against spin and for endless bounds");
  const size_t rows = (size_t)srs_contact_problem_rows(&as.problem), guesses = (size_t)f->n_guesses;
  double *memory = calloc((2 + guesses) * rows + 1, sizeof *memory);
  if (memory == NULL) status = srs_hdf5_fail(&w->h, SRS_ERROR_MEMORY, NULL, "no memory to write it");
  srs_contact_file out = *f;
  out.problem = as.problem;
  if (status == SRS_OK && f->impulse != NULL) {
    srs_as_contacts_carry(&as, false, f->impulse, memory);
    out.impulse = memory;
  }
  if (status == SRS_OK && f->velocity != NULL) {
    srs_as_contacts_carry(&as, true, f->velocity, memory + rows);
    out.velocity = memory + rows;
  }
  for (size_t i = 0; status == SRS_OK && i < guesses; i++)
    srs_as_contacts_carry(&as, false, f->guesses + i * (size_t)w->n_rows, memory + (2 + i) * rows);
  if (status == SRS_OK && guesses > 0) out.guesses = memory + 2 * rows;
  if (status == SRS_OK) status = write_problem(path, &out, error);
  free(memory);
  srs_as_contacts_free(&as);
  return status;
}

srs_status srs_contact_file_write(const char *path, const srs_contact_file *file, srs_error *error)
{
  writing w = {.h = {.path = path != NULL ? path : "", .file = -1, .error = error}, .file = file};
  if (path == NULL || file == NULL)
    return srs_hdf5_fail(&w.h, SRS_ERROR_ARGUMENT, NULL, "no path, or nothing to write");
  if (file->n_guesses < 0 || (file->n_guesses > 0 && file->guesses == NULL))
    return srs_hdf5_fail(&w.h, SRS_ERROR_ARGUMENT, NULL, "not written: %d guesses that are not there", file->n_guesses);
  w.n_rows = srs_contact_problem_rows(&file->problem);
  const srs_status status = check(&w);
  if (status != SRS_OK) return status;
  return srs_is_as_contacts(&file->problem) ? write_problem(path, file, error) : write_as_contacts(&w, path, error);
}
