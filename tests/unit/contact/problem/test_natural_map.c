// The unscaled natural map, by hand.
#include "support/testing.h"

#include <math.h>

static void each_kind_of_row_has_its_part(void **state)
{
  (void)state;
  const double friction[1] = {0.5}, lower[1] = {-1}, upper[1] = {1};
  const srs_contact_problem p = {.n_bilateral = 1,
                                 .n_contacts = 1,
                                 .n_unilateral = 1,
                                 .n_box = 1,
                                 .friction = friction,
                                 .box_lower = lower,
                                 .box_upper = upper};
  // A bilateral row that moves at 3, a contact that sticks, a limit that leaves without a push, a box row at its bound.
  const double x[6] = {7, 2, 0.6, 0.8, 0, 1}, w[6] = {3, 0, 0, 0, 5, -2};
  assert_true(fabs(srs_contact_natural_map(&p, x, w) - 3) < 1e-15);
  // 2 apart and pushed with 2: the nearest that agrees is 2 away. The box row at 0.5 moves at -2: it should be at 1.
  const double y[6] = {0, 2, 0, 0, 0, 0.5}, v[6] = {0, 2, 0, 0, 1, -2};
  assert_true(fabs(srs_contact_natural_map(&p, y, v) - sqrt(4 + 0.25)) < 1e-15);
}

// lambda - w - mu |w_t| e_n = (1 - 0.5 * 2, -0.5 - 2) = (0, -2.5): P = 2.5 mu / (1 + mu^2) (1, -mu) = (1, -0.5).
static void sliding_agrees_with_its_law(void **state)
{
  (void)state;
  const double friction[1] = {0.5}, x[2] = {1, -0.5}, w[2] = {0, 2}, against[2] = {1, 0.5};
  const unsigned char one[1] = {1};
  const srs_contact_problem p = {.n_contacts = 1, .friction = friction, .tangents = one};
  assert_true(srs_contact_natural_map(&p, x, w) < 1e-15);
  assert_true(srs_contact_natural_map(&p, against, w) > 0.5); // along the slip
}

// An ellipse with e = 2: |lambda_t| up to 2 mu lambda_n.
static void an_ellipse_is_a_round_cone_in_its_own_units(void **state)
{
  (void)state;
  const double friction[1] = {0.5}, anisotropy[3] = {2, 1, 1}, x[3] = {1, -1, 0}, w[3] = {0, 3, 0};
  const srs_contact_problem p = {.n_contacts = 1, .friction = friction, .anisotropy = anisotropy};
  assert_true(srs_contact_natural_map(&p, x, w) < 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_of_row_has_its_part),
      cmocka_unit_test(sliding_agrees_with_its_law),
      cmocka_unit_test(an_ellipse_is_a_round_cone_in_its_own_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
