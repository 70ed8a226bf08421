// Projected Gauss-Seidel (PGS): sweeps over the contacts. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"

/// Nonlinear Gauss-Seidel from x, `sweeps` times over all rows.
/// @param x  n, in and out, within its bounds
/// @return false where it diverged to non-finite numbers (x is then zero)
bool srs_gauss_seidel(const srs_cone_problem *problem, int sweeps, double *x);

/// Multiplications of as many sweeps.
static inline double srs_sweep_work(const srs_cone_problem *problem, int sweeps)
{
  return 2.0 * sweeps * srs_cone_numbers(problem);
}

/// The same on the fallback's problem, if its budget has that much.
static inline bool srs_sweep_within(srs_fallback *fallback, int sweeps, double *x)
{
  return srs_spend(&fallback->left, srs_sweep_work(&fallback->cone, sweeps)) &&
         srs_gauss_seidel(&fallback->cone, sweeps, x);
}
