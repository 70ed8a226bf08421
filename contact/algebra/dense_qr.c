// How is |A x - b|^2 + shift |x|^2 made least? By QR of [A; sqrt(shift) I].
//
// A column of [A; sqrt(shift) I] is kept as a row of 2 stride doubles. When column k is worked on, it and those after
// it are zero in the lower half beyond entry k: every reflection has n + 1 entries, side by side but for the padding.
// Four columns' reflections, all within whole lanes `from` … `end`, are applied to the later columns in one pass:
//
//   f_l = factor_l (v_l . a - sum over m < l of f_m v_m . v_l)     a <- a - sum f_l v_l
//
// Beyond SRS_DENSE_QR columns that pass goes over panels of 64 columns only, and BLAS applies a panel's reflections to
// the columns after it, kept as the rows of C:
//
//   C <- C - (C V^T) T V      T_kk = factor_k    T_lk = -factor_k sum over m < k of T_lm v_m . v_k
#include "contact/algebra/dense_qr.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_blocks.h"

#include <math.h>
#include <string.h>

typedef struct tall_matrix {
  int n, stride;
  double *column;
} tall_matrix;

enum { TOGETHER = 4, BLOCK = 64, UNITS_MOST = 768 };

typedef struct reflections {
  int from, end;
  size_t length; // from one vector to the next
  const double *v;
  double factor[TOGETHER], inner[TOGETHER][TOGETHER];
} reflections;

// `count` columns from a on.
SRS_CONTACT_INLINE void reflect(const reflections *r, int count, double *a)
{
  const size_t length = r->length;
  const double *v = r->v;
  srs_lanes sum[2][TOGETHER] = {{{0}}};
  double f[2][TOGETHER];
  for (int i = r->from; i < r->end; i += 4)
    for (int c = 0; c < count; c++) {
      const srs_lanes own = srs_load(a + (size_t)c * length + i);
      for (size_t l = 0; l < TOGETHER; l++) sum[c][l] += own * srs_load(v + l * length + i);
    }
  for (int c = 0; c < count; c++)
    for (int l = 0; l < TOGETHER; l++) {
      double along = srs_sum(sum[c][l]);
      for (int m = 0; m < l; m++) along -= f[c][m] * r->inner[m][l];
      f[c][l] = r->factor[l] * along;
    }
  for (int i = r->from; i < r->end; i += 4)
    for (int c = 0; c < count; c++) {
      double *to = a + (size_t)c * length + i;
      srs_lanes own = srs_load(to);
      for (size_t l = 0; l < TOGETHER; l++) own -= f[c][l] * srs_load(v + l * length + i);
      srs_store(to, own);
    }
}

SRS_CONTACT_INLINE void reflect_alone(int n, const double *v, double factor, double *restrict a)
{
  const double f = factor * srs_dot(n, v, a);
  for (int i = 0; i < n; i++) a[i] -= f * v[i];
}

// Makes the reflections of `count` columns from k on and applies them to tall; their own part of R goes to R.
SRS_CONTACT_INLINE void make_reflections(const tall_matrix *m, int k, int count, double R[TOGETHER][TOGETHER],
                                         double *tall, double *x, reflections *r)
{
  double *first = m->column + (size_t)k * r->length + k;
  const int entries = r->end - k;
  for (int l = 0; l < count; l++) {
    double *v = first + (size_t)l * r->length;
    for (int i = 0; i < l; i++) R[l][i] = v[i], v[i] = 0;
    const double size = sqrt(srs_dot(entries, v, v));
    x[k + l] = v[l] > 0 ? -size : size;
    v[l] -= x[k + l];
    r->factor[l] = size > 0 ? -1 / (x[k + l] * v[l]) : 0;
    for (int j = l + 1; j < count; j++) reflect_alone(entries, v, r->factor[l], v + (size_t)(j - l) * r->length);
    reflect_alone(entries, v, r->factor[l], tall + k);
    for (int j = 0; j < l; j++) r->inner[j][l] = srs_dot(entries, first + (size_t)j * r->length, v);
  }
}

