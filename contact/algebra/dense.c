// How are dense systems solved? Products, solves with factors, least squares by QR.
//
// Up to SRS_DENSE_OWN rows factors are found by dense_small.c, beyond by dense_large.c.
//
//   forward    y_k = b_k / U_kk,   b -= y_k U_k       rows of U are contiguous: a multiple of a row is subtracted
//   backward   x_k = (y_k - U_k . x) / U_kk           or a row is multiplied into x
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_large.h"
#include "contact/algebra/dense_small.h"

#include <math.h>
#include <string.h>

// ---- products ----

SRS_CONTACT_KERNEL
void srs_dense_multiply(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y)
{
  const size_t step = (size_t)stride;
  int i = 0;
  for (; i + 4 <= n_rows; i += 4) {
    const double *r = A + (size_t)i * (size_t)stride;
    srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int j = 0; j < n_columns; j += 4) {
      const srs_lanes v = srs_load(x + j);
      s0 += srs_load(r + j) * v;
      s1 += srs_load(r + step + j) * v;
      s2 += srs_load(r + 2 * step + j) * v;
      s3 += srs_load(r + 3 * step + j) * v;
    }
    y[i] = srs_sum(s0), y[i + 1] = srs_sum(s1), y[i + 2] = srs_sum(s2), y[i + 3] = srs_sum(s3);
  }
  for (; i < n_rows; i++) {
    const double *r = A + (size_t)i * (size_t)stride;
    srs_lanes s = {0};
    for (int j = 0; j < n_columns; j += 4) s += srs_load(r + j) * srs_load(x + j);
    y[i] = srs_sum(s);
  }
}

SRS_CONTACT_KERNEL
void srs_dense_multiply_transposed(int n_rows, int n_columns, const double *A, int stride, const double *x, double *y)
{
  for (int j = 0; j < n_columns; j += 4) {
    srs_lanes s0 = {0}, s1 = {0};
    const double *a = A + j;
    int i = 0;
    for (; i + 2 <= n_rows; i += 2, a += 2 * (size_t)stride) {
      s0 += x[i] * srs_load(a);
      s1 += x[i + 1] * srs_load(a + stride);
    }
    if (i < n_rows) s0 += x[i] * srs_load(a);
    srs_store(y + j, s0 + s1);
  }
}

void srs_dense_gram(int n, const double *A, int stride, double *G)
{
  if (n <= SRS_DENSE_OWN)
    srs_small_gram(n, A, stride, G);
  else
    srs_large_gram(n, A, stride, G);
}

// ---- Cholesky ----

SRS_CONTACT_KERNEL
void srs_dense_cholesky_solve(int n, const double *U, int stride, double *x)
{
  for (int k = 0; k < n; k++) {
    const double *row = U + (size_t)k * (size_t)stride;
    const double y = x[k] *= row[k];
    int j = k + 1;
    for (; j < n && j % 4 != 0; j++) x[j] -= y * row[j];
    for (; j < n; j += 4) srs_store(x + j, srs_load(x + j) - y * srs_load(row + j));
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *row = U + (size_t)k * (size_t)stride;
    double s = 0;
    srs_lanes v = {0};
    int j = k + 1;
    for (; j < n && j % 4 != 0; j++) s += row[j] * x[j];
    for (; j < n; j += 4) v += srs_load(row + j) * srs_load(x + j);
    x[k] = (x[k] - s - srs_sum(v)) * row[k];
  }
  for (int j = n; j % 4 != 0; j++) x[j] = 0;
}

bool srs_dense_cholesky(int n, double *G, int stride, double shift)
{
  for (int k = 0; k < n; k++) G[(size_t)k * (size_t)(stride + 1)] += shift;
  return n <= SRS_DENSE_OWN ? srs_small_cholesky(n, G, stride) : srs_large_cholesky(n, G, stride);
}

// ---- LU ----

double srs_dense_lu(int n, double *A, int stride, int *pivot)
{
  if (n == 0) return 1;
  return n <= SRS_DENSE_OWN ? srs_small_lu(n, A, stride, pivot, 0) : srs_large_lu(n, A, stride, pivot);
}

bool srs_dense_lu_if_regular(int n, double *A, int stride, int *pivot, double least_ratio)
{
  if (n == 0) return true;
  if (n > SRS_DENSE_OWN) return srs_large_lu(n, A, stride, pivot) > least_ratio;
  return srs_small_lu(n, A, stride, pivot, least_ratio) > least_ratio;
}

void srs_dense_lu_solve(int n, const double *LU, int stride, const int *pivot, double *x)
{
  for (int k = 0; k < n; k++) {
    const double t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int k = 1; k < n; k++) {
    const double *row = LU + (size_t)k * (size_t)stride;
    double s = 0;
    for (int j = 0; j < k; j++) s += row[j] * x[j];
    x[k] -= s;
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *row = LU + (size_t)k * (size_t)stride;
    double s = 0;
    for (int j = k + 1; j < n; j++) s += row[j] * x[j];
    x[k] = (x[k] - s) / row[k];
  }
}

// ---- QR ----

// A column of [A; sqrt(shift) I] is kept as a row of 2 stride doubles. When column k is worked on, it and those after
// it are zero in the lower half beyond entry k: every reflection has n + 1 entries, side by side but for the padding.
// Four columns' reflections, all within whole lanes `from` … `end`, are applied to the later columns in one pass:
//
//   f_l = factor_l (v_l . a - sum over m < l of f_m v_m . v_l)     a <- a - sum f_l v_l
typedef struct tall_matrix {
  int n, stride;
  double *column;
} tall_matrix;

enum { TOGETHER = 4 };

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

// R goes into the upper halves, its diagonal into x; tall: [b; 0], then Q^T of it.
SRS_CONTACT_KERNEL
static void qr(const tall_matrix *m, double *tall, double *x)
{
  const size_t length = 2 * (size_t)m->stride;
  for (int k = 0; k < m->n; k += TOGETHER) {
    const int count = m->n - k < TOGETHER ? m->n - k : TOGETHER;
    double *v = m->column + (size_t)k * length, R[TOGETHER][TOGETHER];
    reflections r = {.from = k, .end = m->stride + k + TOGETHER, .length = length, .v = v};
    make_reflections(m, k, count, R, tall, x, &r);
    int j = k + TOGETHER;
    for (; j + 2 <= m->n; j += 2) reflect(&r, 2, m->column + (size_t)j * length);
    if (j < m->n) reflect(&r, 1, m->column + (size_t)j * length);
    for (int l = 0; l < count; l++) memcpy(v + (size_t)l * length + k, R[l], sizeof *v * (size_t)l);
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
// (b_i - a_i . x) / (1 + shift), and its row stays with the weight sqrt(shift / (1 + shift)).
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

void srs_dense_least_squares(int n, double *A, int stride, double shift, double *QR, double *tall, double *x)
{
  bool is_unit[SRS_DENSE_OWN] = {false};
  const bool is_large = n > SRS_DENSE_OWN;
  const int units = is_large ? 0 : find_units(n, A, stride, is_unit);
  tall_matrix m = {n - units, stride, QR};
  set_up_tall(A, n, sqrt(shift), sqrt(shift / (1 + shift)), units > 0 ? is_unit : NULL, &m, tall, x);
  if (is_large)
    srs_large_qr(n, QR, stride, tall, x, A); // A is copied: its memory is free
  else
    qr(&m, tall, x);
  back_substitute(&m, tall, x);
  if (units > 0) spread_units(A, n, shift, is_unit, &m, tall, x);
}

void srs_dense_warm_up(double *matrix, double *other) { srs_large_gram(128, matrix, 128, other); }
