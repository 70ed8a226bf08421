// Matrices of nv columns that a call fills and `sarrus eval` writes. Internal.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

enum { SRS_MOST_MATRICES = 4 };

typedef struct srs_matrices {
  int n, nv;
  const char *names[SRS_MOST_MATRICES];
  int rows[SRS_MOST_MATRICES];
  double *values[SRS_MOST_MATRICES];
} srs_matrices;

/// Takes them, and the workspace's memory for derivatives. Free them also on failure.
srs_status srs_matrices_take(const srs_query *query, srs_matrices *matrices, srs_error *error);
void srs_matrices_free(srs_matrices *matrices);

/// An object of this key, a member each.
void srs_matrices_write(const srs_matrices *matrices, srs_json *json, const char *key);

/// Writes them as "value" where the call has succeeded, else passes on the workspace's error; frees them.
srs_status srs_matrices_end(const srs_query *query, srs_matrices *matrices, srs_status call, srs_json *json,
                            srs_error *error);

/// q, v, a or tau of the query.
const double *srs_query_part(const srs_query *query, srs_state_part which);
