// How many rows of a symmetric positive semidefinite matrix are independent, and what solves with them?
//
// P^T A P = U^T U with pivots from the diagonal, the largest left first: for such a matrix that reveals the rank, since
// what is left is bounded by its diagonal. Rows beyond the rank get no part in the solution. Row by row, nothing
// changes places: with p the row of pivot k,
//
//   U_k = (A_p - sum over m < k of U_mp U_m) / sqrt(d_p),   d <- d - U_k^2,   d_p what is left of the diagonal there
//
// and U_k takes A_p's place.
#include "contact/semidefinite.h"

#include <math.h>

// row -= the sum of U_mp U_m over m < k.
SRS_CONTACT_INLINE void subtract_rows(int n, const double *A, size_t stride, const int *order, int k, size_t p,
                                      double *restrict row)
{
  int m = 0;
  for (; m + 4 <= k; m += 4) {
    const double *a = A + (size_t)order[m] * stride, *b = A + (size_t)order[m + 1] * stride;
    const double *c = A + (size_t)order[m + 2] * stride, *d = A + (size_t)order[m + 3] * stride;
    const double fa = a[p], fb = b[p], fc = c[p], fd = d[p];
    for (int j = 0; j < n; j += 4) {
      const srs_lanes s = fa * srs_load(a + j) + fb * srs_load(b + j), t = fc * srs_load(c + j) + fd * srs_load(d + j);
      srs_store(row + j, srs_load(row + j) - (s + t));
    }
  }
  for (; m < k; m++) {
    const double *a = A + (size_t)order[m] * stride, f = a[p];
    for (int j = 0; j < n; j += 4) srs_store(row + j, srs_load(row + j) - f * srs_load(a + j));
  }
}

SRS_CONTACT_KERNEL
static int factor(int n, double *A, size_t stride, int *order, double tolerance)
{
  int best = 0;
  for (int i = 1; i < n; i++)
    if (A[(size_t)i * (stride + 1)] > A[(size_t)best * (stride + 1)]) best = i;
  for (int k = 0; k < n; k++) {
    const int taken = order[best];
    order[best] = order[k], order[k] = taken;
    double *restrict row = A + (size_t)taken * stride;
    if (!(row[taken] > tolerance)) return k;
    const double inverse = 1 / sqrt(row[taken]);
    subtract_rows(n, A, stride, order, k, (size_t)taken, row);
    for (int j = 0; j < n; j += 4) srs_store(row + j, inverse * srs_load(row + j));
    row[taken] = inverse;
    double largest = -INFINITY;
    for (int i = k + 1; i < n; i++) {
      const size_t j = (size_t)order[i];
      const double left = A[j * (stride + 1)] -= row[j] * row[j];
      if (left > largest) largest = left, best = i;
    }
  }
  return n;
}

int srs_semidefinite_factor(int n, double *A, int stride, int *order, double tolerance)
{
  for (int i = 0; i < n; i++) order[i] = i;
  return factor(n, A, (size_t)stride, order, tolerance);
}

double srs_semidefinite_pivot(const double *A, int stride, const int *order, int k)
{
  const double inverse = srs_semidefinite_row(A, stride, order, k)[order[k]];
  return 1 / (inverse * inverse);
}

SRS_CONTACT_KERNEL
void srs_semidefinite_forward(int n, int rank, const double *A, int stride, const int *order, double *x, double *y)
{
  for (int k = 0; k < rank; k++) {
    const double *row = srs_semidefinite_row(A, stride, order, k);
    const double f = y[k] = x[order[k]] * row[order[k]];
    for (int j = 0; j < n; j += 4) srs_store(x + j, srs_load(x + j) - f * srs_load(row + j));
  }
}

SRS_CONTACT_KERNEL
void srs_semidefinite_back(int n, int rank, const double *A, int stride, const int *order, const double *y, double *x)
{
  for (int j = 0; j < stride; j++) x[j] = 0;
  for (int k = rank - 1; k >= 0; k--) {
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
