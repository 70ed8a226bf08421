// Forward dynamics of a mechanism: chooses between the tree's recursions and those with compound links. While
// w->is_embedded is set, embedded loops move as compound links of their independent coordinates
// (compound_recursions.c); otherwise each joint moves by itself (engine/dynamics).

#include "engine/loops/mechanism.h"
#include "engine/derivatives/memory.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/forward_dynamics.h"
#include "engine/elimination/elimination.h"
#include "engine/loops/closure.h"
#include "engine/loops/compound_recursions.h"
#include "engine/loops/embedding.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

srs_status srs_workspace_create(const srs_model *model, srs_workspace **workspace, srs_error *error)
{
  if (workspace != NULL) *workspace = NULL;
  if (model == NULL || workspace == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a workspace needs a model and a place to be put");
  srs_workspace *w = NULL;
  const srs_status status = srs_workspace_take(model, &w, error);
  if (status != SRS_OK) return status;
  if (srs_embedding_create(w, &w->embedding) != SRS_OK) {
    srs_workspace_destroy(w);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a workspace of %d links", model->n_links);
  }
  *workspace = w;
  return SRS_OK;
}

void srs_workspace_destroy(srs_workspace *workspace)
{
  if (workspace == NULL) return;
  srs_embedding_destroy(workspace->embedding);
  srs_derivative_memory_destroy(workspace->derivatives);
  srs_elimination_destroy(workspace->elimination);
  srs_workspace_release(workspace);
}

srs_status srs_plan_elimination(srs_workspace *w, bool always)
{
  const srs_model *m = w->model;
  const int n_loops = srs_model_n_loops(m);
  if (w->embedding != NULL || n_loops == 0) return SRS_OK;
  srs_loop_shape *shapes = calloc((size_t)n_loops, sizeof *shapes);
  if (shapes == NULL) return SRS_ERROR_MEMORY;
  for (int i = 0; i < n_loops; i++) shapes[i] = srs_shape_of_loop(m, i);
  srs_elimination_destroy(w->elimination);
  const srs_status status = srs_elimination_create(w, shapes, n_loops, always, &w->elimination);
  free(shapes);
  return status;
}

srs_status srs_solve_forward(srs_workspace *w, const double *q, const double *v, const double *tau, const double *extra,
                             const double *wrenches, double *a, int *bad_v)
{
  srs_forward_start(w, q, v, wrenches);
  if (extra == NULL) extra = w->zero_v;
  return w->is_embedded ? srs_compound_solve(w, tau, extra, a, bad_v) : srs_tree_solve(w, tau, extra, a, bad_v);
}

void srs_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv)
{
  if (w->is_embedded)
    srs_compound_respond(w, impulse, tau, dv);
  else
    srs_tree_respond(w, impulse, tau, dv);
}

void srs_delassus_of_tree(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *lambda)
{
  if (w->is_embedded)
    srs_compound_delassus(w, root, rows, n_rows, lambda);
  else
    srs_tree_delassus(w, root, rows, n_rows, lambda);
}

srs_status srs_embedded_acceleration(srs_workspace *w, const double *q, const double *v, const double *tau,
                                     const double *wrenches, double *a)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->embedding == NULL) return srs_forward_dynamics(w, q, v, tau, wrenches, a);
  srs_status status = srs_check_forward_call(w, q, v, tau, wrenches, a);
  if (status != SRS_OK) return status;
  double *moving = w->embedding->v;
  memcpy(moving, v, (size_t)w->model->nv * sizeof *v);
  status = srs_embedding_prepare(w, q, moving);
  if (status != SRS_OK) return status;
  int bad = -1;
  w->is_embedded = true;
  status = srs_solve_forward(w, q, moving, tau, NULL, wrenches, w->scratch_v, &bad);
  w->is_embedded = false;
  return srs_forward_answer(w, status, bad, a);
}
