// Does the factor find the rank, and solve where there is a solution?

#include "contact/algebra/semidefinite.h"
#include "support/testing.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
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

// ---- many rows ----

typedef struct large {
  int n, stride;
  double *A, *factor, *left, *x, *b, *work;
  int *order;
} large;

static double *doubles(size_t count)
{
  double *made = calloc(count, sizeof *made);
  assert_non_null(made);
  return made;
}

static large draw_large(testing_random *random, int n, int rank)
{
  const int stride = srs_dense_stride(n);
  const size_t step = (size_t)stride, square = step * step;
  large l = {n,
             stride,
             doubles(square),
             doubles(square),
             doubles(step),
             doubles(step),
             doubles(step),
             doubles(step),
             calloc(step, sizeof(int))};
  double *B = doubles((size_t)rank * step);
  for (size_t i = 0; i < (size_t)n; i++) {
    double square_sum = 0;
    for (size_t k = 0; k < (size_t)rank; k++) {
      const double entry = B[k * step + i] = testing_uniform(random, -1, 1);
      square_sum += entry * entry;
    }
    for (size_t k = 0; k < (size_t)rank; k++) B[k * step + i] /= sqrt(square_sum);
  }
  for (size_t k = 0; k < (size_t)rank; k++)
    for (size_t i = 0; i < (size_t)n; i++)
      for (size_t j = 0; j < (size_t)n; j++) l.A[i * step + j] += B[k * step + i] * B[k * step + j];
  free(B);
  for (size_t i = 0; i < (size_t)n; i++) l.x[i] = testing_uniform(random, -1, 1);
  srs_dense_multiply(n, n, l.A, stride, l.x, l.b);
  return l;
}

static void drop_large(large *l)
{
  double *pieces[] = {l->A, l->factor, l->left, l->x, l->b, l->work};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
  free(l->order);
}

static int factor_large(large *l, bool in_blocks)
{
  memcpy(l->factor, l->A, sizeof(double) * (size_t)l->stride * (size_t)l->stride);
  return srs_semidefinite_factor_by(l->n, l->factor, l->stride, l->order, 1e-11, in_blocks, l->left);
}

// Rank and solution, and pivots in falling order; both ways.
static void blocks_find_the_rank_and_solve(void **state)
{
  (void)state;
  testing_random random = testing_random_start(612);
  const int sizes[][2] = {{1, 1},    {3, 2},     {64, 64},   {65, 64},   {65, 65},   {66, 30},
                          {130, 64}, {130, 128}, {129, 129}, {200, 150}, {200, 199}, {257, 130}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    large l = draw_large(&random, sizes[k][0], sizes[k][1]);
    for (int in_blocks = 0; in_blocks < 2; in_blocks++) {
      const int rank = factor_large(&l, in_blocks == 1);
      assert_int_equal(rank, sizes[k][1]);
      bool *is_met = calloc((size_t)l.n, sizeof *is_met);
      for (int i = 0; i < l.n; i++) is_met[l.order[i]] = true;
      for (int i = 0; i < l.n; i++) assert_true(is_met[i]); // a permutation
      free(is_met);
      for (int i = 1; i < rank; i++)
        assert_true(srs_semidefinite_pivot(l.factor, l.stride, l.order, i) <=
                    srs_semidefinite_pivot(l.factor, l.stride, l.order, i - 1) * (1 + 1e-9));
      memcpy(l.x, l.b, sizeof(double) * (size_t)l.stride);
      srs_semidefinite_solve(l.n, rank, l.factor, l.stride, l.order, l.x, l.work);
      for (int i = rank; i < l.n; i++) assert_true(l.x[l.order[i]] == 0);
      srs_dense_multiply(l.n, l.n, l.A, l.stride, l.x, l.left);
      testing_assert_close("A x", l.left, l.b, l.n, 1e-8); // pivots down to 1e-6
    }
    drop_large(&l);
  }
}

// Both ways take the same rows where no two are nearly the same, and find the same factor.
static void blocks_find_what_own_loops_do(void **state)
{
  (void)state;
  testing_random random = testing_random_start(613);
  for (int n = SRS_DENSE_SEMIDEFINITE - 1; n < 220; n += 31) {
    large l = draw_large(&random, n, n);
    const size_t step = (size_t)l.stride;
    for (size_t i = 0; i < (size_t)n; i++) // diagonal far apart
      for (size_t j = 0; j < (size_t)n; j++)
        l.A[i * step + j] = i == j ? 1 + (double)((i * 7) % (size_t)n) : 1e-3 * l.A[i * step + j];
    assert_int_equal(factor_large(&l, false), n);
    double *own = doubles(step * step);
    int *order = calloc(step, sizeof *order);
    memcpy(own, l.factor, sizeof *own * step * step);
    memcpy(order, l.order, sizeof *order * (size_t)n);
    assert_int_equal(factor_large(&l, true), n);
    assert_memory_equal(order, l.order, sizeof *order * (size_t)n);
    for (int k = 0; k < n; k++) {
      const double *row = srs_semidefinite_row(l.factor, l.stride, l.order, k);
      const double *other = srs_semidefinite_row(own, l.stride, order, k);
      for (int j = k; j < n; j++) assert_true(fabs(row[order[j]] - other[order[j]]) < 1e-12);
      for (int j = n; j < l.stride; j++) assert_true(row[j] == 0);
    }
    // the library's choice on both sides of the limit
    memcpy(l.factor, l.A, sizeof *own * step * step);
    srs_semidefinite_factor(n, l.factor, l.stride, l.order, 1e-11, l.left);
    double *chosen = doubles(step * step);
    memcpy(chosen, l.factor, sizeof *own * step * step);
    factor_large(&l, n > SRS_DENSE_SEMIDEFINITE);
    assert_memory_equal(chosen, l.factor, sizeof *own * step * step);
    free(chosen);
    free(own);
    free(order);
    drop_large(&l);
  }
}

static void blocks_have_the_same_bits_in_any_number_of_threads(void **state)
{
  (void)state;
  const int before = openblas_get_num_threads();
  testing_random random = testing_random_start(614);
  for (int run = 0; run < 3; run++) {
    const int n = 65 + testing_below(&random, 260);
    large l = draw_large(&random, n, n - testing_below(&random, 40));
    const size_t bytes = sizeof(double) * (size_t)l.stride * (size_t)l.stride;
    double *first = malloc(bytes);
    for (int threads = 1; threads <= 8; threads += 1 + threads / 4) {
      openblas_set_num_threads(threads);
      factor_large(&l, true);
      if (threads == 1) memcpy(first, l.factor, bytes);
      assert_memory_equal(l.factor, first, bytes);
    }
    free(first);
    drop_large(&l);
  }
  openblas_set_num_threads(before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_is_found_and_the_solution_solves),
      cmocka_unit_test(a_matrix_of_zeros_has_rank_zero),
      cmocka_unit_test(pivots_come_the_largest_first),
      cmocka_unit_test(blocks_find_the_rank_and_solve),
      cmocka_unit_test(blocks_find_what_own_loops_do),
      cmocka_unit_test(blocks_have_the_same_bits_in_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
