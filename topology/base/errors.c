// How does a failure reach the caller? As a status and one clean line that names the file, the place and the cure.
//
// Messages are printed as in the "C" locale, so that numbers have a decimal point everywhere.
#include "topology/base/errors.h"
#include "topology/base/c_locale.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Text as in the "C" locale
// ---------------------------------------------------------------------------------------------------------------------

int srs_vprint(char *text, size_t size, const char *format, va_list arguments)
{
  const c_locale locale = enter_c_locale();
  const int length = vsnprintf(text, size, format, arguments);
  leave_c_locale(locale);
  return length;
}

int srs_print(char *text, size_t size, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = srs_vprint(text, size, format, arguments);
  va_end(arguments);
  return length;
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

const char *srs_status_string(srs_status status)
{
  switch (status) {
  case SRS_OK: return "no error";
  case SRS_ERROR_ARGUMENT: return "invalid argument";
  case SRS_ERROR_NOT_FINITE: return "input that is not finite";
  case SRS_ERROR_MEMORY: return "out of memory";
  case SRS_ERROR_FILE: return "file cannot be read or written";
  case SRS_ERROR_SYNTAX: return "file is not well formed";
  case SRS_ERROR_NAME: return "name is unknown or taken";
  case SRS_ERROR_MODEL: return "mechanism is impossible";
  case SRS_ERROR_UNSUPPORTED: return "not supported";
  case SRS_ERROR_SINGULAR: return "no inertia against a joint";
  case SRS_ERROR_DIVERGED: return "motion is no longer finite";
  case SRS_ERROR_CAPACITY: return "more than there is room for";
  case SRS_ERROR_UNREACHABLE: return "no such configuration was found";
  }
  return "unknown status";
}

void srs_tidy(char *text)
{
  size_t length = 0;
  for (; text[length] != '\0'; length++)
    if ((unsigned char)text[length] < ' ' || text[length] == 127) text[length] = ' ';
  size_t start = length;
  while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) start--;
  if (start == 0 || (unsigned char)text[start - 1] < 0xc0) return;
  const unsigned char lead = (unsigned char)text[start - 1];
  const size_t wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (length - start < wanted) text[start - 1] = '\0';
}

static void copy_cut(char *to, size_t size, const char *from)
{
  const size_t length = strlen(from), kept = length < size ? length : size - 1;
  memcpy(to, from, kept);
  to[kept] = '\0';
  srs_tidy(to);
}

static srs_status fail(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       va_list arguments)
{
  if (error == NULL) return status;
  srs_error made = {.status = status, .line = place.line, .column = place.column};
  if (place.file != NULL) {
    const size_t length = strlen(place.file), most = sizeof made.file - 1;
    if (length <= most)
      copy_cut(made.file, sizeof made.file, place.file);
    else
      snprintf(made.file, sizeof made.file, "...%s", place.file + length - most + 3);
  }
  if (subject != NULL) copy_cut(made.subject, sizeof made.subject, subject);
  srs_vprint(made.message, sizeof made.message, format, arguments);
  srs_tidy(made.message);
  *error = made;
  return status;
}

srs_status srs_fail(srs_error *error, srs_status status, const char *file, int line, int column, const char *subject,
                    const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, (srs_place){file, line, column}, subject, format, arguments);
  va_end(arguments);
  return status;
}

srs_status srs_fail_at(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       ...)
{
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, place, subject, format, arguments);
  va_end(arguments);
  return status;
}

const char *srs_error_format(const srs_error *error, char *text, size_t size)
{
  if (text == NULL || size == 0) return "";
  text[0] = '\0';
  if (error == NULL) return text;
  char line[16] = "", column[16] = "";
  if (error->line > 0) snprintf(line, sizeof line, "%d:", error->line);
  if (error->line > 0 && error->column > 0) snprintf(column, sizeof column, "%d:", error->column);
  const bool has_place = error->file[0] != '\0' || error->line > 0;
  snprintf(text, size, "%s%s%s%s%s%s", error->file, error->file[0] != '\0' ? ":" : "", line, column,
           has_place ? " " : "", error->message[0] != '\0' ? error->message : srs_status_string(error->status));
  srs_tidy(text);
  return text;
}

const char *srs_version(void) { return SARRUS_VERSION; }
