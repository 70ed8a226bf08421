// A front of a sparse LU: the dense matrix that some adjacent places of the order, eliminated together, and the rows
// and columns that these reach make of each other (contact/algebra/sparse_factor.c). Internal.
//
//   [D_kk  V_k*]    L_ik of each place k, transposed, is kept beside V_kj: both are rows over the front's columns,
//   [L_*k  rest]    own columns first, then, from `beside` on, those of the panel, each in whole lanes
//
// Place after place, with the earlier places l of the front:
//
//   V_kj <- A_kj - sum_l L_kl V_lj    L_ik <- A_ik - sum_l L_il V_lk    D_kk V_kj <- V_kj    then rest -= L V at once
#pragma once
#include "contact/algebra/dense.h"

#include <math.h>
#include <string.h>

enum { SRS_FRONT_BLOCK = 8, SRS_FRONT_TILE = 12 }; // most rows of a place; columns of a tile of registers

typedef struct srs_front {
  int own, wide;      // rows of its places and of their panel
  int beside, stride; // own in whole lanes; with the panel's
  double *top, *left; // own x stride: V, and L transposed; D is kept in V as what srs_front_divide does
  double *rest;       // (stride - beside)^2
} srs_front;

typedef struct srs_pivots {
  double smallest, largest;
} srs_pivots;

// C -= A^T B in registers: m x 4 lanes, A and B of so many rows.
SRS_CONTACT_INLINE void srs_front_tile(int m, int lanes, int depth, const double *A, size_t a_step, const double *B,
                                       size_t b_step, double *C, size_t step)
{
  srs_lanes sum[4][3];
  for (int i = 0; i < m; i++)
    for (int l = 0; l < lanes; l++) sum[i][l] = srs_load(C + (size_t)i * step + 4 * (size_t)l);
  for (int d = 0; d < depth; d++, A += a_step, B += b_step)
    for (int i = 0; i < m; i++)
      for (int l = 0; l < lanes; l++) sum[i][l] -= A[i] * srs_load(B + 4 * (size_t)l);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < lanes; l++) srs_store(C + (size_t)i * step + 4 * (size_t)l, sum[i][l]);
}

// The same of n columns, whole lanes.
SRS_CONTACT_INLINE void srs_front_strip(int m, int n, int depth, const double *A, size_t a_step, const double *B,
                                        size_t b_step, double *C, size_t step)
{
  int j = 0;
  for (; j + SRS_FRONT_TILE <= n; j += SRS_FRONT_TILE)
    srs_front_tile(m, 3, depth, A, a_step, B + j, b_step, C + j, step);
  if (j + 8 <= n)
    srs_front_tile(m, 2, depth, A, a_step, B + j, b_step, C + j, step);
  else if (j + 4 <= n)
    srs_front_tile(m, 1, depth, A, a_step, B + j, b_step, C + j, step);
}

// The same of up to SRS_FRONT_BLOCK rows.
SRS_CONTACT_INLINE void srs_front_subtract(int rows, int n, int depth, const double *A, const double *B, double *C,
                                           size_t step)
{
  for (; rows >= 4; rows -= 4, A += 4, C += 4 * step) srs_front_strip(4, n, depth, A, step, B, step, C, step);
  if (rows == 3) srs_front_strip(3, n, depth, A, step, B, step, C, step);
  if (rows == 2) srs_front_strip(2, n, depth, A, step, B, step, C, step);
  if (rows == 1) srs_front_strip(1, n, depth, A, step, B, step, C, step);
}

// What Gauss and Jordan do with pivots of columns: D <- factors, 1 / pivots; order: where each row was.
SRS_CONTACT_INLINE bool srs_front_invert(int n, double *D, size_t step, int *order, srs_pivots *p)
{
  for (int i = 0; i < n; i++) order[i] = i;
  for (int k = 0; k < n; k++) {
    double *row = D + (size_t)k * step;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(D[(size_t)i * step + (size_t)k]) > fabs(D[(size_t)best * step + (size_t)k])) best = i;
    const double size = fabs(D[(size_t)best * step + (size_t)k]);
    p->smallest = size < p->smallest ? size : p->smallest;
    p->largest = size > p->largest ? size : p->largest;
    if (!(size > 0)) return false;
    for (int j = 0; j < n && best != k; j++) {
      const double t = row[j];
      row[j] = D[(size_t)best * step + (size_t)j], D[(size_t)best * step + (size_t)j] = t;
    }
    const int was = order[k];
    order[k] = order[best], order[best] = was;
    row[k] = 1 / row[k];
    for (int j = k + 1; j < n; j++) row[j] *= row[k];
    for (int i = 0; i < n; i++) {
      double *other = D + (size_t)i * step;
      if (i == k) continue;
      for (int j = k + 1; j < n; j++) other[j] -= other[k] * row[j];
    }
  }
  return true;
}

