// The command line: `--name value` and flags, read by a table of options.
#pragma once
#include <sarrus/base.h>

enum { ARGUMENT_TIMES = 16 };

/// One option; just one of `flag` and `text` says where it goes. One given several times puts its values one after
/// another where it has a count, else the last holds.
typedef struct argument {
  const char *name, *value, *help; // name without dashes; value NULL for a flag
  bool *flag;
  const char **text; // ARGUMENT_TIMES where it has a count
  int *count;
} argument;

/// Sorts what was typed into options and just one operand.  @return SRS_OK, or SRS_ERROR_ARGUMENT
srs_status arguments_read(const argument *options, int n, int argc, char **argv, const char **operand,
                          srs_error *error);

/// n numbers between commas.  @return how many, -1 after telling what is wrong; more than capacity is wrong too
int arguments_numbers(const char *name, const char *text, double *values, int capacity, srs_error *error);

/// Cuts a text at its commas, in place.  @return how many parts, at most capacity
int arguments_split(char *text, const char **parts, int capacity);
