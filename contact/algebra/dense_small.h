// Factors of dense matrices of up to SRS_DENSE_OWN rows, in memory as contact/algebra/dense.h lays it out. Internal.
#pragma once
#include <stdbool.h>

/// The upper triangle of G = A^T A.
void srs_small_gram(int n, const double *A, int stride, double *G);

/// G = U^T U in place, U's diagonal inverted.  @return false when a pivot is not positive
bool srs_small_cholesky(int n, double *G, int stride);

/// P A = L U in place.  @return the smallest pivot over the largest; 0 where one is not above least_ratio of the
/// largest
double srs_small_lu(int n, double *A, int stride, int *pivot, double least_ratio);
