// The public face of the reader of HDF5 trajectories: names, numbers, and contacts by rows.
#include "engine/output/hdf5/reader.h"
#include "topology/base/errors.h"
#include <sarrus/results.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct srs_results {
  srs_h5_rows_read rows;
  srs_result_contact *contacts; // rows.n_contacts
  const char **shapes;          // n_shapes: lines of rows.shapes, each ended by zero
  int n_shapes;
};

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

// Ends each line by zero, and counts them.
static bool split_shapes(srs_results *r)
{
  char *text = r->rows.shapes;
  if (text == NULL) return true;
  int n = 0;
  for (const char *at = text; *at != '\0'; at++) n += *at == '\n';
  r->shapes = calloc((size_t)n + 1, sizeof *r->shapes);
  if (r->shapes == NULL) return false;
  for (char *line = text; *line != '\0';) {
    r->shapes[r->n_shapes++] = line;
    char *end = strchr(line, '\n');
    if (end == NULL) break;
    *end = '\0', line = end + 1;
  }
  return true;
}

static bool take_contacts(srs_results *r)
{
  const srs_h5_rows_read *from = &r->rows;
  const size_t n = from->n_contacts > 0 ? (size_t)from->n_contacts : 0;
  r->contacts = calloc(n + 1, sizeof *r->contacts);
  for (size_t i = 0; r->contacts != NULL && i < n; i++) {
    srs_result_contact *to = &r->contacts[i];
    to->shape_a = from->pairs[2 * i], to->shape_b = from->pairs[2 * i + 1];
    memcpy(to->point, from->points + 3 * i, sizeof to->point);
    memcpy(to->force, from->forces + 3 * i, sizeof to->force);
    if (from->normals != NULL) memcpy(to->normal, from->normals + 3 * i, sizeof to->normal);
    if (from->friction != NULL) to->friction = from->friction[i];
  }
  return r->contacts != NULL;
}

srs_status srs_results_read(const char *path, srs_results **results, srs_error *error)
{
  if (results == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "", "results is NULL");
  *results = NULL;
  if (path == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "", "path is NULL");
  srs_results *r = calloc(1, sizeof *r);
  if (r == NULL) return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, "", "no memory left to read it");
  srs_status status = srs_h5_rows_read_all(path, &r->rows, error);
  if (status == SRS_OK && (!split_shapes(r) || !take_contacts(r)))
    status = srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, "", "no memory left to read it");
  if (status == SRS_OK)
    *results = r;
  else
    srs_results_destroy(r);
  return status;
}

void srs_results_destroy(srs_results *results)
{
  if (results == NULL) return;
  srs_h5_rows_release(&results->rows);
  free(results->contacts);
  free(results->shapes);
  free(results);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is in it
// ---------------------------------------------------------------------------------------------------------------------

int srs_results_rows(const srs_results *results) { return results == NULL ? 0 : results->rows.n_rows; }
int srs_results_columns(const srs_results *results) { return results == NULL ? 0 : results->rows.n_columns; }

static bool is_column(const srs_results *r, int column) { return column >= 0 && column < srs_results_columns(r); }

const char *srs_results_name(const srs_results *results, int column)
{
  return is_column(results, column) ? results->rows.names[column] : NULL;
}

const char *srs_results_unit(const srs_results *results, int column)
{
  return is_column(results, column) ? results->rows.units[column] : NULL;
}

int srs_results_find(const srs_results *results, const char *name)
{
  for (int i = 0; name != NULL && i < srs_results_columns(results); i++)
    if (strcmp(results->rows.names[i], name) == 0) return i;
  return -1;
}

const double *srs_results_values(const srs_results *results) { return results == NULL ? NULL : results->rows.values; }

const srs_result_contact *srs_results_contacts(const srs_results *results, int row, int *n)
{
  if (n != NULL) *n = 0;
  if (row < 0 || row >= srs_results_rows(results) || results->rows.contact_ends == NULL) return NULL;
  const int start = row > 0 ? results->rows.contact_ends[row - 1] : 0, count = results->rows.contact_ends[row] - start;
  if (n != NULL) *n = count;
  return count > 0 ? results->contacts + start : NULL;
}

const char *srs_results_shape(const srs_results *results, int shape)
{
  return results != NULL && shape >= 0 && shape < results->n_shapes ? results->shapes[shape] : NULL;
}

srs_status srs_results_read_text(const char *path, const char *name, char **text, srs_error *error)
{
  if (text == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "", "text is NULL");
  *text = NULL;
  if (path == NULL || name == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "", "%s is NULL", path == NULL ? "path" : "name");
  char entry[64];
  (void)snprintf(entry, sizeof entry, "/%.60s", name);
  return srs_h5_read_text(path, entry, text, error);
}

void srs_results_free_text(char *text) { free(text); }
