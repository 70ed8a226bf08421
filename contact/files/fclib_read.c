// Reads contact problems from files: FCLIB's local problems in HDF5.
//
//   /fclib_local/spacedim             2 or 3: rows of a contact, normal first
//   /fclib_local/W, V, R              sparse matrices m x m, m x p, p x p: m, n, nzmax, nz, p, i, x; V and R
//                                     may be absent
//   /fclib_local/vectors/q, mu, s     m, m / spacedim, p
//   /fclib_local/info/title, …        texts, may be absent
//   /solution/r, u, l                 m, m, p, may be absent; likewise /guesses/number_of_guesses and /guesses/1/r, …
//
// nz >= 0: nz entries, row p[k] and column i[k], which add up; -1: compressed columns, those of column j from p[j] to
// p[j + 1] with rows i[k]; -2: compressed rows. Bilateral rows come first in our problem: [R V^T; V W].
#include "contact/files/hdf5_entry.h"
#include <sarrus/contact_file.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 10000, MOST_GUESSES = 1000, LONGEST_ENTRY = 64 };

// All that a file read owns.
typedef struct file_memory {
  double *W, *b, *friction, *impulse, *velocity, *guesses;
  unsigned char *tangents;
  char *title, *description, *math_info;
} file_memory;

static void free_memory(file_memory *m)
{
  if (m == NULL) return;
  free(m->W), free(m->b), free(m->friction), free(m->impulse), free(m->velocity), free(m->guesses);
  free(m->tangents), free(m->title), free(m->description), free(m->math_info);
  free(m);
}

typedef struct reading {
  srs_hdf5 h;
  file_memory *memory;
  int spacedim, n_contacts, n_local, n_bilateral; // m = n_local, p = n_bilateral
  int n_guesses;
} reading;

static srs_status take(reading *r, size_t count, double **values)
{
  *values = calloc(count > 0 ? count : 1, sizeof **values);
  if (*values != NULL) return SRS_OK;
  return srs_hdf5_fail(&r->h, SRS_ERROR_MEMORY, NULL, "no memory for %zu numbers", count);
}

// A sparse matrix as it is stored.
typedef struct sparse {
  const char *name;
  int rows, columns, format; // format: nz
  int64_t n_entries, n_starts;
  int64_t *p, *i;
  double *x;
} sparse;

// Where a matrix goes in the dense one.
typedef struct destination {
  double *W;
  size_t stride, row, column;
  bool both_sides; // its transpose too
} destination;

static const char *entry_of(const sparse *s, const char *what, char text[LONGEST_ENTRY])
{
  snprintf(text, LONGEST_ENTRY, "fclib_local/%s/%s", s->name, what);
  return text;
}

static srs_status read_shape(const srs_hdf5 *h, sparse *s)
{
  char entry[LONGEST_ENTRY];
  int64_t counts[2];
  int most, rows, columns;
  const int64_t all = (int64_t)s->rows * s->columns;
  srs_status status = srs_hdf5_integer(h, entry_of(s, "m", entry), 0, MOST_ROWS, &rows);
  if (status == SRS_OK && rows != s->rows)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is %d, but there are %d rows", rows, s->rows);
  if (status == SRS_OK) status = srs_hdf5_integer(h, entry_of(s, "n", entry), 0, MOST_ROWS, &columns);
  if (status == SRS_OK && columns != s->columns)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "is %d, but there are %d columns", columns, s->columns);
  if (status == SRS_OK) status = srs_hdf5_integer(h, entry_of(s, "nzmax", entry), 0, INT32_MAX, &most);
  if (status == SRS_OK) status = srs_hdf5_integer(h, entry_of(s, "nz", entry), -2, most, &s->format);
  if (status == SRS_OK) status = srs_hdf5_count(h, entry_of(s, "i", entry), &counts[0]);
  if (status == SRS_OK) status = srs_hdf5_count(h, entry_of(s, "x", entry), &counts[1]);
  if (status != SRS_OK) return status;
  s->n_entries = counts[0];
  s->n_starts = s->format >= 0 ? s->n_entries : (s->format == -1 ? s->columns : s->rows) + 1;
  if (s->n_entries != counts[1])
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "has %" PRId64 " numbers, but i has %" PRId64, counts[1],
                         counts[0]);
  if (s->n_entries > most || (s->format >= 0 && s->n_entries < s->format))
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "has %" PRId64 " numbers: nz is %d and nzmax %d", s->n_entries,
                         s->format, most);
  if (s->n_entries > all)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "has %" PRId64 " numbers, more than a matrix %d x %d",
                         s->n_entries, s->rows, s->columns);
  return SRS_OK;
}

