// What remains of a contact problem when the bilateral rows are eliminated? A Schur complement.
//
// With B the bilateral rows and C the others, all scaled: x_B = -W_BB^+ (b_B + W_BC x_C), so for the others
//
//   W = W_CC - W_CB W_BB^+ W_BC        b = b_C - W_CB W_BB^+ b_B
//
// by elimination, which is stable for a symmetric positive matrix even where rows are nearly dependent (W_BB^-1 W_BC by
// itself would not be). W_BB = U^T D U with pivots from the diagonal, the largest left first (semidefinite.c), so
//
//   Y = U^-T W_IC,   W = W_CC - Y^T D^-1 Y;   y = U^-T b_I,   b = b_C - Y^T D^-1 y
//
// Rows whose pivot is at rounding level depend on those before. They get no impulse here (any other choice gives the
// same velocities); once x_C is known the impulses are moved along the null space
//
//   N = [-W_II^-1 W_ID; I] = [-U^-1 U_ID; I]     I independent, D dependent rows
//
// to their least norm in the problem's units: lambda - N (N^T N)^-1 N^T lambda.
#include "contact/problem/bilateral.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/semidefinite.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; // rows of Y that BLAS multiplies at a time

static const double rank_tolerance =
    1e-12; // of a pivot, with unit diagonal: rows 1e-6 apart still count as independent

static const double plain_pivot = 1e-4; // above it impulses are small enough for sums in double

static double scaled(const srs_contact_problem *p, const double *scale, int i, int j)
{
  return scale[i] * p->W[(size_t)i * (size_t)srs_contact_problem_rows(p) + (size_t)j] * scale[j];
}

SRS_CONTACT_KERNEL
static void subtract(int n, double factor, const double *restrict from, double *restrict to)
{
  for (int j = 0; j < n; j++) to[j] -= factor * from[j];
}

// Rows `first` … of Y, BLOCK of them, from which those of the blocks before are subtracted already; they are then
// subtracted from the later rows by BLAS.
static void find_block(const srs_bilateral *s, int n, int first, int stride, double *work)
{
  const int end = s->rank - first < BLOCK ? s->rank : first + BLOCK;
  const size_t step = (size_t)stride;
  for (int k = first; k < end; k++)
    for (int m = first; m < k; m++) {
      const double *row = srs_semidefinite_row(s->U, s->stride, s->row, m);
      subtract(n, row[s->row[k]] * row[s->row[m]], work + (size_t)m * step, work + (size_t)k * step);
    }
  for (int next = end; next < s->rank; next += BLOCK) {
    const int rows = s->rank - next < BLOCK ? s->rank - next : BLOCK;
    double factor[BLOCK][BLOCK];
    for (int m = first; m < end; m++) {
      const double *row = srs_semidefinite_row(s->U, s->stride, s->row, m);
      for (int k = 0; k < rows; k++) factor[m - first][k] = row[s->row[next + k]] * row[s->row[m]];
    }
    srs_blocks_multiply(true, false, rows, n, BLOCK, -1, factor[0], BLOCK, work + (size_t)first * step, stride,
                        work + (size_t)next * step, stride);
  }
}

// Puts Y into work and subtracts it from the cone problem; w holds b_B.
static void eliminate(const srs_contact_problem *problem, const double *scale, srs_bilateral *s, srs_cone_problem *cone,
                      double *work)
{
  const int n = cone->n;
  const size_t stride = (size_t)cone->stride;
  srs_semidefinite_forward(s->n, s->rank, s->U, s->stride, s->row, s->w, s->y);
  for (int k = 0; k < s->rank; k++)
    for (int j = 0; j < n; j++) work[(size_t)k * stride + (size_t)j] = scaled(problem, scale, s->row[k], s->n + j);
  for (int first = 0; first < s->rank; first += BLOCK) find_block(s, n, first, cone->stride, work);
  const bool is_large = s->rank > BLOCK && n > BLOCK;
  for (int k = 0; k < s->rank; k++) {
    double *Y = work + (size_t)k * stride;
    const double inverse = srs_semidefinite_row(s->U, s->stride, s->row, k)[s->row[k]], root = sqrt(inverse);
    subtract(n, inverse * s->y[k], Y, cone->b);
    for (int i = 0; i < n && !is_large; i++) subtract(n, inverse * Y[i], Y, cone->W + (size_t)i * stride);
    for (int i = 0; i < cone->stride && is_large; i++) Y[i] = i < n ? root * Y[i] : 0;
  }
  if (!is_large) return;
  srs_blocks_subtract_gram(n, 0, s->rank, work, cone->W, cone->stride);
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t j = 0; j < i; j++) cone->W[i * stride + j] = cone->W[j * stride + i];
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
  s->scale = scale;
  if (first == 0) return;

  for (int i = 0; i < first; i++) {
    const double *from = problem->W + (size_t)i * all;
    double *to = s->U + (size_t)i * (size_t)s->stride;
    for (int j = 0; j < first; j++) to[j] = scale[i] * from[j] * scale[j];
    for (int j = first; j < s->stride; j++) to[j] = 0;
    s->w[i] = scale[i] * problem->b[i] * inverse;
  }
  s->rank = srs_semidefinite_factor(first, s->U, s->stride, s->row, rank_tolerance, s->c);
  for (int k = 0; k < s->rank; k++) {
    const double pivot = srs_semidefinite_pivot(s->U, s->stride, s->row, k);
    const double own = pivot / (scale[s->row[k]] * scale[s->row[k]]);
    if (pivot < s->least_pivot) s->least_pivot = pivot;
    if (s->weakest < 0 || own < s->least_own) s->least_own = own, s->weakest = s->row[k];
  }
  if (n > 0) eliminate(problem, scale, s, cone, work);
}

