// Products, velocities and the natural map of the cone problem (cone.h), dense or sparse.
#include "contact/problem/cone.h"

#include <float.h>

void srs_cone_multiply(const srs_cone_problem *problem, const double *x, double *y)
{
  const srs_sparse *s = problem->sparse;
  if (s == NULL)
    srs_dense_multiply(problem->n, problem->n, problem->W, problem->stride, x, y);
  else
    for (int node = 0; node < s->n_nodes; node++) srs_sparse_multiply(s, node, problem->packed, x, y + s->first[node]);
}

void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w)
{
  srs_cone_multiply(problem, x, w);
  for (int i = 0; i < problem->n; i++) w[i] += problem->b[i];
}

// The sum over rows of (|b_i| + sum_j |W_ij x_j|)^2.
static double terms_of(const srs_cone_problem *problem, const double *x)
{
  const srs_sparse *s = problem->sparse;
  const double *packed = problem->packed;
  double sum = 0;
  for (int i = 0; i < problem->n; i++) {
    double terms = fabs(problem->b[i]);
    for (int j = 0; s == NULL && j < problem->n; j++)
      terms += fabs(problem->W[(size_t)i * (size_t)problem->stride + (size_t)j] * x[j]);
    for (int k = s == NULL ? 0 : s->run_start[s->node[i]]; s != NULL && k < s->run_start[s->node[i] + 1]; k++)
      for (int j = s->run[k].from; j < s->run[k].to; j++) terms += fabs(*packed++ * x[j]);
    sum += terms * terms;
  }
  return sum;
}

double srs_cone_rounding(const srs_cone_problem *problem, const double *x)
{
  for (int i = 0; i < problem->n; i++)
    if (!(fabs(x[i]) <= srs_cone_most)) return 0;
  return 4 * DBL_EPSILON * sqrt(terms_of(problem, x));
}

bool srs_cone_is_wide(const srs_cone_problem *problem, int rows)
{
  for (int c = 0; c < problem->n_contacts && problem->first != NULL; c++)
    if (1 + srs_cone_tangents(problem, c) > rows) return true;
  return false;
}

double srs_cone_residual(const srs_cone_problem *problem, const double *x, const double *w)
{
  const int scalars = srs_cone_scalars(problem), boxes = scalars + problem->n_unilateral;
  double sum = 0;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int i = srs_cone_first(problem, c), d = srs_cone_tangents(problem, c);
    const double mu = problem->friction[c];
    sum += d == 2 ? srs_cone_defect(2, x + i, w + i, mu) : srs_cone_defect(d, x + i, w + i, mu);
  }
  for (int i = scalars; i < problem->n; i++) {
    const double lower = i < boxes ? 0 : problem->lower[i - boxes],
                 upper = i < boxes ? INFINITY : problem->upper[i - boxes];
    const double defect = srs_clamp(w[i], x[i] - upper, x[i] - lower);
    sum += defect * defect;
  }
  return sqrt(sum);
}
