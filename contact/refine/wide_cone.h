// The equations of the exact cone in long double, in any units. Internal.
#pragma once
#include "contact/problem/cone.h"
#include "contact/problem/friction_set.h"

typedef struct srs_wide_cone {
  const srs_cone_problem *problem; // dense
  const srs_wide *scale;           // n: impulses are x / scale, velocities scale w; alike in the rows of one contact
  const srs_wide *centre;          // n: impulses in these units at which rows do not yield; NULL: none
  double softness;                 // how much a row yields
} srs_wide_cone;

/// x = P(-z), n each.
void srs_wide_impulse(const srs_wide_cone *cone, const srs_wide *z, srs_wide *x);

/// r(z) = x + z - (W x + b + softness (x - centre)), all in these units.
/// @param x, r  n, out
/// @return |r|
srs_wide srs_wide_residual(const srs_wide_cone *cone, const srs_wide *z, srs_wide *x, srs_wide *r);

/// J = dr/dz, n x n, without padding.
void srs_wide_jacobian(const srs_wide_cone *cone, const srs_wide *z, srs_wide *J);

/// step <- J^-1 step; J is destroyed. Partial pivoting.  @return false where J is singular
bool srs_wide_divide(int n, srs_wide *J, srs_wide *step);

/// |natural map| of the impulses x, rounded to double, in the problem's own units.
double srs_wide_defect(const srs_cone_problem *problem, const double *x);
