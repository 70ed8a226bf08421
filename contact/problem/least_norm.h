// Which of many solutions has the least norm? Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

/// From a solution to the least-norm one with the same velocities, or as far towards it as the cones allow.
/// @param tolerance  velocities up to it are zero
/// @param w          n: W x + b
/// @param x          n, in: a solution; out: the least-norm one
/// @return whether x was changed
bool srs_least_norm_impulses(const srs_cone_problem *problem, const srs_lm_memory *memory, double tolerance,
                             const double *w, double *x);
