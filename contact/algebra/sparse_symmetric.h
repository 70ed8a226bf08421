// Sparse block Cholesky. Internal.
//
// For a matrix of an ordered pattern (contact/algebra/sparse.h); only its upper blocks are asked for. Factored once, it
// serves any number of right-hand sides.
#pragma once
#include "contact/algebra/sparse.h"

typedef struct srs_symmetric {
  const srs_sparse *pattern;
  size_t room;           // doubles of U
  int together_from;     // rows from which adjacent places with the same panel are eliminated at once
  double *U;             // panel of each place, row by row
  size_t *begin;         // n_nodes: where they begin
  double *own;           // n_nodes x SRS_NODE_MOST^2: R of each place, its diagonal inverted
  int *wide, *run_begin; // n_nodes + 1: columns of a place's panel; where its runs begin
  srs_run *run;          // adjacent columns
  int *next, *column;    // n_nodes: scratch, of each place the run that it is at, and columns before it
  int *supernode, *met;  // n_nodes: the first place of each one's supernode; the last one that met a supernode
  double *work;          // SRS_NODE_MOST rows of n
  double *y;             // n
} srs_symmetric;

/// The block of a node's rows and a neighbour's columns, pattern->column[k]: SRS_NODE_MOST doubles from row to row.
typedef void srs_symmetric_block(const void *data, int node, int k, double *block);

/// Integers, doubles and (n_nodes) sizes that `lay_out` divides up, after which no solve allocates. n_fill: places in
/// all panels; room: doubles of U.
size_t srs_symmetric_integers(int n_nodes, size_t n_fill);
size_t srs_symmetric_doubles(int n_rows, int n_nodes, size_t room);
void srs_symmetric_lay_out(srs_symmetric *symmetric, int n_rows, int n_nodes, size_t room, int *integers, size_t *sizes,
                           double *doubles);

/// A = U^T U. Where a pivot is at rounding level, its unknown will be zero.
/// @return false where the fill-in exceeds the room
bool srs_symmetric_factor(srs_symmetric *symmetric, srs_symmetric_block *block, const void *data);

/// x <- A^-1 x.
void srs_symmetric_solve(const srs_symmetric *symmetric, double *x);

/// A^-1 of n <= SRS_NODE_MOST rows, kept likewise, symmetric positive. Where a pivot is at rounding level of scale, its
/// row is zero.
void srs_symmetric_invert(int n, const double *scale, double *A);
