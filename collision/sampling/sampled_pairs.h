// Shapes of one robot that overlap in random configurations. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/collision.h>

/// What sampling found of a pair of shapes of one robot that the filters let collide.
typedef struct srs_sampled_pair {
  int shape_a, shape_b; // shape_a < shape_b
  double neutral_depth; // m, in the neutral configuration; 0: apart
  double depth;         // m, the most in any configuration
  int n_overlaps;       // random configurations with an overlap
} srs_sampled_pair;

typedef struct srs_sampled_pairs {
  srs_sampled_pair *pairs; // n: those that overlapped at all, sorted
  int n, n_pairs;          // n_pairs: that may collide
  int n_poses;
  srs_arena memory;
} srs_sampled_pairs;

/// Samples coordinates evenly between their limits (angles without limits over a turn, travel over a metre to both
/// sides; followers are where their leaders put them; free joints stay; other loops are not closed). The same seed
/// gives the same poses everywhere. Pairs that SRS_SELF_COLLISION_AUTO or _NONE would leave out are sampled too.
/// @param options  the other filters; NULL for the default
/// @param found    out; freed by srs_sampled_pairs_free, also after a failure
/// @return as srs_collider_create; SRS_ERROR_ARGUMENT where n_poses < 1
srs_status srs_sample_pairs(const srs_model *model, const srs_collider_options *options, int n_poses, uint64_t seed,
                            srs_sampled_pairs *found, srs_error *error);
void srs_sampled_pairs_free(srs_sampled_pairs *found);
