// Closed loops by elimination along the tree: the impulses of all loops' rows in a time that goes with the links.
// Internal.
//
// W = J M^-1 J^T couples every loop of a chain with every other and is dense, but [M J^T; J 0] is as sparse as the tree
// and its loops. A loop whose rows meet at link a leaves nothing beyond a but a stiffer inertia of a, so its rows are
// eliminated there (Brandl, Johanni & Otter 1988; Popov & Vereshchagin; docs/theory.md, section 12). For loops that
// reach over a bounded number of links this takes O(links), against O(rows * links + rows^3) by W.
#pragma once
#include "engine/dynamics/step_row.h"

/// What is fixed about a loop: how many rows it has, and on which links each of them has its sides.
typedef struct srs_loop_shape {
  int n_rows, n_sides;
  int link[SRS_ROW_SIDES]; // of a coordinate: the link that its joint carries
  bool is_on_coordinates;  // the sides are coordinates of those links' joints, else wrenches on the links
} srs_loop_shape;

typedef struct srs_elimination srs_elimination;

/// Plans the elimination. Allocates.
/// @param shapes  of all loops, in the order of their rows
/// @param always  false: *out stays NULL where W takes less time: there are few rows, or they reach over each other
srs_status srs_elimination_create(srs_workspace *w, const srs_loop_shape *shapes, int n_loops, bool always,
                                  srs_elimination **out);
void srs_elimination_destroy(srs_elimination *elimination);

/// Rank and pivots of the rows, of the last factor. A loop's rows are taken with the link held at which they meet, and
/// scaled to a diagonal of 1.
typedef struct srs_elimination_report {
  int rank, n_moving; // independent rows; rows that move anything at all
  double least_pivot; // of the independent ones; 1 where there are none
  double least_own;   // likewise in the rows' own units, and the row that has it; -1 where there is none
  int weakest;
  const double *mobility; // rows: what each row moves while the link is held at which it ends, 0 where nothing
} srs_elimination_report;

/// Factors at the links' placements. Leaves the workspace's pivots as they are. Allocates nothing.
/// @param rows       the loops' rows in their order; each struct of `stride` bytes starts with its srs_step_row
/// @param with_tree  what resists each coordinate is what the workspace's pivots, of this configuration, have; else the
/// armature alone
/// @return false where it cannot be said for certain which rows depend on others, or where rows of different loops do,
/// or where nothing resists a coordinate: then use W
bool srs_elimination_factor(srs_elimination *elimination, const void *rows, size_t stride, bool with_tree,
                            srs_elimination_report *report);

/// The impulses lambda with J M^-1 J^T lambda = -x, the least ones where rows depend on each other; dv = M^-1 J^T
/// lambda. Overwrites w->acceleration. Allocates nothing.
/// @param x       n_rows   @param lambda  n_rows, out   @param dv  nv, out
/// @param moved   n_rows, out: J dv, by the motion of the links
void srs_elimination_solve(srs_elimination *elimination, const double *x, double *lambda, double *dv, double *moved);
