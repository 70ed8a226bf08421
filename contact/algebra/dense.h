// How are dense systems solved? Vectors and matrices of a solve. Internal.
//
// A matrix is kept rows first with a stride that is a multiple of four doubles; what lies beyond its last column, and a
// vector's entries beyond its last, are zero, so that loops run over whole lanes. A square matrix has `stride` rows of
// memory. Up to SRS_DENSE_OWN rows the loops are our own (a call of BLAS costs more than they do); beyond it
// contact/algebra/dense_large.c works in blocks, whose products are BLAS's.
#pragma once
#include <sarrus/base.h>

// Compiled twice and chosen at load time: for any processor of the architecture, and for those with AVX2 and FMA.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(SARRUS_NO_KERNEL_CLONES)
#define SRS_CONTACT_KERNEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SRS_CONTACT_KERNEL
#endif
#define SRS_CONTACT_INLINE static inline __attribute__((always_inline))

enum { SRS_DENSE_OWN = 768 };

typedef double srs_lanes __attribute__((vector_size(32), aligned(8)));

SRS_CONTACT_INLINE srs_lanes srs_load(const double *p) { return *(const srs_lanes *)p; }
SRS_CONTACT_INLINE void srs_store(double *p, srs_lanes a) { *(srs_lanes *)p = a; }
SRS_CONTACT_INLINE double srs_sum(srs_lanes a) { return (a[0] + a[1]) + (a[2] + a[3]); }

/// a . b of any n, nothing padded.
SRS_CONTACT_INLINE double srs_dot(int n, const double *a, const double *b)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 += srs_load(a + i) * srs_load(b + i);
    s1 += srs_load(a + i + 4) * srs_load(b + i + 4);
    s2 += srs_load(a + i + 8) * srs_load(b + i + 8);
    s3 += srs_load(a + i + 12) * srs_load(b + i + 12);
  }
  for (; i + 4 <= n; i += 4) s0 += srs_load(a + i) * srs_load(b + i);
  double rest = 0;
  for (; i < n; i++) rest += a[i] * b[i];
  return srs_sum((s0 + s1) + (s2 + s3)) + rest;
}

/// Doubles from row to row for n columns.
static inline int srs_dense_stride(int n) { return (n + 3) & ~3; }

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

/// The same, given up where a pivot is not above least_ratio times the largest so far.
bool srs_dense_lu_if_regular(int n, double *A, int stride, int *pivot, double least_ratio);

/// x <- A^-1 x.
void srs_dense_lu_solve(int n, const double *LU, int stride, const int *pivot, double *x);

/// x <- the x with the least |A x - b|^2 + shift |x|^2, b coming in x: by QR of [A; sqrt(shift) I], A^T A is never
/// formed.
/// @param A     n x n, destroyed beyond SRS_DENSE_OWN rows
/// @param QR    2 n stride doubles, at least 2 stride^2
/// @param tall  2 stride doubles
void srs_dense_least_squares(int n, double *A, int stride, double shift, double *QR, double *tall, double *x);

/// Lets BLAS take the memory that it takes once, so that no solve does. matrix, other: 128 x 128 doubles.
void srs_dense_warm_up(double *matrix, double *other);
