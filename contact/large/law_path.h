// A path from the relaxed law of contacts to the exact one, in a plane. Internal. Mathematics: law_path.c.
#pragma once
#include "contact/large/interior_problem.h"

typedef struct srs_law_path {
  srs_interior *interior; // the problem
  int most_rows;
  double *a, *trial, *x, *w, *F, *g; // rows that are kept, each: unknowns, impulses, velocities, equations
  double *stiffness, *turn, *by_smoothing, *along; // (z + y) / y, and z + y; the derivative of |w_t|; d/dt
  double *tangent, *change, *reply;
  double *doubles;
  double tau, theta, smoothing, theta_rate, smoothing_rate, first_smoothing, last_smoothing, within;
  double work; // multiplications of an iteration
} srs_law_path;

bool srs_law_path_reserve(srs_law_path *path, int n_rows);
void srs_law_path_release(srs_law_path *path);

/// Follows the path of the interior point's problem, which has W's factor and contacts of one tangent at most.
/// @param iterations  in and out: adds up
/// @return whether it arrived: then the interior point's `best` nearly solves the problem with the exact law
bool srs_law_path_follow(srs_law_path *path, srs_interior *interior, int *iterations);
