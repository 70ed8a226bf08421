// Numbers by counting: Philox 4x32-10 against the known answers that its authors publish with Random123, and uniform
// numbers against what is known of them.
#include "engine/sweep/philox.h"
#include "support/testing.h"

#include <math.h>

static void known_answers_are_met(void **state)
{
  (void)state;
  static const struct {
    uint32_t counter[4], key[2], out[4];
  } known[] = {
      // kat_vectors of Random123, philox4x32 10
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t out[4];
    srs_philox(known[i].counter, known[i].key, out);
    for (int k = 0; k < 4; k++) assert_int_equal(out[k], known[i].out[k]);
  }
}

// Mean 1/2 and variance 1/12 with the standard errors of n numbers; neighbouring runs, variables and seeds are not
// correlated (a coefficient has the standard error 1 / sqrt(n)).
static void uniform_numbers_are_uniform_and_independent(void **state)
{
  (void)state;
  enum { N = 100000 };
  double sum = 0, squares = 0, products[3] = {0};
  for (uint64_t i = 0; i < N; i++) {
    double u[2], other[2];
    srs_philox_uniform(7, i, 3, u);
    assert_true(u[0] >= 0 && u[0] < 1 && u[1] >= 0 && u[1] < 1);
    sum += u[0], squares += (u[0] - 0.5) * (u[0] - 0.5);
    srs_philox_uniform(7, i + 1, 3, other);
    products[0] += (u[0] - 0.5) * (other[0] - 0.5);
    srs_philox_uniform(7, i, 4, other);
    products[1] += (u[0] - 0.5) * (other[0] - 0.5);
    srs_philox_uniform(8, i, 3, other);
    products[2] += (u[0] - 0.5) * (other[0] - 0.5);
  }
  const double error = 1 / sqrt((double)N);
  assert_true(fabs(sum / N - 0.5) < 4 * error * sqrt(1.0 / 12));
  assert_true(fabs(squares / N - 1.0 / 12) < 4 * error * sqrt(1.0 / 180));
  for (int i = 0; i < 3; i++) assert_true(fabs(products[i] / N * 12) < 4 * error);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers_are_met),
      cmocka_unit_test(uniform_numbers_are_uniform_and_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
