// Takes the memory that derivatives work in: one block, once.

#include "engine/derivatives/memory.h"
#include "engine/dynamics/block.h"
#include "engine/dynamics/checks.h"
#include <sarrus/derivatives.h>

#include <stdlib.h>
#include <string.h>

static void lay_out_embedded(const srs_workspace *w, srs_embedded_memory *e, char *base, size_t *used)
{
  const size_t n = (size_t)w->model->n_links, nv = (size_t)w->model->nv, n_rows = (size_t)w->model->n_loop_rows;
  double **const squares[] = {&e->X, &e->dv_q, &e->da_q, &e->da_v, &e->M};
  double **const lines[] = {&e->v, &e->a, &e->force, &e->direction, &e->change};
  e->jets = srs_block_take(base, used, n, sizeof *e->jets);
  for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++)
    *squares[i] = srs_block_take(base, used, nv * nv, sizeof **squares[i]);
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    *lines[i] = srs_block_take(base, used, nv, sizeof **lines[i]);
  e->rows = srs_block_take(base, used, 18 * nv, sizeof *e->rows);
  e->right = srs_block_take(base, used, 2 * n_rows, sizeof *e->right);
}

static size_t lay_out(const srs_workspace *w, struct srs_derivative_memory *d, char *base)
{
  const size_t n = (size_t)w->model->n_links, nv = (size_t)w->model->nv;
  size_t used = 0;
  d->S = srs_block_take(base, &used, nv, sizeof *d->S);
  d->psi = srs_block_take(base, &used, nv, sizeof *d->psi);
  d->psi2 = srs_block_take(base, &used, nv, sizeof *d->psi2);
  d->rate = srs_block_take(base, &used, nv, sizeof *d->rate);
  d->velocity = srs_block_take(base, &used, n, sizeof *d->velocity);
  d->acceleration = srs_block_take(base, &used, n, sizeof *d->acceleration);
  d->carried = srs_block_take(base, &used, n, sizeof *d->carried);
  d->triple = srs_block_take(base, &used, nv, sizeof *d->triple);
  d->parent_v = srs_block_take(base, &used, nv, sizeof *d->parent_v);
  d->path_first = srs_block_take(base, &used, nv, sizeof *d->path_first);
  d->row_stride = SRS_ROW_FRONT + w->v_stride;
  d->rows = srs_block_take(base, &used, FORCE_ROWS * d->row_stride, sizeof *d->rows);
  d->runs = srs_block_take(base, &used, nv, sizeof *d->runs);
  d->last = srs_block_take(base, &used, (size_t)SRS_LAST_COLUMNS * nv, sizeof *d->last);
  d->at_forks = srs_block_take(base, &used, (size_t)6 * SRS_SOLVE_COLUMNS * n, sizeof *d->at_forks);
  d->forks = srs_block_take(base, &used, n, sizeof *d->forks);
  d->active = srs_block_take(base, &used, n, sizeof *d->active);
  d->a = srs_block_take(base, &used, nv, sizeof *d->a);
  if (w->embedding != NULL) lay_out_embedded(w, &d->embedded, base, &used);
  return used;
}

// Which coordinates turn together, and which one comes before each.
static void know_tree(const srs_model *m, struct srs_derivative_memory *d)
{
  for (int k = 0; k < m->n_links; k++) {
    const int i = m->v_index[k], end = m->v_index[k + 1];
    int before = m->parent[k];
    while (before >= 0 && m->v_index[before] == m->v_index[before + 1]) before = m->parent[before];
    for (int j = i; j < end; j++) d->parent_v[j] = j > i ? j - 1 : before >= 0 ? m->v_index[before + 1] - 1 : -1;
    const bool turns = m->kind[k] == SRS_JOINT_SPHERICAL || m->kind[k] == SRS_JOINT_FREE;
    for (int j = 0; turns && j < 3; j++) d->triple[end - 3 + j] = (unsigned char)(1 + j);
    d->forks[k] = m->subtree_end[k] > k + 1 && m->subtree_end[k + 1] < m->subtree_end[k];
  }
}

static int coordinates_end(const srs_model *m, int i) { return m->v_index[m->subtree_end[m->link_of_v[i]]]; }

static void know_paths(const srs_model *m, struct srs_derivative_memory *d)
{
  for (int i = 0; i < m->nv; i++) d->path_first[i] = i > 0 && d->parent_v[i] == i - 1 ? d->path_first[i - 1] : i;
}

// The runs, the last one first.
static void know_runs(const srs_model *m, struct srs_derivative_memory *d)
{
  for (int i = m->nv; i > 0;) {
    const int end = coordinates_end(m, i - 1), link = m->link_of_v[i - 1];
    int first = i - 1;
    while (first > 0 && i - first < SRS_RUN && d->parent_v[first] == first - 1 && coordinates_end(m, first - 1) == end)
      first--;
    const int before = d->parent_v[first];
    d->runs[d->n_runs++] = (srs_run){first, i - first, end, link, before >= 0 ? m->link_of_v[before] : -1};
    i = first;
  }
}

srs_status srs_workspace_reserve_derivatives(srs_workspace *w)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->derivatives != NULL) return SRS_OK;
  struct srs_derivative_memory *d = calloc(1, sizeof *d);
  if (d != NULL) {
    const size_t size = lay_out(w, d, NULL);
    d->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
    if (d->memory != NULL) memset(d->memory, 0, size);
  }
  if (d == NULL || d->memory == NULL) {
    free(d);
    return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory for the derivatives of %d coordinates", w->model->nv);
  }
  lay_out(w, d, d->memory);
  know_tree(w->model, d);
  know_paths(w->model, d);
  know_runs(w->model, d);
  w->derivatives = d;
  return SRS_OK;
}

void srs_derivative_memory_destroy(struct srs_derivative_memory *d)
{
  if (d != NULL) free(d->memory);
  free(d);
}

srs_status srs_check_derivative_memory(srs_workspace *w)
{
  if (w->derivatives != NULL) return SRS_OK;
  return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "",
                            "derivatives need memory: call srs_workspace_reserve_derivatives once before");
}
