// Answers in which more rows rest than W has rank. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

enum { SRS_RESTING_KNOWN = 32 };

typedef struct srs_resting {
  const srs_cone_problem *problem; // dense, without box rows
  const srs_lm_memory *lm;         // scratch, and the budget
  double *velocity, *impulse;      // stride each: scratch
  uint64_t *state;                 // of the pseudo-random numbers
  int rank, n_known;               // of W, whose factor lm->gram holds; velocities tried
  double known[SRS_RESTING_KNOWN]; // a number of each of the last
} srs_resting;

/// Factors W; false where its rank is too near to its rows, or the budget too small.
bool srs_resting_begin(srs_resting *resting);

/// Draws rows that rest, until velocities at which more do have impulses inside the cones, or the budget is spent.
/// @param x  n, out: the impulses, to be finished by Newton's method
/// @return whether there are such
bool srs_resting_search(srs_resting *resting, double *x);
