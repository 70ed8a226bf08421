// Contact problems weighed: checks, scales, residuals by hand.
#include "contact/problem/certificate.h"
#include "support/testing.h"

#include <math.h>
#include <stdint.h>

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
  srs_contact_form form;
  srs_contact_problem p = {.n_box = 1, .W = W, .b = b, .box_lower = low, .box_upper = high};
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
  p.box_upper = endless; // a bound may be infinite
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
  p.box_upper = none;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
  p.box_upper = low; // zero must be allowed
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
  p.box_upper = NULL;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
  p.box_upper = high, p.W = none;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
  p.W = NULL;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
  p.n_box = -1;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
}

static void scales_make_the_diagonal_one(void **state)
{
  (void)state;
  double W[36] = {0}, scale[6];
  const double diagonal[6] = {4, 1, 2, 9, 0.25, 0}; // bilateral, contact, unilateral, a row that nothing moves
  for (size_t i = 0; i < 6; i++) W[7 * i] = diagonal[i];
  const srs_contact_problem p = {.n_bilateral = 1, .n_contacts = 1, .n_unilateral = 2, .W = W};
  const srs_contact_form form = srs_contact_any_form(&p);
  srs_contact_scales(&p, &form, scale);
  const double expected[6] = {0.5, 0.5, 0.5, 0.5, 2, 1};
  for (int i = 0; i < 6; i++) assert_true(fabs(scale[i] - expected[i]) < 1e-15);
}