// Columns first … end. R goes into the upper halves, its diagonal into x; tall: [b; 0], then Q^T of it; factor: of each
// reflection, or NULL.
SRS_CONTACT_KERNEL
static void reflect_columns(const tall_matrix *m, int first, int end, double *tall, double *x, double *factor)
{
  const size_t length = 2 * (size_t)m->stride;
  for (int k = first; k < end; k += TOGETHER) {
    const int count = end - k < TOGETHER ? end - k : TOGETHER;
    double *v = m->column + (size_t)k * length, R[TOGETHER][TOGETHER];
    reflections r = {.from = k, .end = m->stride + k + TOGETHER, .length = length, .v = v};
    make_reflections(m, k, count, R, tall, x, &r);
    int j = k + TOGETHER;
    for (; j + 2 <= end; j += 2) reflect(&r, 2, m->column + (size_t)j * length);
    if (j < end) reflect(&r, 1, m->column + (size_t)j * length);
    for (int l = 0; l < count; l++) memcpy(v + (size_t)l * length + k, R[l], sizeof *v * (size_t)l);
    for (int l = 0; l < count && factor != NULL; l++) factor[k - first + l] = r.factor[l];
  }
}

// ---- panels ----

// T, from the factors and the vectors: rows of V, of n entries.
static void join_reflections(int n, const double *V, int length, const double factor[BLOCK], double T[BLOCK][BLOCK])
{
  double inner[BLOCK][BLOCK] = {{0}};
  srs_blocks_multiply(false, true, BLOCK, BLOCK, n, 1, V, length, V, length, inner[0], BLOCK);
  for (int k = 0; k < BLOCK; k++) {
    T[k][k] = factor[k];
    for (int l = 0; l < k; l++) {
      double sum = 0;
      for (int m = l; m < k; m++) sum += T[l][m] * inner[m][k];
      T[l][k] = -factor[k] * sum;
    }
  }
}

// A panel's reflections, its columns from `first` on, for the columns after it.
static void apply_panel(const tall_matrix *m, int first, const double factor[BLOCK])
{
  const int length = 2 * m->stride, n = m->stride + BLOCK;
  double *V = m->column + (size_t)first * (size_t)(length + 1), R[BLOCK][BLOCK], T[BLOCK][BLOCK] = {{0}};
  for (int l = 0; l < BLOCK; l++)
    for (int i = 0; i < l; i++) R[l][i] = V[l * length + i], V[l * length + i] = 0;
  join_reflections(n, V, length, factor, T);
  for (int j = first + BLOCK; j < m->n; j += BLOCK) {
    const int count = m->n - j < BLOCK ? m->n - j : BLOCK;
    double *C = m->column + (size_t)j * (size_t)length + first, along[BLOCK][BLOCK] = {{0}}, f[BLOCK][BLOCK] = {{0}};
    srs_blocks_multiply(false, true, count, BLOCK, n, 1, C, length, V, length, along[0], BLOCK);
    srs_blocks_multiply(false, false, count, BLOCK, BLOCK, 1, along[0], BLOCK, T[0], BLOCK, f[0], BLOCK);
    srs_blocks_multiply(false, false, count, n, BLOCK, -1, f[0], BLOCK, V, length, C, length);
  }
  for (int l = 0; l < BLOCK; l++) memcpy(V + (size_t)l * (size_t)length, R[l], sizeof *V * (size_t)l);
}

void srs_dense_qr(int n, double *QR, int stride, int panel, double *tall, double *x)
{
  const tall_matrix m = {n, stride, QR};
  for (int first = 0; first < n; first += panel) {
    double factor[BLOCK];
    const int end = n - first < panel ? n : first + panel;
    const bool is_followed = end < n;
    reflect_columns(&m, first, end, tall, x, is_followed ? factor : NULL);
    if (is_followed) apply_panel(&m, first, factor);
  }
}

