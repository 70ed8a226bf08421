// Convex relaxation of a contact problem, and its fixed point iteration. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/iterate/mlcp.h"

typedef struct srs_relaxation {
  const srs_cone_problem *cone;
  srs_polyhedron *polyhedron; // of the friction; is_relaxed is set here
  int n, n_free;              // unknowns, those off their bounds
  int *normal;                // n: the row of each unknown's normal part, or its only row
  srs_share *tangent;         // n: its coefficients in tangent rows
  int *free, *place;          // n each: the free ones in the order of L; the index of each there, or -1
  double *z;                  // n
  double *L, *u;              // rows of the factor of the free ones' matrix, a cone stride apart; a column of it
  double *step;               // n: change of the free unknowns
  double *y, *x, *w;          // cone stride each; x: the answer
  double *ahead;              // n_contacts: Gamma
  double contraction;         // out: ratio of the last two step lengths; 0: fewer than two
  double *left;               // the fallback's budget
} srs_relaxation;

/// The relaxed problem. Results go to the fallback (best, best_residual, stage, iterations).
/// @param warm  n of the cone problem: impulses to start from, or NULL
void srs_relaxation_solve(srs_relaxation *relaxation, srs_fallback *fallback, const double *warm);

/// The problem with the friction polyhedron itself, as the fixed point of relaxed ones; the same arguments.
void srs_relaxation_iterate(srs_relaxation *relaxation, srs_fallback *fallback, const double *warm);

/// A few rounds of that, which settle how forces are shared: the start of another method. The fallback's x, w, z,
/// swept and centre are scratch.
/// @param x  n, out: the best impulses
/// @return whether there are any
bool srs_relaxation_start(srs_relaxation *relaxation, srs_fallback *fallback, double *x);
