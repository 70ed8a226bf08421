// Sweeps over the contacts.
#include "contact/iterate/gauss_seidel.h"
#include "support/testing.h"

#include <math.h>

enum { CONTACTS = 2, UNILATERAL = 1, BOX = 1, N = 3 * CONTACTS + UNILATERAL + BOX, STRIDE = 8 };

static void weakly_coupled_rows_converge(void **state)
{
  (void)state;
  testing_random random = testing_random_start(361);
  for (int i = 0; i < 300; i++) {
    double W[STRIDE * STRIDE] = {0}, b[STRIDE], friction[CONTACTS] = {0.3, 0.8}, lower[1] = {-0.2}, upper[1] = {0.5};
    double x[STRIDE] = {0}, w[STRIDE];
    srs_cone_problem p = {.n = N,
                          .stride = STRIDE,
                          .n_contacts = CONTACTS,
                          .n_unilateral = UNILATERAL,
                          .n_box = BOX,
                          .W = W,
                          .b = b,
                          .friction = friction,
                          .lower = lower,
                          .upper = upper};
    for (int j = 0; j < N; j++) {
      b[j] = testing_uniform(&random, -1, 1);
      for (int k = 0; k <= j; k++)
        W[j * STRIDE + k] = W[k * STRIDE + j] = j == k ? 1 : testing_uniform(&random, -0.08, 0.08);
    }
    assert_true(srs_gauss_seidel(&p, 60, x));
    srs_cone_velocity(&p, x, w);
    assert_true(srs_cone_residual(&p, x, w) < 1e-13); // a factor of 0.6 or better a sweep
  }
}

static void one_contact_takes_one_sweep(void **state)
{
  (void)state;
  double W[16] = {1, 0.2, 0.1, 0, 0.2, 1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 0}, b[4] = {-1, 2, -3, 0}, mu = 0.4, x[4] = {0},
         w[4];
  srs_cone_problem p = {.n = 3, .stride = 4, .n_contacts = 1, .W = W, .b = b, .friction = &mu};
  assert_true(srs_gauss_seidel(&p, 1, x));
  srs_cone_velocity(&p, x, w);
  assert_true(srs_cone_residual(&p, x, w) < 1e-14);
}

// Contacts of 0, 1 and 3 tangents alone: their exact answers.
static void contacts_of_any_size_take_one_sweep(void **state)
{
  (void)state;
  enum { ROWS = 7, WIDE = 8 };
  static const int first[4] = {0, 1, 3, 7};
  testing_random random = testing_random_start(362);
  for (int i = 0; i < 300; i++) {
    double W[WIDE * WIDE] = {0}, b[WIDE] = {0}, x[WIDE] = {0}, w[WIDE];
    const double friction[3] = {0.5, testing_uniform(&random, 0, 1), testing_uniform(&random, 0, 1)};
    srs_cone_problem p = {
        .n = ROWS, .stride = WIDE, .n_contacts = 3, .first = first, .W = W, .b = b, .friction = friction};
    for (int c = 0; c < 3; c++)
      for (int j = first[c]; j < first[c + 1]; j++) {
        b[j] = testing_uniform(&random, -1, j == first[c] ? 0.2 : 1);
        for (int k = first[c]; k <= j; k++)
          W[j * WIDE + k] = W[k * WIDE + j] = j == k ? 1 : testing_uniform(&random, -0.2, 0.2);
      }
    assert_true(srs_gauss_seidel(&p, 1, x));
    srs_cone_velocity(&p, x, w);
    assert_true(srs_cone_residual(&p, x, w) < 1e-13);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weakly_coupled_rows_converge),
      cmocka_unit_test(one_contact_takes_one_sweep),
      cmocka_unit_test(contacts_of_any_size_take_one_sweep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
