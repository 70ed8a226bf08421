// Answers that rounding hides: continuation and proximal points in long double. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

typedef struct srs_precise {
  const srs_cone_problem *problem; // dense
  const srs_lm_memory *lm;         // scratch, and the budget: J of 18 n numbers at least, factor right behind gram
  int left;                        // Jacobians that may be formed: counted down
} srs_precise;

/// Begins at impulses.
/// @param x  n
void srs_precise_start(srs_precise *precise, const double *x);

/// Begins where continuation over softened contacts ends.
/// @param state  of pseudo-random numbers, for how softness differs among contacts; NULL: not at all
void srs_precise_follow(srs_precise *precise, uint64_t *state);

/// From there one proximal point nearer to an answer; lm is not to be touched between the calls.
/// @param x  n, out: its impulses
/// @return |r| of contact/iterate/mncp.h there; INFINITY where nothing is left to form
double srs_precise_next(srs_precise *precise, double *x);
