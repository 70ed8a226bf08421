// The memory of an elimination. Internal.
//
// A strand is what a row has become on its way to where it is eliminated: the force of its unit impulse. It starts at a
// side of the row; strands of one row that come together become one. Each has a slot for as long as it lives.
#pragma once
#include "engine/elimination/elimination.h"

// Rows that are eliminated at one link, and the strands that pass by.
typedef struct loop_block {
  int link;            // -1: the world
  int n, first;        // rows, the first among block_row
  int n_others, other; // strands that pass by, the first among other_row
  int stride;          // of the factor
  size_t at;           // its numbers: factor n x stride; scale, forward, work: stride each; coupling n x n_others;
                       // null space n x n
  int rank, n_null;
} loop_block;

typedef struct loop_merge {
  int link, to, from; // slots
} loop_merge;

struct srs_elimination {
  srs_workspace *w;
  int n_rows, n_sides, n_slots, n_blocks, n_merges;

  // The plan. Sides are sorted by link; blocks and merges come in the order of the inward pass.
  int *side_begin;  // n_links + 1
  int *side_row;    // n_sides
  int *side_of_row; // n_sides: which of its row's sides it is
  int *side_slot;   // n_sides: -slot - 1 where its strand starts
  int *end;         // n_rows: the link at which it is eliminated, -1 for the world
  int *live_end;    // n_links + 1: strands that pass link k's joint are live_end[k + 1] ... live_end[k] - 1
  int *live_slot, *live_row;
  size_t *share_end;  // n_links + 1: likewise, their shares of the joint's coordinates, coordinate by coordinate
  loop_block *blocks; // n_blocks
  loop_merge *merges; // n_merges
  int *block_row, *block_slot, *other_row, *other_slot;

  // The factor.
  srs_row *sides; // n_sides
  pivot *pivots;  // nv
  double *share;
  double *numbers; // of the blocks
  v6 *pull;        // of block_row: the force on the block's link for each pivot
  int *order;      // of block_row: its pivoting order

  // Scratch.
  v6 *strand;       // n_slots
  double *K;        // n_slots x n_slots: what strands move of each other so far
  double *size;     // n_slots: the same if no lever were zero
  bool *is_coupled; // n_slots: to rows eliminated before
  v6 *force;        // n_links: where several links hang on one
  double *left;     // n_rows
  double *mobility; // n_rows
  void *memory, *factor_memory;
};