// D^-1 of some lanes of a place's rows.
SRS_CONTACT_INLINE void srs_front_divide_lanes(int n, int lanes, const double *D, const int *order, double *B,
                                               size_t step)
{
  srs_lanes b[SRS_FRONT_BLOCK][2];
  for (int i = 0; i < n; i++)
    for (int l = 0; l < lanes; l++) b[i][l] = srs_load(B + (size_t)order[i] * step + 4 * (size_t)l);
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < lanes; l++) b[k][l] *= D[k * SRS_FRONT_BLOCK + k];
    for (int i = 0; i < n; i++)
      for (int l = 0; l < lanes && i != k; l++) b[i][l] -= D[i * SRS_FRONT_BLOCK + k] * b[k][l];
  }
  for (int i = 0; i < n; i++)
    for (int l = 0; l < lanes; l++) srs_store(B + (size_t)i * step + 4 * (size_t)l, b[i][l]);
}

SRS_CONTACT_INLINE void srs_front_divide_columns(int rows, int n, const double *D, const int *order, double *B,
                                                 size_t step)
{
  int j = 0;
  for (; j + 8 <= n; j += 8) srs_front_divide_lanes(rows, 2, D, order, B + j, step);
  if (j + 4 <= n) srs_front_divide_lanes(rows, 1, D, order, B + j, step);
}

// A place's rows from column `at` on: D, which is kept, and V.
SRS_CONTACT_INLINE bool srs_front_divide(int n, int at, double *rows, size_t step, int *order, srs_pivots *p)
{
  const int from = at + n - (at + n) % 4, end = (int)step;
  double D[SRS_FRONT_BLOCK * SRS_FRONT_BLOCK], *own = rows + at;
  if (!srs_front_invert(n, own, step, order, p)) return false;
  for (int i = 0; i < n; i++) memcpy(D + (size_t)(i * SRS_FRONT_BLOCK), own + (size_t)i * step, sizeof *D * (size_t)n);
  if (n == 2)
    srs_front_divide_columns(2, end - from, D, order, rows + from, step);
  else if (n == 3)
    srs_front_divide_columns(3, end - from, D, order, rows + from, step);
  else
    srs_front_divide_columns(n, end - from, D, order, rows + from, step);
  for (int i = 0; i < n; i++) memcpy(own + (size_t)i * step, D + (size_t)(i * SRS_FRONT_BLOCK), sizeof *D * (size_t)n);
  return true;
}

// x <- D^-1 x of a place at column `at`.
SRS_CONTACT_INLINE void srs_front_divide_vector(int n, const double *D, size_t step, const int *order, double *x)
{
  double y[SRS_FRONT_BLOCK];
  for (int i = 0; i < n; i++) y[i] = x[order[i]];
  for (int k = 0; k < n; k++) {
    y[k] *= D[(size_t)k * step + (size_t)k];
    for (int i = 0; i < n; i++)
      if (i != k) y[i] -= D[(size_t)i * step + (size_t)k] * y[k];
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
}

// rest -= L V
SRS_CONTACT_INLINE void srs_front_subtract_rest(const srs_front *f)
{
  const size_t step = (size_t)f->stride, wide = (size_t)(f->stride - f->beside);
  const double *L = f->left + f->beside, *V = f->top + f->beside;
  for (size_t j = 0, n; j < wide; j += n) {
    n = wide - j < SRS_FRONT_TILE ? wide - j : SRS_FRONT_TILE;
    for (size_t i = 0; i < wide; i += 4)
      srs_front_strip(4, (int)n, f->own, L + i, step, V + j, step, f->rest + i * wide + j, wide);
  }
}
