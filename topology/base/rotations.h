// Unit quaternions. Internal; the conversions are public (base.h).
#pragma once
#include <sarrus/base.h>

/// Scales a quaternion to unit length.
/// @return false, untouched, when it is zero, shorter than `shortest`, or not finite
bool srs_quaternion_normalise(double *wxyz, double shortest);

/// Whether a quaternion that a user gives may pass for one of unit length: within 1e-6, as files print digits.
/// @param length  out
bool srs_quaternion_is_unit(const double wxyz[4], double *length);
