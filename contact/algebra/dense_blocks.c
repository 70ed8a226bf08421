// How are dense systems beyond the limits of contact/algebra/dense.h factored? The only caller of CBLAS.
//
// By blocks of 64 rows and columns: loops work within a block, and BLAS multiplies blocks, which is nearly all of the
// work. OpenBLAS keeps a product of at most 64 x 64 x 64 in the calling thread, and in one thread a larger one is no
// faster. So bits do not depend on the number of threads, as those of its dpotrf, dgetrf and dgeqrf do from 64 rows on.
//
//   Cholesky   U_IJ = U_II^-T (G_IJ - sum_K<I U_KI^T U_KJ)
//   LU         64 columns with pivots, the rows beside them, then A_IJ - L_IK U_KJ
//
// The 64 columns of LU are halved again and again: when columns up to c are done, 2^i being the largest power that
// divides c / LEAF, the last LEAF 2^i of them are applied to as many after them.
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_small.h"
#include "contact/algebra/lanes.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64, HALF = BLOCK / 2, LEAF = 8, TOGETHER = 4 };

static int least(int a, int b) { return a < b ? a : b; }

static size_t at(int i, int j, int stride) { return (size_t)i * (size_t)stride + (size_t)j; }

// One product. OpenBLAS 0.3.21's kernel for AVX-512 calls malloc in products without transposes that leave 1 to 4
// columns over eights: these go as a transposed copy.
static void multiply(CBLAS_TRANSPOSE a_kind, CBLAS_TRANSPOSE b_kind, int m, int n, int k, double alpha, const double *A,
                     int a_stride, const double *B, int b_stride, double *C, int c_stride)
{
  const int over = n % 8, last = a_kind == CblasNoTrans && b_kind == CblasNoTrans && over <= 4 ? over : 0,
            most = n - last;
  if (most > 0) cblas_dgemm(CblasRowMajor, a_kind, b_kind, m, most, k, alpha, A, a_stride, B, b_stride, 1, C, c_stride);
  if (last == 0) return;
  double beside[4 * BLOCK];
  for (int l = 0; l < k; l++)
    for (int j = 0; j < last; j++) beside[j * BLOCK + l] = B[at(l, most + j, b_stride)];
  cblas_dgemm(CblasRowMajor, a_kind, CblasTrans, m, last, k, alpha, A, a_stride, beside, BLOCK, 1, C + most, c_stride);
}

void srs_blocks_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, double alpha, const double *A,
                         int a_stride, const double *B, int b_stride, double *C, int c_stride)
{
  const CBLAS_TRANSPOSE a_kind = transpose_a ? CblasTrans : CblasNoTrans;
  const CBLAS_TRANSPOSE b_kind = transpose_b ? CblasTrans : CblasNoTrans;
  for (int i = 0; i < m; i += BLOCK)
    for (int j = 0; j < n; j += BLOCK)
      for (int l = 0; l < k; l += BLOCK) { // C's block stays in the cache
        const double *a = A + (transpose_a ? at(l, i, a_stride) : at(i, l, a_stride));
        const double *b = B + (transpose_b ? at(j, l, b_stride) : at(l, j, b_stride));
        multiply(a_kind, b_kind, least(BLOCK, m - i), least(BLOCK, n - j), least(BLOCK, k - l), alpha, a, a_stride, b,
                 b_stride, C + at(i, j, c_stride), c_stride);
      }
}

// C += alpha A^T B for rows i … of an upper triangle: `rows` of them, columns up to n; A and B are the k rows of
// `from`.
static void multiply_upper(int i, int rows, int n, int k, double alpha, const double *from, double *to, int stride)
{
  for (int r = i; r < i + rows; r += HALF) {
    const int right = i + rows - r;
    srs_blocks_multiply(true, false, least(HALF, right), right, k, alpha, from + r, stride, from + r, stride,
                        to + at(r, r, stride), stride);
  }
  srs_blocks_multiply(true, false, rows, n - i - rows, k, alpha, from + i, stride, from + i + rows, stride,
                      to + at(i, i + rows, stride), stride);
}

