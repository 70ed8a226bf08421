// Which impulses solve a large problem of planar contacts? Internal. Mathematics: planar.c.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/planar/mode_path.h"

/// Impulses to start from: of relaxed problems, say (contact/large/large.c).
/// @param x  n, out
/// @return whether there are any
typedef bool srs_planar_start(void *data, double *x);

/// Newton's method on softened problems, with its factors for paths (contact/large/body_newton.h).
typedef struct srs_planar_newton {
  /// The problem softened by rho around the fallback's centre, from z, until |r| <= goal; soon false where it does not
  /// converge.
  /// @param z      n, in: anything; out: the solution, where there is one
  /// @param steps  in and out: adds up
  bool (*solve)(void *data, double rho, double goal, double *z, int *steps);
  /// Gauss-Seidel sweeps over the contacts (contact/large/body_sweeps.h) of the problem itself.
  void (*sweep)(void *data, int sweeps, double *x);
  void *data;
  double sweep_work; // multiplications of one
  srs_mode_solver solver;
} srs_planar_newton;

/// A few of Newton's steps from the fallback's x, which may be close to a solution: proximal points without paths.
/// @return whether there is a solution, which is then fallback->x, to be polished
bool srs_planar_try(srs_fallback *fallback, const srs_planar_newton *newton, int most_steps);

/// Searches until a solution is found or the budget is spent.
/// @param fallback  x, in: impulses to start from, where there is a `newton`
/// @param newton  NULL: by paths only
/// @return as above
bool srs_planar_search(srs_fallback *fallback, srs_planar_start *start, void *data, const srs_planar_newton *newton);
