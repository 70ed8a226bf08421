// Contact problems weighed: checks, scales, residuals by hand.
#include "contact/problem.h"
#include "support/testing.h"

#include <math.h>

static void rows_are_counted(void **state)
{
  (void)state;
  const srs_contact_problem p = {.n_bilateral = 2, .n_contacts = 3, .n_unilateral = 4, .n_box = 5};
  assert_int_equal(srs_contact_problem_rows(&p), 20);
}

static void what_is_no_problem_is_refused(void **state)
{
  (void)state;
  const double W[1] = {1}, b[1] = {1}, high[1] = {1}, low[1] = {-1}, none[1] = {NAN}, endless[1] = {INFINITY};
  srs_contact_problem p = {.n_box = 1, .W = W, .b = b, .box_lower = low, .box_upper = high};
  assert_int_equal(srs_contact_problem_check(&p), SRS_OK);
  p.box_upper = endless; // a bound may be infinite
  assert_int_equal(srs_contact_problem_check(&p), SRS_OK);
  p.box_upper = none;
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_NOT_FINITE);
  p.box_upper = low; // zero must be allowed
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_ARGUMENT);
  p.box_upper = NULL;
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_ARGUMENT);
  p.box_upper = high, p.W = none;
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_NOT_FINITE);
  p.W = NULL;
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_ARGUMENT);
  p.n_box = -1;
  assert_int_equal(srs_contact_problem_check(&p), SRS_ERROR_ARGUMENT);
}

static void scales_make_the_diagonal_one(void **state)
{
  (void)state;
  double W[36] = {0}, scale[6];
  const double diagonal[6] = {4, 1, 2, 9, 0.25, 0}; // bilateral, contact, unilateral, a row that nothing moves
  for (size_t i = 0; i < 6; i++) W[7 * i] = diagonal[i];
  const srs_contact_problem p = {.n_bilateral = 1, .n_contacts = 1, .n_unilateral = 2, .W = W};
  srs_contact_scales(&p, scale);
  const double expected[6] = {0.5, 0.5, 0.5, 0.5, 2, 1};
  for (int i = 0; i < 6; i++) assert_true(fabs(scale[i] - expected[i]) < 1e-15);
}

static void sizes_neither_overflow_nor_vanish(void **state)
{
  (void)state;
  const double W[4] = {1, 0, 0, 1}, scale[2] = {1, 1}, factors[3] = {1, 1e200, 1e-200};
  for (int i = 0; i < 3; i++) {
    const double b[2] = {3 * factors[i], -4 * factors[i]};
    const srs_contact_problem p = {.n_unilateral = 2, .W = W, .b = b};
    assert_true(fabs(srs_contact_size(&p, scale) / factors[i] - 5) < 1e-14);
  }
}

// W = 4 I: scales 1/2. x = 2 lambda / |b'|, w' = w / 2 / |b'|, |b'| = |b| / 2.
static void residuals_are_what_the_header_says(void **state)
{
  (void)state;
  double W[36] = {0}, scale[6], w[6];
  for (size_t i = 0; i < 6; i++) W[7 * i] = 4;
  const double b[6] = {0, -4, 4, 0, 0, 2}, mu = 0.5, lower = -1, upper = 0.25, size = 3; // |b'| = |(0,-2,2,0,0,1)|
  const srs_contact_problem p = {.n_bilateral = 1,
                                 .n_contacts = 1,
                                 .n_unilateral = 1,
                                 .n_box = 1,
                                 .W = W,
                                 .b = b,
                                 .friction = &mu,
                                 .box_lower = &lower,
                                 .box_upper = &upper};
  srs_contact_scales(&p, scale);
  assert_true(fabs(srs_contact_size(&p, scale) - size) < 1e-15);
  // Right for the contact but for t2 (0.1 too much of nothing), w_b = 0.4, unilateral -0.5, box at its wrong end.
  const double x[6] = {0.1, 1, -0.5, 0, -0.5, 0.25};
  srs_contact_report report = {0};
  srs_contact_measure(&p, scale, size, NULL, x, w, &report);
  const double velocity[6] = {0.4, 0, 2, 0, -2, 3};
  testing_assert_close("velocity", w, velocity, 6, 1e-15);
  assert_true(fabs(report.bilateral - 0.4) < 1e-15 && report.normal < 1e-15 && report.cone < 1e-15);
  assert_true(report.sliding < 1e-15 && fabs(report.unilateral - 2) < 1e-15 && fabs(report.box - 1.25) < 1e-15);
  // bilateral w' = 0.2; unilateral min(x', w') = min(-1, -1); box x' - clamp(x' - w') = 0.5 + 1 (to the lower bound -2:
  // 0.5 - 1.5 = -1 is inside)
  const double expected = sqrt(0.2 * 0.2 + 1 + 1.5 * 1.5) / 3;
  assert_true(fabs(report.residual - expected) < 1e-15 && report.residual == report.exact_residual);
  double energy = 0;
  for (int i = 0; i < 6; i++) energy += 0.5 * x[i] * (velocity[i] + b[i]);
  assert_true(fabs(report.energy - energy) < 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_counted),
      cmocka_unit_test(what_is_no_problem_is_refused),
      cmocka_unit_test(scales_make_the_diagonal_one),
      cmocka_unit_test(sizes_neither_overflow_nor_vanish),
      cmocka_unit_test(residuals_are_what_the_header_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
