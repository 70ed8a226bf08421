// How does a finished trajectory lose columns that hold nothing?
//
// Which pairs touch is known at the end. Until then the file has a column for each that may, so that a run that is
// killed leaves a whole file; then both files are written anew without the rest, and replaced.
#include "engine/output/dropped_columns.h"

#include "topology/base/text.h"
#include "topology/base/whole_file.h"

#include <stdlib.h>
#include <string.h>

char *srs_put_column_name(char *at, const char *name)
{
  if (strpbrk(name, ",\"") == NULL) return stpcpy(at, name);
  *at++ = '"';
  for (; *name != '\0'; name++) {
    if (*name == '"') *at++ = '"';
    *at++ = *name;
  }
  *at++ = '"';
  return at;
}

static char *put_header(char *at, const srs_dropped_columns *dropped)
{
  for (int i = 0; i < dropped->n; i++) {
    if (!dropped->stays[i]) continue;
    at = srs_put_column_name(at, dropped->names[i]);
    *at++ = ',';
  }
  at[-1] = '\n';
  return at;
}

// One row, of numbers alone, without the columns that go. Moves *from behind it. The first column, time, stays.
static char *put_row(char *at, const char **from, const char *end, const srs_dropped_columns *dropped)
{
  for (int i = 0; i < dropped->n && *from < end; i++) {
    const char *next = *from;
    while (next < end && *next != ',' && *next != '\n') next++;
    if (dropped->stays[i]) {
      if (i > 0) *at++ = ',';
      memcpy(at, *from, (size_t)(next - *from));
      at += next - *from;
    }
    *from = next < end ? next + 1 : end;
  }
  *at++ = '\n';
  return at;
}

srs_status srs_drop_columns(const char *path, const srs_dropped_columns *dropped)
{
  char *text = NULL;
  size_t length = 0, header = 1;
  srs_status status = srs_read_text(path, NULL, &text, &length, NULL);
  if (status != SRS_OK) return status;
  for (int i = 0; i < dropped->n; i++) header += 2 * strlen(dropped->names[i]) + 3;
  char *kept = malloc(header + length), *at = kept;
  const char *from = memchr(text, '\n', length), *end = text + length; // behind the header; no name has line breaks
  if (kept != NULL && from != NULL) {
    at = put_header(at, dropped);
    for (from++; from < end;) at = put_row(at, &from, end, dropped);
    status = srs_write_whole_file(path, kept, (size_t)(at - kept), SRS_EXISTING_IS_REPLACED, NULL);
  } else {
    status = SRS_ERROR_MEMORY;
  }
  free(kept);
  free(text);
  return status;
}

// Each column has a line of its own, in order, below "columns:".
srs_status srs_drop_metadata_columns(const char *path, const srs_dropped_columns *dropped)
{
  static const char begin[] = "\ncolumns:\n", item[] = "  - {name: ";
  char *text = NULL;
  size_t length = 0;
  srs_status status = srs_read_text(path, NULL, &text, &length, NULL);
  if (status != SRS_OK) return status;
  char *at = strstr(text, begin);
  if (at != NULL) {
    const char *from = at += strlen(begin);
    for (int i = 0; i < dropped->n && strncmp(from, item, strlen(item)) == 0; i++) {
      const char *next = strchr(from, '\n');
      next = next != NULL ? next + 1 : text + length;
      if (dropped->stays[i]) {
        memmove(at, from, (size_t)(next - from));
        at += next - from;
      }
      from = next;
    }
    const size_t rest = (size_t)(text + length - from);
    memmove(at, from, rest);
    status = srs_write_whole_file(path, text, (size_t)(at - text) + rest, SRS_EXISTING_IS_REPLACED, NULL);
  }
  free(text);
  return status;
}
