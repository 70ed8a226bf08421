// How do impulses get from nearly right to right where W is singular? Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

typedef struct srs_proximal {
  srs_cone_problem *cone; // its diagonal is changed and put back
  const srs_lm_memory *lm;
  double *centre, *diagonal; // n each: scratch
} srs_proximal;

/// From z on, until |r| of contact/methods/mncp.h is enough or nothing helps.
/// @param most  Jacobians that may be formed
/// @param z     n, in: a point where |r| is small; out: the best point found
srs_lm_result srs_proximal_finish(const srs_proximal *proximal, double enough, int most, double *z);

/// From z, by problems with softer contacts: rho = 0.1, and less and less as long as one leads to the next.
/// @param good  n: scratch
/// @param z     n, in: anything; out: the answer of the last of them
/// @return Jacobians formed
int srs_proximal_path(const srs_proximal *proximal, int most, double *good, double *z);
