// Reading a CSV file of numbers and words (RFC 4180), each column as numbers if every cell is one; nan and inf are
// numbers here.
#include "engine/cli/drawing/sweep_table.h"

#include "engine/cli/drawing/canvas.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 1 << 16, n = 0, got = 0;
  if (file == NULL) return NULL;
  do {
    n += got;
    if (text == NULL || n + 1 >= room) {
      room *= 2;
      char *more = realloc(text, room);
      if (more == NULL) break;
      text = more;
    }
  } while ((got = fread(text + n, 1, room - n - 1, file)) > 0);
  (void)fclose(file);
  if (text != NULL) text[n] = '\0';
  *length = n;
  return text;
}

// Ends the cell that begins at `at` and takes its quotes off.  @param last  out: whether it ends its line
static char *take_cell(char **at, bool *last)
{
  char *cell = *at, *from = *at, *to = *at;
  const bool is_quoted = *from == '"';
  if (is_quoted) {
    for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
      if (*from == '"') from++;
      *to++ = *from;
    }
    if (*from == '"') from++;
  } else {
    while (*from != ',' && *from != '\n' && *from != '\0') *to++ = *from++;
  }
  *last = *from != ',';
  *at = *from != '\0' ? from + 1 : from;
  *to = '\0';
  return cell;
}

static bool read_number(const char *text, double *value)
{
  const char *const words[] = {"nan", "inf", "-inf"};
  const double numbers[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++)
    if (strcmp(text, words[i]) == 0) {
      *value = numbers[i];
      return true;
    }
  return srs_parse_number(text, strlen(text), value);
}

static void find_numbers(sweep_table *t)
{
  for (int i = 0; i < t->n_columns; i++) {
    sweep_column *c = &t->columns[i];
    bool is_number = t->n_rows > 0;
    for (long row = 0; row < t->n_rows && is_number; row++) is_number = read_number(c->texts[row], &c->numbers[row]);
    if (is_number) continue;
    free(c->numbers);
    c->numbers = NULL;
  }
}

static bool make_columns(sweep_table *t, char **at, long most_rows)
{
  int n = 1;
  for (const char *c = *at; *c != '\n' && *c != '\0'; c++) n += *c == ',';
  t->columns = calloc((size_t)n, sizeof *t->columns);
  if (t->columns == NULL) return false;
  for (bool is_last = false; !is_last && t->n_columns < n;) {
    sweep_column *c = &t->columns[t->n_columns++];
    c->name = take_cell(at, &is_last);
    c->numbers = calloc((size_t)most_rows + 1, sizeof *c->numbers);
    c->texts = calloc((size_t)most_rows + 1, sizeof *c->texts);
    if (c->numbers == NULL || c->texts == NULL) return false;
  }
  return true;
}

srs_status sweep_table_read(const char *path, sweep_table *t, srs_error *error)
{
  *t = (sweep_table){.n_rows = 0};
  size_t length = 0;
  t->text = read_file(path, &length);
  if (t->text == NULL) return picture_fail(error, SRS_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
  long lines = 0;
  for (size_t i = 0; i < length; i++) lines += t->text[i] == '\n';
  while (length > 0 && t->text[length - 1] != '\n') t->text[--length] = '\0'; // of a sweep under way
  char *at = t->text;
  srs_status status = SRS_OK;
  if (length == 0) status = picture_fail(error, SRS_ERROR_SYNTAX, "%s: the file holds no whole line", path);
  if (status == SRS_OK && !make_columns(t, &at, lines))
    status = picture_fail(error, SRS_ERROR_MEMORY, "%s: no memory left to read it", path);
  while (status == SRS_OK && *at != '\0') {
    bool is_last = false;
    int i = 0;
    for (; i < t->n_columns && !is_last; i++) t->columns[i].texts[t->n_rows] = take_cell(&at, &is_last);
    if (i != t->n_columns || !is_last)
      status = picture_fail(error, SRS_ERROR_SYNTAX, "%s:%ld: the line has not as many cells as the header, %d", path,
                            t->n_rows + 2, t->n_columns);
    t->n_rows++;
  }
  if (status == SRS_OK)
    find_numbers(t);
  else
    sweep_table_destroy(t);
  return status;
}

void sweep_table_destroy(sweep_table *t)
{
  for (int i = 0; i < t->n_columns; i++) {
    free(t->columns[i].numbers), free(t->columns[i].texts);
    if (t->owns_names) free(t->columns[i].name);
  }
  free(t->columns);
  free(t->text);
  *t = (sweep_table){.n_rows = 0};
}

const sweep_column *sweep_table_find(const sweep_table *t, const char *name)
{
  for (int i = 0; i < t->n_columns; i++)
    if (strcmp(t->columns[i].name, name) == 0) return &t->columns[i];
  return NULL;
}
