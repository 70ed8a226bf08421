// How much work may a search still do? Internal.
//
// Work is counted in multiplications. Whoever does a piece (a factorisation, a sweep, a pivot) knows what it costs and
// takes that from the budget before: so no search ever does more than its budget, on any machine.
#pragma once
#include <stdbool.h>

/// Takes a piece from what is left. A piece larger than that ends the budget: nothing is left for smaller ones either.
/// @return whether the piece may be done
static inline bool srs_spend(double *left, double multiplications)
{
  const bool has_room = *left > multiplications;
  *left = has_room ? *left - multiplications : 0;
  return has_room;
}
