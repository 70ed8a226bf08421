// Dense factors by blocks whose products BLAS forms: what contact/algebra/dense.h does beyond its limits. Internal.
#pragma once
#include <stdbool.h>

/// As in contact/algebra/dense_small.h.
void srs_blocks_gram(int n, const double *A, int stride, double *G);
bool srs_blocks_cholesky(int n, double *G, int stride);
double srs_blocks_lu(int n, double *A, int stride, int *pivot, double least_ratio);

/// C += alpha op(A) op(B), all three rows first with their strides, in pieces that BLAS multiplies in this thread.
/// op(A) is m x k, op(B) k x n.
void srs_blocks_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, double alpha, const double *A,
                         int a_stride, const double *B, int b_stride, double *C, int c_stride);

/// G -= V^T V in the upper triangle of rows and columns `first` … n; V has k rows of the same stride, columns as G.
void srs_blocks_subtract_gram(int n, int first, int k, const double *V, double *G, int stride);

/// X <- U^-T X for n columns of X in whole lanes; U has its diagonal inverted.
/// @param rows  a multiple of four, up to 64   @param U  rows of 64
void srs_blocks_divide(int rows, const double *U, int n, double *X, int stride);
