// Limits of cones, twists and loop joints that a configuration passes, as rows. Internal.
#pragma once
#include "engine/loops/closure.h"

/// Limits that are not those of one coordinate: cones and twists of ball joints, and the coordinates that joint and
/// prismatic closures leave free. Indices are below the first number, and the second says how many there are.
int srs_n_further_limits(const srs_model *m);
int srs_count_further_limits(const srs_model *m);

/// A row for each of them that is passed at a configuration, after srs_place_links: its gap is by how far, positive
/// beyond the upper one. Allocates nothing.
/// @param ignored  srs_n_further_limits, or NULL: those that do not count
/// @param rows     srs_count_further_limits, out; their `closure` is negative
/// @return their number
int srs_passed_limits(const srs_workspace *w, const double *q, const bool *ignored, srs_closure_row *rows);

/// Which limit such a row is of, and the name of its joint or closure.
int srs_further_limit(const srs_closure_row *row);
const char *srs_further_limit_name(const srs_model *m, int limit);
