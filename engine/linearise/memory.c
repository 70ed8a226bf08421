// The memory of a linearisation: one block for the model, and one for the rows of a step, which grows with its
// contacts.

#include "contact/algebra/dense.h"
#include "engine/dynamics/block.h"
#include "engine/linearise/linearisation.h"
#include "engine/rows/contact_rows.h"
#include "topology/base/errors.h"
#include "topology/model/model.h"

#include <stdlib.h>
#include <string.h>

static double *take(void *base, size_t *used, size_t count)
{
  return srs_block_take(base, used, count, sizeof(double));
}

static size_t lay_out(srs_linearisation *l, const srs_model *m, void *base)
{
  const size_t nv = (size_t)l->nv, nq = (size_t)m->nq, stride = (size_t)l->stride, all = (size_t)l->n_columns * nv;
  size_t used = 0;
  l->q = take(base, &used, nq), l->q_up = take(base, &used, nq);
  double **const vectors[] = {&l->v,     &l->tau,       &l->v_free,       &l->v_plus,      &l->a,       &l->moved,
                              &l->force, &l->force_up,  &l->load,         &l->load_up,     &l->scratch, &l->zero,
                              &l->v_up,  &l->push_load, &l->push_load_up, &l->scratch_push};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = take(base, &used, stride);
  double **const columns[] = {&l->dforce, &l->dload,  &l->dpush, &l->dfree_a, &l->dfree,  &l->dplus,
                              &l->dmoved, &l->dfirst, &l->drows, &l->dq_next, &l->dv_next};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) *columns[i] = take(base, &used, all);
  double **const squares[] = {&l->mass, &l->factor, &l->iterated, &l->by_v, &l->by_q, &l->by_q_rows, &l->by_q_push};
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) *squares[i] = take(base, &used, stride * stride);
  l->by_q_spare = take(base, &used, 3 * stride);
  double **const of_parameters[] = {&l->dneed, &l->dneed_rows, &l->dneed_push};
  for (size_t i = 0; i < 3; i++) *of_parameters[i] = take(base, &used, (size_t)l->n_parameters * nv);
  l->wrench = take(base, &used, 6 * (size_t)m->n_links), l->push_wrench = take(base, &used, 6 * (size_t)m->n_links);
  l->push_line = srs_block_take(base, &used, (size_t)m->n_links, sizeof *l->push_line);
  l->is_solved = srs_block_take(base, &used, nv, sizeof *l->is_solved);
  l->pivot = srs_block_take(base, &used, nv, sizeof *l->pivot);
  return used;
}

static size_t lay_out_lines(srs_linearisation *l, const struct srs_constraints *c, void *base)
{
  const size_t room = (size_t)l->room, nv = (size_t)l->nv, columns = (size_t)l->n_columns;
  const size_t contacts = (size_t)l->capacity, scalars = (size_t)c->scalar_capacity;
  size_t used = 0;
  l->lines = srs_block_take(base, &used, room, sizeof *l->lines);
  l->up = srs_block_take(base, &used, room, sizeof *l->up);
  l->down = srs_block_take(base, &used, room, sizeof *l->down);
  l->coarse = srs_block_take(base, &used, room, sizeof *l->coarse);
  l->scalars = srs_block_take(base, &used, scalars, sizeof *l->scalars);
  l->active = srs_block_take(base, &used, contacts, sizeof *l->active);
  l->candidates = srs_block_take(base, &used, contacts, sizeof *l->candidates);
  l->weak = srs_block_take(base, &used, (size_t)l->weak_room, sizeof *l->weak);
  l->jacobian = take(base, &used, room * nv), l->response = take(base, &used, room * nv);
  l->drow = take(base, &used, columns * room), l->dbound = take(base, &used, columns * room);
  l->dway = take(base, &used, columns * room);
  l->dgap = take(base, &used, (size_t)l->n_parameters * room);
  l->dfriction = take(base, &used, (size_t)l->n_parameters * room);
  l->matrix = take(base, &used, room * room);
  l->right = take(base, &used, room), l->scratch_lines = take(base, &used, room);
  l->order = srs_block_take(base, &used, room, sizeof *l->order);
  l->rows_kept = srs_block_take(base, &used, room, sizeof *l->rows_kept);
  l->columns = srs_block_take(base, &used, room, sizeof *l->columns);
  return used;
}

static void *take_block(size_t size)
{
  void *block = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
  if (block != NULL) memset(block, 0, size);
  return block;
}

