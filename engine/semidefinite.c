// How many rows of a symmetric positive semidefinite matrix are independent, and what solves with them?
//
// P^T A P = L L^T with pivots from the diagonal, the largest left first: for such a matrix that reveals the rank, since
// what is left is bounded by its diagonal. Rows beyond the rank get no part in the solution.

#include "engine/semidefinite.h"

#include <math.h>

static void swap_places(int n, double *A, int *order, int k, int best)
{
  const size_t stride = (size_t)n;
  const int row = order[k];
  order[k] = order[best], order[best] = row;
  for (int j = 0; j < n; j++) {
    double *a = A + (size_t)k * stride + j, *b = A + (size_t)best * stride + j;
    const double t = *a;
    *a = *b, *b = t;
  }
  for (int i = 0; i < n; i++) {
    double *a = A + (size_t)i * stride + k, *b = A + (size_t)i * stride + best;
    const double t = *a;
    *a = *b, *b = t;
  }
}

int srs_semidefinite_factor(int n, double *A, int *order, double tolerance)
{
  const size_t stride = (size_t)n;
  for (int i = 0; i < n; i++) order[i] = i;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (A[(size_t)i * (stride + 1)] > A[(size_t)best * (stride + 1)]) best = i;
    if (!(A[(size_t)best * (stride + 1)] > tolerance)) return k;
    if (best != k) swap_places(n, A, order, k, best);
    const double pivot = sqrt(A[(size_t)k * (stride + 1)]), inverse = 1 / pivot;
    A[(size_t)k * (stride + 1)] = pivot;
    double *column = A + (size_t)k * stride; // L's column k, kept in row k: contiguous
    for (int i = k + 1; i < n; i++) column[i] *= inverse;
    for (int i = k + 1; i < n; i++) {
      double *row = A + (size_t)i * stride;
      const double factor = column[i];
      for (int j = k + 1; j < n; j++) row[j] -= factor * column[j];
    }
  }
  return n;
}

void srs_semidefinite_solve(int n, int rank, const double *A, const int *order, double *x, double *work)
{
  const size_t stride = (size_t)n;
  for (int k = 0; k < rank; k++) work[k] = x[order[k]];
  for (int k = 0; k < rank; k++) {
    const double *column = A + (size_t)k * stride;
    work[k] /= column[k];
    for (int i = k + 1; i < rank; i++) work[i] -= column[i] * work[k];
  }
  for (int k = rank - 1; k >= 0; k--) {
    const double *column = A + (size_t)k * stride;
    for (int i = k + 1; i < rank; i++) work[k] -= column[i] * work[i];
    work[k] /= column[k];
  }
  for (int k = 0; k < n; k++) x[order[k]] = k < rank ? work[k] : 0;
}
