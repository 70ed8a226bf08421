// Answers by small changes of near misses. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

typedef struct srs_hopping {
  const srs_cone_problem *problem; // dense
  const srs_lm_memory *lm;         // scratch, and the budget
  double *z;                       // stride: scratch
  uint64_t *state;                 // of the pseudo-random numbers
  double slip;                     // about how large an answer's velocities are; 0: unknown
} srs_hopping;

/// From points drawn afresh, until there are impulses near an answer or the budget is spent.
/// @param x       n, out: the impulses, to be finished by Newton's method
/// @param formed  in and out: Jacobians formed, adds up
/// @return whether x is near an answer
bool srs_hopping_search(const srs_hopping *hopping, double *x, int *formed);
