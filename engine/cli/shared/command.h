// What the parts of the `sarrus` command share: its subcommands and its exit status.
#pragma once
#include <stdbool.h>

enum {
  SRS_EXIT_OK = 0,
  SRS_EXIT_FAILED = 1, // a file, a model or the motion is at fault; interrupted runs too
  SRS_EXIT_USAGE = 2,  // what was typed is at fault
};

/// A subcommand at work.
typedef struct srs_command {
  const char *name; // "run", …; "" before one is known
  bool is_quiet;    // no warnings, notes and progress; errors are always told
} srs_command;

/// Each takes what follows its own name and returns the exit status.
int srs_command_run(int argc, char **argv);
int srs_command_info(int argc, char **argv);
int srs_command_eval(int argc, char **argv);
int srs_command_solve(int argc, char **argv);
