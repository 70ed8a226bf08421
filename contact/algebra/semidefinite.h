// Rank-revealing factorisation of symmetric positive semidefinite matrices, and solves. Internal.
#pragma once
#include "contact/algebra/dense.h"

/// Factors A as U^T D U, with the largest remaining diagonal entry first, until it falls to `tolerance`: the rows left
/// depend on the ones before. A's diagonal should be about 1. Allocates nothing.
/// @param A      n x n of dense.h, symmetric; out: row order[k] has row k of D U, columns as they were, but 1 / D_k at
/// order[k] itself; columns of earlier pivots are rounding or zero, and rows beyond the rank nothing in particular
/// @param order  n, out: rows in pivot order, the independent ones first
/// @param left   stride: scratch
/// @return the rank
int srs_semidefinite_factor(int n, double *A, int stride, int *order, double tolerance, double *left);

/// The same by own loops or in blocks that BLAS multiplies, whatever the size.
int srs_semidefinite_factor_by(int n, double *A, int stride, int *order, double tolerance, bool in_blocks,
                               double *left);

/// Row k of D U, and D_k.
SRS_CONTACT_INLINE const double *srs_semidefinite_row(const double *A, int stride, const int *order, int k)
{
  return A + (size_t)order[k] * (size_t)stride;
}
SRS_CONTACT_INLINE double srs_semidefinite_pivot(const double *A, int stride, const int *order, int k)
{
  return 1 / srs_semidefinite_row(A, stride, order, k)[order[k]];
}

/// y = U^-T x, in the order of `order`.
/// @param x  stride: in, destroyed   @param y  n, out
void srs_semidefinite_forward(int n, int rank, const double *A, int stride, const int *order, double *x, double *y);

/// x = (D U)^-1 y, dependent rows zero.
/// @param x  stride, out
void srs_semidefinite_back(int n, int rank, const double *A, int stride, const int *order, const double *y, double *x);

/// x <- a solution of A x = b that leaves dependent rows at zero; exact for b in A's range.
/// @param x  stride: in b, out x   @param work  n
void srs_semidefinite_solve(int n, int rank, const double *A, int stride, const int *order, double *x, double *work);
