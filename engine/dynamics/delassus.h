// Rows of constraints as the recursion takes them. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// Lambda = J M^-1 J^T of rows, each a force on one link or one coordinate, after srs_place_links (and with M +
/// diag(extra) for M; extra may be NULL).
/// @param lambda  n_rows x n_rows, out; rows of link -1 are zero
/// @param bad_v   out: with SRS_ERROR_SINGULAR, the coordinate that nothing resists
srs_status srs_lambda(srs_workspace *w, const srs_row *rows, int n_rows, const double *extra, double *lambda,
                      int *bad_v);

/// The same for rows that all lie on the tree (w->tree) with this root, by the pivots that srs_tree_solve left.
void srs_tree_lambda(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *lambda);

/// The pivots alone, after srs_place_links, of (M + diag(extra)); extra may be NULL.  @param bad_v  as srs_lambda's
srs_status srs_find_pivots(srs_workspace *w, const double *extra, int *bad_v);

/// Whether a row of W moves nothing: its diagonal entry is a rounding of the parts that it is the sum of.
static inline bool srs_row_is_idle(double diagonal, double parts) { return !(diagonal > 1e-13 * parts); }
