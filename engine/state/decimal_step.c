// What time is it after k steps? dt is a decimal M 10^-e, in its shortest form, and not the double nearest to it, so
// that k dt is k M / 10^e: one rounding where both are whole numbers up to 2^53 and e is at most 22.
#include "engine/state/decimal_step.h"

#include <math.h>
#include <stddef.h>

static const double most_exact = 9007199254740992; // 2^53

srs_decimal_step srs_decimal_step_of(double dt)
{
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  for (size_t e = 0; e < sizeof powers / sizeof *powers; e++) {
    const double mantissa = round(dt * powers[e]);
    if (mantissa >= 1 && mantissa < 1e15 && mantissa / powers[e] == dt)
      return (srs_decimal_step){mantissa, powers[e], dt};
  }
  return (srs_decimal_step){0, 1, dt};
}

double srs_decimal_time(const srs_decimal_step *step, double k)
{
  const double product = k * step->mantissa;
  return step->mantissa > 0 && product <= most_exact ? product / step->scale : k * step->dt;
}
