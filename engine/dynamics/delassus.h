// Delassus matrices of rows of constraints. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// W = J M^-1 J^T of rows, each a force on one link or one coordinate, after srs_place_links; with M + diag(extra) for
/// M unless extra is NULL.
/// @param W      n_rows x n_rows, out; rows of link -1 are zero
/// @param bad_v  out: with SRS_ERROR_SINGULAR, the coordinate that nothing resists
srs_status srs_delassus_of_rows(srs_workspace *w, const srs_row *rows, int n_rows, const double *extra, double *W,
                                int *bad_v);

/// The same for rows that all lie on the tree (w->tree) with this root, by the pivots that srs_tree_solve left.
void srs_tree_delassus(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *W);

/// The pivots alone, after srs_place_links, of (M + diag(extra)); extra may be NULL.  @param bad_v  as
/// srs_delassus_of_rows's
srs_status srs_find_pivots(srs_workspace *w, const double *extra, int *bad_v);

/// Whether a row of W moves nothing: its diagonal entry is a rounding error of its parts, the terms that it is the sum
/// of.
static inline bool srs_row_is_idle(double diagonal, double parts) { return !(diagonal > 1e-13 * parts); }
