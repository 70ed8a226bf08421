// The broad phase: pairs whose bounds are near each other. Internal.
#pragma once
#include "collision/world/filter.h"
#include "collision/world/grid.h"

typedef struct srs_pair {
  int i, j; // geometries, i < j
} srs_pair;

typedef struct srs_broad_phase {
  const srs_geometries *geometries;
  const srs_filter *filter;
  int n_pairs;       // that pass the filters
  int capacity;      // of `found`
  bool can_grow;     // may be enlarged
  srs_pair *found;   // capacity: sorted by (i, j) after srs_broad_phase_find
  const int *others; // few pairs: for each geometry those after it that pass the filters, in order
  const int *begin;  // n + 1: into others; NULL: searched instead

  // Many pairs: found by grids, in a list that lasts while nothing has moved far.
  srs_grid grid;
  int n_bounded, n_planes; // geometries that are not half-spaces, and those that are
  const int *bounded, *planes;
  const srs_ball **balls; // n_bounded: their bounds
  srs_ball *then;         // n: all bounds when the list was made
  srs_pair *near;         // capacity: pairs within near_margin of each other then, sorted
  int n_near;             // -1: there is no list
  double near_margin, slack;
  srs_pair *spare; // capacity
  int *count;      // n + 1
} srs_broad_phase;

/// @param capacity  pairs found at once; 0: all that pass where these are few, else a usual number that can grow
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_broad_phase_make(const srs_geometries *geometries, const srs_filter *filter, int n_pairs, int capacity,
                                srs_arena *arena, srs_broad_phase *broad, srs_error *error);

/// All pairs that pass the filter and whose bounds are within margin of each other, sorted, in broad_phase->found.
/// @return how many there are; above the capacity `found` is not valid
long srs_broad_phase_find(srs_broad_phase *broad, double margin);

/// Enlarges the capacity to half more than `n` pairs; the old arrays stay in the arena.
/// @return false, nothing changed, when out of memory
bool srs_broad_phase_grow(srs_broad_phase *broad, long n, srs_arena *arena);