void srs_blocks_gram(int n, const double *A, int stride, double *G)
{
  for (int i = 0; i < n; i += BLOCK) {
    const int rows = least(BLOCK, n - i);
    for (int r = 0; r < rows; r++) memset(G + at(i + r, i, stride), 0, sizeof *G * (size_t)(stride - i));
    multiply_upper(i, rows, n, n, 1, A, G, stride);
  }
}

void srs_blocks_subtract_gram(int n, int first, int k, const double *V, double *G, int stride)
{
  for (int i = first; i < n; i += BLOCK) multiply_upper(i, least(BLOCK, n - i), n, k, -1, V, G, stride);
}

// ---- triangles ----

// X <- U^-T X for one or two lanes of X, U compact with its diagonal inverted; rows: a multiple of four.
SRS_CONTACT_INLINE void divide_lanes(int rows, const double *U, bool is_pair, double *X, int stride)
{
  srs_lanes own[BLOCK][2];
  for (int r = 0; r < rows; r += TOGETHER) {
    srs_lanes s[TOGETHER], p[TOGETHER];
    for (int a = 0; a < TOGETHER; a++) {
      s[a] = srs_load(X + at(r + a, 0, stride));
      p[a] = is_pair ? srs_load(X + at(r + a, 4, stride)) : (srs_lanes){0};
    }
    for (int k = 0; k < r; k++)
      for (int a = 0; a < TOGETHER; a++) {
        const double factor = U[k * BLOCK + r + a];
        s[a] -= factor * own[k][0];
        if (is_pair) p[a] -= factor * own[k][1];
      }
    for (int a = 0; a < TOGETHER; a++) {
      for (int b = 0; b < a; b++) {
        const double factor = U[(r + b) * BLOCK + r + a];
        s[a] -= factor * s[b], p[a] -= factor * p[b];
      }
      const double inverse = U[(r + a) * BLOCK + r + a];
      own[r + a][0] = s[a] *= inverse, own[r + a][1] = p[a] *= inverse;
      srs_store(X + at(r + a, 0, stride), s[a]);
      if (is_pair) srs_store(X + at(r + a, 4, stride), p[a]);
    }
  }
}

SRS_CONTACT_KERNEL
void srs_blocks_divide(int rows, const double *U, int n, double *X, int stride)
{
  int j = 0;
  for (; j + 4 < n; j += 8) divide_lanes(rows, U, true, X + j, stride);
  if (j < n) divide_lanes(rows, U, false, X + j, stride);
}

bool srs_blocks_cholesky(int n, double *G, int stride)
{
  for (int i = 0; i < n; i += BLOCK) {
    const int rows = least(BLOCK, n - i);
    double *own = G + at(i, i, stride);
    multiply_upper(i, rows, n, i, -1, G, G, stride);
    double beside[BLOCK * BLOCK]; // the block's own columns alone: the loops would go on to the row's end
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < BLOCK; c++) beside[r * BLOCK + c] = c < rows ? own[at(r, c, stride)] : 0;
    if (!srs_small_cholesky(rows, beside, BLOCK)) return false;
    for (int r = 0; r < rows; r++)
      memcpy(own + at(r, r, stride), beside + (size_t)r * (BLOCK + 1), sizeof *G * (size_t)(rows - r));
    if (rows == BLOCK) srs_blocks_divide(BLOCK, beside, n - i - BLOCK, own + BLOCK, stride);
  }
  return true;
}

// ---- LU ----

typedef struct lu_state {
  int n, stride;
  double *A;
  int *pivot;
  double smallest, largest, least_ratio; // of pivots
} lu_state;

