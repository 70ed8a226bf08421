// Which options were given on the command line? A table lists those that exist; anything else is refused.
#include "tools/pictures/arguments.h"
#include "engine/cli/drawing/canvas.h"

#include <string.h>

static const argument *find(const argument *options, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(options[i].name, name) == 0) return &options[i];
  return NULL;
}

srs_status arguments_read(const argument *options, int n, int argc, char **argv, const char **operand, srs_error *error)
{
  *operand = NULL;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      if (*operand != NULL) return picture_fail(error, SRS_ERROR_ARGUMENT, "unexpected argument '%s'", argv[i]);
      *operand = argv[i];
      continue;
    }
    const argument *option = find(options, n, argv[i] + 2);
    if (option == NULL) return picture_fail(error, SRS_ERROR_ARGUMENT, "unknown option '%s'", argv[i]);
    if (option->flag != NULL) {
      *option->flag = true;
      continue;
    }
    if (i + 1 == argc)
      return picture_fail(error, SRS_ERROR_ARGUMENT, "--%s needs a value: --%s %s", option->name, option->name,
                          option->value);
    i++;
    if (option->count == NULL)
      *option->text = argv[i];
    else if (*option->count < ARGUMENT_TIMES)
      option->text[(*option->count)++] = argv[i];
    else
      return picture_fail(error, SRS_ERROR_ARGUMENT, "--%s is given more than %d times", option->name, ARGUMENT_TIMES);
  }
  return SRS_OK;
}

int arguments_numbers(const char *name, const char *text, double *values, int capacity, srs_error *error)
{
  int n = 0;
  for (const char *at = text;; at++) {
    const size_t length = strcspn(at, ",");
    if (n == capacity) {
      picture_fail(error, SRS_ERROR_ARGUMENT, "--%s %s: at most %d numbers", name, text, capacity);
      return -1;
    }
    if (!srs_parse_number(at, length, &values[n++])) {
      picture_fail(error, SRS_ERROR_ARGUMENT, "--%s %s: '%.*s' is no number", name, text, (int)length, at);
      return -1;
    }
    at += length;
    if (*at == '\0') return n;
  }
}

int arguments_split(char *text, const char **parts, int capacity)
{
  int n = 0;
  for (char *at = text; at != NULL && n < capacity;) {
    char *comma = strchr(at, ',');
    if (comma != NULL) *comma = '\0';
    parts[n++] = at;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return n;
}
