// Takes the memory of a workspace: one block for all arrays, once.

#include "engine/dynamics/block.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/workspace.h"
#include "engine/levels/levels.h"
#include "topology/base/errors.h"
#include "topology/base/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 8 };

static size_t padded(size_t n) { return (n + PADDING - 1) / PADDING * PADDING; }

static size_t lay_out(srs_workspace *w, char *base)
{
  const size_t n = (size_t)w->model->n_links, nv = (size_t)w->model->nv;
  const size_t n_angles = padded((size_t)w->model->n_angles);
  const size_t one_by_one = w->levels == NULL ? n : 0; // links of inverse dynamics
  size_t used = 0;
  w->v_stride = padded(nv);
  w->place = srs_block_take(base, &used, n, sizeof *w->place);
  w->velocity = srs_block_take(base, &used, n, sizeof *w->velocity);
  w->acceleration = srs_block_take(base, &used, n, sizeof *w->acceleration);
  w->force = srs_block_take(base, &used, n, sizeof *w->force);
  w->own = srs_block_take(base, &used, (one_by_one + LANES - 1) / LANES, sizeof *w->own);
  w->own_place = srs_block_take(base, &used, n, sizeof *w->own_place);
  w->own_axes = srs_block_take(base, &used, one_by_one, sizeof *w->own_axes);
  w->own_column = srs_block_take(base, &used, nv, sizeof *w->own_column);
  w->bodies = srs_block_take(base, &used, n, sizeof *w->bodies);
  w->angles_q = srs_block_take(base, &used, (size_t)w->model->nq, sizeof *w->angles_q);
  w->articulated = srs_block_take(base, &used, n, sizeof *w->articulated);
  w->pivots = srs_block_take(base, &used, nv, sizeof *w->pivots);
  w->column = srs_block_take(base, &used, nv, sizeof *w->column);
  w->cosine = srs_block_take(base, &used, n_angles, sizeof *w->cosine);
  w->sine = srs_block_take(base, &used, n_angles, sizeof *w->sine);
  w->rows = srs_block_take(base, &used, 6 * w->v_stride, sizeof *w->rows);
  w->scratch_v = srs_block_take(base, &used, w->v_stride, sizeof *w->scratch_v);
  w->zero_v = srs_block_take(base, &used, w->v_stride, sizeof *w->zero_v);
  w->upsilon = srs_block_take(base, &used, n, sizeof *w->upsilon);
  w->row_begin = srs_block_take(base, &used, n + 1, sizeof *w->row_begin);
  w->node_fill = srs_block_take(base, &used, n, sizeof *w->node_fill);
  w->root = srs_block_take(base, &used, n, sizeof *w->root);
  w->tips = srs_block_take(base, &used, n, sizeof *w->tips);
  return used;
}

srs_status srs_workspace_take(const srs_model *model, srs_workspace **workspace, srs_error *error)
{
  const size_t room = (sizeof(srs_workspace) + SRS_BLOCK_ALIGNMENT - 1) / SRS_BLOCK_ALIGNMENT * SRS_BLOCK_ALIGNMENT;
  srs_workspace *w = aligned_alloc(SRS_BLOCK_ALIGNMENT, room); // it holds vectors of 32 bytes; calloc aligns to 16
  if (w != NULL) {
    memset(w, 0, room);
    w->model = model;
    w->gravity = (v3){0, 0, -9.81, 0};
    const bool is_ordered = srs_levels_create(model, &w->levels) == SRS_OK;
    const size_t size = lay_out(w, NULL);
    w->memory = is_ordered ? srs_take_pages(size) : NULL;
    if (w->memory != NULL) {
      memset(w->memory, 0, size);
      lay_out(w, w->memory);
      for (int k = 0; k < model->n_links; k++) w->root[k] = model->parent[k] < 0 ? k : w->root[model->parent[k]];
      w->tree = w->root;
      for (int k = 0; k < model->n_links; k++)
        if (model->subtree_end[k] == k + 1) w->tips[w->n_tips++] = k;
    }
  }
  const int rows = 6 * model->n_links + 36;
  if (w == NULL || w->memory == NULL || srs_workspace_reserve_rows(w, rows) != SRS_OK) {
    srs_workspace_release(w);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a workspace of %d links", model->n_links);
  }
  *workspace = w;
  return SRS_OK;
}

void srs_workspace_release(srs_workspace *workspace)
{
  if (workspace == NULL) return;
  srs_levels_destroy(workspace->levels);
  free(workspace->memory);
  free(workspace->row_memory);
  free(workspace);
}

srs_status srs_workspace_reserve_rows(srs_workspace *w, int n_rows)
{
  if (w == NULL || n_rows < 0) return SRS_ERROR_ARGUMENT;
  if (n_rows <= w->row_capacity) return SRS_OK;
  const size_t n = padded((size_t)n_rows), stride = n + PADDING, arrays = 7 + SRS_ROW_SHARES;
  const size_t size = n * (sizeof(srs_row) + sizeof(int)) + arrays * stride * sizeof(double);
  char *memory =
      aligned_alloc(SRS_BLOCK_ALIGNMENT, (size + SRS_BLOCK_ALIGNMENT - 1) / SRS_BLOCK_ALIGNMENT * SRS_BLOCK_ALIGNMENT);
  if (memory == NULL) return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory for %d constraint rows", n_rows);
  free(w->row_memory);
  w->row_memory = memory;
  w->row_capacity = (int)n;
  w->row_stride = stride;
  w->node_rows = (srs_row *)(void *)memory;
  w->node_force = (double *)(void *)(w->node_rows + n);
  w->node_share = w->node_force + 6 * stride;
  w->node_product = w->node_share + SRS_ROW_SHARES * stride;
  w->node_order = (int *)(void *)(w->node_product + stride);
  return SRS_OK;
}

const srs_model *srs_workspace_model(const srs_workspace *workspace)
{
  return workspace != NULL ? workspace->model : NULL;
}

const srs_error *srs_workspace_error(const srs_workspace *workspace)
{
  return workspace != NULL ? &workspace->error : NULL;
}

srs_status srs_workspace_set_gravity(srs_workspace *w, const double gravity[3])
{
  if (w == NULL || gravity == NULL) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_check_finite(w, "gravity", gravity, 3);
  if (status == SRS_OK) w->gravity = v3_load(gravity);
  return status;
}
