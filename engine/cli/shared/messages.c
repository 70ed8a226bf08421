// Messages on stderr, each a single line. A line break inside a name would make two lines of one, so control characters
// are shown as "?".
#include "engine/cli/shared/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 4096 };

static char shown(char c) { return (unsigned char)c < ' ' || c == 0x7f ? '?' : c; }

// A text that exceeds the line is cut and ends with "...".
static void say(const char *before, const char *text, const char *after)
{
  char line[LINE_SIZE];
  const int length = snprintf(line, sizeof line, "sarrus: %s%s%s", before, text, after);
  if (length >= LINE_SIZE) memcpy(line + LINE_SIZE - 4, "...", 4);
  for (char *c = line; *c != '\0'; c++) *c = shown(*c);
  fprintf(stderr, "%s\n", line);
}

int srs_usage_error(const srs_command *command, const char *format, ...)
{
  char text[LINE_SIZE - 128], hint[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(hint, sizeof hint, " (see sarrus %s%s--help)", command->name, command->name[0] != '\0' ? " " : "");
  say("", text, hint);
  return SRS_EXIT_USAGE;
}

int srs_report_failure(const srs_error *error)
{
  char text[LINE_SIZE];
  say("", srs_error_format(error, text, sizeof text), "");
  return SRS_EXIT_FAILED;
}

srs_status srs_report_fill(srs_error *error, srs_status status, const char *format, ...)
{
  *error = (srs_error){.status = status};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}

void srs_report_message(const srs_command *command, const char *kind, const char *text)
{
  if (command->is_quiet) return;
  char line[LINE_SIZE];
  size_t length = (size_t)snprintf(line, sizeof line, "sarrus: %s: ", kind);
  for (const char *c = text; *c != '\0'; c++) { // of any length
    if (length == sizeof line) {
      fwrite(line, 1, length, stderr);
      length = 0;
    }
    line[length++] = shown(*c);
  }
  fwrite(line, 1, length, stderr);
  fputc('\n', stderr);
}

void srs_report_warning(const srs_command *command, const char *text) { srs_report_message(command, "warning", text); }

void srs_report_note(const srs_command *command, const char *format, ...)
{
  if (command->is_quiet) return;
  char text[LINE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  say("note: ", text, "");
}

void srs_report_missing_meshes(const srs_command *command, int n, const srs_error *first)
{
  char why[1024];
  srs_report_note(command, "%d mesh%s to look at cannot be read and %s left out; %s%.600s", n, n == 1 ? "" : "es",
                  n == 1 ? "is" : "are", n == 1 ? "" : "the first: ", srs_error_format(first, why, sizeof why));
}

int srs_report_finish(int status)
{
  errno = 0;
  const bool was_written = fflush(stdout) == 0 && ferror(stdout) == 0;
  if (was_written) return status;
  const char *reason = errno != 0 ? strerror(errno) : "write error"; // NOLINT(concurrency-mt-unsafe): one thread
  say("standard output: the results could not be written: ", reason, "");
  return status == SRS_EXIT_USAGE ? status : SRS_EXIT_FAILED;
}