static void swap_rows(const lu_state *s, int a, int b)
{
  double *one = s->A + at(a, 0, s->stride), *other = s->A + at(b, 0, s->stride);
  for (int j = 0; j < s->n; j++) {
    const double t = one[j];
    one[j] = other[j], other[j] = t;
  }
}

// Row k leaves the rows below, which have two lanes from `first` on; returns the row that is largest in column k + 1.
SRS_CONTACT_KERNEL
static int eliminate(const lu_state *s, int k, int first)
{
  const int stride = s->stride, j = k - first;
  const double *row = s->A + at(k, first, stride), inverse = 1 / row[j];
  double from[LEAF];
  for (int l = 0; l < LEAF; l++) from[l] = l > j ? row[l] : 0;
  const srs_lanes u = srs_load(from), v = srs_load(from + 4);
  const int next = j + 1 < LEAF ? j + 1 : j;
  double most = -1;
  int best = k + 1;
  for (int r = k + 1; r < s->n; r++) {
    double *other = s->A + at(r, first, stride);
    const double factor = other[j] * inverse;
    srs_store(other, srs_load(other) - factor * u);
    srs_store(other + 4, srs_load(other + 4) - factor * v);
    other[j] = factor;
    const double size = fabs(other[next]);
    if (size > most) most = size, best = r;
  }
  return best;
}

// Columns first … of rows first …, LEAF of them. Where the matrix ends before, row by row without lanes.
static bool lu_leaf(lu_state *s, int first, int columns)
{
  const int stride = s->stride;
  int best = first;
  for (int k = first; k < first + columns; k++) {
    if (k == first || columns < LEAF)
      for (int r = best = k; r < s->n; r++)
        if (fabs(s->A[at(r, k, stride)]) > fabs(s->A[at(best, k, stride)])) best = r;
    const double size = fabs(s->A[at(best, k, stride)]);
    s->pivot[k] = best;
    if (best != k) swap_rows(s, k, best);
    s->smallest = fmin(s->smallest, size), s->largest = fmax(s->largest, size);
    if (!(size > s->least_ratio * s->largest)) return false;
    if (columns == LEAF) {
      best = eliminate(s, k, first);
      continue;
    }
    const double *row = s->A + at(k, 0, stride);
    for (int r = k + 1; r < s->n; r++) {
      double *other = s->A + at(r, 0, stride);
      const double factor = other[k] /= row[k];
      for (int j = k + 1; j < first + columns; j++) other[j] -= factor * row[j];
    }
  }
  return true;
}

// The `done` columns before c, eliminated, are applied to the `count` columns from c on.
static void lu_apply(const lu_state *s, int c, int done, int count)
{
  const int stride = s->stride, from = c - done;
  if (count <= 0) return;
  double L[BLOCK * BLOCK]; // transposed, for srs_blocks_divide; its diagonal is 1
  for (int r = 0; r < done; r++) {
    memset(L + (size_t)r * BLOCK, 0, sizeof *L * (size_t)done);
    for (int l = 0; l < r; l++) L[l * BLOCK + r] = s->A[at(from + r, from + l, stride)];
    L[r * BLOCK + r] = 1;
  }
  srs_blocks_divide(done, L, count, s->A + at(from, c, stride), stride);
  srs_blocks_multiply(false, false, s->n - c, count, done, -1, s->A + at(c, from, stride), stride,
                      s->A + at(from, c, stride), stride, s->A + at(c, c, stride), stride);
}

double srs_blocks_lu(int n, double *A, int stride, int *pivot, double least_ratio)
{
  lu_state s = {n, stride, A, pivot, INFINITY, 0, least_ratio};
  for (int first = 0; first < n; first += LEAF) {
    if (!lu_leaf(&s, first, least(LEAF, n - first))) return 0;
    const int c = first + LEAF;
    if (c % BLOCK == 0)
      lu_apply(&s, c, BLOCK, n - c);
    else
      lu_apply(&s, c, c & -c, least(c & -c, n - c));
  }
  return s.smallest / s.largest;
}
