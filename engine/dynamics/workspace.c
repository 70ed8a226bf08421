// Where do the recursions keep what they compute? Everything is taken here, in one block, once.

#include "engine/dynamics/workspace.h"
#include "engine/dynamics/block.h"
#include "engine/loops/embedding.h"
#include "topology/base/errors.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 8 };

static size_t padded(size_t n) { return (n + PADDING - 1) / PADDING * PADDING; }

static size_t lay_out(srs_workspace *w, char *base)
{
  const size_t n = (size_t)w->model->n_links, nv = (size_t)w->model->nv;
  const size_t n_angles = padded((size_t)w->model->n_angles);
  size_t used = 0;
  w->v_stride = padded(nv);
  w->place = srs_block_take(base, &used, n, sizeof *w->place);
  w->velocity = srs_block_take(base, &used, n, sizeof *w->velocity);
  w->acceleration = srs_block_take(base, &used, n, sizeof *w->acceleration);
  w->force = srs_block_take(base, &used, n, sizeof *w->force);
  w->bodies = srs_block_take(base, &used, n, sizeof *w->bodies);
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
  return used;
}

srs_status srs_workspace_create(const srs_model *model, srs_workspace **workspace, srs_error *error)
{
  if (workspace != NULL) *workspace = NULL;
  if (model == NULL || workspace == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a workspace needs a model and a place to be put");
  const size_t room = (sizeof(srs_workspace) + SRS_BLOCK_ALIGNMENT - 1) / SRS_BLOCK_ALIGNMENT * SRS_BLOCK_ALIGNMENT;
  srs_workspace *w = aligned_alloc(SRS_BLOCK_ALIGNMENT, room); // it holds vectors of 32 bytes, and calloc promises 16
  if (w != NULL) {
    memset(w, 0, room);
    w->model = model;
    w->gravity = (v3){0, 0, -9.81, 0};
    const size_t size = lay_out(w, NULL);
    w->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
    if (w->memory != NULL) {
      memset(w->memory, 0, size);
      lay_out(w, w->memory);
      for (int k = 0; k < model->n_links; k++) w->root[k] = model->parent[k] < 0 ? k : w->root[model->parent[k]];
      w->tree = w->root;
    }
  }
  const int rows = 6 * model->n_links + 36;
  if (w == NULL || w->memory == NULL || srs_workspace_reserve_rows(w, rows) != SRS_OK ||
      srs_embedding_create(w, &w->embedding) != SRS_OK) {
    srs_workspace_destroy(w);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a workspace of %d links", model->n_links);
  }
  *workspace = w;
  return SRS_OK;
}

void srs_workspace_destroy(srs_workspace *workspace)
{
  if (workspace == NULL) return;
  free(workspace->memory);
  free(workspace->row_memory);
  srs_embedding_destroy(workspace->embedding);
  free(workspace);
}

srs_status srs_workspace_reserve_rows(srs_workspace *w, int n_rows)
{
  if (w == NULL || n_rows < 0) return SRS_ERROR_ARGUMENT;
  if (n_rows <= w->row_capacity) return SRS_OK;
  const size_t n = padded((size_t)n_rows);
  const size_t size = n * (sizeof(srs_row) + 7 * sizeof(double) + sizeof(int));
  char *memory =
      aligned_alloc(SRS_BLOCK_ALIGNMENT, (size + SRS_BLOCK_ALIGNMENT - 1) / SRS_BLOCK_ALIGNMENT * SRS_BLOCK_ALIGNMENT);
  if (memory == NULL) return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory for %d constraint rows", n_rows);
  free(w->row_memory);
  w->row_memory = memory;
  w->row_capacity = (int)n;
  w->node_rows = (srs_row *)(void *)memory;
  w->node_force = (double *)(void *)(w->node_rows + n);
  w->node_product = w->node_force + 6 * n;
  w->node_order = (int *)(void *)(w->node_product + n);
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

srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
{
  w->error = (srs_error){.status = status};
  srs_print(w->error.subject, sizeof w->error.subject, "%s", subject);
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(w->error.message, sizeof w->error.message, format, arguments);
  va_end(arguments);
  return status;
}

// "q", "v", "a", "tau" have names for their entries; other arrays only have numbers.
static const char *entry_name(const srs_model *m, const char *what, int n, int i)
{
  if (strcmp(what, "q") == 0 && n == m->nq) return m->q_names[i];
  if (n == m->nv && (strcmp(what, "v") == 0 || strcmp(what, "a") == 0 || strcmp(what, "tau") == 0))
    return m->v_names[i];
  return NULL;
}

int srs_first_not_finite(const double *x, int n)
{
  double sum = 0; // 0 * x is 0 for every finite x, NaN otherwise
  for (int i = 0; i < n; i++) sum += 0 * x[i];
  if (sum == 0) return -1;
  int i = 0;
  while (i < n - 1 && isfinite(x[i])) i++;
  return i;
}

srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n)
{
  const int i = srs_first_not_finite(x, n);
  if (i < 0) return SRS_OK;
  const char *name = entry_name(w->model, what, n, i);
  if (name != NULL)
    return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, name, "%s of '%s' is not a finite number", what, name);
  return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, what, "entry %d of %s is not a finite number", i, what);
}

srs_status srs_workspace_singular(srs_workspace *w, int v_index)
{
  const srs_model *m = w->model;
  const int link = m->link_of_v[v_index];
  return srs_workspace_fail(
      w, SRS_ERROR_SINGULAR, m->joints[link].name,
      "in this configuration nothing resists joint '%s': link '%s' and all that it carries have no "
      "inertia about it; give one of them mass, or the joint an armature",
      m->joints[link].name, m->links[link].name);
}
