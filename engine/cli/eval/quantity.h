// The quantities that `sarrus eval` knows.
#pragma once
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/state_options.h"

/// What a quantity is computed from.
typedef struct srs_query {
  const srs_state *state;
  srs_workspace *workspace;
  int *frames; // n_frames indices
  int n_frames;
  const srs_collider_options *collider_options;
  double margin; // m, up to which gaps are contacts
} srs_query;

typedef struct srs_quantity {
  const char *name;
  bool uses_frames, needs_frames, uses_margin;
  srs_status (*write)(const srs_query *query, srs_json *json, srs_error *error); // the key "value" and all below
} srs_quantity;

/// NULL, after telling which there are, when there is none of that name.
const srs_quantity *srs_quantity_find(const srs_command *command, const char *name);

/// The frames named in "A,B,…", or all of the model's for NULL.  @return SRS_EXIT_OK, _USAGE or _FAILED, told
int srs_query_choose_frames(const srs_command *command, srs_query *query, const srs_quantity *quantity,
                            const char *names);
void srs_query_free_frames(srs_query *query);
