// How are dense systems solved? Products, and solves with factors. Each factor is found by dense_small.c up to a number
// of rows that bench_dense finds, and by dense_blocks.c beyond.
//
//   forward    y_k = b_k / U_kk,   b -= y_k U_k       rows of U are contiguous: a multiple of a row is subtracted
//   backward   x_k = (y_k - U_k . x) / U_kk           or a row is multiplied into x
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_small.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

// ---- products ----

SRS_CONTACT_KERNEL
void srs_dense_multiply(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y)
{
  const size_t step = (size_t)stride;
  int i = 0;
  for (; i + 4 <= n_rows; i += 4) {
    const double *r = A + (size_t)i * (size_t)stride;
    srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int j = 0; j < n_columns; j += 4) {
      const srs_lanes v = srs_load(x + j);
      s0 += srs_load(r + j) * v;
      s1 += srs_load(r + step + j) * v;
      s2 += srs_load(r + 2 * step + j) * v;
      s3 += srs_load(r + 3 * step + j) * v;
    }
    y[i] = srs_sum(s0), y[i + 1] = srs_sum(s1), y[i + 2] = srs_sum(s2), y[i + 3] = srs_sum(s3);
  }
  for (; i < n_rows; i++) {
    const double *r = A + (size_t)i * (size_t)stride;
    srs_lanes s = {0};
    for (int j = 0; j < n_columns; j += 4) s += srs_load(r + j) * srs_load(x + j);
    y[i] = srs_sum(s);
  }
}

SRS_CONTACT_KERNEL
void srs_dense_multiply_transposed(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y)
{
  for (int j = 0; j < n_columns; j += 4) {
    srs_lanes s0 = {0}, s1 = {0};
    const double *a = A + j;
    int i = 0;
    for (; i + 2 <= n_rows; i += 2, a += 2 * (size_t)stride) {
      s0 += x[i] * srs_load(a);
      s1 += x[i + 1] * srs_load(a + stride);
    }
    if (i < n_rows) s0 += x[i] * srs_load(a);
    srs_store(y + j, s0 + s1);
  }
}

void srs_dense_gram(int n, const double *A, int stride, double *G)
{
  (n <= SRS_DENSE_GRAM ? srs_small_gram : srs_blocks_gram)(n, A, stride, G);
}

// ---- Cholesky ----

SRS_CONTACT_KERNEL
void srs_dense_cholesky_solve(int n, const double *U, int stride, double *x)
{
  for (int k = 0; k < n; k++) {
    const double *row = U + (size_t)k * (size_t)stride;
    const double y = x[k] *= row[k];
    int j = k + 1;
    for (; j < n && j % 4 != 0; j++) x[j] -= y * row[j];
    for (; j < n; j += 4) srs_store(x + j, srs_load(x + j) - y * srs_load(row + j));
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *row = U + (size_t)k * (size_t)stride;
    double s = 0;
    srs_lanes v = {0};
    int j = k + 1;
    for (; j < n && j % 4 != 0; j++) s += row[j] * x[j];
    for (; j < n; j += 4) v += srs_load(row + j) * srs_load(x + j);
    x[k] = (x[k] - s - srs_sum(v)) * row[k];
  }
  for (int j = n; j % 4 != 0; j++) x[j] = 0;
}

bool srs_dense_cholesky(int n, double *G, int stride, double shift)
{
  for (int k = 0; k < n; k++) G[(size_t)k * (size_t)(stride + 1)] += shift;
  return (n <= SRS_DENSE_CHOLESKY ? srs_small_cholesky : srs_blocks_cholesky)(n, G, stride);
}

// ---- LU ----

static double lu(int n, double *A, int stride, int *pivot, double least_ratio)
{
  return (n <= SRS_DENSE_LU ? srs_small_lu : srs_blocks_lu)(n, A, stride, pivot, least_ratio);
}

double srs_dense_lu(int n, double *A, int stride, int *pivot) { return n == 0 ? 1 : lu(n, A, stride, pivot, 0); }

bool srs_dense_lu_if_regular(int n, double *A, int stride, int *pivot, double least_ratio)
{
  return n == 0 || lu(n, A, stride, pivot, least_ratio) > least_ratio;
}

SRS_CONTACT_INLINE double along(int n, const double *a, const double *b, bool in_lanes)
{
  if (in_lanes) return srs_dot(n, a, b);
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

SRS_CONTACT_INLINE void lu_solve(int n, const double *LU, int stride, const int *pivot, bool in_lanes, double *x)
{
  for (int k = 0; k < n; k++) {
    const double t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int k = 1; k < n; k++) x[k] -= along(k, LU + (size_t)k * (size_t)stride, x, in_lanes);
  for (int k = n - 1; k >= 0; k--) {
    const double *row = LU + (size_t)k * (size_t)stride;
    x[k] = (x[k] - along(n - k - 1, row + k + 1, x + k + 1, in_lanes)) / row[k];
  }
}

SRS_CONTACT_KERNEL
static void large_lu_solve(int n, const double *LU, int stride, const int *pivot, double *x)
{
  lu_solve(n, LU, stride, pivot, true, x);
}

void srs_dense_lu_solve(int n, const double *LU, int stride, const int *pivot, double *x)
{
  if (n > SRS_DENSE_LU)
    large_lu_solve(n, LU, stride, pivot, x);
  else
    lu_solve(n, LU, stride, pivot, false, x);
}

// Room is looked for only until BLAS has taken its own, which is once in a process.
bool srs_dense_warm_up(int n)
{
  static atomic_bool is_warm;
  const size_t room = (size_t)128 << 20;
  enum { ROWS = 64 };
  const double A[ROWS * ROWS] = {0};
  double C[ROWS * ROWS] = {0};
  if (n <= SRS_DENSE_SEMIDEFINITE) return true;
  if (!is_warm) {
    void *probe = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) return false;
    (void)munmap(probe, room);
  }
  for (int kind = 0; kind < 3; kind++)
    srs_blocks_multiply(kind == 1, kind == 2, ROWS, ROWS, ROWS, 1, A, ROWS, A, ROWS, C, ROWS);
  is_warm = true;
  return true;
}
