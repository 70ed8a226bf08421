// W = L L^T, for searches by rows that rest, and where |b + L u| is least.
#include "contact/refine/rest.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/semidefinite.h"

#include <string.h>

static const double least_pivot = 1e-13, most_of_rows = 0.75; // of W; rank over rows

// L^T L u = -L^T b
static bool find_least(srs_resting *s)
{
  const srs_cone_problem *p = s->problem;
  const int rank = s->rank, wide = srs_dense_stride(rank);
  const double *L = srs_resting_factor(s);
  double *A = s->lm->J, *u = s->least;
  memset(A, 0, sizeof *A * (size_t)rank * (size_t)wide);
  memset(u, 0, sizeof *u * (size_t)wide);
  for (int i = 0; i < p->n; i++) {
    const double *row = L + (size_t)i * (size_t)wide;
    for (int j = 0; j < rank; j++) {
      u[j] -= p->b[i] * row[j];
      for (int k = j; k < rank; k++) A[(size_t)j * (size_t)wide + (size_t)k] += row[j] * row[k];
    }
  }
  if (!srs_dense_cholesky(rank, A, wide, 0)) return false;
  srs_dense_cholesky_solve(rank, A, wide, u);
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    const double w = p->b[i] + srs_dot(rank, L + (size_t)i * (size_t)wide, u);
    sum += w * w;
  }
  s->slip = sqrt(sum / p->n);
  return true;
}

bool srs_resting_begin(srs_resting *s)
{
  const srs_cone_problem *p = s->problem;
  const int n = p->n, stride = p->stride;
  const srs_lm_memory *m = s->lm;
  if (p->n_box > 0 || p->sparse != NULL || !srs_lm_spend(m, 2 * srs_cube(n))) return false;
  memcpy(m->J, p->W, sizeof *m->J * (size_t)n * (size_t)stride);
  s->rank = srs_semidefinite_factor(n, m->J, stride, m->pivot, least_pivot, m->step);
  if (s->rank == 0 || s->rank > most_of_rows * n) return false;
  const size_t wide = (size_t)srs_dense_stride(s->rank);
  double *L = srs_resting_factor(s);
  memset(L, 0, sizeof *L * (size_t)n * wide);
  for (int k = 0; k < s->rank; k++) {
    const double *row = srs_semidefinite_row(m->J, stride, m->pivot, k);
    const double root = sqrt(srs_semidefinite_pivot(m->J, stride, m->pivot, k));
    for (int i = 0; i < n; i++) L[(size_t)i * wide + (size_t)k] = row[i] / root;
    for (int j = 0; j < k; j++) L[(size_t)m->pivot[j] * wide + (size_t)k] = 0;
    L[(size_t)m->pivot[k] * wide + (size_t)k] = root;
  }
  return find_least(s);
}
