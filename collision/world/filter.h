// Collision filters: which pairs of shapes may collide. Internal.
#pragma once
#include "collision/world/geometries.h"
#include <sarrus/collision.h>

/// Explicit pairs of geometries as i * 2^32 + j with i < j, sorted.
typedef struct srs_pair_set {
  uint64_t *keys; // n
  int n;
} srs_pair_set;

/// All pairs of a geometry named by the one name with one named by the other.
/// @param names  two a pair, ended by NULL; NULL: none   @param which  what messages call these pairs
/// @return SRS_OK, SRS_ERROR_NAME, _ARGUMENT (an odd number of names) or _MEMORY
srs_status srs_pair_set_make(const srs_geometries *geometries, const char *const *names, const char *which,
                             srs_arena *arena, srs_pair_set *set, srs_error *error);
bool srs_pair_set_has(const srs_pair_set *set, int i, int j);

typedef struct srs_filter {
  const srs_geometries *geometries;
  const int *body;              // n: as srs_model.frame_body; -1 the world itself
  const int *carrier;           // n
  const bool *is_static;        // n: stands still, or moves by prescribed motions alone
  const unsigned *group, *mask; // n
  const int *robot;             // n: 0 none
  const int *tree;              // n: body that its body's tree starts with; -1 the world itself
  const unsigned char *self;    // n: srs_self_collision, never SRS_SELF_COLLISION_OWN
  bool parent_child;
  srs_pair_set excluded, included;
  struct srs_self_overlap *left_out; // n_left_out: by SRS_SELF_COLLISION_AUTO (self_overlaps.h)
  int n_left_out;
} srs_filter;

/// @param arena  for all arrays of the filter
/// @return SRS_OK, SRS_ERROR_NAME, _ARGUMENT (an odd number of names) or _MEMORY
srs_status srs_filter_make(const srs_geometries *geometries, const srs_collider_options *options, srs_arena *arena,
                           srs_filter *filter, srs_error *error);

/// Adds pairs of geometries to those that are excluded.  @return false when out of memory
bool srs_pair_set_add(srs_pair_set *set, const uint64_t *keys, int n, srs_arena *arena);
uint64_t srs_pair_key(int i, int j);

/// Whether geometries i < j may collide.
bool srs_filter_passes(const srs_filter *filter, int i, int j);
