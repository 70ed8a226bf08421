// Which of many solutions has the least norm?
//
// Where W is singular, impulses in its null space may be added: the four corners of a resting box may squeeze each
// other or not. For given velocities w the solutions are a convex set, so exactly one has the least norm:
//
//   x = S y     y: normals with w_n = 0, their tangents too where w_t = 0; x_t = -mu x_n w_t / |w_t| where it slides
//   B = S^T W S,   D = S^T S
//
// The part of y in B's null space is P y, P = rho (B + rho D)^-1 D for a small rho: it keeps rho / (rho + lambda) of
// a component with eigenvalue lambda, and P^2 the square of that. Rounding leaves 1e-16 / rho of the null-space part,
// hence a second pass. The result has the problem's symmetries, however the solution was found.
#include "contact/problem/least_norm.h"

#include <string.h>

static const double rho = 1e-9, regular = 1e3;
enum { POWERS = 2, PASSES = 2, HALVINGS = 40 };

// A contact's rows of S: 0 where x is zero, 1 where it is free; tangents of one that slides x_t / x_n.
typedef enum branch { PARTED, FREE, SLIDING } branch;

static branch contact_ratios(int d, double mu, double tolerance, const double *w, double *ratio)
{
  const bool is_closed = w[0] <= tolerance;
  const double slip = sqrt(srs_square(d, w + 1));
  const branch where = !is_closed ? PARTED : mu > 0 && slip <= tolerance ? FREE : SLIDING;
  ratio[0] = is_closed;
  for (int k = 1; k <= d; k++) ratio[k] = where == SLIDING && mu > 0 ? -mu * w[k] / slip : where == FREE;
  return where;
}

// A row that is no unknown: 1 alone on B's diagonal.
static void leave_out(double *B, int n, int stride, int row)
{
  for (int j = 0; j < n; j++)
    B[(size_t)row * (size_t)stride + (size_t)j] = B[(size_t)j * (size_t)stride + (size_t)row] = 0;
  B[(size_t)row * (size_t)(stride + 1)] = 1;
}

// Adds the tangents of a sliding contact to its normal's row and column.
static void take_in(double *B, int n, int stride, int row, int d, const double *ratio)
{
  for (int k = 1; k <= d; k++)
    for (int j = 0; j < n; j++)
      B[(size_t)row * (size_t)stride + (size_t)j] += ratio[k] * B[(size_t)(row + k) * (size_t)stride + (size_t)j];
  for (int j = 0; j < n; j++)
    for (int k = 1; k <= d; k++) {
      double *at = B + (size_t)j * (size_t)stride + (size_t)row;
      at[0] += ratio[k] * at[k];
    }
}

// B + rho D in `factor`, S's numbers in `ratio`, D's diagonal in `square`, zero where y has no unknown.
static void set_up(const srs_cone_problem *p, double tolerance, const double *w, const double *x, double *B,
                   double *ratio, double *square)
{
  const int n = p->n, stride = p->stride, scalars = srs_cone_scalars(p), boxes = scalars + p->n_unilateral;
  memcpy(B, p->W, sizeof *B * (size_t)stride * (size_t)n);
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    const branch where = contact_ratios(d, p->friction[c], tolerance, w + i, ratio + i);
    for (int k = 0; k <= d; k++) square[i + k] = where == FREE || (where == SLIDING && k == 0);
    if (where != SLIDING) continue;
    square[i] += srs_square(d, ratio + i + 1);
    take_in(B, n, stride, i, d, ratio + i);
  }
  for (int i = scalars; i < n; i++) {
    const bool is_inside = i < boxes || (x[i] > p->lower[i - boxes] && x[i] < p->upper[i - boxes]);
    square[i] = ratio[i] = is_inside && fabs(w[i]) <= tolerance;
  }
  for (int i = 0; i < n; i++) {
    if (square[i] > 0)
      B[(size_t)i * (size_t)(stride + 1)] += rho * square[i];
    else
      leave_out(B, n, stride, i);
  }
}

static bool is_within(const srs_cone_problem *p, int c, const double *x, const double *step, double t)
{
  const int d = srs_cone_tangents(p, c);
  const double normal = x[0] - t * step[0];
  double square = 0;
  for (int k = 1; k <= d; k++) square += (x[k] - t * step[k]) * (x[k] - t * step[k]);
  return normal >= 0 && sqrt(square) <= p->friction[c] * normal * (1 + 1e-15);
}

// How much of the step from x stays within a contact's cone.
static double contact_share(const srs_cone_problem *p, int c, const double *x, const double *step)
{
  if (is_within(p, c, x, step, 1)) return 1;
  double low = 0, high = 1;
  for (int k = 0; k < HALVINGS; k++) {
    const double middle = 0.5 * (low + high);
    if (is_within(p, c, x, step, middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double scalar_share(double x, double step, double lower, double upper)
{
  const double end = srs_clamp(x - step, lower, upper);
  return end == x - step ? 1 : (x - end) / step;
}

static double share(const srs_cone_problem *p, const double *x, const double *step)
{
  const int n = p->n, scalars = srs_cone_scalars(p), boxes = scalars + p->n_unilateral;
  double least = 1;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c);
    if (step[i] != 0 || srs_cone_tangents(p, c) > 0) least = fmin(least, contact_share(p, c, x + i, step + i));
  }
  for (int i = scalars; i < boxes; i++) least = fmin(least, scalar_share(x[i], step[i], 0, INFINITY));
  for (int i = boxes; i < n; i++)
    least = fmin(least, scalar_share(x[i], step[i], p->lower[i - boxes], p->upper[i - boxes]));
  return least;
}

// S P^2 y, y of x.
static void unseen(const srs_cone_problem *p, const srs_lm_memory *m, const double *x, const double *ratio,
                   const double *square, double *step)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) step[i] = square[i] > 0 ? x[i] : 0;
  for (int i = n; i < p->stride; i++) step[i] = 0;
  for (int k = 0; k < POWERS; k++) {
    for (int i = 0; i < n; i++) step[i] *= rho * square[i];
    srs_dense_cholesky_solve(n, m->factor, p->stride, step);
  }
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    for (int k = 1; k <= d; k++)
      if (!(square[i + k] > 0)) step[i + k] = ratio[i + k] * step[i];
  }
}

// Whether B has no null space: pivots are stored inverted.
static bool is_regular(const double *U, int n, int stride)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, U[(size_t)i * (size_t)(stride + 1)]);
  return most < regular;
}

bool srs_least_norm_impulses(const srs_cone_problem *p, const srs_lm_memory *m, double tolerance, const double *w,
                             double *x)
{
  const int n = p->n;
  double *ratio = m->trial, *square = m->trial_r, *step = m->step;
  set_up(p, tolerance, w, x, m->factor, ratio, square);
  if (!srs_dense_cholesky(n, m->factor, p->stride, 0) || is_regular(m->factor, n, p->stride)) return false;
  bool is_changed = false;
  for (int pass = 0; pass < PASSES; pass++) {
    unseen(p, m, x, ratio, square, step);
    double moved = 0, size = 0;
    for (int i = 0; i < n; i++) moved += step[i] * step[i], size += x[i] * x[i];
    if (!(moved > 1e-28 * size)) break;
    const double t = share(p, x, step);
    for (int i = 0; i < n; i++) x[i] -= t * step[i];
    is_changed = is_changed || t > 0;
    if (t < 1) break;
  }
  return is_changed;
}
