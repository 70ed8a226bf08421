// Derivatives and the matrices of momentum at a state: each is one call of <sarrus/derivatives.h> and its matrices.

#include "engine/cli/eval/derivatives.h"
#include "engine/cli/shared/messages.h"
#include <sarrus/derivatives.h>

#include <stdlib.h>

enum { MOST = 3 };

// Up to three matrices of nv columns.
typedef struct matrices {
  int n, nv;
  const char *names[MOST];
  int rows[MOST];
  double *values[MOST];
} matrices;

static void free_matrices(matrices *m)
{
  for (int i = 0; i < m->n; i++) free(m->values[i]);
}

// Takes them and the workspace's memory.
static srs_status take(const srs_query *query, matrices *m, srs_error *error)
{
  srs_status status = srs_workspace_reserve_derivatives(query->workspace);
  m->nv = srs_model_nv(query->state->model);
  for (int i = 0; i < m->n; i++) {
    m->values[i] = calloc((size_t)m->rows[i] * (size_t)m->nv + 1, sizeof(double));
    if (m->values[i] == NULL) status = SRS_ERROR_MEMORY;
  }
  if (status != SRS_OK) srs_report_fill(error, status, "out of memory for derivatives of %d coordinates", m->nv);
  return status;
}

static void write_members(const matrices *m, srs_json *json, const char *key)
{
  srs_json_object(json, key);
  for (int i = 0; i < m->n; i++) srs_json_matrix(json, m->names[i], m->values[i], m->rows[i], m->nv);
  srs_json_close(json);
}

static const double *part(const srs_query *query, srs_state_part which) { return query->state->parts[which]; }

// Writes the matrices where the call has succeeded, and frees them.
static srs_status end(const srs_query *query, matrices *m, srs_status status, srs_json *json, srs_error *error)
{
  if (status == SRS_OK)
    write_members(m, json, "value");
  else
    *error = *srs_workspace_error(query->workspace);
  free_matrices(m);
  return status;
}

srs_status srs_write_inverse_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  matrices m = {3, nv, {"dtau_dq", "dtau_dv", "dtau_da"}, {nv, nv, nv}, {NULL}};
  const srs_status status = take(query, &m, error);
  if (status != SRS_OK) return free_matrices(&m), status;
  return end(query, &m,
             srs_inverse_dynamics_derivatives(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                                              part(query, SRS_STATE_A), NULL, m.values[0], m.values[1], m.values[2]),
             json, error);
}

srs_status srs_write_forward_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  matrices m = {3, nv, {"da_dq", "da_dv", "da_dtau"}, {nv, nv, nv}, {NULL}};
  const srs_status status = take(query, &m, error);
  if (status != SRS_OK) return free_matrices(&m), status;
  return end(query, &m,
             srs_forward_dynamics_derivatives(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                                              part(query, SRS_STATE_TAU), NULL, NULL, m.values[0], m.values[1],
                                              m.values[2]),
             json, error);
}

srs_status srs_write_frame_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  matrices m = {3, 0, {"dvelocity_dq", "dacceleration_dq", "dacceleration_dv"}, {6, 6, 6}, {NULL}};
  srs_status status = take(query, &m, error);
  if (status != SRS_OK) return free_matrices(&m), status;
  srs_json_object(json, "value");
  for (int i = 0; i < query->n_frames && status == SRS_OK; i++) {
    status = srs_frame_derivatives(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                                   part(query, SRS_STATE_A), query->frames[i], SRS_AXES_WORLD, m.values[0], m.values[1],
                                   m.values[2]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
    if (status == SRS_OK) write_members(&m, json, srs_model_frame(query->state->model, query->frames[i])->name);
  }
  srs_json_close(json);
  free_matrices(&m);
  return status;
}

srs_status srs_write_coriolis_matrix(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  matrices m = {1, nv, {NULL}, {nv}, {NULL}};
  srs_status status = take(query, &m, error);
  if (status == SRS_OK) {
    status = srs_coriolis_matrix(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V), m.values[0]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  }
  if (status == SRS_OK) srs_json_matrix(json, "value", m.values[0], nv, nv);
  free_matrices(&m);
  return status;
}

srs_status srs_write_centroidal_momentum_matrix(const srs_query *query, srs_json *json, srs_error *error)
{
  matrices m = {3, 0, {"matrix", "rate", "com_jacobian"}, {6, 6, 3}, {NULL}};
  const srs_status status = take(query, &m, error);
  if (status != SRS_OK) return free_matrices(&m), status;
  return end(query, &m,
             srs_centroidal_momentum_matrix(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                                            m.values[0], m.values[1], m.values[2]),
             json, error);
}
