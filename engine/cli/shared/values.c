// Reading the values of options. srs_parse_number reads the whole text, so "1,5", "1.0kg" and "nan" are refused where
// one number is wanted.
#include "engine/cli/shared/values.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int read_number(const srs_command *command, const char *option, const char *text, double *value)
{
  if (srs_parse_number(text, strlen(text), value)) return SRS_EXIT_OK;
  return srs_usage_error(command, "--%s: '%s' is not a finite number", option, text);
}

int srs_value_positive(const srs_command *command, const char *option, const char *text, double *value)
{
  const int status = read_number(command, option, text, value);
  if (status != SRS_EXIT_OK || *value > 0) return status;
  return srs_usage_error(command, "--%s must be above 0, not %s", option, text);
}

int srs_value_not_negative(const srs_command *command, const char *option, const char *text, double *value)
{
  const int status = read_number(command, option, text, value);
  if (status != SRS_EXIT_OK || *value >= 0) return status;
  return srs_usage_error(command, "--%s must not be below 0, but is %s", option, text);
}

int srs_value_count(const srs_command *command, const char *option, const char *text, int *value)
{
  double number = 0;
  const int status = read_number(command, option, text, &number);
  if (status != SRS_EXIT_OK) return status;
  if (!(number >= 1 && number <= 1e9) || number != floor(number))
    return srs_usage_error(command, "--%s must be a whole number from 1 to 1000000000, not %s", option, text);
  *value = (int)number;
  return SRS_EXIT_OK;
}

// Finds the next entry of a list, without the white space around it, and moves *at behind its separator. False at the
// end.
static bool next_entry(const char **at, const char **entry, size_t *length)
{
  static const char space[] = " \t\n\r";
  const char *begin = *at + strspn(*at, space);
  if (*begin == '\0') return false;
  *entry = begin;
  *length = strcspn(begin, ", \t\n\r");
  const char *end = begin + *length;
  end += strspn(end, space);
  if (*end == ',') {
    end++;
    if (end[strspn(end, space)] == '\0') end--; // a comma at the very end: the next entry is empty
  }
  *at = end;
  return true;
}

// "a, b, c", or the first eight of them.
static void join_names(char *text, size_t size, int n, srs_entry_name name, const void *context)
{
  enum { SHOWN = 8 };
  size_t length = 0;
  text[0] = '\0';
  for (int i = 0; i < n && i < SHOWN && length < size; i++)
    length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : ": ", name(context, i));
  if (n > SHOWN && length < size) snprintf(text + length, size - length, ", ...");
}

int srs_value_list(const srs_command *command, const char *option, const char *text, int n, srs_entry_name name,
                   const void *context, double *values)
{
  int count = 0;
  const char *entry = NULL;
  size_t length = 0;
  for (const char *at = text; next_entry(&at, &entry, &length); count++) {
    double value = 0;
    if (length == 0) return srs_usage_error(command, "--%s: number %d of '%s' is empty", option, count + 1, text);
    if (!srs_parse_number(entry, length, &value))
      return srs_usage_error(command, "--%s: '%.*s' is not a finite number", option, (int)length, entry);
    if (count < n) values[count] = value;
  }
  if (count == n) return SRS_EXIT_OK;
  char names[1024];
  join_names(names, sizeof names, n, name, context);
  return srs_usage_error(command, "--%s has %d number%s, %s %d%s", option, count, count == 1 ? "" : "s",
                         context != NULL ? "the model needs" : "but takes", n, names);
}

static const char *axis_name(const void *context, int i)
{
  static const char *const names[3] = {"x", "y", "z"};
  (void)context;
  return names[i];
}

int srs_value_vector(const srs_command *command, const char *option, const char *text, double values[3])
{
  return srs_value_list(command, option, text, 3, axis_name, NULL, values);
}

int srs_value_word(const srs_command *command, const char *option, const char *text, const char *const *words, int n,
                   int *index)
{
  srs_nearest nearest = srs_nearest_to(text);
  char known[512] = "";
  size_t length = 0;
  for (int i = 0; i < n; i++) {
    if (strcmp(text, words[i]) == 0) {
      *index = i;
      return SRS_EXIT_OK;
    }
    srs_nearest_offer(&nearest, words[i]);
    if (length < sizeof known)
      length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", words[i]);
  }
  if (nearest.best == NULL) return srs_usage_error(command, "--%s: no '%s'; there are %s", option, text, known);
  return srs_usage_error(command, "--%s: no '%s'; did you mean '%s'? There are %s", option, text, nearest.best, known);
}