static srs_status check_index(const srs_hdf5 *h, const sparse *s, const char *what, int64_t place, int64_t index, int n)
{
  char entry[LONGEST_ENTRY];
  if (index >= 0 && index < n) return SRS_OK;
  return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry_of(s, what, entry),
                       "holds, at index %" PRId64 ", %" PRId64 ": 0 to %d are possible", place, index, n - 1);
}

static void add(const destination *to, int64_t row, int64_t column, double x)
{
  const size_t i = to->row + (size_t)row, j = to->column + (size_t)column;
  to->W[i * to->stride + j] += x;
  if (to->both_sides) to->W[j * to->stride + i] += x;
}

static srs_status add_triplets(const srs_hdf5 *h, const sparse *s, const destination *to)
{
  srs_status status = SRS_OK;
  for (int64_t k = 0; k < s->format && status == SRS_OK; k++) {
    status = check_index(h, s, "p", k, s->p[k], s->rows);
    if (status == SRS_OK) status = check_index(h, s, "i", k, s->i[k], s->columns);
    if (status == SRS_OK) add(to, s->p[k], s->i[k], s->x[k]);
  }
  return status;
}

static srs_status add_compressed(const srs_hdf5 *h, const sparse *s, const destination *to)
{
  const bool by_columns = s->format == -1;
  const int n_lines = by_columns ? s->columns : s->rows, n_across = by_columns ? s->rows : s->columns;
  char entry[LONGEST_ENTRY];
  srs_status status = SRS_OK;
  entry_of(s, "p", entry);
  if (s->p[0] != 0) return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry, "begins with %" PRId64 " in place of 0", s->p[0]);
  for (int line = 0; line < n_lines; line++) {
    if (s->p[line + 1] < s->p[line] || s->p[line + 1] > s->n_entries)
      return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, entry,
                           "holds, at index %d, %" PRId64 ": %" PRId64 " to %" PRId64 " are possible", line + 1,
                           s->p[line + 1], s->p[line], s->n_entries);
    for (int64_t k = s->p[line]; k < s->p[line + 1] && status == SRS_OK; k++) {
      status = check_index(h, s, "i", k, s->i[k], n_across);
      if (status == SRS_OK) add(to, by_columns ? s->i[k] : line, by_columns ? line : s->i[k], s->x[k]);
    }
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static srs_status read_matrix(reading *r, const char *name, int rows, int columns, const destination *to)
{
  char entry[LONGEST_ENTRY];
  sparse s = {.name = name, .rows = rows, .columns = columns};
  srs_status status = read_shape(&r->h, &s);
  if (status != SRS_OK) return status;
  s.p = calloc((size_t)s.n_starts + 1, sizeof *s.p);
  s.i = calloc((size_t)s.n_entries + 1, sizeof *s.i);
  s.x = calloc((size_t)s.n_entries + 1, sizeof *s.x);
  if (s.p == NULL || s.i == NULL || s.x == NULL)
    status = srs_hdf5_fail(&r->h, SRS_ERROR_MEMORY, entry_of(&s, "x", entry), "finds no memory");
  if (status == SRS_OK) status = srs_hdf5_integers(&r->h, entry_of(&s, "p", entry), s.n_starts, s.p);
  if (status == SRS_OK) status = srs_hdf5_integers(&r->h, entry_of(&s, "i", entry), s.n_entries, s.i);
  if (status == SRS_OK) status = srs_hdf5_numbers(&r->h, entry_of(&s, "x", entry), s.n_entries, s.x);
  if (status == SRS_OK) status = s.format >= 0 ? add_triplets(&r->h, &s, to) : add_compressed(&r->h, &s, to);
  free(s.p), free(s.i), free(s.x);
  return status;
}

