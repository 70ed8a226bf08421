// What impulse answers at one contact? Internal.
#pragma once
#include <sarrus/base.h>

/// Solves a single contact: w = W x + b, three rows (n, t1, t2), exact cone.
/// @param W     9, rows first; need not be symmetric
/// @param mu    friction coefficient
/// @param x     3, out
/// @return iterations of the slip equation (0: it parts or sticks); -1 when no answer was found (x is then a guess)
int srs_one_contact(const double W[9], const double b[3], double mu, double x[3]);
