// Dense linear algebra: products, Cholesky, LU, least squares. Internal.
//
// A matrix is kept rows first with a stride that is a multiple of four doubles; what lies beyond its last column, and a
// vector's entries beyond its last, are zero, so that loops run over whole lanes. A square matrix has `stride` rows of
// memory. Up to a number of rows, one for each factor, factors are our own loops (a call of BLAS costs more than they
// do); beyond it contact/algebra/dense_blocks.c works in blocks, multiplied by BLAS.
#pragma once
#include "contact/algebra/lanes.h"

#include <stdbool.h>
#include <stddef.h>

// Rows up to which own loops factor, by bench_dense.
enum {
  SRS_DENSE_GRAM = 128,
  SRS_DENSE_CHOLESKY = 192,
  SRS_DENSE_LU = 96,
  SRS_DENSE_QR = 768,
  SRS_DENSE_SEMIDEFINITE = 64, // the least of them
};

/// y = A x. A is n_rows x n_columns, x padded with zeros.
void srs_dense_multiply(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y);

/// y = A^T x; y is n_columns, padded.
void srs_dense_multiply_transposed(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y);

/// The upper triangle of G = A^T A, A n x n.
void srs_dense_gram(int n, const double *A, int stride, double *G);

/// G + shift I = U^T U, U upper, in place.
/// @return false when a pivot is not positive
bool srs_dense_cholesky(int n, double *G, int stride, double shift);

/// x <- (U^T U)^-1 x.
void srs_dense_cholesky_solve(int n, const double *U, int stride, double *x);

/// P A = L U with partial pivoting, in place.
/// @param pivot  n, out: the row that came to place k
/// @return the smallest pivot over the largest, in absolute value; 0 when A is singular
double srs_dense_lu(int n, double *A, int stride, int *pivot);

/// The same; false as soon as a pivot is not above least_ratio times the largest so far.
bool srs_dense_lu_if_regular(int n, double *A, int stride, int *pivot, double least_ratio);

/// x <- A^-1 x.
void srs_dense_lu_solve(int n, const double *LU, int stride, const int *pivot, double *x);

/// x <- the minimiser of |A x - b|^2 + shift |x|^2, b coming in x: by QR of [A; sqrt(shift) I], A^T A is never
/// formed.
/// @param QR    2 n stride doubles, at least 2 stride^2
/// @param tall  2 stride doubles
void srs_dense_least_squares(int n, const double *A, int stride, double shift, double *QR, double *tall, double *x);

/// Lets BLAS allocate its memory now, so that no work on up to n rows does.
/// @return false where there is no room for it: OpenBLAS 0.3.21 takes 128 MiB of addresses at its first call, and asks
///         for them until it gets them
bool srs_dense_warm_up(int n);
