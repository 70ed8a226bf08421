// What the subcommands of `sarrus` share: the exit status, and who speaks.
#pragma once
#include <stdbool.h>

enum {
  SRS_EXIT_OK = 0,
  SRS_EXIT_FAILED = 1, // a file, a model or the motion is at fault, or the run was interrupted
  SRS_EXIT_USAGE = 2,  // the command line is at fault
};

/// A subcommand at work.
typedef struct srs_command {
  const char *name; // "run", …; "" before one is known
  bool is_quiet;    // no warnings, notes and progress; errors are always reported
} srs_command;
