// Units are powers of two near the scales, and goals in them keep what the scales promise.
#include "contact/problem/scaling.h"
#include "support/contact_problems.h"

#include <math.h>

static bool is_power_of_two(double x)
{
  int exponent;
  return frexp(x, &exponent) == 0.5;
}

static void units_are_powers_of_two_times_anisotropies(void **state)
{
  (void)state;
  const contact_lots lots = {.most_contacts = 8,
                             .most_bilateral = 3,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 1,
                             .most_mass_ratio = 1e6,
                             .has_any_tangents = true,
                             .most_anisotropy = 3};
  testing_random random = testing_random_start(621);
  for (int i = 0; i < 100; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const srs_contact_problem *p = &drawn.problem;
    const srs_contact_form form = srs_contact_any_form(p);
    double scale[64], unit[64], unit_size;
    assert_true(form.n <= 64);
    srs_contact_scales(p, &form, scale);
    const double size = srs_contact_size(form.n, p->b, scale);
    srs_scaling_make(p, scale, size, unit, &unit_size);
    assert_true(is_power_of_two(unit_size) && unit_size / size < 1.5 && size / unit_size < 1.5);
    for (int k = 0, c = -1, tangent = 0; k < form.n; k++) {
      const int contacts = p->n_bilateral, end = form.n - p->n_unilateral - p->n_box;
      const bool is_tangent = k > contacts && k < end && c >= 0 && tangent < srs_contact_tangents(p, c);
      if (k >= contacts && k < end && !is_tangent) c++, tangent = 0;
      const double anisotropy = is_tangent ? srs_contact_anisotropy(p, c, tangent++) : 1;
      assert_true(unit[k] / scale[k] < 1.5 && scale[k] / unit[k] < 1.5); // sqrt(2) but for rounding
      assert_true(is_power_of_two(is_tangent ? unit[k - tangent] : unit[k]));
      if (is_tangent) assert_true(unit[k] == unit[k - tangent] * anisotropy);
    }
    const srs_scaling_tolerances tolerances = srs_scaling_find_tolerances(p, scale, size, unit, unit_size, 1e-10);
    assert_true(tolerances.answer <= 1e-10 * size / unit_size && tolerances.answer > 0.4e-10);
    assert_true(tolerances.enough <= 0.5 * tolerances.answer && tolerances.enough > 0.2 * tolerances.answer &&
                tolerances.goal <= 4e-15);
    random_problem_free(&drawn);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_powers_of_two_times_anisotropies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
