// Continuation over smoothed contacts, from no impulses to near an answer. Internal.
#pragma once
#include "contact/smooth/smooth_newton.h"

#include <stdint.h>

/// @param smooth  begun
/// @param state   of pseudo-random numbers: each path is another one; NULL: the straight one
/// @param most    steps
/// @param y       stride: scratch
/// @param x       n, out: the impulses where it ends
/// @param t       out: how smooth contacts are there
/// @return steps taken
int srs_smooth_path(const srs_smooth *smooth, uint64_t *state, int most, double *y, double *x, double *t);
