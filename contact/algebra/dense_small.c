// How are dense systems of up to SRS_DENSE_OWN rows factored?
//
// Cholesky by blocks of four rows: with the rows above done, the block's rows of G lose sum_k U_ki U_kj over the rows k
// above (the same sum that makes A^T A), then the four rows are finished among themselves. The diagonal of U is stored
// inverted, so that a solve divides nothing. LU with partial pivoting, row by row.
#include "contact/algebra/dense_small.h"
#include "contact/algebra/lanes.h"

#include <math.h>
#include <stddef.h>

// Four rows i of sum_k B_ki B_kj for one or two lanes j, over n rows k of B: added to (sign 1) or taken from (-1)
// what is in G.
SRS_CONTACT_INLINE void products(int n, const double *B, int stride, int i, int j, bool is_pair, bool is_minus,
                                 double *G)
{
  srs_lanes s[4] = {{0}}, p[4] = {{0}};
  for (int k = 0; k < n; k++) {
    const double *b = B + (size_t)k * (size_t)stride;
    const srs_lanes u = srs_load(b + j), v = is_pair ? srs_load(b + j + 4) : (srs_lanes){0};
    for (int a = 0; a < 4; a++) {
      s[a] += b[i + a] * u;
      if (is_pair) p[a] += b[i + a] * v;
    }
  }
  for (int a = 0; a < 4; a++) {
    double *g = G + (size_t)(i + a) * (size_t)stride + j;
    srs_store(g, is_minus ? srs_load(g) - s[a] : s[a]);
    if (is_pair) srs_store(g + 4, is_minus ? srs_load(g + 4) - p[a] : p[a]);
  }
}

SRS_CONTACT_INLINE void product_rows(int n, int n_summed, const double *B, int stride, int i, bool is_minus, double *G)
{
  int j = i;
  for (; j + 8 <= stride && j + 4 < n; j += 8) products(n_summed, B, stride, i, j, true, is_minus, G);
  if (j < n) products(n_summed, B, stride, i, j, false, is_minus, G);
}

SRS_CONTACT_KERNEL
void srs_small_gram(int n, const double *A, int stride, double *G)
{
  for (int i = 0; i < n; i += 4) product_rows(n, n, A, stride, i, false, G);
}

SRS_CONTACT_KERNEL
bool srs_small_cholesky(int n, double *G, int stride)
{
  for (int i = 0; i < n; i += 4) {
    if (i > 0) product_rows(n, i, G, stride, i, true, G);
    const int end = i + 4 < n ? i + 4 : n;
    for (int k = i; k < end; k++) {
      double *row = G + (size_t)k * (size_t)stride;
      if (!(row[k] > 0)) return false;
      const double inverse = 1 / sqrt(row[k]);
      for (int j = i; j < n; j += 4) srs_store(row + j, inverse * srs_load(row + j));
      row[k] = inverse;
      for (int below = k + 1; below < end; below++) {
        double *other = row + (size_t)(below - k) * (size_t)stride;
        const double factor = row[below];
        for (int j = i; j < n; j += 4) srs_store(other + j, srs_load(other + j) - factor * srs_load(row + j));
      }
    }
  }
  return true;
}

// ---- LU ----

SRS_CONTACT_INLINE void swap_rows(int n, double *a, double *b)
{
  for (int j = 0; j < n; j += 4) {
    const srs_lanes u = srs_load(a + j);
    srs_store(a + j, srs_load(b + j));
    srs_store(b + j, u);
  }
}

SRS_CONTACT_KERNEL
double srs_small_lu(int n, double *A, int stride, int *pivot, double least_ratio)
{
  double least = INFINITY, most = 0;
  for (int k = 0; k < n; k++) {
    double *row = A + (size_t)k * (size_t)stride;
    int best = k;
    double largest = fabs(row[k]);
    for (int i = k + 1; i < n; i++) {
      const double size = fabs(A[(size_t)i * (size_t)stride + (size_t)k]);
      if (size > largest) largest = size, best = i;
    }
    pivot[k] = best;
    if (best != k) swap_rows(n, row, A + (size_t)best * (size_t)stride);
    if (largest < least) least = largest;
    if (largest > most) most = largest;
    if (!(largest > least_ratio * most)) return 0;
    const double inverse = 1 / row[k];
    for (int i = k + 1; i < n; i++) {
      double *other = A + (size_t)i * (size_t)stride;
      const double factor = other[k] * inverse;
      other[k] = factor;
      if (factor == 0) continue;
      int j = k + 1;
      for (; j < n && j % 4 != 0; j++) other[j] -= factor * row[j];
      for (; j < n; j += 4) srs_store(other + j, srs_load(other + j) - factor * srs_load(row + j));
    }
  }
  return least / most;
}
