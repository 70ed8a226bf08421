// Derivatives through embedded loops: each is one call of srs_embedded_... and its matrices. Before it the embedded
// loops are closed with the independent coordinates as they are, so that the others need not be typed to all digits.

#include "engine/cli/eval/embedded.h"
#include "engine/cli/eval/matrices.h"
#include "engine/cli/shared/messages.h"
#include <sarrus/derivatives.h>
#include <sarrus/loops.h>

#include <stdlib.h>
#include <string.h>

// One call at (q, v, a or tau).
typedef srs_status embedded_call(const srs_query *query, const double *q, double **values);

static const double *v_of(const srs_query *query) { return srs_query_part(query, SRS_STATE_V); }

// Closes the embedded loops.  @param q  nq, out: freed by the caller, also on failure
static srs_status close_loops(const srs_query *query, double **q, srs_error *error)
{
  const srs_model *m = query->state->model;
  const size_t nq = (size_t)srs_model_nq(m);
  bool *frozen = calloc((size_t)srs_model_nv(m) + 1, sizeof *frozen);
  bool *loops = calloc((size_t)srs_model_n_loops(m) + 1, sizeof *loops);
  *q = malloc((nq + 1) * sizeof **q);
  srs_status status = SRS_OK;
  if (frozen == NULL || loops == NULL || *q == NULL) {
    srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d coordinates", srs_model_nq(m));
    status = SRS_ERROR_MEMORY;
  }
  for (int i = 0; i < srs_model_n_closures(m) && status == SRS_OK; i++) {
    const srs_closure *closure = srs_model_closure(m, i);
    loops[i] = closure->is_embedded;
    for (int k = 0; k < closure->n_independent; k++) frozen[closure->independent[k]] = true;
  }
  if (status == SRS_OK) {
    srs_assembly_options options = srs_default_assembly_options();
    options.frozen = frozen, options.loops = loops;
    options.respect_limits = false;
    memcpy(*q, srs_query_part(query, SRS_STATE_Q), nq * sizeof **q);
    status = srs_assemble(query->workspace, &options, *q, NULL);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  }
  free(frozen), free(loops);
  return status;
}

static srs_status write_call(const srs_query *query, srs_matrices m, embedded_call *call, srs_json *json,
                             srs_error *error)
{
  double *q = NULL;
  srs_status status = srs_matrices_take(query, &m, error);
  if (status == SRS_OK) status = close_loops(query, &q, error);
  if (status == SRS_OK)
    status = srs_matrices_end(query, &m, call(query, q, m.values), json, error);
  else
    srs_matrices_free(&m);
  free(q);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The quantities
// ---------------------------------------------------------------------------------------------------------------------

static srs_status call_motion(const srs_query *query, const double *q, double **x)
{
  return srs_embedded_motion_derivatives(query->workspace, q, v_of(query), srs_query_part(query, SRS_STATE_A), x[0],
                                         x[1], x[2], x[3]);
}

srs_status srs_write_embedded_motion(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  const srs_matrices m = {4, nv, {"map", "dv_dq", "da_dq", "da_dv"}, {nv, nv, nv, nv}, {NULL}};
  return write_call(query, m, call_motion, json, error);
}

static srs_status call_inverse(const srs_query *query, const double *q, double **x)
{
  return srs_embedded_inverse_dynamics_derivatives(query->workspace, q, v_of(query), srs_query_part(query, SRS_STATE_A),
                                                   NULL, NULL, x[0], x[1], x[2]);
}

srs_status srs_write_embedded_inverse_dynamics(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  const srs_matrices m = {3, nv, {"dtau_dq", "dtau_dv", "dtau_da"}, {nv, nv, nv}, {NULL}};
  return write_call(query, m, call_inverse, json, error);
}

static srs_status call_forward(const srs_query *query, const double *q, double **x)
{
  return srs_embedded_acceleration_derivatives(query->workspace, q, v_of(query), srs_query_part(query, SRS_STATE_TAU),
                                               NULL, NULL, x[0], x[1], x[2]);
}

srs_status srs_write_embedded_forward_dynamics(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  const srs_matrices m = {3, nv, {"da_dq", "da_dv", "da_dtau"}, {nv, nv, nv}, {NULL}};
  return write_call(query, m, call_forward, json, error);
}

srs_status srs_write_embedded_coriolis(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  srs_matrices m = {1, nv, {NULL}, {nv}, {NULL}};
  double *q = NULL;
  srs_status status = srs_matrices_take(query, &m, error);
  if (status == SRS_OK) status = close_loops(query, &q, error);
  if (status == SRS_OK) {
    status = srs_embedded_coriolis_matrix(query->workspace, q, v_of(query), m.values[0]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  }
  if (status == SRS_OK) srs_json_matrix(json, "value", m.values[0], nv, nv);
  srs_matrices_free(&m);
  free(q);
  return status;
}

static srs_status call_momentum(const srs_query *query, const double *q, double **x)
{
  return srs_embedded_centroidal_momentum_matrix(query->workspace, q, v_of(query), x[0], x[1], x[2]);
}

srs_status srs_write_embedded_momentum(const srs_query *query, srs_json *json, srs_error *error)
{
  const srs_matrices m = {3, 0, {"matrix", "rate", "com_jacobian"}, {6, 6, 3}, {NULL}};
  return write_call(query, m, call_momentum, json, error);
}

srs_status srs_write_embedded_frames(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_matrices m = {
      4, 0, {"dvelocity_dq", "dvelocity_dv", "dacceleration_dq", "dacceleration_dv"}, {6, 6, 6, 6}, {NULL}};
  double *q = NULL;
  srs_status status = srs_matrices_take(query, &m, error);
  if (status == SRS_OK) status = close_loops(query, &q, error);
  srs_json_object(json, "value");
  for (int i = 0; i < query->n_frames && status == SRS_OK; i++) {
    status = srs_embedded_frame_derivatives(query->workspace, q, v_of(query), srs_query_part(query, SRS_STATE_A),
                                            query->frames[i], SRS_AXES_WORLD, m.values[0], m.values[1], m.values[2],
                                            m.values[3]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
    if (status == SRS_OK) srs_matrices_write(&m, json, srs_model_frame(query->state->model, query->frames[i])->name);
  }
  srs_json_close(json);
  srs_matrices_free(&m);
  free(q);
  return status;
}
