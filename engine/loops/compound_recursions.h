// The recursions with embedded loops as compound links. Internal.
#pragma once
#include "engine/loops/compound.h"

/// The passes of forward dynamics in and out, after srs_embedding_map and _drift, for bodies whose inertias and forces
/// have been started.  @param bad_v  out, with SRS_ERROR_SINGULAR
srs_status srs_compound_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v);

/// As srs_respond.
void srs_compound_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv);

/// Lambda of rows that all lie on the tree (srs_workspace) with this root, a response a row: O(n_rows * links).
/// By the pivots that srs_compound_solve left.
void srs_compound_lambda(srs_workspace *w, int tree, const srs_row *rows, int n_rows, double *lambda);
