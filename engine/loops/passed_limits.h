// Limits of ball joints and loop joints that a configuration exceeds, as rows. Internal.
#pragma once
#include "engine/loops/closure.h"

/// Limits that are no bounds of one entry of q: cones and twists of ball joints, and limits of the coordinates that
/// revolute and prismatic closures leave free. Indices are below srs_n_further_limits; srs_count_further_limits counts
/// those that exist.
int srs_n_further_limits(const srs_model *m);
int srs_count_further_limits(const srs_model *m);

/// A row for each of them that a configuration exceeds, after srs_place_links: its gap is the excess, positive beyond
/// the upper limit. Allocates nothing.
/// @param ignored  srs_n_further_limits, or NULL: limits to leave out
/// @param rows     srs_count_further_limits, out; their `closure` is negative
/// @return their number
int srs_passed_limits(const srs_workspace *w, const double *q, const bool *ignored, srs_closure_row *rows);

/// The index of the limit that such a row belongs to, and the name of its joint or closure.
int srs_further_limit(const srs_closure_row *row);
const char *srs_further_limit_name(const srs_model *m, int limit);
