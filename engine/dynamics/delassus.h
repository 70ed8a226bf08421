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

/// Upsilon of every link that carries rows, after srs_delassus_of_rows: the motion of the link per force on it.
void srs_find_upsilon(srs_workspace *w);

/// The pivots alone, after srs_place_links, of (M + diag(extra)); extra may be NULL.  @param bad_v  as
/// srs_delassus_of_rows's
srs_status srs_find_pivots(srs_workspace *w, const double *extra, int *bad_v);

/// (M^-1)_ii of all coordinates, their accelerations per unit force, by the pivots of srs_find_pivots. Each joint moves
/// by itself: embedded loops are not held.  @param mobility  nv, out
void srs_find_mobilities(srs_workspace *w, double *mobility);

/// The velocity that a unit force gives to a point of a link along itself, after srs_find_mobilities.  @param force
/// about the link's origin, world axes
double srs_link_mobility(const srs_workspace *w, int link, const v6 *force);

/// Adds those of n forces to `sum`.
void srs_add_link_mobilities(const srs_workspace *w, int link, const v6 *forces, int n, double *sum);

/// Whether a row of W moves nothing: its diagonal entry is a rounding error of its parts, the terms that it is the sum
/// of.
static inline bool srs_row_is_idle(double diagonal, double parts) { return !(diagonal > 1e-13 * parts); }
