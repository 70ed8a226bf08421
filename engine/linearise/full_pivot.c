// P A Q = L U with full pivoting: rank-revealing, for the rows of a linearised problem, which may depend on each other.
// What is left below `negligible` of the largest pivot counts as zero.

#include "engine/linearise/linearisation.h"

#include <math.h>

static const double negligible = 1e-9;

static void swap(int *a, int *b)
{
  const int held = *a;
  *a = *b, *b = held;
}

// Moves the largest entry of the part from k on to (k, k), by the orders of rows and columns.
static double place_pivot(int n, const double *A, int k, int *rows, int *columns)
{
  double most = 0;
  int at_row = k, at_column = k;
  for (int i = k; i < n; i++) {
    const double *row = A + (size_t)rows[i] * (size_t)n;
    for (int j = k; j < n; j++)
      if (fabs(row[columns[j]]) > most) most = fabs(row[columns[j]]), at_row = i, at_column = j;
  }
  swap(&rows[k], &rows[at_row]);
  swap(&columns[k], &columns[at_column]);
  return most;
}

int srs_full_pivot_lu(int n, double *A, int *rows, int *columns)
{
  double first = 0;
  for (int i = 0; i < n; i++) rows[i] = columns[i] = i;
  for (int k = 0; k < n; k++) {
    const double most = place_pivot(n, A, k, rows, columns);
    if (k == 0) first = most;
    if (!(most > negligible * first)) return k;
    const double *top = A + (size_t)rows[k] * (size_t)n;
    for (int i = k + 1; i < n; i++) {
      double *row = A + (size_t)rows[i] * (size_t)n;
      const double share = row[columns[k]] / top[columns[k]];
      row[columns[k]] = share;
      for (int j = k + 1; share != 0 && j < n; j++) row[columns[j]] -= share * top[columns[j]];
    }
  }
  return n;
}

void srs_full_pivot_null(int n, int rank, int which, const double *A, const int *rows, const int *columns, double *x)
{
  const int free_column = columns[rank + which];
  for (int i = 0; i < n; i++) x[i] = 0;
  x[free_column] = 1;
  for (int i = rank - 1; i >= 0; i--) {
    const double *row = A + (size_t)rows[i] * (size_t)n;
    double sum = -row[free_column];
    for (int j = i + 1; j < rank; j++) sum -= row[columns[j]] * x[columns[j]];
    x[columns[i]] = sum / row[columns[i]];
  }
}

void srs_full_pivot_solve(int n, int rank, const double *A, const int *rows, const int *columns, double *b,
                          double *scratch)
{
  for (int i = 0; i < rank; i++) {
    const double *row = A + (size_t)rows[i] * (size_t)n;
    double sum = b[rows[i]];
    for (int j = 0; j < i; j++) sum -= row[columns[j]] * scratch[j];
    scratch[i] = sum;
  }
  for (int i = 0; i < n; i++) b[i] = 0;
  for (int i = rank - 1; i >= 0; i--) {
    const double *row = A + (size_t)rows[i] * (size_t)n;
    double sum = scratch[i];
    for (int j = i + 1; j < rank; j++) sum -= row[columns[j]] * b[columns[j]];
    b[columns[i]] = sum / row[columns[i]];
  }
}
