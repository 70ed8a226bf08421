// How are large dense systems factored? The only caller of CBLAS.
//
// By blocks of 64 rows and columns: loops work within a block, and BLAS multiplies blocks, which is nearly all of the
// work. One product at a time is small enough (at most 64 x 64 x 64) that BLAS does it in
// the calling thread, in memory that it has: a solve allocates none, and its bits do not depend on the number of
// threads.
//
//   Cholesky   U_IJ = U_II^-T (G_IJ - sum_K<I U_KI^T U_KJ)
//   LU         64 columns with pivots, the rows beside them, then A_IJ - L_IK U_KJ
//   QR         64 reflections at a time: I - V^T T V, columns kept as rows, so C <- C - (C V^T) T V
#include "contact/algebra/dense_large.h"
#include "contact/algebra/dense_small.h"
#include "contact/algebra/lanes.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

static int least(int a, int b) { return a < b ? a : b; }

static size_t at(int i, int j, int stride) { return (size_t)i * (size_t)stride + (size_t)j; }

// C += alpha op(A) op(B), all three rows first with their strides, in pieces.
static void multiply(bool transpose_a, bool transpose_b, int m, int n, int k, double alpha, const double *A,
                     int a_stride, const double *B, int b_stride, double *C, int c_stride)
{
  for (int l = 0; l < k; l += BLOCK)
    for (int i = 0; i < m; i += BLOCK)
      for (int j = 0; j < n; j += BLOCK) {
        const double *a = A + (transpose_a ? at(l, i, a_stride) : at(i, l, a_stride));
        const double *b = B + (transpose_b ? at(j, l, b_stride) : at(l, j, b_stride));
        cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
                    least(BLOCK, m - i), least(BLOCK, n - j), least(BLOCK, k - l), alpha, a, a_stride, b, b_stride, 1,
                    C + at(i, j, c_stride), c_stride);
      }
}

// to -= factor * from over whole rows.
SRS_CONTACT_KERNEL
static void subtract(int n, double factor, const double *restrict from, double *restrict to)
{
  for (int j = 0; j < n; j++) to[j] -= factor * from[j];
}

void srs_large_gram(int n, const double *A, int stride, double *G)
{
  for (int i = 0; i < n; i += BLOCK) {
    const int rows = least(BLOCK, n - i);
    for (int r = 0; r < rows; r++) memset(G + at(i + r, i, stride), 0, sizeof *G * (size_t)(stride - i));
    multiply(true, false, rows, n - i, n, 1, A + i, stride, A + i, stride, G + at(i, i, stride), stride);
  }
}

bool srs_large_cholesky(int n, double *G, int stride)
{
  for (int i = 0; i < n; i += BLOCK) {
    const int rows = least(BLOCK, n - i), rest = n - i - rows;
    double *own = G + at(i, i, stride);
    multiply(true, false, rows, n - i, i, -1, G + i, stride, G + i, stride, own, stride);
    double beside[BLOCK * BLOCK]; // the block's own columns alone: the loops would go on to the row's end
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < BLOCK; c++) beside[r * BLOCK + c] = c < rows ? own[at(r, c, stride)] : 0;
    if (!srs_small_cholesky(rows, beside, BLOCK)) return false;
    for (int r = 0; r < rows; r++) memcpy(own + at(r, 0, stride), beside + (size_t)r * BLOCK, sizeof *G * (size_t)rows);
    for (int r = 0; r < rows; r++) { // U_II^T X = what is right of it
      double *row = own + at(r, rows, stride);
      for (int l = 0; l < r; l++) subtract(rest, beside[l * BLOCK + r], own + at(l, rows, stride), row);
      for (int j = 0; j < rest; j++) row[j] *= beside[r * BLOCK + r]; // the diagonal is stored inverted
    }
  }
  return true;
}

