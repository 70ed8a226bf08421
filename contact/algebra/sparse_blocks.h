// Products of the blocks of a sparse LU (contact/algebra/sparse.c). Internal.
#pragma once
#include "contact/algebra/dense.h"

enum { SRS_SPARSE_BLOCK = 8 }; // most rows of a block: those of least squares, two of each of a node

// to -= L V: m x l, l x n, n at most SRS_SPARSE_BLOCK.
SRS_CONTACT_INLINE void srs_sparse_subtract(int m, int l, int n, const double *L, size_t L_step, const double *V,
                                            size_t V_step, double *to, size_t step)
{
  for (int a = 0; a < m; a++) {
    double sum[SRS_SPARSE_BLOCK] = {0};
    for (int b = 0; b < l; b++) {
      const double f = L[(size_t)a * L_step + (size_t)b];
      for (int j = 0; j < n; j++) sum[j] += f * V[(size_t)b * V_step + (size_t)j];
    }
    for (int j = 0; j < n; j++) to[(size_t)a * step + (size_t)j] -= sum[j];
  }
}

// to -= L V: three rows, as many columns as lie side by side; summed as above, so that no bit differs.
SRS_CONTACT_INLINE void srs_sparse_subtract_run(int columns, const double *L, size_t L_step, const double *restrict V,
                                                size_t V_step, double *restrict to, size_t step)
{
  for (int a = 0; a < 3; a++, L += L_step, to += step)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int b = 0; b < 3; b++) sum += L[b] * V[(size_t)b * V_step + (size_t)j];
      to[j] -= sum;
    }
}
