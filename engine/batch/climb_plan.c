// Which mass matrices are found with columns that climb from link to link (climb.c), and where are they zero?

#include "engine/batch/climb.h"
#include "engine/batch/kernels.h"

// Two hinges of short way at once, where the first carries the second alone.
static void find_strides(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = 0; k < m->n_links; k++) b->fixed[k].stride = 1;
  for (int k = m->n_links - 1; k > 0; k--)
    if (b->fixed[k].stride == 1 && m->subtree_end[k] > k + 2 && b->fixed[k].way >= WAY_SQUARE &&
        b->fixed[k - 1].way >= WAY_SQUARE && m->parent[k] == k - 1 && m->subtree_end[k - 1] == m->subtree_end[k])
      b->fixed[k].stride = 2, b->fixed[k - 1].stride = 0;
}

// Does a column of a mass matrix take less from link to link than in the world? There it takes the axes of its link,
// its motion and momentum, and three to six multiplications an entry; here twelve for each link that it passes, twice
// as many where the axes are skew. Measured, chains of 50 parallel hinges take the same both ways.
static bool is_shallow(const srs_batch *b)
{
  const srs_model *m = b->model;
  long passed = 0;
  for (int k = 0; k < m->n_links; k++)
    passed += (b->fixed[k].way >= WAY_SQUARE ? 1L : 2L) * (m->v_index[m->subtree_end[k]] - m->v_index[k]);
  return m->nv <= SRS_BATCH_WHOLE && passed <= 24L * m->nv;
}

// Between branches, where two squares of lanes and more are zero.
static void find_gaps(srs_batch *b)
{
  const int n = b->model->nv, least = 2 * b->kernels->width;
  b->n_gaps = 0;
  if (n == 0 || n > SRS_BATCH_WHOLE) return;
  batch_gap gap = {0, 0};
  for (int at = 0; at <= n * n; at++) {
    const int i = at / n, j = at % n;
    if (at < n * n && (j >= i ? j >= b->row_end[i] : i >= b->row_end[j])) {
      gap.to = at + 1;
      continue;
    }
    if (gap.to - gap.from >= least) b->gaps[b->n_gaps++] = gap;
    gap.from = gap.to = at + 1;
  }
}

void srs_batch_plan_climb(srs_batch *b)
{
  find_strides(b);
  b->climbs = is_shallow(b);
  find_gaps(b);
}
