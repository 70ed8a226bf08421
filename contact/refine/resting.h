// Answers in which rows that rest determine all velocities. Internal.
#pragma once
#include "contact/refine/rest.h"

/// Draws rows that rest, until velocities at which more do have impulses inside the cones, or the budget is spent.
/// @param x  n, out: the impulses, to be finished by Newton's method
/// @return whether there are such
bool srs_resting_search(srs_resting *resting, double *x);
