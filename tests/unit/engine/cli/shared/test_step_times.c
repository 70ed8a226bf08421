// The command's counting of step times: quantiles within 1/64.
#include "support/testing.h"

// Part of the command, not of the library.
#include "engine/cli/shared/step_times.c" // NOLINT(bugprone-suspicious-include): the only way to reach it alone

static void quantiles_are_within_a_sixty_fourth(void **state)
{
  (void)state;
  static srs_step_times times;
  times = (srs_step_times){0};
  for (long long i = 1; i <= 100000; i++) srs_step_times_add(&times, 37 * i);
  static const double parts[] = {0.1, 0.5, 0.9, 0.9999};
  for (int i = 0; i < 4; i++) {
    const double exact = 37. * 100000 * parts[i], read = srs_step_times_quantile(&times, parts[i]);
    assert_true(read >= exact * (1 - 1e-12) && read <= exact * (1 + 1. / 64)); // a bin's upper end; its width
  }
  assert_true(times.worst == 3700000);
}

static void every_time_has_its_bin(void **state)
{
  (void)state;
  static srs_step_times times;
  for (int shift = 0; shift < 63; shift++) {
    times = (srs_step_times){0};
    const long long time = (1LL << shift) + (1LL << shift) / 3;
    srs_step_times_add(&times, time);
    assert_true(srs_step_times_quantile(&times, 0.5) == (double)time); // never beyond the worst
  }
  times = (srs_step_times){0};
  assert_true(srs_step_times_quantile(&times, 0.5) == 0);
  srs_step_times_add(&times, -1); // a clock that stepped back
  assert_true(srs_step_times_quantile(&times, 0.5) == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_are_within_a_sixty_fourth),
      cmocka_unit_test(every_time_has_its_bin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
