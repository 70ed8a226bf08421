// What is left of a contact problem when the bilateral rows are solved?
//
// With B the bilateral rows and C the others, all scaled: x_B = -W_BB^+ (b_B + W_BC x_C), so the others see
//
//   W = W_CC - W_CB W_BB^+ W_BC        b = b_C - W_CB W_BB^+ b_B
//
// by Gaussian elimination, which for a symmetric positive matrix loses nothing however close to dependent the rows are
// (W_BB^-1 W_BC by itself would). W_BB is factored as L U with pivots from the diagonal, the largest left first: for a
// symmetric positive matrix that reveals the rank. Rows whose pivot is rounding depend on those before; they get no
// impulse here (any other choice gives the same velocities), and when x_C is known the impulses are moved along the
// null space
//
//   N = [-W_II^-1 W_ID; I]     I independent, D dependent rows
//
// to the smallest norm in the problem's own units: lambda - N (N^T N)^-1 N^T lambda.
#include "contact/bilateral.h"
#include "contact/dense.h"

#include <math.h>
#include <string.h>

static const double rank_tolerance = 1e-12; // of a pivot, the diagonal being 1: rows 1e-6 apart still count as two

static const double plain_pivot = 1e-4; // above it the impulses are no larger than sums of doubles can bear

static double scaled(const srs_contact_problem *p, const double *scale, int i, int j)
{
  return scale[i] * p->W[(size_t)i * (size_t)srs_contact_problem_rows(p) + (size_t)j] * scale[j];
}

static inline __attribute__((always_inline)) void swap_places(srs_bilateral *s, int k, int best)
{
  const int row = s->row[k];
  s->row[k] = s->row[best], s->row[best] = row;
  for (int j = 0; j < s->n; j++) {
    double *a = s->LU + (size_t)k * (size_t)s->stride + j, *b = s->LU + (size_t)best * (size_t)s->stride + j;
    const double t = *a;
    *a = *b, *b = t;
  }
  for (int i = 0; i < s->n; i++) {
    double *a = s->LU + (size_t)i * (size_t)s->stride + k, *b = s->LU + (size_t)i * (size_t)s->stride + best;
    const double t = *a;
    *a = *b, *b = t;
  }
}

SRS_CONTACT_KERNEL
static void factor(srs_bilateral *s)
{
  const size_t stride = (size_t)s->stride;
  for (s->rank = 0; s->rank < s->n; s->rank++) {
    const int k = s->rank;
    int best = k;
    for (int i = k + 1; i < s->n; i++)
      if (s->LU[(size_t)i * (stride + 1)] > s->LU[(size_t)best * (stride + 1)]) best = i;
    if (!(s->LU[(size_t)best * (stride + 1)] > rank_tolerance)) break;
    if (best != k) swap_places(s, k, best);
    const double *restrict row = s->LU + (size_t)k * stride;
    if (row[k] < s->least_pivot) s->least_pivot = row[k];
    const double inverse = 1 / row[k];
    for (int i = k + 1; i < s->n; i++) {
      double *restrict other = s->LU + (size_t)i * stride;
      const double f = other[k] *= inverse;
      for (int j = k + 1; j < s->n; j++) other[j] -= f * row[j];
    }
  }
}

// y <- W_II^-1 y for `count` columns of y, kept in rows of y_stride doubles.
static void solve_columns(const srs_bilateral *s, int count, int y_stride, double *y)
{
  const size_t ys = (size_t)y_stride;
  for (int k = 1; k < s->rank; k++)
    for (int i = 0; i < k; i++) {
      const double f = s->LU[(size_t)k * (size_t)s->stride + (size_t)i];
      for (int j = 0; j < count; j++) y[(size_t)k * ys + (size_t)j] -= f * y[(size_t)i * ys + (size_t)j];
    }
  for (int k = s->rank - 1; k >= 0; k--) {
    const double *row = s->LU + (size_t)k * (size_t)s->stride;
    for (int i = k + 1; i < s->rank; i++)
      for (int j = 0; j < count; j++) y[(size_t)k * ys + (size_t)j] -= row[i] * y[(size_t)i * ys + (size_t)j];
    for (int j = 0; j < count; j++) y[(size_t)k * ys + (size_t)j] /= row[k];
  }
}