// Columns i … i + columns of rows i …, with pivots; whole rows are swapped. Returns false where a pivot is 0.
static bool lu_panel(int n, int i, int columns, double *A, int stride, int *pivot, double *smallest, double *largest)
{
  for (int k = i; k < i + columns; k++) {
    int best = k;
    for (int r = k + 1; r < n; r++)
      if (fabs(A[at(r, k, stride)]) > fabs(A[at(best, k, stride)])) best = r;
    const double size = fabs(A[at(best, k, stride)]);
    pivot[k] = best;
    *smallest = fmin(*smallest, size), *largest = fmax(*largest, size);
    if (!(size > 0)) return false;
    for (int j = 0; j < n && best != k; j++) {
      const double t = A[at(k, j, stride)];
      A[at(k, j, stride)] = A[at(best, j, stride)], A[at(best, j, stride)] = t;
    }
    for (int r = k + 1; r < n; r++) {
      double *row = A + at(r, k, stride);
      row[0] /= A[at(k, k, stride)];
      subtract(i + columns - k - 1, row[0], A + at(k, k + 1, stride), row + 1);
    }
  }
  return true;
}

double srs_large_lu(int n, double *A, int stride, int *pivot)
{
  double smallest = INFINITY, largest = 0;
  for (int i = 0; i < n; i += BLOCK) {
    const int columns = least(BLOCK, n - i), rest = n - i - columns;
    if (!lu_panel(n, i, columns, A, stride, pivot, &smallest, &largest)) return 0;
    for (int r = 1; r < columns; r++)
      for (int l = 0; l < r; l++)
        subtract(rest, A[at(i + r, i + l, stride)], A + at(i + l, i + columns, stride),
                 A + at(i + r, i + columns, stride));
    multiply(false, false, rest, rest, columns, -1, A + at(i + columns, i, stride), stride,
             A + at(i, i + columns, stride), stride, A + at(i + columns, i + columns, stride), stride);
  }
  return smallest / largest;
}

// ---- QR ----

SRS_CONTACT_KERNEL
static double dot(int n, const double *a, const double *b) { return srs_dot(n, a, b); }

// Reflections of the columns i …, from their own entries downwards; V: their vectors, with zeros above; T: upper
// triangular, H_1 H_2 … = I - V^T T V (rows of V are the vectors).
static void qr_panel(int i, int columns, double *QR, int length, double *V, double *T, double *x)
{
  for (int k = 0; k < columns; k++) {
    double *column = QR + at(i + k, 0, length), *v = V + at(k, 0, length);
    for (int l = 0; l < k; l++) { // earlier reflections of the panel
      const double *u = V + at(l, 0, length);
      subtract(length, T[l * BLOCK + l] * dot(length, u, column), u, column);
    }
    memset(v, 0, sizeof *v * (size_t)(i + k));
    memcpy(v + i + k, column + i + k, sizeof *v * (size_t)(length - i - k));
    const double size = sqrt(dot(length, v, v)), sign = v[i + k] > 0 ? -size : size;
    x[i + k] = sign;
    v[i + k] -= sign;
    const double factor = size > 0 ? -1 / (sign * v[i + k]) : 0;
    T[k * BLOCK + k] = factor;
    for (int l = 0; l < k; l++) { // T's new column: -factor T V v
      double sum = 0;
      for (int m = l; m < k; m++) sum += T[l * BLOCK + m] * dot(length, V + at(m, 0, length), v);
      T[l * BLOCK + k] = -factor * sum;
    }
  }
}

// C <- C - (C V^T) T V for `count` columns, kept as rows.
static void qr_apply(int columns, int length, const double *V, const double *T, int count, double *C)
{
  double Y[BLOCK * BLOCK] = {0}, Z[BLOCK * BLOCK] = {0};
  multiply(false, true, count, columns, length, 1, C, length, V, length, Y, BLOCK);
  multiply(false, false, count, columns, columns, 1, Y, BLOCK, T, BLOCK, Z, BLOCK);
  multiply(false, false, count, length, columns, -1, Z, BLOCK, V, length, C, length);
}

void srs_large_qr(int n, double *QR, int stride, double *tall, double *x, double *work)
{
  const int length = 2 * stride;
  for (int i = 0; i < n; i += BLOCK) {
    const int columns = least(BLOCK, n - i);
    double T[BLOCK * BLOCK] = {0};
    qr_panel(i, columns, QR, length, work, T, x);
    for (int j = i + columns; j < n; j += BLOCK)
      qr_apply(columns, length, work, T, least(BLOCK, n - j), QR + at(j, 0, length));
    qr_apply(columns, length, work, T, 1, tall);
  }
}
