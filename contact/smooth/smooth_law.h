// The laws of contact smoothed: which impulses and velocities does a vector y stand for? Internal.
#pragma once
#include "contact/problem/cone.h"

/// x = x(y), w = w(y).
/// @param t  > 0: how smooth   @param y  n   @param x, w  n each, out
void srs_smooth_pair(const srs_cone_problem *problem, double t, const double *y, double *x, double *w);

/// B of some columns: what impulses change by where r is missing in velocities.
/// @param columns, out  each n numbers, the problem's stride apart; out may be columns
void srs_smooth_impulses(const srs_cone_problem *problem, double t, const double *y, int n_columns,
                         const double *columns, double *out);

/// What y changes by there.
/// @param r  n   @param step  n, out; may be r
void srs_smooth_step(const srs_cone_problem *problem, double t, const double *y, const double *r, double *step);

/// B by contacts and single rows.
/// @param B  SRS_NODE_MOST^2 for each contact, then for each other row, out: rows first, from the corner; what is not
///           set stays
void srs_smooth_blocks(const srs_cone_problem *problem, double t, const double *y, double *B);