static srs_status read_sizes(reading *r)
{
  const srs_hdf5 *h = &r->h;
  if (!srs_hdf5_has(h, "fclib_local") && srs_hdf5_has(h, "fclib_global"))
    return srs_hdf5_fail(h, SRS_ERROR_UNSUPPORTED, "fclib_global", "is a global problem; only local ones can be read");
  if (!srs_hdf5_has(h, "fclib_local"))
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, "fclib_local", "is missing: this is no contact problem of FCLIB");
  srs_status status = srs_hdf5_integer(h, "fclib_local/spacedim", 2, 3, &r->spacedim);
  if (status == SRS_OK) status = srs_hdf5_integer(h, "fclib_local/W/m", 0, INT32_MAX, &r->n_local);
  if (status != SRS_OK) return status;
  if (r->n_local % r->spacedim != 0)
    return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, "fclib_local/W/m", "is %d, no multiple of spacedim %d", r->n_local,
                         r->spacedim);
  r->n_contacts = r->n_local / r->spacedim;
  const char *const parts[] = {"fclib_local/V", "fclib_local/R", "fclib_local/vectors/s"};
  const bool has_bilateral = srs_hdf5_has(h, parts[0]) || srs_hdf5_has(h, parts[1]) || srs_hdf5_has(h, parts[2]);
  for (size_t i = 0; has_bilateral && i < sizeof parts / sizeof *parts; i++)
    if (!srs_hdf5_has(h, parts[i]))
      return srs_hdf5_fail(h, SRS_ERROR_SYNTAX, parts[i], "is missing: V, R and s belong together");
  if (has_bilateral) status = srs_hdf5_integer(h, "fclib_local/R/m", 0, INT32_MAX, &r->n_bilateral);
  if (status == SRS_OK && (int64_t)r->n_local + r->n_bilateral > MOST_ROWS)
    return srs_hdf5_fail(h, SRS_ERROR_CAPACITY, r->n_local <= MOST_ROWS ? "fclib_local/R/m" : "fclib_local/W/m",
                         "makes %" PRId64 " rows: at most %d can be read", (int64_t)r->n_local + r->n_bilateral,
                         MOST_ROWS);
  return status;
}

static srs_status read_problem(reading *r)
{
  file_memory *m = r->memory;
  const size_t bilateral = (size_t)r->n_bilateral, n = bilateral + (size_t)r->n_local;
  // What is cheap to compare goes first, so that a wrong size takes no memory for W.
  srs_status status = take(r, n, &m->b);
  if (status == SRS_OK) status = take(r, (size_t)r->n_contacts, &m->friction);
  if (status == SRS_OK) status = srs_hdf5_numbers(&r->h, "fclib_local/vectors/q", r->n_local, m->b + bilateral);
  if (status == SRS_OK) status = srs_hdf5_numbers(&r->h, "fclib_local/vectors/mu", r->n_contacts, m->friction);
  if (status == SRS_OK && bilateral > 0)
    status = srs_hdf5_numbers(&r->h, "fclib_local/vectors/s", r->n_bilateral, m->b);
  for (int i = 0; status == SRS_OK && i < r->n_contacts; i++)
    if (m->friction[i] < 0)
      status =
          srs_hdf5_fail(&r->h, SRS_ERROR_SYNTAX, "fclib_local/vectors/mu", "holds, at index %d, a negative number", i);
  if (status == SRS_OK) status = take(r, n * n, &m->W);
  const destination W = {m->W, n, bilateral, bilateral, false}, V = {m->W, n, bilateral, 0, true},
                    R = {m->W, n, 0, 0, false};
  if (status == SRS_OK) status = read_matrix(r, "W", r->n_local, r->n_local, &W);
  if (status == SRS_OK && bilateral > 0) status = read_matrix(r, "V", r->n_local, r->n_bilateral, &V);
  if (status == SRS_OK && bilateral > 0) status = read_matrix(r, "R", r->n_bilateral, r->n_bilateral, &R);
  if (status != SRS_OK || r->spacedim == 3) return status;
  m->tangents = malloc((size_t)r->n_contacts + 1);
  if (m->tangents == NULL) return srs_hdf5_fail(&r->h, SRS_ERROR_MEMORY, NULL, "no memory");
  memset(m->tangents, 1, (size_t)r->n_contacts + 1);
  return SRS_OK;
}

// Impulses r and l of the group; velocities u where it has them and they are wanted.
static srs_status read_solution(const reading *r, const char *group, double *impulse, double *velocity)
{
  char entry[LONGEST_ENTRY];
  snprintf(entry, sizeof entry, "%s/r", group);
  srs_status status = srs_hdf5_numbers(&r->h, entry, r->n_local, impulse + r->n_bilateral);
  snprintf(entry, sizeof entry, "%s/l", group);
  if (status == SRS_OK && r->n_bilateral > 0) status = srs_hdf5_numbers(&r->h, entry, r->n_bilateral, impulse);
  snprintf(entry, sizeof entry, "%s/u", group);
  if (status == SRS_OK && velocity != NULL)
    status = srs_hdf5_numbers(&r->h, entry, r->n_local, velocity + r->n_bilateral);
  return status;
}

