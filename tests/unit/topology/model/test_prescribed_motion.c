// Do prescribed motions give positions, and rates that are their derivatives?

#include "support/testing.h"

#include <math.h>

static double parabola(const void *context, double time, double *rate)
{
  const double *factor = context;
  *rate = 2 * *factor * time;
  return *factor * time * time;
}

static void rates_are_the_derivatives(void **state)
{
  (void)state;
  const double times[4] = {-1, 0, 2, 3}, values[4] = {0.5, 1, -1, 4}, factor = 3;
  const srs_motion motions[] = {
      {.kind = SRS_MOTION_NONE},
      {.kind = SRS_MOTION_RATE, .start = 2, .rate = -3},
      {.kind = SRS_MOTION_SINE, .start = 1, .amplitude = 0.5, .frequency = 4, .phase = 0.3},
      {.kind = SRS_MOTION_TABLE, .start = 1, .times = times, .values = values, .n_points = 4},
      {.kind = SRS_MOTION_FUNCTION, .start = 1, .function = parabola, .context = &factor},
  };
  for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++)
    for (int j = 0; j < 60; j++) {
      const double t = -2.05 + 0.1 * j; // never on a corner
      double rate;
      const double h = 1e-4, at = srs_motion_at(&motions[i], t, &rate);
      const double slope =
          (srs_motion_at(&motions[i], t + h, NULL) - srs_motion_at(&motions[i], t - h, NULL)) / (2 * h);
      assert_true(fabs(rate - slope) < 1e-6); // h^2 of the third derivative, 32 here
      assert_true(isfinite(at));
    }
}

static void tables_pass_their_points_and_hold_outside(void **state)
{
  (void)state;
  const double times[3] = {0, 1, 3}, values[3] = {1, 2, 0};
  const srs_motion motion = {.kind = SRS_MOTION_TABLE, .start = 10, .times = times, .values = values, .n_points = 3};
  double rate;
  for (int i = 0; i < 3; i++) assert_true(srs_motion_at(&motion, times[i], NULL) == 10 + values[i]);
  assert_true(srs_motion_at(&motion, -5, &rate) == 11 && rate == 0);
  assert_true(srs_motion_at(&motion, 9, &rate) == 10 && rate == 0);
  assert_true(srs_motion_at(&motion, 1, &rate) == 12 && rate == -1); // behind the corner
  assert_true(srs_motion_at(&motion, 2, &rate) == 11 && rate == -1);
}

static void kinds_have_names(void **state)
{
  (void)state;
  assert_string_equal(srs_motion_kind_name(SRS_MOTION_SINE), "sine");
  assert_null(srs_motion_kind_name((srs_motion_kind)99));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_the_derivatives),
      cmocka_unit_test(tables_pass_their_points_and_hold_outside),
      cmocka_unit_test(kinds_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
