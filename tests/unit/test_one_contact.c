// A single contact, directly.
#include "contact/cone.h"
#include "contact/one_contact.h"
#include "support/testing.h"

#include <math.h>

// W = A^T D A with D over some orders of magnitude; optionally not symmetric, as files may have it.
static void draw(testing_random *random, double orders, bool is_symmetric, double W[9], double b[3])
{
  double A[9], d[3];
  for (int i = 0; i < 9; i++) A[i] = testing_uniform(random, -1, 1), W[i] = 0;
  for (int i = 0; i < 3; i++)
    d[i] = pow(10, testing_uniform(random, -orders, 0)), b[i] = testing_uniform(random, -1, 1);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) W[3 * i + j] += A[3 * k + i] * d[k] * A[3 * k + j];
  if (!is_symmetric)
    for (int i = 0; i < 9; i++) W[i] *= 1 + testing_uniform(random, -1e-4, 1e-4);
}

static double defect(const double W[9], const double b[3], double mu, const double x[3])
{
  double w[3];
  for (size_t i = 0; i < 3; i++) w[i] = W[3 * i] * x[0] + W[3 * i + 1] * x[1] + W[3 * i + 2] * x[2] + b[i];
  return sqrt(srs_cone_defect(x, w, mu));
}

static void every_positive_problem_is_solved(void **state)
{
  (void)state;
  testing_random random = testing_random_start(311);
  int kinds[3] = {0}, n_failed = 0;
  for (int i = 0; i < 100000; i++) {
    double W[9], b[3], x[3];
    draw(&random, i % 2 == 0 ? 1 : 3, i % 4 < 2, W, b);
    const double mu = testing_below(&random, 5) == 0 ? 0 : testing_uniform(&random, 0, 2);
    const int iterations = srs_one_contact(W, b, mu, x);
    const bool is_symmetric = i % 4 < 2;
    n_failed += iterations < 0;
    if (iterations < 0 && !is_symmetric) continue; // it may have lost its positivity
    assert_true(iterations >= 0 && iterations < 100);
    // Rounding of W x, x up to condition (1e4 here, and A's) times b.
    const double size = 1 + fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    assert_true(defect(W, b, mu, x) < 1e-13 * size);
    kinds[b[0] >= 0 ? 0 : iterations == 0 ? 1 : 2]++;
  }
  assert_true(n_failed < 1000);
  assert_true(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000);
}

static void a_direction_without_motion_takes_no_impulse(void **state)
{
  (void)state;
  testing_random random = testing_random_start(312);
  for (int i = 0; i < 10000; i++) { // J has rank two: a planar contact, seen from turned axes
    double J[3][2], W[9], b[3] = {0}, x[3], v[2], w[3];
    const double angle = testing_uniform(&random, 0, 6.3), c = cos(angle), s = sin(angle);
    for (int k = 0; k < 2; k++) {
      const double t = testing_uniform(&random, -1, 1);
      J[0][k] = testing_uniform(&random, -1, 1), J[1][k] = c * t, J[2][k] = s * t,
      v[k] = testing_uniform(&random, -1, 1);
    }
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 2; k++) {
        b[r] += J[r][k] * v[k];
        for (int q = 0; q < 3; q++) W[3 * r + q] = J[r][0] * J[q][0] + J[r][1] * J[q][1];
      }
    assert_true(srs_one_contact(W, b, 0.5, x) >= 0);
    for (size_t r = 0; r < 3; r++) w[r] = W[3 * r] * x[0] + W[3 * r + 1] * x[1] + W[3 * r + 2] * x[2] + b[r];
    const double size = 1 + fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    assert_true(sqrt(srs_cone_defect(x, w, 0.5)) < 1e-11 * size);
    assert_true(fabs(-s * x[1] + c * x[2]) < 1e-6 * size); // half the digits: where A's determinant is rounding
  }
}

static void an_immovable_normal_has_no_answer(void **state)
{
  (void)state;
  const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0};
  double x[3];
  assert_int_equal(srs_one_contact(W, b, 0.5, x), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_positive_problem_is_solved),
      cmocka_unit_test(a_direction_without_motion_takes_no_impulse),
      cmocka_unit_test(an_immovable_normal_has_no_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
