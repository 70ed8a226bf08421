// Fischer-Burmeister: an NCP function, zero where a >= 0, b >= 0 and a b = 0. Internal.
//
//   Fischer-Burmeister   phi(a, b) = a + b - sqrt(a^2 + b^2)            (MJ eq. 5, its sign turned as in eq. 8)
//   penalised            weight phi(a, b) + (1 - weight) a+ b+          (MJ eq. 8), 0 < weight <= 1
#pragma once
#include "contact/algebra/dense.h"

#include <math.h>

SRS_CONTACT_INLINE double srs_penalised_fb(double weight, double a, double b)
{
  // a + b - r without cancellation: where both are positive 2 a b / (a + b + r), where one is, a - r = -b^2 / (a + r)
  const double r = sqrt(a * a + b * b);
  const double fb =
      a > 0 ? (b > 0 ? 2 * a * b / (a + b + r) : b - b * b / (a + r)) : (b > 0 ? a - a * a / (b + r) : a + b - r);
  return weight * fb + (1 - weight) * (a > 0 && b > 0 ? a * b : 0);
}

/// Derivatives by a and b where (a, b) is not (0, 0).
SRS_CONTACT_INLINE void srs_penalised_fb_slopes(double weight, double a, double b, double *by_a, double *by_b)
{
  const double inverse = 1 / sqrt(a * a + b * b);
  const bool is_inside = a > 0 && b > 0;
  *by_a = weight * (1 - a * inverse) + (is_inside ? (1 - weight) * b : 0);
  *by_b = weight * (1 - b * inverse) + (is_inside ? (1 - weight) * a : 0);
}
