// Newton's step of the exact cone's equations by the rows that act. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

/// r(z) = x + z - (W x + b), x = P(-z), of a dense problem.
/// @param x  n, out: the impulses
/// @param r  n, out
/// @return |r|
double srs_active_residual(const srs_cone_problem *problem, const double *z, double *x, double *r);

/// Multiplications of a step with so many unknowns.
static inline double srs_active_cost(int n, int unknowns)
{
  return (unknowns + 20.0) * unknowns * unknowns / 3 + 4.0 * (double)n * unknowns;
}

/// How many unknowns the step from z has: of a sticking contact its rows, of a sliding one a row less, of a parted one
/// none.
/// @param frame  n, out: of each contact what it does, and the direction of its slip
int srs_active_frame(const srs_cone_problem *problem, const double *z, double *frame);

/// step = J^-1 r, J = dr/dz; false where J is singular.
/// @param frame     n: of z
/// @param unknowns  of the frame
/// @param r         n
/// @param step      n, out
bool srs_active_step(const srs_cone_problem *problem, const srs_lm_memory *memory, const double *frame, int unknowns,
                     const double *r, double *step);