srs_status srs_linearisation_reserve(srs_linearisation *l, int n_lines)
{
  const struct srs_constraints *c = l->twin->constraints;
  if (l->room > 0 && n_lines <= l->room && c->capacity <= l->capacity) return SRS_OK;
  free(l->line_memory);
  l->line_memory = NULL;
  l->room = n_lines + n_lines / 2 + 8;
  l->capacity = c->capacity;
  l->weak_room = 2 * l->room;
  l->line_memory = take_block(lay_out_lines(l, c, NULL));
  if (l->line_memory == NULL) {
    l->room = 0;
    return srs_fail(&l->error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory to linearise %d rows", n_lines);
  }
  lay_out_lines(l, c, l->line_memory);
  l->report.weak = l->weak;
  return SRS_OK;
}

srs_status srs_linearisation_take(srs_linearisation *l)
{
  const srs_model *m = l->twin->model;
  free(l->memory);
  l->memory = NULL;
  l->n_columns = 3 * l->nv + l->n_parameters;
  l->memory = take_block(lay_out(l, m, NULL));
  if (l->memory == NULL) return SRS_ERROR_MEMORY;
  lay_out(l, m, l->memory);
  l->room = 0; // the rows' memory is made anew
  return l->twin->constraints != NULL ? srs_linearisation_reserve(l, l->twin->constraints->scalar_capacity) : SRS_OK;
}

static srs_status refuse(srs_error *error, const char *subject, const char *what)
{
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, subject, "linearisation does not offer %s", what);
}

static srs_status check_offer(const srs_sim *sim, srs_error *error)
{
  const srs_sim_options *o = &sim->options;
  if (o->integrator != SRS_SEMI_IMPLICIT_EULER) {
    char what[96];
    srs_print(what, sizeof what, "the integrator %s: use %s", srs_integrator_name(o->integrator),
              srs_integrator_name(SRS_SEMI_IMPLICIT_EULER));
    return refuse(error, "integrator", what);
  }
  if (sim->workspace->embedding != NULL) return refuse(error, "embed", "embedded loops: do not embed them");
  if (o->implicit_gyroscopic) return refuse(error, "implicit_gyroscopic", "implicit_gyroscopic: leave it off");
  if (sim->constraints == NULL) return SRS_OK;
  if (o->contact.normal == SRS_NORMAL_HART) return refuse(error, "contact.normal", "the normal law hart: use gap");
  if (sim->constraints->corners != SRS_CORNERS_CONVEX) return refuse(error, "contact.corners", "corners: use convex");
  if (!sim->constraints->is_round)
    return refuse(error, "contact.torsional", "torsional, rolling or anisotropic friction of shapes");
  return SRS_OK;
}

static srs_status take_parts(const srs_sim *sim, srs_linearisation *l, srs_error *error)
{
  static const double none[3] = {0, 0, 0};
  srs_sim_options options = sim->options;
  options.energy_balance = false;
  srs_status status = srs_sim_create(sim->own.source, &options, &l->twin, error);
  if (status == SRS_OK) status = srs_workspace_create(l->twin->model, &l->dynamics, error);
  if (status == SRS_OK) status = srs_workspace_create(l->twin->model, &l->weightless, error);
  if (status == SRS_OK) status = srs_workspace_reserve_derivatives(l->dynamics);
  if (status != SRS_OK) return status;
  (void)srs_workspace_set_gravity(l->weightless, none);
  l->twin->watch = srs_linearise_pass;
  l->twin->watcher = l;
  return srs_linearisation_take(l);
}

srs_status srs_linearisation_create(const srs_sim *sim, srs_linearisation **linearisation, srs_error *error)
{
  if (linearisation != NULL) *linearisation = NULL;
  if (sim == NULL || linearisation == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a linearisation needs a sim and a place to be put");
  srs_status status = check_offer(sim, error);
  if (status != SRS_OK) return status;
  srs_linearisation *l = calloc(1, sizeof *l);
  if (l == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a linearisation");
  l->of = sim;
  l->nv = sim->model->nv;
  l->stride = srs_dense_stride(l->nv);
  status = take_parts(sim, l, error);
  if (status == SRS_OK) {
    *linearisation = l;
    return SRS_OK;
  }
  srs_linearisation_destroy(l);
  return status == SRS_ERROR_MEMORY ? srs_fail(error, status, NULL, 0, 0, NULL,
                                               "no memory for a linearisation of %d coordinates", sim->model->nv)
                                    : status;
}

void srs_linearisation_destroy(srs_linearisation *l)
{
  if (l == NULL) return;
  srs_sim_destroy(l->twin);
  srs_workspace_destroy(l->dynamics);
  srs_workspace_destroy(l->weightless);
  free(l->memory);
  free(l->line_memory);
  free(l->parameters);
  free(l);
}