static srs_status read_guesses(reading *r)
{
  const size_t n = (size_t)r->n_bilateral + (size_t)r->n_local;
  char group[LONGEST_ENTRY];
  srs_status status = srs_hdf5_integer(&r->h, "guesses/number_of_guesses", 0, MOST_GUESSES, &r->n_guesses);
  if (status != SRS_OK || r->n_guesses == 0) return status;
  snprintf(group, sizeof group, "guesses/%d", r->n_guesses);
  if (!srs_hdf5_has(&r->h, group))
    return srs_hdf5_fail(&r->h, SRS_ERROR_SYNTAX, group, "is missing: number_of_guesses is %d", r->n_guesses);
  status = take(r, (size_t)r->n_guesses * n, &r->memory->guesses);
  for (int i = 0; i < r->n_guesses && status == SRS_OK; i++) {
    snprintf(group, sizeof group, "guesses/%d", i + 1);
    status = read_solution(r, group, r->memory->guesses + (size_t)i * n, NULL);
  }
  return status;
}

static srs_status read_rest(reading *r)
{
  file_memory *m = r->memory;
  const size_t n = (size_t)r->n_bilateral + (size_t)r->n_local;
  srs_status status = SRS_OK;
  if (srs_hdf5_has(&r->h, "solution")) {
    status = take(r, n, &m->impulse);
    if (status == SRS_OK && srs_hdf5_has(&r->h, "solution/u")) status = take(r, n, &m->velocity);
    if (status == SRS_OK) status = read_solution(r, "solution", m->impulse, m->velocity);
  }
  if (status == SRS_OK && srs_hdf5_has(&r->h, "guesses")) status = read_guesses(r);
  const char *const entries[] = {"fclib_local/info/title", "fclib_local/info/description",
                                 "fclib_local/info/math_info"};
  char **const texts[] = {&m->title, &m->description, &m->math_info};
  for (size_t i = 0; i < 3 && status == SRS_OK; i++)
    if (srs_hdf5_has(&r->h, entries[i])) status = srs_hdf5_text(&r->h, entries[i], texts[i]);
  return status;
}

static srs_contact_file file_of(const reading *r)
{
  file_memory *m = r->memory;
  return (srs_contact_file){
      .problem = {.n_bilateral = r->n_bilateral,
                  .n_contacts = r->n_contacts,
                  .W = m->W,
                  .b = m->b,
                  .friction = m->friction,
                  .tangents = m->tangents},
      .impulse = m->impulse,
      .velocity = m->velocity,
      .guesses = m->guesses,
      .n_guesses = r->n_guesses,
      .title = m->title,
      .description = m->description,
      .math_info = m->math_info,
      .memory = m,
  };
}

static srs_status read_file(reading *r)
{
  srs_status status = srs_hdf5_open(&r->h);
  if (status == SRS_OK) status = read_sizes(r);
  if (status == SRS_OK) status = read_problem(r);
  if (status == SRS_OK) status = read_rest(r);
  srs_hdf5_close(&r->h);
  return status;
}

srs_status srs_contact_file_read(const char *path, srs_contact_file *file, srs_error *error)
{
  reading r = {.h = {.path = path != NULL ? path : "", .file = -1, .error = error}};
  if (path == NULL || file == NULL)
    return srs_hdf5_fail(&r.h, SRS_ERROR_ARGUMENT, NULL, "no path, or nowhere to put it");
  r.memory = calloc(1, sizeof *r.memory);
  if (r.memory == NULL) return srs_hdf5_fail(&r.h, SRS_ERROR_MEMORY, NULL, "no memory");
  srs_status status;
  srs_hdf5_begin();
  H5E_BEGIN_TRY { status = read_file(&r); }
  H5E_END_TRY
  if (status == SRS_OK)
    *file = file_of(&r);
  else
    free_memory(r.memory);
  return status;
}

void srs_contact_file_free(srs_contact_file *file)
{
  if (file == NULL) return;
  free_memory(file->memory);
  *file = (srs_contact_file){0};
}