// The same for one column.
SRS_CONTACT_KERNEL
static void solve_column(const srs_bilateral *s, double *restrict y)
{
  const size_t stride = (size_t)s->stride;
  for (int k = 1; k < s->rank; k++) {
    const double *restrict row = s->LU + (size_t)k * stride;
    y[k] -= srs_dot(k, row, y);
  }
  for (int k = s->rank - 1; k >= 0; k--) {
    const double *restrict row = s->LU + (size_t)k * stride;
    y[k] = (y[k] - srs_dot(s->rank - k - 1, row + k + 1, y + k + 1)) / row[k];
  }
}

SRS_CONTACT_KERNEL
static void subtract(int n, double factor, const double *restrict from, double *restrict to)
{
  for (int j = 0; j < n; j++) to[j] -= factor * from[j];
}

void srs_bilateral_eliminate(const srs_contact_problem *problem, const double *scale, double size, srs_bilateral *s,
                             srs_cone_problem *cone, double *work)
{
  const int n = cone->n, first = s->n;
  const size_t stride = (size_t)cone->stride, all = (size_t)srs_contact_problem_rows(problem);
  const double inverse = 1 / size;
  for (int i = 0; i < n; i++) {
    const double *from = problem->W + (size_t)(first + i) * all + (size_t)first, *sj = scale + first;
    double *to = cone->W + (size_t)i * stride;
    for (int j = 0; j < n; j++) to[j] = scale[first + i] * from[j] * sj[j];
    for (int j = n; j < cone->stride; j++) to[j] = 0;
    cone->b[i] = scale[first + i] * problem->b[first + i] * inverse;
  }
  for (int i = 0; i < cone->n_box; i++) {
    const double pull = inverse / scale[first + n - cone->n_box + i];
    cone->lower[i] = problem->box_lower[i] * pull, cone->upper[i] = problem->box_upper[i] * pull;
  }
  s->rank = 0;
  s->least_pivot = 1;
  s->weakest = -1;
  if (first == 0) return;

  for (int i = 0; i < first; i++) {
    s->row[i] = i;
    const double *from = problem->W + (size_t)i * all;
    double *to = s->LU + (size_t)i * (size_t)s->stride;
    for (int j = 0; j < first; j++) to[j] = scale[i] * from[j] * scale[j];
  }
  factor(s);
  for (int k = 0; k < s->rank; k++) {
    const double own = s->LU[(size_t)k * (size_t)(s->stride + 1)] / (scale[s->row[k]] * scale[s->row[k]]);
    if (s->weakest < 0 || own < s->least_own) s->least_own = own, s->weakest = s->row[k];
  }
  // Rows I of the elimination: work <- L^-1 W_IC, impulse <- L^-1 b_I.
  for (int k = 0; k < s->rank; k++) {
    const double *row = s->LU + (size_t)k * (size_t)s->stride;
    double *y = work + (size_t)k * stride;
    for (int j = 0; j < n; j++) y[j] = scaled(problem, scale, s->row[k], first + j);
    s->impulse[k] = scale[s->row[k]] * problem->b[s->row[k]] * inverse;
    s->impulse[k] -= srs_dot(k, row, s->impulse);
    for (int i = 0; i < k && n > 0; i++) subtract(n, row[i], work + (size_t)i * stride, y);
  }
  // Rows C: z = W_CI U^-1, then what z times the rows I is.
  double *z = s->c;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < s->rank; k++) {
      z[k] = scaled(problem, scale, first + i, s->row[k]);
      for (int l = 0; l < k; l++) z[k] -= z[l] * s->LU[(size_t)l * (size_t)s->stride + (size_t)k];
      z[k] /= s->LU[(size_t)k * (size_t)(s->stride + 1)];
      subtract(n, z[k], work + (size_t)k * stride, cone->W + (size_t)i * stride);
      cone->b[i] -= z[k] * s->impulse[k];
    }
  }
}

// What the independent rows' velocities are, in pivot order, for impulses lambda (unscaled: scale times x and y). Where
// rows are nearly dependent, in long double: impulses are large then, and what is left of these sums decides how well
// the other rows hold.
static void velocities(const srs_contact_problem *problem, const double *scale, double size, const srs_bilateral *s,
                       const double *lambda, double *w)
{
  const int all = srs_contact_problem_rows(problem);
  for (int k = 0; k < s->rank; k++) {
    const int i = s->row[k];
    const double *row = problem->W + (size_t)i * (size_t)all;
    long double sum = 0;
    for (int j = 0; j < all; j++) sum += (long double)row[j] * lambda[j];
    w[k] = (double)(scale[i] * (problem->b[i] / size + sum));
  }
}