static void sizes_neither_overflow_nor_vanish(void **state)
{
  (void)state;
  const double scale[11] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, factors[3] = {1, 1e200, 1e-200};
  for (int i = 0; i < 3; i++) {
    const double b[2] = {3 * factors[i], -4 * factors[i]};
    assert_true(fabs(srs_contact_size(2, b, scale) / factors[i] - 5) < 1e-14);
    double many[11]; // four by four, and a rest
    for (int k = 0; k < 11; k++) many[k] = k % 2 == 0 ? 2 * factors[i] : -factors[i];
    for (int n = 3; n <= 11; n++) {
      const int ones = n / 2, square = 4 * (n - ones) + ones;
      assert_true(fabs(srs_contact_size(n, many, scale) / factors[i] - sqrt(square)) < 1e-14);
    }
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
  const srs_contact_form form = srs_contact_any_form(&p);
  srs_contact_scales(&p, &form, scale);
  assert_true(fabs(srs_contact_size(6, b, scale) - size) < 1e-15);
  // Right for the contact but for t2 (0.1 too much of nothing), w_b = 0.4, unilateral -0.5, box at its wrong end.
  const double x[6] = {0.1, 1, -0.5, 0, -0.5, 0.25};
  srs_contact_report report = {0};
  srs_contact_measure(&p, &form, scale, size, NULL, x, w, &report);
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

static void tangents_and_anisotropies_are_checked(void **state)
{
  (void)state;
  static double W[36];
  for (size_t i = 0; i < 6; i++) W[7 * i] = 1;
  const double b[6] = {0}, mu[2] = {0.5, 0.5};
  const unsigned char tangents[2] = {0, 3}, many[2] = {0, 6};
  double anisotropy[6] = {-1, NAN, 0, 1, 2, 3}; // a contact without tangents has none to check
  srs_contact_problem p = {.n_contacts = 2,
                           .n_unilateral = 1,
                           .W = W,
                           .b = b,
                           .friction = mu,
                           .tangents = tangents,
                           .anisotropy = anisotropy};
  srs_contact_form form;
  assert_int_equal(srs_contact_problem_rows(&p), 6);
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
  anisotropy[5] = 0;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
  anisotropy[5] = -1;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
  anisotropy[5] = INFINITY;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
  anisotropy[5] = NAN;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
  p.anisotropy = NULL;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
  p.tangents = many;
  assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_ARGUMENT);
}

// One tangent and spin about the normal left out, e = 2, mu = 1/2; W = diag(4, 1): E W E = 4 I, s = 1/2. Slides at
// w_t = 3 with lambda = (1, -0.8): mu lambda_n = 0.5, lambda_t / e = -0.4, e w_t = 6. lambda' = 2 (1, -0.4),
// w' = (0, 3); y = lambda' - w' - mu |w'_t| e_n = (0.5, -3.8), onto the cone: p = (0.5 + 1.9) / 1.25 = 1.92, -0.96.
static void anisotropies_are_measured_where_the_cone_is_round(void **state)
{
  (void)state;
  const double W[4] = {4, 0, 0, 1}, mu = 0.5, anisotropy[3] = {2, 0, 0}, x[2] = {1, -0.8}, b[2] = {-4, 3.8};
  const unsigned char one = 1;
  const srs_contact_problem p = {
      .n_contacts = 1, .W = W, .b = b, .friction = &mu, .tangents = &one, .anisotropy = anisotropy};
  double scale[2], w[2];
  srs_contact_report report = {0};
  const srs_contact_form form = srs_contact_any_form(&p);
  srs_contact_scales(&p, &form, scale);
  assert_true(fabs(scale[0] - 0.5) < 1e-15 && fabs(scale[1] - 1) < 1e-15);
  const double size = srs_contact_size(2, b, scale);
  assert_true(fabs(size - hypot(2, 3.8)) < 1e-15);
  srs_contact_measure(&p, &form, scale, size, NULL, x, w, &report);
  assert_true(w[0] == 0 && fabs(w[1] - 3) < 1e-15);
  assert_true(report.normal == 0 && report.cone == 0 && fabs(report.sliding - 0.1) < 1e-15); // below s^2 |e w_t| = 1.5
  // As above, but in units in which b' has length 1.
  const double n = 2 / size, t = -0.8 / size, v = 3 / size, y0 = n - mu * v, y1 = t - v;
  const double q = (y0 - mu * y1) / (1 + mu * mu);
  assert_true(fabs(report.residual - hypot(n - q, t + mu * q)) < 1e-15);
  const double slipping[2] = {1, -1.2};
  srs_contact_measure(&p, &form, scale, size, NULL, slipping, w, &report);
  assert_true(fabs(report.cone - 0.1) < 1e-15);
}

enum { APART_MOST = 40 };

// Contacts with `tangents` each, alternately 1 and 2 where that is negative: blocks on W's diagonal.
static srs_contact_problem apart(testing_random *random, int tangents, int n_contacts)
{
  static double W[16 * APART_MOST * APART_MOST], b[4 * APART_MOST], friction[APART_MOST];
  static unsigned char each[APART_MOST];
  srs_contact_problem p = {
      .n_contacts = n_contacts, .W = W, .b = b, .friction = friction, .tangents = tangents == 2 ? NULL : each};
  for (int c = 0; c < n_contacts; c++) {
    each[c] = (unsigned char)(tangents < 0 ? 1 + c % 2 : tangents);
    friction[c] = testing_uniform(random, 0, 1);
  }
  const size_t n = (size_t)srs_contact_problem_rows(&p);
  for (size_t i = 0; i < n * n; i++) W[i] = i % 3 == 0 ? -0.0 : 0;
  for (size_t c = 0, first = 0; c < (size_t)n_contacts; first += 1 + (size_t)each[c++])
    for (size_t i = first; i <= first + each[c]; i++) {
      for (size_t j = first; j <= first + each[c]; j++) W[n * i + j] = testing_uniform(random, i == j, 1 + (i == j));
      b[i] = testing_uniform(random, -1, 1);
    }
  return p;
}

static bool is_apart(const srs_contact_problem *p)
{
  srs_contact_form form;
  assert_int_equal(srs_contact_problem_check(p, &form), SRS_OK);
  assert_int_equal(form.n, srs_contact_problem_rows(p));
  return form.is_apart;
}

static void contacts_are_apart_where_all_of_w_is_their_own(void **state)
{
  (void)state;
  testing_random random = testing_random_start(331);
  for (int tangents = -1; tangents <= 3; tangents++)
    for (int n_contacts = 2; n_contacts <= APART_MOST; n_contacts += 7) {
      srs_contact_problem p = apart(&random, tangents, n_contacts);
      const size_t n = (size_t)srs_contact_problem_rows(&p);
      double *W = (double *)(uintptr_t)p.W;
      assert_true(is_apart(&p));
      const size_t last = n - 1, places[] = {last, n * last, n * last + n / 3, n * (n / 3) + last};
      const double values[] = {1, -1, 5e-324, -1e300};
      for (size_t k = 0; k < 16; k++) {
        W[places[k / 4]] = values[k % 4];
        assert_false(is_apart(&p));
        W[places[k / 4]] = 0;
      }
      srs_contact_form form;
      W[n * last] = NAN;
      assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
      W[n * last] = 0, W[n * n - 1] = INFINITY;
      assert_int_equal(srs_contact_problem_check(&p, &form), SRS_ERROR_NOT_FINITE);
      W[n * n - 1] = 1;
      assert_true(is_apart(&p));
    }
  const double W[1] = {1}, b[1] = {1};
  const srs_contact_problem limit = {.n_unilateral = 1, .W = W, .b = b};
  assert_false(is_apart(&limit));
}

static void a_form_says_what_all_contacts_have(void **state)
{
  (void)state;
  testing_random random = testing_random_start(332);
  const double anisotropy[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  srs_contact_form form;
  for (int tangents = -1; tangents <= 3; tangents++) {
    srs_contact_problem p = apart(&random, tangents, 3);
    assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
    assert_int_equal(form.tangents, tangents);
    p.anisotropy = anisotropy;
    assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
    assert_int_equal(form.tangents, -1);
  }
}

// Whatever is known of the form. One contact is left without impulse.
static void figures_are_the_same_by_every_way(void **state)
{
  (void)state;
  testing_random random = testing_random_start(333);
  for (int tangents = -1; tangents <= 3; tangents++)
    for (int i = 0; i < 100; i++) {
      const srs_contact_problem p = apart(&random, tangents, 2 + i % 8);
      const srs_contact_form any = srs_contact_any_form(&p);
      double scale[2][4 * APART_MOST], x[4 * APART_MOST] = {0}, w[2][4 * APART_MOST];
      srs_contact_form form;
      srs_contact_report report[2] = {{0}, {0}};
      assert_int_equal(srs_contact_problem_check(&p, &form), SRS_OK);
      for (int k = 4; k < form.n; k++) x[k] = testing_uniform(&random, -1, 2);
      srs_contact_scales(&p, &form, scale[0]);
      srs_contact_scales(&p, &any, scale[1]);
      testing_assert_close("scales", scale[0], scale[1], form.n, 0);
      srs_contact_measure(&p, &form, scale[0], 2, NULL, x, w[0], &report[0]);
      srs_contact_measure(&p, &any, scale[0], 2, NULL, x, w[1], &report[1]);
      testing_assert_close("velocities", w[0], w[1], form.n, 1e-14); // sums of up to 4 numbers up to 4
      assert_true(fabs(report[0].residual - report[1].residual) < 1e-13);
      assert_true(fabs(report[0].normal - report[1].normal) < 1e-14);
      assert_true(fabs(report[0].cone - report[1].cone) < 1e-14);
      assert_true(fabs(report[0].sliding - report[1].sliding) < 1e-13);
      assert_true(fabs(report[0].energy - report[1].energy) < 1e-12);
    }
}

// Rows that no impulse moves, and that open: whatever size the impulse has, in which the velocity is lost.
static void an_impulse_where_nothing_touches_is_no_answer(void **state)
{
  (void)state;
  const double none[9] = {0}, opens[3] = {1, 0, 0}, mu = 0.5, lower = -INFINITY, upper = INFINITY;
  const srs_contact_problem problems[] = {
      {.n_unilateral = 1, .W = none, .b = opens},
      {.n_contacts = 1, .W = none, .b = opens, .friction = &mu},
      {.n_box = 1, .W = none, .b = opens, .box_lower = &lower, .box_upper = &upper}};
  srs_contact_solver *solver = NULL;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 15; k++) {
      const double size = pow(1e20, k);
      const double impulse[3] = {size};
      srs_contact_report report;
      assert_int_equal(srs_contact_certify(solver, &problems[i], impulse, &report), SRS_OK);
      assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
      assert_true(fabs(report.residual - 1) < 1e-15); // one rounding: b itself, over its length
    }
  srs_contact_solver_destroy(solver);
}

// Units are anybody's: squares of these velocities are no numbers.
static void what_sliding_lacks_is_told_in_every_unit(void **state)
{
  (void)state;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5;
  const double units[] = {0x1p-900, 0x1p-600, 1, 0x1p600, 0x1p900};
  srs_contact_solver *solver = NULL;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const double u = units[i], b[3] = {-2 * u, 3 * u, -4 * u}, impulse[3] = {2 * u, -0.6 * u, 1.0 * u};
    const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
    srs_contact_report report;
    assert_int_equal(srs_contact_certify(solver, &p, impulse, &report), SRS_OK);
    // lambda_t = (-0.6, 1), w_t = (2.4, -3): off by lambda_t + w_t / |w_t|
    const double length = hypot(2.4, 3), off = hypot(-0.6 + 2.4 / length, 1 - 3 / length);
    assert_true(fabs(report.sliding / u - off) < 1e-14); // some roundings of numbers about 1
    assert_true(fabs(report.cone / u - (hypot(0.6, 1) - 1)) < 1e-14);
  }
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_counted),
      cmocka_unit_test(what_is_no_problem_is_refused),
      cmocka_unit_test(scales_make_the_diagonal_one),
      cmocka_unit_test(sizes_neither_overflow_nor_vanish),
      cmocka_unit_test(residuals_are_what_the_header_says),
      cmocka_unit_test(tangents_and_anisotropies_are_checked),
      cmocka_unit_test(contacts_are_apart_where_all_of_w_is_their_own),
      cmocka_unit_test(a_form_says_what_all_contacts_have),
      cmocka_unit_test(figures_are_the_same_by_every_way),
      cmocka_unit_test(anisotropies_are_measured_where_the_cone_is_round),
      cmocka_unit_test(an_impulse_where_nothing_touches_is_no_answer),
      cmocka_unit_test(what_sliding_lacks_is_told_in_every_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
