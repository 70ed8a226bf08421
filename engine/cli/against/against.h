// `sarrus check MODEL --against OTHER`: what differs between two models.
#pragma once
#include "engine/cli/shared/loading.h"

typedef struct srs_against_request {
  const char *path, *other;
  const char *tolerance, *ignored; // as typed, the second "KIND,KIND"; NULL: the default, and none
  bool lists_all, is_json;
} srs_against_request;

enum { SRS_EXIT_SAME = 0, SRS_EXIT_DIFFER = 1, SRS_EXIT_TROUBLE = 2 }; // as diff has them

/// @return the exit status: 0 no difference, 1 some, 2 a mistake or a file that is refused; with strictness notes are
/// differences
int srs_check_against(srs_command *command, srs_loading *loading, const srs_against_request *request);
