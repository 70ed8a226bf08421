// Projected Gauss-Seidel (PGS): sweeps over the contacts, each solved exactly with the others fixed.
//
// For each contact in turn b_i = w_i - W_ii x_i, and the single contact's exact impulse. Scalar
// rows: x_i <- clamp(x_i - w_i / W_ii). It converges slowly where rows are strongly coupled, but from anywhere it
// finds the right branches, which is what a Newton method needs.
#include "contact/iterate/gauss_seidel.h"
#include "contact/direct/one_contact.h"

#include <string.h>

SRS_CONTACT_INLINE void sweep_contact(const srs_cone_problem *problem, int d, int c, double *x)
{
  const size_t first = (size_t)srs_cone_first(problem, c), end = 1 + (size_t)d;
  const srs_sparse *s = problem->sparse;
  const size_t stride = (size_t)(s != NULL ? s->wide[c] : problem->stride);
  const double *own = srs_cone_diagonal(problem, (int)first);
  enum { MOST = 1 + SRS_CONTACT_TANGENTS_MOST };
  double w[MOST], W[MOST * MOST];
  if (s != NULL)
    srs_sparse_multiply(s, c, problem->packed, x, w);
  else
    srs_dense_multiply((int)end, problem->n, problem->W + first * stride, problem->stride, x, w);
  for (size_t i = 0; i < end; i++) {
    w[i] += problem->b[first + i];
    for (size_t j = 0; j < end; j++) {
      W[end * i + j] = own[i * stride + j];
      w[i] -= W[end * i + j] * x[first + j];
    }
  }
  (void)srs_one_contact(d, W, w, problem->friction[c], x + first);
}

static void sweep_scalar(const srs_cone_problem *problem, int i, double lower, double upper, double *x)
{
  const double own = *srs_cone_diagonal(problem, i);
  double w;
  if (problem->sparse != NULL)
    srs_sparse_multiply(problem->sparse, problem->sparse->node[i], problem->packed, x, &w);
  else
    srs_dense_multiply(1, problem->n, problem->W + (size_t)i * (size_t)problem->stride, problem->stride, x, &w);
  if (own > 0) x[i] = srs_clamp(x[i] - (w + problem->b[i]) / own, lower, upper);
}

bool srs_gauss_seidel(const srs_cone_problem *problem, int sweeps, double *x)
{
  const int n = problem->n, scalars = srs_cone_scalars(problem), boxes = scalars + problem->n_unilateral;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int c = 0; c < problem->n_contacts; c++) {
      const int d = srs_cone_tangents(problem, c);
      if (d == 2)
        sweep_contact(problem, 2, c, x);
      else
        sweep_contact(problem, d, c, x);
    }
    for (int i = scalars; i < boxes; i++) sweep_scalar(problem, i, 0, INFINITY, x);
    for (int i = boxes; i < n; i++) sweep_scalar(problem, i, problem->lower[i - boxes], problem->upper[i - boxes], x);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0 * x[i];
  if (sum == 0) return true;
  memset(x, 0, sizeof *x * (size_t)n);
  return false;
}
