// Which of the pairs that may meet are near each other? Internal.
#pragma once
#include "collision/world/filter.h"

typedef struct srs_pair {
  int i, j; // members, i < j
} srs_pair;

typedef struct srs_broad {
  const srs_geometries *members;
  const srs_filter *filter;
  int n_pairs;       // that may meet
  int capacity;      // of `found`
  bool can_grow;     // it may be given more
  srs_pair *found;   // capacity: sorted by (i, j) after srs_broad_find
  const int *others; // few pairs: for each member those after it that it may meet, in order
  const int *begin;  // n + 1: into others; NULL: swept instead

  // Of the sweep.
  int n_bounded, n_planes; // members that are not half-spaces, and those that are
  const int *bounded, *planes;
  int *order, *order_spare; // n_bounded
  srs_ball *balls;          // n_bounded: in that order
  double *low, *low_spare;  // n_bounded: in that order
  srs_pair *spare;          // capacity
  int *count;               // n + 1
} srs_broad;

/// @param capacity  pairs found at once; 0: all that may meet where these are few, else as many as usual, and it can
/// grow
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_broad_make(const srs_geometries *members, const srs_filter *filter, int n_pairs, int capacity,
                          srs_arena *arena, srs_broad *broad, srs_error *error);

/// All pairs that pass the filter and whose bounds are within margin of each other, sorted, in broad->found.
/// @return how many there are; above the capacity: nothing of use is in `found`
long srs_broad_find(srs_broad *broad, double margin);

/// Room for half more than `n` pairs, the larger arrays being taken anew: old ones stay in the arena.
/// @return false when there is no memory; then nothing is changed
bool srs_broad_grow(srs_broad *broad, long n, srs_arena *arena);
