// Impulses for velocities at which contacts rest. Internal.
#pragma once
#include "contact/refine/rest.h"

/// Impulses for velocities w = b + L u.
/// @param x  n, out
/// @return whether there are any
bool srs_resting_press(const srs_resting *resting, const double *u, const double *w, double *x);
