// The command line after a subcommand: options by a table, operands by their place.
#pragma once
#include "engine/cli/shared/command.h"

/// Values of an option that may be given several times. `items` has room for as many as there are arguments.
typedef struct srs_texts {
  const char **items;
  int count;
} srs_texts;

/// One option. One of `flag`, `text` and `texts` says where its value goes; a flag takes none.
typedef struct srs_option {
  const char *name;  // without the two dashes
  const char *value; // what the help calls its value; NULL for a flag
  const char *help;
  bool *flag;
  const char **text; // NULL stays there when the option is not given; given twice, the last holds
  srs_texts *texts;
} srs_option;

/// The options and operands of a subcommand, and its help.
typedef struct srs_usage {
  const char *synopsis; // "run SCENE"
  const char *purpose;  // lines for the top of the help
  const char *notes;    // lines for its end
  const char *const *operand_names;
  int n_operands;
  const srs_option *options;
  int n_options;
} srs_usage;

/// Sorts the arguments into options and operands. `--name value` and `--name=value` are the same; `--` ends the
/// options; `--help` and `-h` set *wants_help and leave the rest unread.
/// @param operands  n_operands, out; all set unless help is wanted
/// @return SRS_EXIT_OK, or SRS_EXIT_USAGE after reporting what is wrong
int srs_options_read(const srs_command *command, const srs_usage *usage, int argc, char **argv, const char **operands,
                     bool *wants_help);

/// The subcommand's help, on stdout.
void srs_options_help(const srs_usage *usage);
