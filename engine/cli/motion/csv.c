// A recording as CSV: its columns, OUT.yaml with what they mean, and OUT's contact points as a table of their own,
// OUT without .csv + .contacts.csv, a line for each.
#include "engine/cli/motion/export.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_name(FILE *out, const char *name)
{
  const bool is_quoted = strpbrk(name, ",\"\n") != NULL;
  if (is_quoted) putc('"', out);
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"') putc('"', out);
    putc(*c, out);
  }
  if (is_quoted) putc('"', out);
}

static void put_number(FILE *out, double value)
{
  char text[40];
  srs_format_number(value, text);
  fputs(text, out);
}

static srs_status write_rows(const srs_recording *r, const char *path, bool is_forced, srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  const table *t = &r->table;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  for (int i = 0; i < t->n_columns; i++) {
    if (i > 0) putc(',', out);
    put_name(out, t->names[i]);
  }
  putc('\n', out);
  const size_t n = (size_t)t->n_columns;
  for (size_t i = 0; i < (size_t)t->n_rows * n; i++) {
    put_number(out, t->values[i]);
    putc(i % n + 1 < n ? ',' : '\n', out);
  }
  return srs_export_write(out, &text, &length, path, is_forced, error);
}

// The line of a shape in the list of shapes.
static const char *line_of(const char *shapes, int number, char line[256])
{
  const char *at = shapes;
  for (int i = 0; i < number && at != NULL; i++) at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL;
  if (at == NULL) return "?";
  snprintf(line, 256, "%.*s", (int)strcspn(at, "\n"), at);
  return line;
}

static srs_status write_contacts(const srs_recording *r, const char *path, bool is_forced, srs_error *error)
{
  char *text = NULL, line[256];
  size_t length = 0;
  const srs_h5_rows_read *rows = r->hdf5;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  fputs("time,a,b,x,y,z,fx,fy,fz\n", out);
  for (int row = 0, k = 0; row < rows->n_rows; row++)
    for (; k < rows->contact_ends[row]; k++) {
      put_number(out, rows->values[(size_t)row * (size_t)rows->n_columns]);
      for (int side = 0; side < 2; side++) {
        putc(',', out);
        put_name(out, line_of(rows->shapes, rows->pairs[2 * k + side], line));
      }
      for (int i = 0; i < 3; i++) putc(',', out), put_number(out, rows->points[3 * (size_t)k + (size_t)i]);
      for (int i = 0; i < 3; i++) putc(',', out), put_number(out, rows->forces[3 * (size_t)k + (size_t)i]);
      putc('\n', out);
    }
  return srs_export_write(out, &text, &length, path, is_forced, error);
}

// What the columns mean, as the run wrote it.
static srs_status write_metadata(const srs_recording *r, const char *path, bool is_forced, srs_error *error)
{
  char *text = NULL, *metadata = NULL;
  size_t length = 0;
  const srs_status status = srs_h5_read_text(r->path, "/metadata", &metadata, error);
  if (status != SRS_OK) return status;
  FILE *out = open_memstream(&text, &length);
  if (out != NULL) fputs(metadata, out);
  free(metadata);
  if (out == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  return srs_export_write(out, &text, &length, path, is_forced, error);
}

srs_status srs_export_csv(const srs_recording *r, const char *path, bool is_forced, srs_error *error)
{
  const int stem = (int)strlen(path) - (int)strlen(".csv");
  char *other = malloc(strlen(path) + sizeof ".contacts.csv");
  if (other == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory");
  srs_status status = SRS_OK;
  if (r->hdf5 != NULL && r->hdf5->contact_ends != NULL) {
    sprintf(other, "%.*s.contacts.csv", stem, path);
    status = write_contacts(r, other, is_forced, error);
  }
  if (status == SRS_OK && r->hdf5 != NULL) {
    sprintf(other, "%s.yaml", path);
    status = write_metadata(r, other, is_forced, error);
  }
  free(other);
  return status == SRS_OK ? write_rows(r, path, is_forced, error) : status;
}
