// Pairs of a robot's shapes that overlap by the way it is drawn: `sarrus check MODEL --pairs`.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>
#include <stdint.h>

typedef struct srs_pairs_request {
  int n_poses;
  uint64_t seed;
  double often; // share of the poses from which on a pair is offered, 0 … 1
  bool as_srdf, is_json;
} srs_pairs_request;

/// Samples poses and prints which pairs to exclude: for a scene, as SRDF or as JSON.
/// @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_check_pairs(const char *path, const srs_scene *scene, const srs_pairs_request *request);
