// Proximal points: the last digits where the Delassus matrix is singular. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

typedef struct srs_proximal {
  srs_cone_problem *cone; // its diagonal is changed and restored
  const srs_lm_memory *lm;
  double *centre, *diagonal; // n each: scratch
  bool refines;              // Newton's steps are refined in long double: dense problems
} srs_proximal;

/// From z, until |r| of contact/iterate/mncp.h is at most `enough` or stagnates.
/// @param most  Jacobians that may be formed
/// @param z     n, in: a point where |r| is small; out: the best point found
srs_lm_result srs_proximal_finish(const srs_proximal *proximal, double enough, int most, double *z);

/// The same where impulses are right but for what contacts that nearly depend on each other share: little softening.
/// @param begun  rho of the first point
srs_lm_result srs_proximal_finish_from(const srs_proximal *proximal, double begun, double enough, int most, double *z);

/// From z, one softened problem, w = W x + rho x + b, until its |r| is at most `goal`.
/// @param norm  out: |r|
/// @return Jacobians formed
int srs_proximal_soft(const srs_proximal *proximal, double rho, double goal, int most, double *z, double *norm);

/// From z, by continuation over softened contacts: rho from 0.1 down, as long as one solution leads to the next.
/// @param good  n: scratch
/// @param z     n, in: anything; out: the last solution
/// @return Jacobians formed
int srs_proximal_path(const srs_proximal *proximal, int most, double *good, double *z);
