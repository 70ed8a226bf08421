// Do curves of smoothed contacts lead from nothing to near an answer, and are their ends on them?
#include "contact/smooth/smooth_curve.h"
#include "unit/contact/smooth/columns.h"

static void curves_lead_to_near_an_answer(void **state)
{
  (void)state;
  enum { MOST = 200, MOST_FACTORS = 400 };
  const double end = 1e-5;
  const int n = testing_draws(MOST);
  testing_random random = testing_random_start(5521);
  static column c;
  uint64_t numbers = 1;
  int there = 0, near = 0, factors = 0;
  for (int i = 0; i < n; i++) {
    double(*v)[ROWS] = c.vectors, x[ROWS], t;
    draw(&random, &c);
    assert_true(srs_smooth_begin(&c.smooth));
    const int taken = srs_smooth_curve(&c.smooth, v[11], v[12], &numbers, MOST_FACTORS, end, v[10], x, &t);
    assert_true(taken <= MOST_FACTORS + 2);
    factors += taken;
    there += t < end;
    near += t < end && residual_of(&c, x) < 10 * t;
  }
  print_message("%d columns: %d curves arrive, %d factors\n", n, there, factors / n);
  assert_true(there >= 9 * n / 10);
  assert_int_equal(near, there);
}

// The end of a curve is a solution of the smoothed problem that it is tilted to.
static void ends_are_on_the_curve(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5522);
  static column c;
  uint64_t numbers = 7;
  for (int i = 0; i < 50; i++) {
    double(*v)[ROWS] = c.vectors, x[ROWS], r[ROWS], t;
    draw(&random, &c);
    assert_true(srs_smooth_begin(&c.smooth));
    (void)srs_smooth_curve(&c.smooth, v[11], v[12], &numbers, 400, 1e-3, v[10], x, &t);
    if (t == 1) continue; // it came back
    double size = 0;
    for (int k = 0; k < ROWS; k++) size += c.smooth.tilt[k] * c.smooth.tilt[k];
    assert_true(fabs(sqrt(size) - 0.1) < 1e-12);
    assert_true(srs_smooth_residual(&c.smooth, t, c.lm.best, r) < 1e-2 * t * t * sqrt(ROWS));
  }
}

static void nothing_is_done_without_budget(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5523);
  static column c;
  uint64_t numbers = 1;
  double(*v)[ROWS] = c.vectors, x[ROWS], t;
  draw(&random, &c);
  c.left = 1e6;
  assert_true(srs_smooth_begin(&c.smooth));
  c.left = 3e4;
  memset(x, 0, sizeof x);
  assert_true(srs_smooth_curve(&c.smooth, v[11], v[12], &numbers, 400, 1e-5, v[10], x, &t) <= 1);
  assert_true(t == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(curves_lead_to_near_an_answer),
                                     cmocka_unit_test(ends_are_on_the_curve),
                                     cmocka_unit_test(nothing_is_done_without_budget)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
