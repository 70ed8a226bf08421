// The quantities that `sarrus eval` offers.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

typedef struct srs_quantity {
  const char *name, *help;
  unsigned uses; // options that it takes, bits of quantity.c
  srs_status (*write)(const srs_query *query, srs_json *json, srs_error *error); // the key "value" and all below
} srs_quantity;

/// NULL where none has that name, after a message that lists them.
const srs_quantity *srs_quantity_find(const srs_command *command, const char *name);

/// A line for each quantity, its name and its help.
void srs_quantity_list(char *text, size_t size);

/// Reports options that have no effect on the quantity, and refuses to go on without those that it needs.
/// @return SRS_EXIT_OK or SRS_EXIT_USAGE
int srs_quantity_check_options(const srs_command *command, const srs_quantity *quantity, bool has_frames,
                               bool has_margin, bool has_pseudo_inverse);