SRS_CONTACT_KERNEL
static void plain_velocities(const srs_contact_problem *problem, const double *scale, double size,
                             const srs_bilateral *s, const double *restrict lambda, double *restrict w)
{
  const int all = srs_contact_problem_rows(problem);
  for (int k = 0; k < s->rank; k++) {
    const int i = s->row[k];
    const double *restrict row = problem->W + (size_t)i * (size_t)all;
    w[k] = scale[i] * (problem->b[i] / size + srs_dot(all, row, lambda));
  }
}

// y (pivot order, scaled) moved along the null space to its least norm in the problem's units.
static void shorten(const srs_contact_problem *problem, const double *scale, const srs_bilateral *s, double *y,
                    double *N, double *square)
{
  const int n_null = s->n - s->rank, stride = s->stride;
  const size_t step = (size_t)stride;
  for (int k = 0; k < s->rank; k++)
    for (int d = 0; d < n_null; d++)
      N[(size_t)k * step + (size_t)d] = -scaled(problem, scale, s->row[k], s->row[s->rank + d]);
  solve_columns(s, n_null, stride, N);
  for (int k = s->rank; k < s->n; k++)
    for (int d = 0; d < n_null; d++) N[(size_t)k * step + (size_t)d] = k - s->rank == d;
  double *c = s->c;                  // N^T lambda, then the shares
  for (int d = 0; d < n_null; d++) { // columns in the problem's units, of length 1
    double length = 0;
    for (int k = 0; k < s->n; k++) {
      double *entry = N + (size_t)k * step + d;
      *entry *= scale[s->row[k]];
      length += *entry * *entry;
    }
    length = 1 / sqrt(length);
    for (int k = 0; k < s->n; k++) N[(size_t)k * step + (size_t)d] *= length;
  }
  for (int i = 0; i < n_null; i++) {
    c[i] = 0;
    for (int k = 0; k < s->n; k++) c[i] += N[(size_t)k * step + (size_t)i] * scale[s->row[k]] * y[k];
    for (int j = i; j < stride; j++) square[(size_t)i * step + (size_t)j] = 0;
    for (int j = i; j < n_null; j++)
      for (int k = 0; k < s->n; k++)
        square[(size_t)i * step + (size_t)j] += N[(size_t)k * step + (size_t)i] * N[(size_t)k * step + (size_t)j];
  }
  if (!srs_dense_cholesky(n_null, square, stride, 0)) return;
  srs_dense_cholesky_solve(n_null, square, stride, c);
  for (int k = 0; k < s->n; k++)
    for (int d = 0; d < n_null; d++) y[k] -= N[(size_t)k * step + (size_t)d] * c[d] / scale[s->row[k]];
}

void srs_bilateral_recover(const srs_contact_problem *problem, const double *scale, double size, srs_bilateral *s,
                           const double *x, double *N, double *square)
{
  const int all = srs_contact_problem_rows(problem);
  double *y = s->y, *w = s->w, *lambda = s->c;
  for (int k = 0; k < s->n; k++) y[k] = 0;
  for (int pass = 0; pass < 3; pass++) { // the later ones correct rounding
    for (int k = 0; k < s->n; k++) lambda[s->row[k]] = scale[s->row[k]] * y[k];
    for (int j = s->n; j < all; j++) lambda[j] = scale[j] * x[j - s->n];
    if (s->least_pivot > plain_pivot)
      plain_velocities(problem, scale, size, s, lambda, w);
    else
      velocities(problem, scale, size, s, lambda, w);
    double largest = 0;
    for (int k = 0; k < s->rank; k++) largest = fmax(largest, fabs(w[k]));
    if (pass > 0 && largest < 1e-15) break;
    solve_column(s, w);
    for (int k = 0; k < s->rank; k++) y[k] -= w[k];
    if (pass == 0 && s->rank < s->n) shorten(problem, scale, s, y, N, square);
  }
  for (int k = 0; k < s->n; k++) s->impulse[s->row[k]] = y[k];
}
