// Sparse block Cholesky. Internal.
//
// For a matrix of an ordered pattern (contact/algebra/sparse.h); only its upper blocks are asked for. Factored once, it
// serves any number of right-hand sides.
#pragma once
#include "contact/algebra/sparse_supernode.h"

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
