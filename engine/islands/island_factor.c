// Factors a tree's part of a large problem's matrix.
//
//   Lambda = L L^T       of the tree's rows in the problem; L has as many columns as rows are independent
//
// by Cholesky elimination with diagonal pivoting. It ends when all of a tree's degrees of freedom are used up: a body
// in a plane has three, however many contacts it has.
#include "engine/islands/island.h"

#include <math.h>
#include <string.h>

// The smallest pivot, relative to the terms that the diagonal entry was the sum of: below it, what is left is their
// rounding.
static const double least_pivot = 1e-14;

// Sums the sides of one row: row and column of side i are added to those of local[i] <= i.
static void sum_sides(int n, int rows, const int *local, size_t stride, double *lambda)
{
  for (int i = 0, next = 0; i < n; i++) {
    double *from = lambda + (size_t)i * stride, *to = lambda + (size_t)local[i] * stride;
    const bool is_first = local[i] == next;
    if (is_first) next++;
    if (is_first && from != to) memcpy(to, from, sizeof *to * (size_t)n);
    for (int j = 0; j < n && !is_first; j++) to[j] += from[j];
  }
  for (int row = 0; row < rows; row++) {
    double *entry = lambda + (size_t)row * stride;
    for (int i = 0, next = 0; i < n; i++) {
      const bool is_first = local[i] == next;
      if (is_first) next++;
      entry[local[i]] = is_first ? entry[i] : entry[local[i]] + entry[i];
    }
  }
}

// Adds the column of a pivot, and subtracts it from the remaining diagonal.
static void add_column(int n, size_t stride, const double *lambda, int chosen, int rank, size_t wide, double *L,
                       double *left)
{
  const double *own = L + (size_t)chosen * wide, root = sqrt(left[chosen]);
  for (int i = 0; i < n; i++) {
    double *row = L + (size_t)i * wide, sum = lambda[(size_t)chosen * stride + (size_t)i];
    for (int k = 0; k < rank; k++) sum -= own[k] * row[k];
    if (i == chosen) continue;
    row[rank] = left[i] > 0 ? sum / root : 0;
    left[i] -= row[rank] * row[rank];
  }
  L[(size_t)chosen * wide + (size_t)rank] = root;
  left[chosen] = 0;
}

int srs_factor_tree(int n, const int *local, int most, double *lambda, double *left, double *parts, double *L)
{
  const size_t stride = (size_t)n, wide = (size_t)most;
  if (n == 0) return 0;
  int rows = 0;
  for (int i = 0; i < n; i++) {
    if (local[i] == rows) parts[rows++] = 0;
    for (int j = 0; j < n; j++)
      if (local[j] == local[i]) parts[local[i]] += fabs(lambda[(size_t)i * stride + (size_t)j]);
  }
  if (rows < n) sum_sides(n, rows, local, stride, lambda);
  for (int i = 0; i < rows; i++) left[i] = lambda[(size_t)i * (stride + 1)];
  int rank = 0;
  for (; rank < most && rank < rows; rank++) {
    double best = least_pivot;
    int chosen = -1;
    for (int i = 0; i < rows; i++)
      if (left[i] > best * parts[i]) best = left[i] / parts[i], chosen = i;
    if (chosen < 0) break;
    add_column(rows, stride, lambda, chosen, rank, wide, L, left);
  }
  for (int i = 1; i < rows && rank < most; i++)
    memmove(L + (size_t)i * (size_t)rank, L + (size_t)i * wide, sizeof *L * (size_t)rank);
  return rank;
}