// x <- R^-1 tall; x holds R's diagonal at first; tall is overwritten.
SRS_CONTACT_KERNEL
static void back_substitute(const tall_matrix *m, double *tall, double *x)
{
  for (int k = m->n - 1; k >= 0; k--) {
    const double *column = m->column + (size_t)k * 2 * (size_t)m->stride;
    x[k] = x[k] != 0 ? tall[k] / x[k] : 0;
    for (int i = 0; i < k; i++) tall[i] -= x[k] * column[i];
  }
}

// An unknown whose column of A is a unit column, as for a separating contact, is left out of the QR: it is
// (b_i - a_i . x) / (1 + shift), and its row stays with the weight sqrt(shift / (1 + shift)). Looked for up to
// UNITS_MOST columns.
static int find_units(int n, const double *A, int stride, bool *is_unit)
{
  int units = 0;
  for (int j = 0; j < n; j++) {
    is_unit[j] = A[(size_t)j * (size_t)(stride + 1)] == 1;
    for (int i = 0; i < n && is_unit[j]; i++) is_unit[j] = i == j || A[(size_t)i * (size_t)stride + (size_t)j] == 0;
    units += is_unit[j];
  }
  return units;
}

// The other columns (is_unit NULL: all), and tall; rows of unit columns get `weight`, and their right-hand sides go to
// the end of x.
static void set_up_tall(const double *A, int n, double root, double weight, const bool *is_unit, tall_matrix *m,
                        double *tall, double *x)
{
  const size_t length = 2 * (size_t)m->stride;
  int k = 0, unit = m->n;
  memset(m->column, 0, sizeof *tall * (size_t)m->n * length);
  memset(tall, 0, sizeof *tall * length);
  memcpy(tall, x, sizeof *tall * (size_t)n);
  for (int j = 0; j < n; j++) {
    if (is_unit != NULL && is_unit[j]) {
      x[unit++] = tall[j];
      continue;
    }
    double *column = m->column + (size_t)k * length;
    for (int i = 0; i < n; i++) column[i] = A[(size_t)i * (size_t)m->stride + (size_t)j];
    for (int i = 0; i < n && is_unit != NULL; i++)
      if (is_unit[i]) column[i] *= weight;
    column[m->stride + k++] = root;
  }
  for (int i = 0; i < n && is_unit != NULL; i++)
    if (is_unit[i]) tall[i] *= weight;
}

// x: as from set_up_tall, with the solution in front; tall is overwritten.
static void spread_units(const double *A, int n, double shift, const bool *is_unit, const tall_matrix *m, double *tall,
                         double *x)
{
  int k = 0, unit = m->n;
  for (int j = 0; j < n; j++) tall[j] = is_unit[j] ? 0 : x[k++];
  for (int j = n; j < m->stride; j++) tall[j] = 0;
  for (int j = 0; j < n; j++) {
    if (!is_unit[j]) continue;
    double along;
    srs_dense_multiply(1, n, A + (size_t)j * (size_t)m->stride, m->stride, tall, &along);
    tall[m->stride + j] = (x[unit++] - along) / (1 + shift);
  }
  for (int j = 0; j < n; j++) x[j] = is_unit[j] ? tall[m->stride + j] : tall[j];
}

void srs_dense_least_squares(int n, const double *A, int stride, double shift, double *QR, double *tall, double *x)
{
  bool is_unit[UNITS_MOST];
  const int units = n <= UNITS_MOST ? find_units(n, A, stride, is_unit) : 0;
  tall_matrix m = {n - units, stride, QR};
  set_up_tall(A, n, sqrt(shift), sqrt(shift / (1 + shift)), units > 0 ? is_unit : NULL, &m, tall, x);
  srs_dense_qr(m.n, QR, stride, m.n > SRS_DENSE_QR ? BLOCK : m.n, tall, x);
  back_substitute(&m, tall, x);
  if (units > 0) spread_units(A, n, shift, is_unit, &m, tall, x);
}
