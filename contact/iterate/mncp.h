// The nonlinear complementarity equations of a contact problem with the exact cone. Internal.
#pragma once
#include "contact/problem/cone.h"

/// x = P(-z): contacts' n and tangents, then unilateral, then box rows.
void srs_mncp_impulse(const srs_cone_problem *problem, const double *z, double *x);

/// r(z) = x + z - (W x + b), zero at a solution. `data` is a srs_cone_problem; x: n, out, padded.
void srs_mncp_residual(const void *data, const double *z, double *x, double *r);

/// dr/dz = W D + I - D, D = -dx/dz; n x n, the problem's stride.
void srs_mncp_jacobian(const void *data, const double *z, double *J);

/// How far along z - t step the derivative holds: t just beyond the first kink, or where a sliding contact has turned
/// by 0.3; at most about 1.
double srs_mncp_share(const srs_cone_problem *problem, const double *z, const double *step);
