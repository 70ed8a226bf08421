// In which units is a problem solved? The scaling.
//
// The scales of contact.h are not powers of two: W scaled by them would be rounded, and another problem would be
// solved. So the units are powers of two near the scales. The natural map in the scales is at most as many times that
// in the units as they differ, and impulses, velocities and slips of contacts add up to 1 + mu times |r|.
#include "contact/problem/scaling.h"

#include <math.h>

// The power of two nearest by ratio.
static double power_of_two(double x)
{
  int exponent;
  return frexp(x, &exponent) < 0.70710678118654752 ? ldexp(0.5, exponent) : ldexp(1, exponent);
}

void srs_scaling_make(const srs_contact_problem *p, const double *scale, double size, double *unit, double *unit_size)
{
  const int n = srs_contact_problem_rows(p);
  for (int i = 0; i < n; i++) unit[i] = power_of_two(scale[i]);
  const bool is_round = p->anisotropy == NULL && p->rolling == NULL;
  for (int c = 0, i = p->n_bilateral; c < p->n_contacts && !is_round; c++, i++)
    for (int k = 0; k < srs_contact_tangents(p, c); k++, i++)
      unit[i + 1] = unit[i - k] * srs_contact_anisotropy(p, c, k);
  *unit_size = power_of_two(size);
}

srs_scaling_tolerances srs_scaling_find_tolerances(const srs_contact_problem *p, const double *scale, double size,
                                                   const double *unit, double unit_size, double tolerance)
{
  const int n = srs_contact_problem_rows(p);
  double unlike = 1, friction = 0;
  for (int i = 0; i < n; i++) unlike = fmax(unlike, fmax(unit[i] / scale[i], scale[i] / unit[i]));
  for (int c = 0; c < p->n_contacts; c++) friction = p->friction[c] > friction ? p->friction[c] : friction;
  srs_scaling_tolerances tolerances;
  tolerances.answer = 0.9 * tolerance * size / (unit_size * unlike);
  tolerances.enough = 0.5 * tolerances.answer / (1 + friction);
  tolerances.goal = tolerances.enough < 4e-15 ? tolerances.enough : 4e-15;
  return tolerances;
}
