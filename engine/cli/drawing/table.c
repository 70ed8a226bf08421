// What is in a CSV file? One header, one row a line, commas between, nothing else; names may be in quotes; blanks round
// a field and an empty last line do no harm.
#include "engine/cli/drawing/table.h"
#include "engine/cli/drawing/canvas.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_status fail_at(srs_error *error, srs_status status, const char *path, int line, int column,
                          const char *message)
{
  if (error == NULL) return status;
  *error = (srs_error){.status = status, .line = line, .column = column};
  snprintf(error->file, sizeof error->file, "%s", path);
  snprintf(error->message, sizeof error->message, "%s", message);
  return status;
}

static char *read_file(const char *path, srs_status *status)
{
  FILE *file = fopen(path, "rb");
  *status = SRS_ERROR_FILE;
  if (file == NULL) return NULL;
  char *text = NULL;
  size_t length = 0, capacity = 0;
  for (;;) {
    if (length + 1 >= capacity) {
      capacity = 2 * capacity + 65536;
      char *moved = realloc(text, capacity);
      if (moved == NULL) {
        *status = SRS_ERROR_MEMORY;
        break;
      }
      text = moved;
    }
    const size_t got = fread(text + length, 1, capacity - length - 1, file);
    length += got;
    if (got > 0) continue;
    if (ferror(file) == 0) *status = SRS_OK;
    text[length] = '\0';
    break;
  }
  fclose(file);
  return text;
}

// Takes the quotes off a field, and of two within it one.  @return what follows the field
static char *unquote(char *field)
{
  char *to = field, *from = field + 1;
  for (; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
    from += *from == '"';
    *to++ = *from;
  }
  char *rest = *from == '"' ? from + 1 : from;
  *to = '\0';
  return rest;
}

// Cuts the line at `line` into fields at the commas outside quotes, blanks round them taken off.  @return how many
static int split(char *line, char **fields, int capacity)
{
  int n = 0;
  for (char *at = line; at != NULL && n < capacity;) {
    at += strspn(at, " \t");
    const bool is_quoted = *at == '"';
    char *comma = strchr(is_quoted ? unquote(at) : at, ',');
    if (comma != NULL) *comma = '\0';
    size_t length = strlen(at);
    while (!is_quoted && length > 0 && strchr(" \t\r", at[length - 1]) != NULL) length--;
    at[length] = '\0';
    fields[n++] = at;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return n;
}

static int count(const char *text, char what)
{
  int n = 0;
  for (; *text != '\0'; text++) n += *text == what;
  return n;
}

static srs_status read_row(table *t, char *line, char **fields, int number, const char *path, srs_error *error)
{
  const int n = split(line, fields, t->n_columns + 1);
  if (n != t->n_columns) {
    char message[96];
    snprintf(message, sizeof message, "%s fields than the header's %d names", n < t->n_columns ? "fewer" : "more",
             t->n_columns);
    return fail_at(error, SRS_ERROR_SYNTAX, path, number, 0, message);
  }
  for (int i = 0; i < n; i++) {
    double *value = &t->values[(size_t)t->n_rows * (size_t)n + (size_t)i];
    if (srs_parse_number(fields[i], strlen(fields[i]), value)) continue;
    char message[128];
    snprintf(message, sizeof message, "'%.60s' is no number", fields[i]);
    return fail_at(error, SRS_ERROR_SYNTAX, path, number, (int)(fields[i] - line) + 1, message);
  }
  t->n_rows++;
  return SRS_OK;
}

static srs_status read_rows(table *t, const char *path, srs_error *error)
{
  char *rest = strchr(t->text, '\n');
  const int n_lines = rest != NULL ? count(rest, '\n') + 1 : 0;
  if (rest != NULL) *rest++ = '\0';
  const int capacity = count(t->text, ',') + 1;
  t->names = calloc((size_t)capacity, sizeof *t->names);
  char **fields = calloc((size_t)capacity + 1, sizeof *fields);
  t->values = calloc((size_t)n_lines * (size_t)capacity + 1, sizeof *t->values);
  srs_status status = SRS_OK;
  if (t->names == NULL || t->values == NULL || fields == NULL) {
    status = picture_fail(error, SRS_ERROR_MEMORY, "no memory left to read %s", path);
  } else {
    t->n_columns = split(t->text, t->names, capacity);
    for (int number = 2; status == SRS_OK && rest != NULL; number++) {
      char *line = rest, *newline = strchr(line, '\n');
      rest = newline != NULL ? newline + 1 : NULL;
      if (newline != NULL) *newline = '\0';
      if (line[strspn(line, " \t\r")] != '\0') status = read_row(t, line, fields, number, path, error);
    }
    if (status == SRS_OK && t->n_rows == 0)
      status = fail_at(error, SRS_ERROR_SYNTAX, path, 0, 0, "has no rows: a header and lines of numbers are wanted");
  }
  free(fields);
  return status;
}

srs_status table_read(const char *path, table *t, srs_error *error)
{
  *t = (table){0};
  srs_status status = SRS_OK;
  errno = EIO;
  t->text = read_file(path, &status);
  if (status == SRS_ERROR_MEMORY) picture_fail(error, status, "no memory left to read %s", path);
  char what[160];
  snprintf(what, sizeof what, "cannot be read: %s", strerror(errno));
  if (status == SRS_ERROR_FILE) fail_at(error, status, path, 0, 0, what);
  if (status == SRS_OK) status = read_rows(t, path, error);
  if (status != SRS_OK) table_destroy(t);
  return status;
}

void table_destroy(table *t)
{
  free(t->text);
  free(t->names);
  free(t->values);
  *t = (table){0};
}

int table_find(const table *t, const char *name)
{
  for (int i = 0; i < t->n_columns; i++)
    if (strcmp(t->names[i], name) == 0) return i;
  return -1;
}
