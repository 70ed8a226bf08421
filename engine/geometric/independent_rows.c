// The rows of loops that a geometrically implicit step closes: as many as are independent at its start, chosen by
// pivots of G M^-1 G^T. The others hold where these do, to first order; but a step that goes past a configuration in
// which the chosen rows depend on each other may close these alone, on a branch of their own. Then the step is taken
// again with the row that is open most among the chosen.

#include "engine/geometric/independent_rows.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/semidefinite.h"
#include "engine/loops/closure.h"
#include "engine/rows/constraint_memory.h"

#include <string.h>

enum { MOST_CHOICES = 4 };

// G M^-1 G^T with rows of length one; the preferred one is twice as long, so it is the first pivot.
static void fill_gram(struct srs_geometric *g, size_t n, size_t stride)
{
  struct srs_constraints *c = g->constraints;
  const size_t nv = (size_t)g->model->nv;
  memset(c->pivot_matrix, 0, n * stride * sizeof *c->pivot_matrix);
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < nv; k++)
        sum += g->scale[k] * g->scale[k] * g->row_matrix[i * nv + k] * g->row_matrix[j * nv + k];
      const int preferred = ((int)i == g->preferred_row) + ((int)j == g->preferred_row);
      c->pivot_matrix[i * stride + j] = c->pivot_matrix[j * stride + i] =
          (1 << preferred) * g->rows[i].scale * g->rows[j].scale * sum;
    }
}

// A row is independent if more than about 1e-6 of its length is left, as everywhere.
void srs_drop_dependent_rows(struct srs_geometric *g)
{
  struct srs_constraints *c = g->constraints;
  const size_t n = (size_t)c->n_loop_rows, stride = (size_t)srs_dense_stride((int)n);
  fill_gram(g, n, stride);
  const int rank = srs_semidefinite_factor((int)n, c->pivot_matrix, (int)stride, c->pivot_order, 1e-12,
                                           c->pivot_matrix + n * stride);
  for (size_t k = (size_t)rank; k < n; k++) {
    const int row = c->pivot_order[k], at = g->model->nv + row;
    g->rows[row].scale = 0;
    g->lower[at] = g->upper[at] = g->unknowns[at] = 0;
  }
  c->next.bilateral_rank = rank;
}

bool srs_prefer_open_row(struct srs_geometric *g)
{
  const struct srs_constraints *c = g->constraints;
  double largest = srs_closed_by_rows;
  int open = -1;
  for (int i = 0; i < c->n_loop_rows; i++)
    if (!(g->rows[i].scale > 0) && fabs(c->loop_rows[i].gap) > largest) {
      largest = fabs(c->loop_rows[i].gap);
      open = i;
    }
  if (open < 0 || g->choices >= MOST_CHOICES) return false;
  g->preferred_row = open;
  g->choices++;
  return true;
}
