// Does the factor find the rank, and solve where there is a solution?

#include "contact/algebra/semidefinite.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { MOST = 24 };

// A = B^T B with B rank x n.
static void random_matrix(testing_random *random, int n, int rank, double *A)
{
  double B[MOST][MOST];
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < n; i++) B[k][i] = testing_uniform(random, -1, 1);
  for (int i = 0; i < n; i++) {
    double square = 0;
    for (int k = 0; k < rank; k++) square += B[k][i] * B[k][i];
    for (int k = 0; k < rank; k++) B[k][i] /= sqrt(square);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0;
      for (int k = 0; k < rank; k++) A[i * n + j] += B[k][i] * B[k][j];
    }
}

static void rank_is_found_and_the_solution_solves(void **state)
{
  (void)state;
  testing_random random = testing_random_start(611);
  for (int run = 0; run < 500; run++) {
    const int n = 1 + testing_below(&random, MOST), rank = 1 + testing_below(&random, n);
    const int stride = srs_dense_stride(n);
    double A[MOST * MOST] = {0}, factor[MOST * MOST] = {0}, b[MOST], x[MOST] = {0}, work[MOST], left[MOST], most[MOST];
    int order[MOST];
    random_matrix(&random, n, rank, A);
    for (int i = 0; i < n; i++) x[i] = testing_uniform(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      b[i] = 0;
      for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
    }
    for (int i = 0; i < n; i++)
      memcpy(factor + (size_t)i * (size_t)stride, A + (size_t)i * (size_t)n, sizeof *A * (size_t)n);
    assert_int_equal(srs_semidefinite_factor(n, factor, stride, order, 1e-12, most), rank);
    memcpy(x, b, sizeof *x * (size_t)n);
    srs_semidefinite_solve(n, rank, factor, stride, order, x, work);
    for (int i = 0; i < n; i++) {
      left[i] = 0;
      for (int j = 0; j < n; j++) left[i] += A[i * n + j] * x[j];
    }
    testing_assert_close("A x", left, b, n, 1e-9); // pivots down to 1e-6: squares of what random rows differ by
  }
}

static void a_matrix_of_zeros_has_rank_zero(void **state)
{
  (void)state;
  double A[12] = {0}, x[4] = {1, 2, 3}, work[4];
  int order[3];
  assert_int_equal(srs_semidefinite_factor(3, A, 4, order, 1e-12, work), 0);
  srs_semidefinite_solve(3, 0, A, 4, order, x, work);
  assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

// Of diag(1, 4, 9): the squares themselves, the largest first.
static void pivots_come_the_largest_first(void **state)
{
  (void)state;
  double A[12] = {1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 9, 0};
  double left[4];
  int order[3];
  assert_int_equal(srs_semidefinite_factor(3, A, 4, order, 1e-12, left), 3);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(order[k], 2 - k);
    assert_true(fabs(srs_semidefinite_pivot(A, 4, order, k) - (3 - k) * (3 - k)) < 1e-14);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_is_found_and_the_solution_solves),
      cmocka_unit_test(a_matrix_of_zeros_has_rank_zero),
      cmocka_unit_test(pivots_come_the_largest_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
