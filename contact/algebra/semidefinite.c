// Rank-revealing factorisation of a symmetric positive semidefinite matrix, and solves with its independent rows.
//
// P^T A P = U^T D U with pivots from the diagonal, the largest left first: for such a matrix that reveals the rank,
// since its diagonal bounds the remainder. Rows beyond the rank are zero in the solution. Rows are not swapped: with p
// the row of pivot k, R = D U,
//
//   R_k = A_p - sum over m < k of (R_mp / D_m) R_m,   D_k = R_kp,   d <- d - R_k^2 / D_k
//
// d being the remaining diagonal; R_k overwrites A_p.
//
// Beyond SRS_DENSE_SEMIDEFINITE rows 64 pivots at a time, in V = D^1/2 U. Rows and columns are swapped, in the upper
// triangle: the sum goes over the pivots of the block, and then all rows left lose V^T V, multiplied by BLAS. In the
// end rows and columns go back to where they were. Rows of earlier blocks are swapped a block at a time.
#include "contact/algebra/semidefinite.h"
#include "contact/algebra/dense_blocks.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

// ---- own loops ----

// Subtracts the earlier rows from `lanes` lanes of A_p, from column j on.
SRS_CONTACT_INLINE void reduce(size_t lanes, const double *A, size_t stride, const int *order, int k, size_t p,
                               size_t j, double *restrict row)
{
  srs_lanes sum[4] = {{0}};
  for (size_t l = 0; l < lanes; l++) sum[l] = srs_load(row + j + 4 * l);
  for (int m = 0; m < k; m++) {
    const double *r = A + (size_t)order[m] * stride, f = r[p] * r[order[m]];
    for (size_t l = 0; l < lanes; l++) sum[l] -= f * srs_load(r + j + 4 * l);
  }
  for (size_t l = 0; l < lanes; l++) srs_store(row + j + 4 * l, sum[l]);
}

SRS_CONTACT_KERNEL
static int factor(int n, double *A, size_t stride, int *order, double tolerance, double *left)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (left[order[i]] > left[order[best]]) best = i;
    const int taken = order[best];
    order[best] = order[k], order[k] = taken;
    const double pivot = left[taken], inverse = 1 / pivot;
    if (!(pivot > tolerance)) return k;
    double *restrict row = A + (size_t)taken * stride;
    size_t j = 0;
    for (; j + 16 <= (size_t)n; j += 16) reduce(4, A, stride, order, k, (size_t)taken, j, row);
    for (; j < (size_t)n; j += 4) reduce(1, A, stride, order, k, (size_t)taken, j, row);
    for (j = 0; j < (size_t)n; j += 4) {
      const srs_lanes r = srs_load(row + j);
      srs_store(left + j, srs_load(left + j) - inverse * r * r);
    }
    row[taken] = inverse;
  }
  return n;
}

// ---- blocks ----

static size_t at(int i, int j, int stride) { return (size_t)i * (size_t)stride + (size_t)j; }

static void swap(double *a, double *b)
{
  const double t = *a;
  *a = *b, *b = t;
}

// Swaps rows and columns k and other > k in the upper triangle, from row `first` on.
static void swap_symmetric(int n, double *A, int stride, int first, int k, int other)
{
  for (int i = first; i < k; i++) swap(A + at(i, k, stride), A + at(i, other, stride));
  for (int i = k + 1; i < other; i++) swap(A + at(k, i, stride), A + at(i, other, stride));
  for (int j = other + 1; j < n; j++) swap(A + at(k, j, stride), A + at(other, j, stride));
  swap(A + at(k, k, stride), A + at(other, other, stride));
}

// `lanes` lanes of row k of V from column j on, and what they leave of the diagonal.
SRS_CONTACT_INLINE void find_lanes(size_t lanes, double *A, size_t stride, int first, int k, double inverse, size_t j,
                                   double *left)
{
  double *row = A + (size_t)k * stride + j;
  srs_lanes sum[4] = {{0}};
  for (size_t l = 0; l < lanes; l++) sum[l] = srs_load(row + 4 * l);
  for (int m = first; m < k; m++) {
    const double *v = A + (size_t)m * stride, f = v[k];
    for (size_t l = 0; l < lanes; l++) sum[l] -= f * srs_load(v + j + 4 * l);
  }
  for (size_t l = 0; l < lanes; l++) {
    const srs_lanes v = inverse * sum[l];
    srs_store(row + 4 * l, v);
    srs_store(left + j + 4 * l, srs_load(left + j + 4 * l) - v * v);
  }
}

// Row k of V: earlier blocks are subtracted already. Below the diagonal is rounding.
SRS_CONTACT_KERNEL
static void find_row(int n, double *A, int stride, int first, int k, double root, double *left)
{
  size_t j = (size_t)k & ~(size_t)3;
  for (; j + 16 <= (size_t)n; j += 16) find_lanes(4, A, (size_t)stride, first, k, 1 / root, j, left);
  for (; j < (size_t)n; j += 4) find_lanes(1, A, (size_t)stride, first, k, 1 / root, j, left);
  A[at(k, k, stride)] = root;
}

