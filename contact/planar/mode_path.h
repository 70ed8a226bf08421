// A path to the answer through the modes of planar contacts. Internal. Mathematics: mode_path.c.
#pragma once
#include "contact/iterate/proximal.h"

/// Whether no contact has more than one tangent.
bool srs_is_planar(const srs_cone_problem *cone);

/// J of r(z) (mode_path.c) factored in other ways than by the rows of the problem.
typedef struct srs_mode_solver {
  bool (*factor)(void *data, double rho, const double *modes); // at modes, given as one z for each
  void (*divide)(void *data, double *x);                       // x <- J^-1 x, of that J
  void *data;
  double factor_work, divide_work; // multiplications
} srs_mode_solver;

/// Follows the path from z towards a solution of the problem softened by rho around the impulses of z. The problem is
/// sparse.
/// @param solver  NULL: by the rows of the problem
/// @param most   changes of modes that are followed; each costs a solve
/// @param z      n, in: anything; out: the solution, where the path arrives, else the last point
/// @param changes  in and out: adds up
/// @return whether it arrived
bool srs_mode_path(const srs_proximal *proximal, const srs_mode_solver *solver, double rho, int most, double *z,
                   int *changes);
