// Forward dynamics, responses and the Delassus matrix of a mechanism, with embedded loops as compound links. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// Forward dynamics without checks: (M + diag(extra)) a = tau - c + J^T f. extra may be NULL.
/// On SRS_ERROR_SINGULAR *bad_v is the coordinate that nothing resists.
srs_status srs_solve_forward(srs_workspace *w, const double *q, const double *v, const double *tau, const double *extra,
                             const double *wrenches, double *a, int *bad_v);

/// The response to impulses: dv = (M + diag(extra))^-1 (J^T impulse + tau), by the pivots of the last
/// srs_solve_forward.
/// @param impulse  n_links: on each link about its origin, world axes; overwritten
/// @param tau      nv: on the coordinates themselves; NULL for none
/// @param dv       nv, out; not tau
void srs_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv);

/// The Delassus matrix of rows that all lie on the tree (w->tree) with this root, by the pivots of the last
/// srs_solve_forward.  @param lambda  n_rows x n_rows, out
void srs_delassus_of_tree(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *lambda);

/// Plans w->elimination for the model's loops where it takes less time than their matrix; `always`: wherever there are
/// loops and none of them is embedded. Allocates.
srs_status srs_plan_elimination(srs_workspace *w, bool always);
