// Do paths of smoothed contacts lead from nothing to near an answer, also where W has less rank than rows?
#include "contact/smooth/smooth_path.h"
#include "unit/contact/smooth/columns.h"

static void paths_lead_to_near_an_answer(void **state)
{
  (void)state;
  enum { MOST = 200, MOST_STEPS = 400 };
  const int n = testing_draws(MOST);
  testing_random random = testing_random_start(5511);
  static column c;
  int there = 0, also_there = 0, steps = 0;
  for (int i = 0; i < n; i++) {
    double *y = c.vectors[10], x[ROWS], t;
    uint64_t numbers = 1;
    draw(&random, &c);
    assert_true(srs_smooth_begin(&c.smooth));
    assert_int_equal(c.smooth.rank, FREEDOMS);
    const int taken = srs_smooth_path(&c.smooth, NULL, MOST_STEPS, y, x, &t);
    assert_true(taken <= MOST_STEPS + 10);
    steps += taken;
    there += t < 1e-6 && residual_of(&c, x) < 10 * t;
    (void)srs_smooth_path(&c.smooth, &numbers, MOST_STEPS, y, x, &t);
    also_there += t < 1e-6 && residual_of(&c, x) < 10 * t;
  }
  print_message("%d columns: %d straight paths arrive, %d tilted ones, %d steps\n", n, there, also_there, steps / n);
  assert_true(there >= 9 * n / 10 && also_there >= 3 * n / 4);
}

static void nothing_is_done_without_budget(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5512);
  static column c;
  double x[ROWS], t;
  draw(&random, &c);
  c.left = 10;
  assert_false(srs_smooth_begin(&c.smooth));
  c.left = 1e6;
  assert_true(srs_smooth_begin(&c.smooth));
  c.left = 3e4;
  assert_true(srs_smooth_path(&c.smooth, NULL, 400, c.vectors[10], x, &t) <= 1);
  for (int i = 0; i < ROWS; i++) assert_true(isfinite(x[i]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_lead_to_near_an_answer),
                                     cmocka_unit_test(nothing_is_done_without_budget)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
