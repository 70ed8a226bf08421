// The distance of an impulse from the point onto which the natural map throws it, at impulses so large that velocities
// are lost in them.
#include "contact/problem/cone.h"
#include "support/testing.h"

#include <math.h>

// In long double, x - P_K(x - w - mu |w_t| e_n) as it stands.
static long double defect_of(int d, const double *x, const double *w, double mu)
{
  long double slip = 0, size = 0, t[3] = {0, 0, 0};
  for (int k = 0; k < d; k++) {
    t[k] = (long double)x[1 + k] - w[1 + k];
    slip += (long double)w[1 + k] * w[1 + k];
    size += t[k] * t[k];
  }
  slip = sqrtl(slip), size = sqrtl(size);
  const long double n = (long double)x[0] - w[0] - mu * slip, p = (n + mu * size) / (1 + (long double)mu * mu);
  const bool is_inside = n >= 0 && size <= mu * n, is_polar = mu * size <= -n;
  const long double normal = is_polar ? 0 : is_inside ? n : p;
  long double sum = (x[0] - normal) * (x[0] - normal);
  for (int k = 0; k < d; k++) {
    const long double to = is_polar ? 0 : is_inside ? t[k] : mu * p * t[k] / size;
    sum += (x[1 + k] - to) * (x[1 + k] - to);
  }
  return sum;
}

static void velocities_are_not_lost_in_impulses(void **state)
{
  (void)state;
  testing_random random = testing_random_start(211);
  for (int i = 0; i < 20000; i++) {
    const int d = testing_below(&random, 4);
    const double mu = testing_below(&random, 3) == 0 ? 0 : testing_uniform(&random, 0, 2);
    const double large = pow(10, testing_uniform(&random, 0, 9)); // beyond, long double loses them too
    double x[4] = {large}, w[4], direction[3], length = 0;
    for (int k = 0; k < 4; k++) w[k] = testing_uniform(&random, -1, 1);
    for (int k = 0; k < d; k++) direction[k] = testing_uniform(&random, -1, 1), length += direction[k] * direction[k];
    const double share = testing_below(&random, 2) == 0 ? 1 : testing_uniform(&random, 0, 1);
    for (int k = 0; k < d; k++) x[1 + k] = mu * large * share * direction[k] / sqrt(length);
    const double ours = sqrt(srs_cone_defect(d, x, w, mu)), exact = (double)sqrtl(defect_of(d, x, w, mu));
    const double rounding = mu > 0 ? 1e-15 * (1 + mu) * large : 0; // of x itself, off the cone's edge
    assert_true(fabs(ours - exact) <= 1e-7 * exact + rounding);
  }
  const double x[3] = {1.7e12, 0, 0}, w[3] = {1e-5, 0.2, 0}; // without friction: it parts, so there is no impulse
  assert_true(fabs(sqrt(srs_cone_defect(0, x, w, 0)) - 1e-5) < 1e-15);
  assert_true(fabs(sqrt(srs_cone_defect(2, x, w, 0)) - 1e-5) < 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocities_are_not_lost_in_impulses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
