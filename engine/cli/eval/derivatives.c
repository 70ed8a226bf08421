// Derivatives and the matrices of momentum at a state: each is one call of <sarrus/derivatives.h> and its matrices.

#include "engine/cli/eval/derivatives.h"
#include "engine/cli/eval/matrices.h"
#include <sarrus/derivatives.h>

srs_status srs_write_inverse_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  srs_matrices m = {3, nv, {"dtau_dq", "dtau_dv", "dtau_da"}, {nv, nv, nv}, {NULL}};
  const srs_status status = srs_matrices_take(query, &m, error);
  if (status != SRS_OK) return srs_matrices_free(&m), status;
  return srs_matrices_end(query, &m,
                          srs_inverse_dynamics_derivatives(
                              query->workspace, srs_query_part(query, SRS_STATE_Q), srs_query_part(query, SRS_STATE_V),
                              srs_query_part(query, SRS_STATE_A), NULL, m.values[0], m.values[1], m.values[2]),
                          json, error);
}

srs_status srs_write_forward_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  srs_matrices m = {3, nv, {"da_dq", "da_dv", "da_dtau"}, {nv, nv, nv}, {NULL}};
  const srs_status status = srs_matrices_take(query, &m, error);
  if (status != SRS_OK) return srs_matrices_free(&m), status;
  return srs_matrices_end(query, &m,
                          srs_forward_dynamics_derivatives(
                              query->workspace, srs_query_part(query, SRS_STATE_Q), srs_query_part(query, SRS_STATE_V),
                              srs_query_part(query, SRS_STATE_TAU), NULL, NULL, m.values[0], m.values[1], m.values[2]),
                          json, error);
}

srs_status srs_write_frame_derivatives(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_matrices m = {3, 0, {"dvelocity_dq", "dacceleration_dq", "dacceleration_dv"}, {6, 6, 6}, {NULL}};
  srs_status status = srs_matrices_take(query, &m, error);
  if (status != SRS_OK) return srs_matrices_free(&m), status;
  srs_json_object(json, "value");
  for (int i = 0; i < query->n_frames && status == SRS_OK; i++) {
    status = srs_frame_derivatives(query->workspace, srs_query_part(query, SRS_STATE_Q),
                                   srs_query_part(query, SRS_STATE_V), srs_query_part(query, SRS_STATE_A),
                                   query->frames[i], SRS_AXES_WORLD, m.values[0], m.values[1], m.values[2]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
    if (status == SRS_OK) srs_matrices_write(&m, json, srs_model_frame(query->state->model, query->frames[i])->name);
  }
  srs_json_close(json);
  srs_matrices_free(&m);
  return status;
}

srs_status srs_write_coriolis_matrix(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = srs_model_nv(query->state->model);
  srs_matrices m = {1, nv, {NULL}, {nv}, {NULL}};
  srs_status status = srs_matrices_take(query, &m, error);
  if (status == SRS_OK) {
    status = srs_coriolis_matrix(query->workspace, srs_query_part(query, SRS_STATE_Q),
                                 srs_query_part(query, SRS_STATE_V), m.values[0]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  }
  if (status == SRS_OK) srs_json_matrix(json, "value", m.values[0], nv, nv);
  srs_matrices_free(&m);
  return status;
}

srs_status srs_write_centroidal_momentum_matrix(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_matrices m = {3, 0, {"matrix", "rate", "com_jacobian"}, {6, 6, 3}, {NULL}};
  const srs_status status = srs_matrices_take(query, &m, error);
  if (status != SRS_OK) return srs_matrices_free(&m), status;
  return srs_matrices_end(query, &m,
                          srs_centroidal_momentum_matrix(query->workspace, srs_query_part(query, SRS_STATE_Q),
                                                         srs_query_part(query, SRS_STATE_V), m.values[0], m.values[1],
                                                         m.values[2]),
                          json, error);
}
