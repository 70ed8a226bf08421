// Does the factor find the rank, and solve where there is a solution?

#include "engine/semidefinite.h"
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
    double A[MOST * MOST] = {0}, factor[MOST * MOST], b[MOST], x[MOST], work[MOST], left[MOST];
    int order[MOST];
    random_matrix(&random, n, rank, A);
    for (int i = 0; i < n; i++) x[i] = testing_uniform(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      b[i] = 0;
      for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
    }
    memcpy(factor, A, sizeof factor);
    assert_int_equal(srs_semidefinite_factor(n, factor, order, 1e-12), rank);
    memcpy(x, b, sizeof x);
    srs_semidefinite_solve(n, rank, factor, order, x, work);
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
  double A[9] = {0}, x[3] = {1, 2, 3}, work[3];
  int order[3];
  assert_int_equal(srs_semidefinite_factor(3, A, order, 1e-12), 0);
  srs_semidefinite_solve(3, 0, A, order, x, work);
  assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_is_found_and_the_solution_solves),
      cmocka_unit_test(a_matrix_of_zeros_has_rank_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
