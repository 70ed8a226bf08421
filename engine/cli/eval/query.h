// What a quantity of `sarrus eval` is computed from.
#pragma once
#include "engine/cli/shared/state_options.h"

typedef struct srs_query {
  const srs_state *state;
  const srs_scene *scene; // of the model
  double gravity[3];      // m/s^2
  srs_workspace *workspace;
  int *frames; // n_frames indices
  int n_frames;
  const srs_collider_options *collider_options;
  double margin;       // m: contacts are listed up to this gap
  bool pseudo_inverse; // of dependent rows
} srs_query;

/// Chooses the frames named in "A,B,…", or all of the model's for NULL.
/// @return SRS_EXIT_OK, _USAGE or _FAILED, reported
int srs_query_choose_frames(const srs_command *command, srs_query *query, const char *names);
void srs_query_free_frames(srs_query *query);
