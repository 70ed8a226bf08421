// A single contact, directly.
#include "contact/direct/one_contact.h"
#include "contact/problem/cone.h"
#include "support/testing.h"

#include <math.h>

// W = A^T D A of so many rows, with D over some orders of magnitude; optionally not symmetric, as files may have it.
static void draw(testing_random *random, int rows, double orders, bool is_symmetric, double *W, double *b)
{
  double A[16], d[4];
  for (int i = 0; i < rows * rows; i++) A[i] = testing_uniform(random, -1, 1), W[i] = 0;
  for (int i = 0; i < rows; i++)
    d[i] = pow(10, testing_uniform(random, -orders, 0)), b[i] = testing_uniform(random, -1, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < rows; k++) W[rows * i + j] += A[rows * k + i] * d[k] * A[rows * k + j];
  if (!is_symmetric)
    for (int i = 0; i < rows * rows; i++) W[i] *= 1 + testing_uniform(random, -1e-4, 1e-4);
}

static double defect(int rows, const double *W, const double *b, double mu, const double *x)
{
  double w[4];
  for (int i = 0; i < rows; i++) {
    w[i] = b[i];
    for (int j = 0; j < rows; j++) w[i] += W[rows * i + j] * x[j];
  }
  return sqrt(srs_cone_defect(rows - 1, x, w, mu));
}

static void every_positive_problem_is_solved(void **state)
{
  (void)state;
  testing_random random = testing_random_start(311);
  for (int rows = 1; rows <= 4; rows++) {
    int kinds[3] = {0}, n_failed = 0;
    for (int i = 0; i < 50000; i++) {
      double W[16], b[4], x[4];
      draw(&random, rows, i % 2 == 0 ? 1 : 3, i % 4 < 2, W, b);
      const double mu = testing_below(&random, 5) == 0 ? 0 : testing_uniform(&random, 0, 2);
      const int iterations = srs_one_contact(rows - 1, W, b, mu, x);
      const bool is_symmetric = i % 4 < 2;
      n_failed += iterations < 0;
      if (iterations < 0 && !is_symmetric) continue; // it may have lost its positivity
      assert_true(iterations >= 0 && iterations < 100);
      // Rounding of W x, x up to condition (1e4 here, and A's) times b.
      double size = 1;
      for (int k = 0; k < rows; k++) size += fabs(x[k]);
      assert_true(defect(rows, W, b, mu, x) < 1e-13 * size);
      kinds[b[0] >= 0 ? 0 : iterations == 0 ? 1 : 2]++;
    }
    assert_true(n_failed < 500);
    assert_true(kinds[0] > 500 && kinds[1] > 500 && (kinds[2] > 500 || rows == 1));
  }
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
    assert_true(srs_one_contact(2, W, b, 0.5, x) >= 0);
    for (size_t r = 0; r < 3; r++) w[r] = W[3 * r] * x[0] + W[3 * r + 1] * x[1] + W[3 * r + 2] * x[2] + b[r];
    const double size = 1 + fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    assert_true(sqrt(srs_cone_defect(2, x, w, 0.5)) < 1e-11 * size);
    assert_true(fabs(-s * x[1] + c * x[2]) < 1e-6 * size); // half the digits: where A's determinant is rounding
  }
}

static void an_immovable_normal_has_no_answer(void **state)
{
  (void)state;
  const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0};
  double x[3];
  assert_int_equal(srs_one_contact(2, W, b, 0.5, x), -1);
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
