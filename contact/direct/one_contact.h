// The exact impulse of a single contact. Internal.
#pragma once
#include <sarrus/base.h>

#include <stddef.h>

/// Solves a single contact: w = W x + b, rows n and d tangents, exact cone.
/// @param d     0 … 3
/// @param W     (1 + d) x (1 + d), rows first; need not be symmetric
/// @param mu    friction coefficient
/// @param x     1 + d, out
/// @return iterations of the slip equation (0: separates or sticks); -1 when none was found (x is then a guess)
int srs_one_contact(int d, const double *W, const double *b, double mu, double *x);

/// The same with one tangent, W's second row `stride` from its first.
int srs_planar_contact(const double *W, size_t stride, const double *b, double mu, double *x);
