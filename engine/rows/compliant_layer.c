// Checks compliant layers: stiffness and damping must absorb energy in every direction of deflection.

#include "engine/rows/compliant_layer.h"
#include "topology/base/errors.h"

#include <math.h>

// Whether d . (m d) > -margin |m| |d|^2 for every d, by the leading minors of the symmetric part.
static bool is_definite(const double m[9], double margin)
{
  double largest = 0;
  for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i]));
  if (largest == 0) return margin > 0;
  const double a = m[0] / largest + margin, b = m[4] / largest + margin, c = m[8] / largest + margin;
  const double x = 0.5 * (m[1] + m[3]) / largest, y = 0.5 * (m[2] + m[6]) / largest, z = 0.5 * (m[5] + m[7]) / largest;
  return a > 0 && a * b - x * x > 0 && a * (b * c - z * z) - x * (x * c - z * y) + y * (x * z - b * y) > 0;
}

srs_status srs_layer_check(const srs_compliant_layer *layer, const char *material, srs_error *error)
{
  if (!srs_layer_exists(layer)) {
    if (layer->thickness == 0) return SRS_OK;
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
                    "the layer of '%s' must have a thickness above 0, not %g", material, layer->thickness);
  }
  for (int i = 0; i < 9; i++)
    if (!isfinite(layer->stiffness[i]) || !isfinite(layer->damping[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, material,
                      "stiffness or damping of the layer of '%s' is not finite", material);
  for (int i = 0; i < 9; i += 4)
    if (!(layer->stiffness[i] > 0) || !(layer->damping[i] >= 0))
      return srs_fail(
          error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
          "the layer of '%s' needs stiffnesses above 0 and dampings of 0 or more along each axis, not %g and "
          "%g",
          material, layer->stiffness[i], layer->damping[i]);
  const bool is_stiff = is_definite(layer->stiffness, 0);
  if (!is_stiff || !is_definite(layer->damping, 1e-6))
    return srs_fail(
        error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
        "the %s of the layer of '%s' pushes along some direction that it is moved in; lower what is off the "
        "diagonal until the symmetric part is positive definite",
        is_stiff ? "damping" : "stiffness", material);
  return SRS_OK;
}
