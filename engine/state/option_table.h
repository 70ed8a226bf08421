// The table of a simulation's options: one row each with name, kind, range and unit. Checks of C callers, keys of
// scenes, the differences that snapshots name and docs/options.md all come from it. Internal.
#pragma once
#include "engine/state/option_names.h"
#include <stddef.h>

typedef enum srs_option_kind {
  SRS_OPTION_NUMBER, // double
  SRS_OPTION_COUNT,  // int
  SRS_OPTION_FLAG,   // bool
  SRS_OPTION_WORD    // an enumeration
} srs_option_kind;

typedef struct srs_option_row {
  const char *name;  // of the field in C: "contact.friction"
  const char *group; // the map of a scene that has its key: "contact"; "" for the scene itself; NULL: no key
  const char *key;   // "friction"
  const char *unit;  // "" for none
  srs_option_kind kind;
  size_t at; // in srs_sim_options
  double low, high;
  bool is_above_low; // low itself is too low
  bool may_be_nan;   // then it stands for a default that depends on others
  bool is_even;
  const srs_option_word *words; // of words, or NULL: name tells them
  const char *(*name_of)(int value);
} srs_option_row;

extern const srs_option_row srs_option_rows[];
extern const int srs_n_option_rows;

/// The value as a number: 0 or 1 for a flag, the enumerator for a word.
double srs_option_value(const srs_option_row *row, const srs_sim_options *options);

/// Sets it from a number in range.
void srs_option_set(const srs_option_row *row, srs_sim_options *options, double value);

/// The word of an enumeration's value; NULL where there is none.
const char *srs_option_word_of(const srs_option_row *row, int value);

bool srs_option_is_in_range(const srs_option_row *row, double value);

/// What a number must be: "between 0 and 1", "greater than 0", "an even number from 4 to 64".
const char *srs_option_range(const srs_option_row *row, char text[96]);

/// The value as scenes write it.
const char *srs_option_text(const srs_option_row *row, double value, char text[64]);

/// Checks every row, and the lists of materials, pairs, solids and surfaces.
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _NOT_FINITE; the error's subject is the option's name
srs_status srs_check_options(const srs_sim_options *options, srs_error *error);
