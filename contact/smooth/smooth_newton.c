// Newton's method for smoothed contacts, in the coordinates of bodies.
//
// W = J M^-1 J^T has the rank of the bodies' freedoms, less than half of its rows where contacts hold each other. With
// W = L L^T, by pivots down to the rank, and v = L^T dx, a step dx = B (r - W dx) (contact/smooth/smooth_law.h) is
//
//   (I + L^T B L) v = L^T B r,    dx = B (r - L v)
//
// at n rank^2 multiplications instead of n^3 / 3.
#include "contact/smooth/smooth_newton.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/random.h"
#include "contact/algebra/semidefinite.h"
#include "contact/smooth/smooth_law.h"

#include <string.h>

static const double dependent = 1e-13;                    // pivot of a dependent row
static const double goal_share = 0.1, goal_least = 1e-13; // of t; what rounding allows
static const double least_gain = 0.1;                     // of |r| in a step
enum { HALVINGS = 10 };

bool srs_smooth_begin(srs_smooth *s)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n, stride = s->cone->stride;
  if (s->solver != NULL) return true;
  if (!srs_lm_spend(m, (double)n * n * n / 3 + 10.0 * n * n)) return false;
  memcpy(m->J, s->cone->W, sizeof *m->J * (size_t)stride * (size_t)n);
  s->rank = srs_semidefinite_factor(n, m->J, stride, m->pivot, dependent, m->trial);
  for (int k = 0; k < s->rank; k++) {
    const double *from = srs_semidefinite_row(m->J, stride, m->pivot, k);
    const double root = sqrt(srs_semidefinite_pivot(m->J, stride, m->pivot, k));
    double *row = m->gram + (size_t)k * (size_t)stride;
    for (int i = 0; i < n; i++) row[i] = from[i] / root;
    for (int i = n; i < stride; i++) row[i] = 0;
    for (int i = 0; i < k; i++) row[m->pivot[i]] = 0;
    row[m->pivot[k]] = root;
  }
  return true;
}

double srs_smooth_residual(const srs_smooth *s, double t, const double *y, double *r)
{
  const srs_cone_problem *cone = s->cone;
  double *x = s->lm->x, *w = s->lm->gradient;
  srs_smooth_pair(cone, t, y, x, w);
  srs_cone_multiply(cone, x, r);
  for (int i = 0; i < cone->n; i++) r[i] = w[i] - r[i] - cone->b[i] - t * s->tilt[i];
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c);
    for (int k = 1; k <= d && !(cone->friction[c] > 0); k++) r[i + k] = 0;
  }
  return srs_length(cone->n, r);
}

void srs_smooth_tilt(const srs_smooth *s, double size, uint64_t *state)
{
  double sum = 0;
  for (int i = 0; i < s->cone->n; i++) {
    s->tilt[i] = state == NULL ? 0 : srs_random(state);
    sum += s->tilt[i] * s->tilt[i];
  }
  for (int i = 0; i < s->cone->n && sum > 0; i++) s->tilt[i] *= size / sqrt(sum);
}

double srs_smooth_goal(double t) { return fmax(goal_share * t, goal_least); }

double srs_smooth_residual_cost(const srs_smooth *s) { return srs_cone_numbers(s->cone) + 20.0 * s->cone->n; }

double srs_smooth_step_cost(const srs_smooth *s)
{
  const double n = s->cone->n, rank = s->rank;
  if (s->solver != NULL) return s->solver->work;
  return n * rank * (rank + 8) + srs_cube(s->rank) / 3 + 40 * n;
}

bool srs_smooth_factor(const srs_smooth *s, double t, const double *y)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n, stride = s->cone->stride, rank = s->rank, narrow = srs_dense_stride(rank);
  double *H = m->factor;
  if (s->solver != NULL) return s->solver->factor(s->solver->data, t, y);
  srs_smooth_impulses(s->cone, t, y, rank, m->gram, m->J);
  memset(H, 0, sizeof *H * (size_t)narrow * (size_t)rank);
  for (int i = 0; i < rank; i++) H[(size_t)i * (size_t)(narrow + 1)] = 1;
  srs_blocks_multiply(false, true, rank, rank, n, 1, m->gram, stride, m->J, stride, H, narrow);
  return srs_dense_lu_if_regular(rank, H, narrow, m->pivot, 0);
}

void srs_smooth_divide(const srs_smooth *s, double t, const double *y, const double *r, double *step)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n, stride = s->cone->stride, narrow = srs_dense_stride(s->rank);
  double *v = m->trial;
  if (s->solver != NULL) {
    s->solver->divide(s->solver->data, t, y, r, step);
    return;
  }
  srs_smooth_impulses(s->cone, t, y, 1, r, step);
  for (int i = n; i < stride; i++) step[i] = 0;
  srs_dense_multiply(s->rank, n, m->gram, stride, step, v);
  srs_dense_lu_solve(s->rank, m->factor, narrow, m->pivot, v);
  for (int i = s->rank; i < narrow; i++) v[i] = 0;
  srs_dense_multiply_transposed(s->rank, n, m->gram, stride, v, step);
  for (int i = 0; i < n; i++) step[i] = r[i] - step[i];
  srs_smooth_step(s->cone, t, y, step, step);
}

bool srs_smooth_solve(const srs_smooth *s, double t, int most, double *y, int *steps)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n;
  const size_t bytes = sizeof *y * (size_t)n;
  const double goal = srs_smooth_goal(t), cost = srs_smooth_residual_cost(s);
  if (!srs_lm_spend(m, cost)) return false;
  double size = srs_smooth_residual(s, t, y, m->r);
  for (int k = 0; k < most && size > goal; k++) {
    if (!srs_lm_spend(m, srs_smooth_step_cost(s)) || !srs_smooth_factor(s, t, y)) return false;
    srs_smooth_divide(s, t, y, m->r, m->step);
    ++*steps;
    double there = INFINITY, length = 2;
    for (int half = 0; half < HALVINGS && srs_lm_spend(m, cost); half++) {
      length *= 0.5;
      for (int i = 0; i < n; i++) m->trial[i] = y[i] + length * m->step[i];
      there = srs_smooth_residual(s, t, m->trial, m->trial_r);
      if (there < (1 - least_gain * length) * size) break;
    }
    if (!(there < size)) return false;
    memcpy(y, m->trial, bytes);
    memcpy(m->r, m->trial_r, bytes);
    size = there;
  }
  return size <= goal;
}
