// Newton's method for smoothed contacts, in the coordinates of bodies. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

/// Steps where W is not a whole matrix (contact/large/body_newton.h): as srs_smooth_factor and srs_smooth_divide.
typedef struct srs_smooth_solver {
  bool (*factor)(void *data, double t, const double *y);
  void (*divide)(void *data, double t, const double *y, const double *r, double *step);
  bool (*end)(void *data, double rho, const double *x); // from the end of a path to an answer
  void *data;
  double work; // multiplications of a factor and two divisions
} srs_smooth_solver;

typedef struct srs_smooth {
  const srs_cone_problem *cone;
  const srs_lm_memory *lm;
  double *tilt, *along, *slope;    // stride each: c; scratch
  int rank;                        // of W, found by srs_smooth_begin
  const srs_smooth_solver *solver; // NULL: W is dense
} srs_smooth;

/// W = L L^T, which stays in lm's gram for all below.
/// @return false where the budget does not have it
bool srs_smooth_begin(srs_smooth *smooth);

/// r(y) = w - (W x + b + t tilt).
/// @param r  n, out   @return |r|
double srs_smooth_residual(const srs_smooth *smooth, double t, const double *y, double *r);

/// c: pseudo-random, of length `size`; without a state zero.
void srs_smooth_tilt(const srs_smooth *smooth, double size, uint64_t *state);

/// |r| that is enough.
double srs_smooth_goal(double t);

/// Multiplications of a residual; of a factor and two divisions.
double srs_smooth_residual_cost(const srs_smooth *smooth);
double srs_smooth_step_cost(const srs_smooth *smooth);

/// Factors the derivative at y.  @return whether it is regular
bool srs_smooth_factor(const srs_smooth *smooth, double t, const double *y);

/// What y has to change by where r is missing, by the factor at y.
/// @param r  n   @param step  stride, out; not lm's trial
void srs_smooth_divide(const srs_smooth *smooth, double t, const double *y, const double *r, double *step);

/// Steps until |r| is enough, shortened where |r| does not fall.
/// @param y      n, in and out
/// @param steps  in and out: adds up
/// @return whether it is reached in `most` steps
bool srs_smooth_solve(const srs_smooth *smooth, double t, int most, double *y, int *steps);
