// Answers by small changes of a near miss, in long double. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

typedef struct srs_hopping {
  const srs_cone_problem *problem; // dense
  const srs_lm_memory *lm;         // matrices as scratch, the budget
  uint64_t *state;                 // of the pseudo-random numbers
  double answer;                   // |natural map| of an answer
} srs_hopping;

/// From points drawn afresh, until there is an answer or the budget is spent.
/// @param x       n, out: the impulses
/// @param formed  in and out: Jacobians formed, adds up
/// @return whether x is an answer
bool srs_hopping_search(const srs_hopping *hopping, double *x, int *formed);
