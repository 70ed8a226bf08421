// Rows of constraints as the recursion takes them. Internal.
#pragma once
#include "engine/workspace.h"

/// Lambda = J M^-1 J^T of rows, each a force on one link, after srs_place_links (and with M + diag(extra) for M; extra
/// may be NULL).
/// @param lambda  n_rows x n_rows, out; rows of link -1 are zero
/// @param bad_v   out: with SRS_ERROR_SINGULAR, the coordinate that nothing resists
srs_status srs_lambda(srs_workspace *w, const srs_row *rows, int n_rows, const double *extra, double *lambda,
                      int *bad_v);

/// The same for rows that all lie on the tree with this root, by the pivots that srs_solve_forward left.
void srs_lambda_of_tree(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *lambda);

/// What impulses on links change: dv = (M + diag(extra))^-1 J^T impulse, by the pivots that srs_solve_forward left.
/// @param impulse  n_links: on each link about its origin, world axes; overwritten
/// @param dv       nv, out
void srs_respond(srs_workspace *w, v6 *impulse, double *dv);
