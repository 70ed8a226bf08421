// How many rows of a symmetric positive semidefinite matrix are independent, and what solves with them?
//
// P^T A P = L L^T with pivots from the diagonal, the largest left first: for such a matrix that reveals the rank, since
// what is left is bounded by its diagonal. Rows beyond the rank get no part in the solution.

#include "engine/semidefinite.h"
#include "engine/workspace.h"

SRS_INLINE void swap(double *a, double *b)
{
  const double t = *a;
  *a = *b, *b = t;
}

// Rows and columns k and best > k of the upper triangle, and of the rows above that are L^T already.
SRS_INLINE void swap_places(size_t n, double *A, int *order, size_t k, size_t best)
{
  const int row = order[k];
  order[k] = order[best], order[best] = row;
  for (size_t i = 0; i < k; i++) swap(A + i * n + k, A + i * n + best);
  for (size_t i = k + 1; i < best; i++) swap(A + k * n + i, A + i * n + best);
  for (size_t j = best + 1; j < n; j++) swap(A + k * n + j, A + best * n + j);
  swap(A + k * (n + 1), A + best * (n + 1));
}

SRS_KERNEL static int factor(size_t n, double *A, int *order, double tolerance)
{
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (A[i * (n + 1)] > A[best * (n + 1)]) best = i;
    if (!(A[best * (n + 1)] > tolerance)) return (int)k;
    if (best != k) swap_places(n, A, order, k, best);
    double *restrict pivot_row = A + k * n;
    pivot_row[k] = sqrt(pivot_row[k]);
    const double inverse = 1 / pivot_row[k];
    for (size_t i = k + 1; i < n; i++) pivot_row[i] *= inverse;
    for (size_t i = k + 1; i < n; i++) {
      double *restrict row = A + i * n;
      const double share = pivot_row[i];
      for (size_t j = i; j < n; j++) row[j] -= share * pivot_row[j];
    }
  }
  return (int)n;
}

int srs_semidefinite_factor(int n, double *A, int *order, double tolerance)
{
  for (int i = 0; i < n; i++) order[i] = i;
  return factor((size_t)n, A, order, tolerance);
}

void srs_semidefinite_solve(int n, int rank, const double *A, const int *order, double *x, double *work)
{
  const size_t stride = (size_t)n;
  for (int k = 0; k < rank; k++) work[k] = x[order[k]];
  for (int k = 0; k < rank; k++) {
    const double *row = A + (size_t)k * stride;
    work[k] /= row[k];
    for (int i = k + 1; i < rank; i++) work[i] -= row[i] * work[k];
  }
  for (int k = rank - 1; k >= 0; k--) {
    const double *row = A + (size_t)k * stride;
    for (int i = k + 1; i < rank; i++) work[k] -= row[i] * work[i];
    work[k] /= row[k];
  }
  for (int k = 0; k < n; k++) x[order[k]] = k < rank ? work[k] : 0;
}
