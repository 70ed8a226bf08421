// Times as multiples of the step. Internal.
#pragma once

/// dt = mantissa / scale, both whole; mantissa 0: dt has no short decimal form.
typedef struct srs_decimal_step {
  double mantissa, scale, dt;
} srs_decimal_step;

srs_decimal_step srs_decimal_step_of(double dt);

/// k dt for a whole k, with dt as a decimal: 1.001 and not 1001 * 0.001 = 1.0009999999999999. One rounding.
double srs_decimal_time(const srs_decimal_step *step, double k);
