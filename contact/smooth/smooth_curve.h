// The curve of smoothed contacts, from no impulses to near an answer. Internal. Mathematics: smooth_curve.c.
#pragma once
#include "contact/smooth/smooth_newton.h"

#include <stdint.h>

/// @param smooth  begun
/// @param bent, at  stride each: scratch
/// @param state   of pseudo-random numbers: each curve is another one
/// @param most    factors
/// @param end     t at which it ends
/// @param y       stride: scratch
/// @param x       n, out: the impulses where it ends
/// @param t       out: how smooth contacts are there; 1 where it came back to where it began
/// @return factors taken
int srs_smooth_curve(const srs_smooth *smooth, double *bent, double *at, uint64_t *state, int most, double end,
                     double *y, double *x, double *t);
