// The values of options: numbers, lists of numbers, words out of a set. Each reader reports what is wrong and returns
// SRS_EXIT_USAGE, or SRS_EXIT_OK.
#pragma once
#include "engine/cli/shared/command.h"

int srs_value_positive(const srs_command *command, const char *option, const char *text, double *value);
int srs_value_not_negative(const srs_command *command, const char *option, const char *text, double *value);

/// A whole number from 1 to 10^9.
int srs_value_count(const srs_command *command, const char *option, const char *text, int *value);

/// The names of a list's entries, for messages: entry i of what `context` stands for.
typedef const char *(*srs_entry_name)(const void *context, int i);

/// Exactly n numbers, separated by commas, white space or both.
/// @param values  n, out; undefined on failure
int srs_value_list(const srs_command *command, const char *option, const char *text, int n, srs_entry_name name,
                   const void *context, double *values);

/// Three numbers x y z.
int srs_value_vector(const srs_command *command, const char *option, const char *text, double values[3]);

/// One of n words.  @param index  out
int srs_value_word(const srs_command *command, const char *option, const char *text, const char *const *words, int n,
                   int *index);
