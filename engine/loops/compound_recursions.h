// The recursions of forward dynamics with embedded loops as compound links. Internal.
#pragma once
#include "engine/loops/compound.h"

/// The inward and outward passes of forward dynamics, after srs_embedding_map and _drift, for bodies whose inertias and
/// forces srs_forward_start has set.  @param bad_v  out, with SRS_ERROR_SINGULAR
srs_status srs_compound_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v);

/// As srs_respond (mechanism.h).
void srs_compound_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv);

/// The Delassus matrix of rows that all lie on the tree (w->tree) with this root, one response per row: O(n_rows *
/// links). Uses the pivots of the last srs_compound_solve.
void srs_compound_delassus(srs_workspace *w, int tree, const srs_row *rows, int n_rows, double *lambda);
