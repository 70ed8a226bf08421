// W = L L^T, for searches by rows that rest.
#include "contact/refine/rest.h"
#include "contact/algebra/semidefinite.h"

#include <string.h>

static const double least_pivot = 1e-13, most_of_rows = 0.75; // of W; rank over rows

bool srs_resting_begin(srs_resting *s)
{
  const srs_cone_problem *p = s->problem;
  const int n = p->n, stride = p->stride;
  const srs_lm_memory *m = s->lm;
  if (p->n_box > 0 || p->sparse != NULL || !srs_lm_spend(m, srs_cube(n))) return false;
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
  return true;
}