// The pivots of a block; other: the row that each was swapped with. Returns how many there are.
static int find_pivots(int n, double *A, int stride, int *order, double tolerance, int first, int end, int *other,
                       double *left)
{
  for (int k = first; k < end; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (left[i] > left[best]) best = i;
    if (!(left[best] > tolerance)) return k - first;
    other[k - first] = best;
    if (best != k) {
      const int taken = order[best];
      order[best] = order[k], order[k] = taken;
      swap(left + k, left + best);
      swap_symmetric(n, A, stride, first, k, best);
    }
    find_row(n, A, stride, first, k, sqrt(left[k]), left);
  }
  return end - first;
}

// Row k of V becomes that of R, with its columns where they were. row: n, scratch.
static void put_back_columns(int n, double *A, int stride, const int *order, int k, double *row)
{
  double *from = A + at(k, 0, stride);
  const double root = from[k];
  for (int j = 0; j < k; j++) row[order[j]] = 0;
  for (int j = k; j < n; j++) row[order[j]] = root * from[j];
  row[order[k]] = 1 / (root * root);
  memcpy(from, row, sizeof *row * (size_t)n);
}

// Row k goes to place order[k], along the cycles of the order; what is done is marked by a bit turned.
static void put_back_rows(int n, double *A, int stride, int *order, double *row)
{
  const size_t bytes = sizeof *row * (size_t)n;
  for (int start = 0; start < n; start++) {
    if (order[start] < 0) continue;
    memcpy(row, A + at(start, 0, stride), bytes);
    for (int k = start; order[k] >= 0;) {
      const int to = order[k];
      order[k] = ~to;
      double *place = A + at(to, 0, stride);
      for (int j = 0; j < n; j++) swap(row + j, place + j);
      k = to;
    }
  }
  for (int k = 0; k < n; k++) order[k] = ~order[k];
}

static int factor_by_blocks(int n, double *A, int stride, int *order, double tolerance, double *left)
{
  int rank = 0;
  for (int end = 0, other[BLOCK]; rank == end && rank < n;) {
    const int first = end;
    end = n - first < BLOCK ? n : first + BLOCK;
    const int found = find_pivots(n, A, stride, order, tolerance, first, end, other, left);
    for (int i = 0; i < first; i++)
      for (int k = 0; k < found; k++) swap(A + at(i, first + k, stride), A + at(i, other[k], stride));
    rank += found;
    if (rank == end) srs_blocks_subtract_gram(n, end, BLOCK, A + at(first, 0, stride), A, stride);
  }
  for (int k = 0; k < rank; k++) put_back_columns(n, A, stride, order, k, left);
  put_back_rows(n, A, stride, order, left);
  return rank;
}

int srs_semidefinite_factor_by(int n, double *A, int stride, int *order, double tolerance, bool in_blocks, double *left)
{
  for (int i = 0; i < n; i++) order[i] = i, left[i] = A[at(i, i, stride)];
  for (int i = n; i < stride; i++) left[i] = -INFINITY;
  if (in_blocks) return factor_by_blocks(n, A, stride, order, tolerance, left);
  return factor(n, A, (size_t)stride, order, tolerance, left);
}

int srs_semidefinite_factor(int n, double *A, int stride, int *order, double tolerance, double *left)
{
  return srs_semidefinite_factor_by(n, A, stride, order, tolerance, n > SRS_DENSE_SEMIDEFINITE, left);
}

// ---- solves ----

SRS_CONTACT_KERNEL
void srs_semidefinite_forward(int n, int rank, const double *A, int stride, const int *order, double *x, double *y)
{
  for (int k = 0; k < rank; k++) {
    const double *row = srs_semidefinite_row(A, stride, order, k);
    const double f = (y[k] = x[order[k]]) * row[order[k]];
    for (int j = 0; j < n; j += 4) srs_store(x + j, srs_load(x + j) - f * srs_load(row + j));
  }
}

// Four rows at a time, for instruction-level parallelism.
SRS_CONTACT_KERNEL
void srs_semidefinite_back(int n, int rank, const double *A, int stride, const int *order, const double *y, double *x)
{
  for (int j = 0; j < stride; j++) x[j] = 0;
  int k = rank;
  for (; k >= 4; k -= 4) {
    const double *row[4];
    srs_lanes sum[4] = {{0}};
    for (int i = 0; i < 4; i++) row[i] = srs_semidefinite_row(A, stride, order, k - 1 - i);
    for (int j = 0; j < n; j += 4)
      for (int i = 0; i < 4; i++) sum[i] += srs_load(row[i] + j) * srs_load(x + j);
    double found[4];
    for (int i = 0; i < 4; i++) {
      double rest = y[k - 1 - i] - srs_sum(sum[i]);
      for (int l = 0; l < i; l++) rest -= row[i][order[k - 1 - l]] * found[l];
      found[i] = rest * row[i][order[k - 1 - i]];
    }
    for (int i = 0; i < 4; i++) x[order[k - 1 - i]] = found[i];
  }
  while (--k >= 0) {
    const double *row = srs_semidefinite_row(A, stride, order, k);
    srs_lanes sum = {0};
    for (int j = 0; j < n; j += 4) sum += srs_load(row + j) * srs_load(x + j);
    x[order[k]] = (y[k] - srs_sum(sum)) * row[order[k]];
  }
}

void srs_semidefinite_solve(int n, int rank, const double *A, int stride, const int *order, double *x, double *work)
{
  srs_semidefinite_forward(n, rank, A, stride, order, x, work);
  srs_semidefinite_back(n, rank, A, stride, order, work, x);
}