// The independent rows' velocities for impulses lambda (unscaled: scale times x and y). In long double, where rows are
// nearly dependent: impulses are large then, and cancellation in these sums decides how well the other rows hold.
static void velocities(const srs_contact_problem *problem, const double *scale, double size, const srs_bilateral *s,
                       const double *lambda, double *w)
{
  const int all = srs_contact_problem_rows(problem);
  for (int k = 0; k < s->rank; k++) {
    const int i = s->row[k];
    const double *row = problem->W + (size_t)i * (size_t)all;
    long double sum = 0;
    for (int j = 0; j < all; j++) sum += (long double)row[j] * lambda[j];
    w[i] = (double)(scale[i] * (problem->b[i] / size + sum));
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
    w[i] = scale[i] * (problem->b[i] / size + srs_dot(all, row, lambda));
  }
}

// Moves y (scaled) along the null space to its least norm in the problem's units. N: in pivot order.
static void shorten(const double *scale, const srs_bilateral *s, double *y, double *N, double *square)
{
  const int n_null = s->n - s->rank, stride = s->stride;
  const size_t step = (size_t)stride;
  double *c = s->c; // N^T lambda, then the coefficients of N
  for (int d = 0; d < n_null; d++) {
    const int dependent = s->row[s->rank + d];
    for (int k = 0; k < s->rank; k++) s->w[k] = srs_semidefinite_row(s->U, stride, s->row, k)[dependent];
    srs_semidefinite_back(s->n, s->rank, s->U, stride, s->row, s->w, c);
    c[dependent] = -1;
    double length = 0; // in the problem's units, to be 1
    for (int k = 0; k < s->n; k++) {
      const double entry = -c[s->row[k]] * scale[s->row[k]];
      N[(size_t)k * step + (size_t)d] = entry;
      length += entry * entry;
    }
    length = 1 / sqrt(length);
    for (int k = 0; k < s->n; k++) N[(size_t)k * step + (size_t)d] *= length;
  }
  for (int i = 0; i < n_null; i++) {
    c[i] = 0;
    for (int k = 0; k < s->n; k++) c[i] += N[(size_t)k * step + (size_t)i] * scale[s->row[k]] * y[s->row[k]];
    for (int j = i; j < stride; j++) square[(size_t)i * step + (size_t)j] = 0;
    for (int j = i; j < n_null; j++)
      for (int k = 0; k < s->n; k++)
        square[(size_t)i * step + (size_t)j] += N[(size_t)k * step + (size_t)i] * N[(size_t)k * step + (size_t)j];
  }
  if (!srs_dense_cholesky(n_null, square, stride, 0)) return;
  srs_dense_cholesky_solve(n_null, square, stride, c);
  for (int k = 0; k < s->n; k++)
    for (int d = 0; d < n_null; d++) y[s->row[k]] -= N[(size_t)k * step + (size_t)d] * c[d] / scale[s->row[k]];
}

void srs_bilateral_recover(const srs_contact_problem *problem, const double *scale, double size, srs_bilateral *s,
                           const double *x, double *N, double *square)
{
  const int all = srs_contact_problem_rows(problem);
  double *y = s->impulse, *w = s->w, *lambda = s->c;
  for (int i = 0; i < s->n; i++) y[i] = 0;
  for (int pass = 0; pass < 3; pass++) { // the later ones correct rounding
    for (int i = 0; i < s->n; i++) lambda[i] = scale[i] * y[i];
    for (int j = s->n; j < all; j++) lambda[j] = scale[j] * x[j - s->n];
    if (s->least_pivot > plain_pivot)
      plain_velocities(problem, scale, size, s, lambda, w);
    else
      velocities(problem, scale, size, s, lambda, w);
    double largest = 0;
    for (int k = 0; k < s->rank; k++) largest = fmax(largest, fabs(w[s->row[k]]));
    if (pass > 0 && largest < 1e-15) break;
    srs_semidefinite_solve(s->n, s->rank, s->U, s->stride, s->row, w, s->y);
    for (int i = 0; i < s->n; i++) y[i] -= w[i];
    if (pass == 0 && s->rank < s->n) shorten(scale, s, y, N, square);
  }
}
