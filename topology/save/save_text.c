// How is a model file put together? Text is appended to a buffer that doubles; running out of memory is remembered and
// reported once, at the end.
#include "topology/save/save_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void append(srs_save *save, const char *bytes, size_t n)
{
  if (save->failed) return;
  if (save->length + n + 1 > save->room) {
    const size_t room = 2 * save->room + n + 4096;
    char *larger = realloc(save->text, room);
    if (larger == NULL) {
      save->failed = true;
      return;
    }
    save->text = larger, save->room = room;
  }
  memcpy(save->text + save->length, bytes, n);
  save->length += n;
  save->text[save->length] = '\0';
}

void srs_save_add(srs_save *save, const char *text) { append(save, text, strlen(text)); }

void srs_save_print(srs_save *save, const char *format, ...)
{
  srs_arena arena = {0};
  va_list arguments;
  va_start(arguments, format);
  const char *text = srs_arena_vprint(&arena, format, arguments);
  va_end(arguments);
  if (text != NULL)
    srs_save_add(save, text);
  else
    save->failed = true;
  srs_arena_release(&arena);
}

void srs_save_numbers(srs_save *save, const double *values, int n, const char *between, const char *infinity)
{
  for (int i = 0; i < n; i++) {
    char number[32];
    if (i > 0) srs_save_add(save, between);
    if (isinf(values[i])) {
      if (values[i] < 0) srs_save_add(save, "-");
      srs_save_add(save, infinity);
    } else {
      append(save, number, (size_t)srs_format_number(values[i], number));
    }
  }
}

void srs_save_note(const srs_save *save, const char *format, ...)
{
  if (save->options->note == NULL) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  srs_tidy(text);
  save->options->note(save->options->context, text);
}

const char *srs_save_file_name(const srs_save *save, const char *file)
{
  const size_t n = save->folder != NULL ? strlen(save->folder) : 0;
  const bool is_below = n > 1 && strncmp(file, save->folder, n) == 0 && file[n] != '\0' && file[n] != '/';
  return is_below ? file + n : file;
}
