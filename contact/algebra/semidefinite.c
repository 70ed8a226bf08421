// Rank-revealing factorisation of a symmetric positive semidefinite matrix, and solves with its independent rows.
//
// P^T A P = U^T D U with pivots from the diagonal, the largest left first: for such a matrix that reveals the rank,
// since its diagonal bounds the remainder. Rows beyond the rank are zero in the solution. Rows are not swapped: with p
// the row of pivot k, R = D U,
//
//   R_k = A_p - sum over m < k of (R_mp / D_m) R_m,   D_k = R_kp,   d <- d - R_k^2 / D_k
//
// d being the remaining diagonal; R_k overwrites A_p.
#include "contact/algebra/semidefinite.h"

#include <math.h>

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
  for (int i = 0; i < n; i++) left[i] = A[(size_t)i * (stride + 1)];
  for (size_t i = (size_t)n; i < stride; i++) left[i] = -INFINITY;
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

int srs_semidefinite_factor(int n, double *A, int stride, int *order, double tolerance, double *left)
{
  for (int i = 0; i < n; i++) order[i] = i;
  return factor(n, A, (size_t)stride, order, tolerance, left);
}

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
