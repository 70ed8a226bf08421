// Where do sweeps over the contacts, each solved alone, lead?
//
// For each contact in turn, with all others held: b_i = w_i - W_ii x_i, and the single contact's exact answer. Scalar
// rows: x_i <- clamp(x_i - w_i / W_ii). Slow where rows are strongly coupled, but it finds its way to the right
// branches from anywhere, and that is what a Newton method needs.
#include "contact/gauss_seidel.h"
#include "contact/one_contact.h"

#include <string.h>

static void sweep_contact(const srs_cone_problem *problem, int c, double *x)
{
  const size_t first = 3 * (size_t)c, stride = (size_t)problem->stride;
  const double *rows = problem->W + first * stride;
  double w[3], W[9];
  srs_dense_multiply(3, problem->n, rows, problem->stride, x, w);
  for (size_t i = 0; i < 3; i++) {
    w[i] += problem->b[first + i];
    for (size_t j = 0; j < 3; j++) {
      W[3 * i + j] = rows[i * stride + first + j];
      w[i] -= W[3 * i + j] * x[first + j];
    }
  }
  (void)srs_one_contact(W, w, problem->friction[c], x + first);
}

static void sweep_scalar(const srs_cone_problem *problem, int i, double lower, double upper, double *x)
{
  const double *row = problem->W + (size_t)i * (size_t)problem->stride;
  double w;
  srs_dense_multiply(1, problem->n, row, problem->stride, x, &w);
  if (row[i] > 0) x[i] = srs_clamp(x[i] - (w + problem->b[i]) / row[i], lower, upper);
}

bool srs_gauss_seidel(const srs_cone_problem *problem, int sweeps, double *x)
{
  const int n = problem->n, scalars = 3 * problem->n_contacts, boxes = scalars + problem->n_unilateral;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int c = 0; c < problem->n_contacts; c++) sweep_contact(problem, c, x);
    for (int i = scalars; i < boxes; i++) sweep_scalar(problem, i, 0, INFINITY, x);
    for (int i = boxes; i < n; i++) sweep_scalar(problem, i, problem->lower[i - boxes], problem->upper[i - boxes], x);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0 * x[i];
  if (sum == 0) return true;
  memset(x, 0, sizeof *x * (size_t)n);
  return false;
}
