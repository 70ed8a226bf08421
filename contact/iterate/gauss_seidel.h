// Projected Gauss-Seidel (PGS): sweeps over the contacts. Internal.
#pragma once
#include "contact/problem/cone.h"

/// Nonlinear Gauss-Seidel from x, `sweeps` times over all rows.
/// @param x  n, in and out, within its bounds
/// @return false where it diverged to non-finite numbers (x is then zero)
bool srs_gauss_seidel(const srs_cone_problem *problem, int sweeps, double *x);
