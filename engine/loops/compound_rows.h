// The rows of an embedded loop over its joints, and their QR factors. Internal.
#pragma once
#include "engine/loops/compound.h"

/// Fills the rows of a compound's loops at the links' placements: G into c->G, and -G of the independent coordinates
/// into the first n_independent right-hand sides.
void srs_compound_fill_rows(const srs_workspace *w, srs_compound *c);

/// Factors G (compound_rows.c).
/// @return the place among `dependent` of a coordinate that is not determined; -1: all are
int srs_compound_factor(srs_compound *c);

/// Solves G x = right by least squares.
/// @param right  n_rows, in; out: x in its first entries, in the order of the factors
/// @return the residual's length, relative to that of right
double srs_compound_follow(const srs_compound *c, double *right);

/// The least-norm x with G^T x = right.
/// @param right  n_rows, in: n_dependent entries in the order of the factors; out: x
void srs_compound_loads(const srs_compound *c, double *right);
