// How is a system with a tree's mass matrix solved for many right-hand sides?
//
//   factor   for i from the tips: l = sqrt(M_ii), M_ij /= l on the way j to the root, M_jk -= M_ij M_ik on it
//   solve    L^T y = b from the tips in, L x = y from the root out; a row of the right-hand sides at a time
//
// Coordinates that are not on each other's way to the root have no entry, so nothing fills in.

#include "engine/derivatives/tree_factor.h"

int srs_tree_factor(int nv, const int *parent, double *M)
{
  for (int i = nv - 1; i >= 0; i--) {
    double *row = M + (size_t)i * (size_t)nv;
    if (!(row[i] > 0)) return i;
    row[i] = 1 / sqrt(row[i]);
    for (int j = parent[i]; j >= 0; j = parent[j]) row[j] *= row[i];
    for (int j = parent[i]; j >= 0; j = parent[j]) {
      double *other = M + (size_t)j * (size_t)nv;
      for (int k = j; k >= 0; k = parent[k]) other[k] -= row[j] * row[k];
    }
  }
  return -1;
}

SRS_INLINE void scale_row(double *restrict x, double s, int n)
{
  SRS_INDEPENDENT
  for (int c = 0; c < n; c++) x[c] *= s;
}

SRS_INLINE void subtract_row(double *restrict y, double s, const double *restrict x, int n)
{
  SRS_INDEPENDENT
  for (int c = 0; c < n; c++) y[c] -= s * x[c];
}

SRS_KERNEL void srs_tree_factor_solve(int nv, const int *parent, const double *L, int n, double *B)
{
  for (int i = nv - 1; i >= 0; i--) {
    const double *row = L + (size_t)i * (size_t)nv;
    double *x = B + (size_t)i * (size_t)n;
    scale_row(x, row[i], n);
    for (int j = parent[i]; j >= 0; j = parent[j]) subtract_row(B + (size_t)j * (size_t)n, row[j], x, n);
  }
  for (int i = 0; i < nv; i++) {
    const double *row = L + (size_t)i * (size_t)nv;
    double *x = B + (size_t)i * (size_t)n;
    for (int j = parent[i]; j >= 0; j = parent[j]) subtract_row(x, row[j], B + (size_t)j * (size_t)n, n);
    scale_row(x, row[i], n);
  }
}
