// Solving with symmetric matrices that may be singular. Internal.
#pragma once
#include <stddef.h>

/// Factors A by Cholesky, the largest diagonal entry left first, up to where it falls to `tolerance`: those rows depend
/// on the ones before. A's diagonal should be about 1. Allocates nothing.
/// @param A      n x n, symmetric, both triangles; out: the factor, in the order of `order`
/// @param order  n, out: rows as they were taken, the independent ones first
/// @return the rank
int srs_semidefinite_factor(int n, double *A, int *order, double tolerance);

/// x <- a solution of A x = b that leaves dependent rows at zero; exact for b in A's range.
/// @param x     n: in b, out x   @param work  n
void srs_semidefinite_solve(int n, int rank, const double *A, const int *order, double *x, double *work);
