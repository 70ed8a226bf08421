// See matrices.h.
#include "engine/cli/eval/matrices.h"
#include "engine/cli/shared/messages.h"
#include <sarrus/derivatives.h>

#include <stdlib.h>

void srs_matrices_free(srs_matrices *m)
{
  for (int i = 0; i < m->n; i++) free(m->values[i]);
}

srs_status srs_matrices_take(const srs_query *query, srs_matrices *m, srs_error *error)
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

void srs_matrices_write(const srs_matrices *m, srs_json *json, const char *key)
{
  srs_json_object(json, key);
  for (int i = 0; i < m->n; i++) srs_json_matrix(json, m->names[i], m->values[i], m->rows[i], m->nv);
  srs_json_close(json);
}

const double *srs_query_part(const srs_query *query, srs_state_part which) { return query->state->parts[which]; }

srs_status srs_matrices_end(const srs_query *query, srs_matrices *m, srs_status call, srs_json *json, srs_error *error)
{
  if (call == SRS_OK)
    srs_matrices_write(m, json, "value");
  else
    *error = *srs_workspace_error(query->workspace);
  srs_matrices_free(m);
  return call;
}
