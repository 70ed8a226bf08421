// Reading options and operands by a table. Anything else is refused, with the nearest known name as a hint.
#include "engine/cli/shared/options.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"

#include <stdio.h>
#include <string.h>

static int refuse_unknown(const srs_command *command, const srs_usage *usage, const char *argument, size_t length)
{
  if (argument[1] != '-')
    return srs_usage_error(command, "unknown option '%s': options begin with two dashes", argument);
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length - 2 : 58), argument + 2);
  srs_nearest nearest = srs_nearest_to(word);
  for (int i = 0; i < usage->n_options; i++) {
    const char *name = usage->options[i].name;
    const bool was_begun = word[0] != '\0' && strncmp(name, word, strlen(word)) == 0;
    if (was_begun) return srs_usage_error(command, "unknown option '--%s'; did you mean '--%s'?", word, name);
    srs_nearest_offer(&nearest, name);
  }
  srs_nearest_offer(&nearest, "help");
  if (nearest.best == NULL) return srs_usage_error(command, "unknown option '--%s'", word);
  return srs_usage_error(command, "unknown option '--%s'; did you mean '--%s'?", word, nearest.best);
}

static const srs_option *find(const srs_usage *usage, const char *name, size_t length)
{
  for (int i = 0; i < usage->n_options; i++) {
    const srs_option *option = &usage->options[i];
    if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
  }
  return NULL;
}

static void keep(const srs_option *option, const char *value)
{
  if (option->texts != NULL)
    option->texts->items[option->texts->count++] = value;
  else
    *option->text = value;
}

// Reads the option at argv[*at]; *at moves on to its last argument.
static int read_option(const srs_command *command, const srs_usage *usage, int argc, char **argv, int *at)
{
  const char *argument = argv[*at];
  const size_t length = strcspn(argument, "=");
  const srs_option *option = length > 2 && argument[1] == '-' ? find(usage, argument + 2, length - 2) : NULL;
  if (strcmp(argument, "-o") == 0) option = find(usage, "out", 3);
  if (option == NULL) return refuse_unknown(command, usage, argument, length);

  const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
  if (option->flag != NULL) {
    if (value != NULL) return srs_usage_error(command, "--%s takes no value, but has '%s'", option->name, value);
    *option->flag = true;
    return SRS_EXIT_OK;
  }
  if (value == NULL) {
    value = *at + 1 < argc ? argv[*at + 1] : NULL;
    if (value == NULL)
      return srs_usage_error(command, "--%s needs a value: --%s %s", option->name, option->name, option->value);
    if (strncmp(value, "--", 2) == 0)
      return srs_usage_error(command,
                             "--%s needs a value, but '%s' follows; write a value that begins with dashes as --%s=%s",
                             option->name, value, option->name, value);
    (*at)++;
  }
  keep(option, value);
  return SRS_EXIT_OK;
}

int srs_options_read(const srs_command *command, const srs_usage *usage, int argc, char **argv, const char **operands,
                     bool *wants_help)
{
  int n_operands = 0;
  bool options_ended = false;
  *wants_help = false;
  for (int i = 0; i < argc; i++) {
    const char *argument = argv[i];
    if (options_ended || argument[0] != '-' || argument[1] == '\0') {
      if (n_operands == usage->n_operands)
        return srs_usage_error(command, "unexpected argument '%s'; usage: sarrus %s [options]", argument,
                               usage->synopsis);
      operands[n_operands++] = argument;
    } else if (strcmp(argument, "--") == 0) {
      options_ended = true;
    } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      *wants_help = true;
      return SRS_EXIT_OK;
    } else {
      const int status = read_option(command, usage, argc, argv, &i);
      if (status != SRS_EXIT_OK) return status;
    }
  }
  if (n_operands < usage->n_operands)
    return srs_usage_error(command, "%s is missing; usage: sarrus %s [options]", usage->operand_names[n_operands],
                           usage->synopsis);
  return SRS_EXIT_OK;
}

void srs_options_help(const srs_usage *usage)
{
  printf("usage: sarrus %s [options]\n\n%s\n\noptions:\n", usage->synopsis, usage->purpose);
  for (int i = 0; i < usage->n_options; i++) {
    const srs_option *option = &usage->options[i];
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", option->name, option->value != NULL ? " " : "",
             option->value != NULL ? option->value : "");
    printf("  %-26s %s\n", left, option->help);
  }
  printf("  %-26s %s\n", "--help", "this text");
  if (usage->notes != NULL) printf("\n%s\n", usage->notes);
}
