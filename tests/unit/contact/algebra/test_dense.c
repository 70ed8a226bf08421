// Small dense systems, our own loops and those of BLAS, against sums written out.
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_large.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct system {
  int n, stride;
  double *A, *G, *copy, *x, *b, *y;
  int *pivot;
} system_t;

static system_t draw(testing_random *random, int n)
{
  const int stride = srs_dense_stride(n);
  const size_t square = (size_t)stride * (size_t)stride;
  system_t s = {.n = n, .stride = stride};
  s.A = calloc(square, sizeof(double));
  s.G = calloc(2 * square, sizeof(double));
  s.copy = calloc(square, sizeof(double));
  s.x = calloc((size_t)stride, sizeof(double));
  s.b = calloc((size_t)stride, sizeof(double));
  s.y = calloc(2 * (size_t)stride, sizeof(double));
  s.pivot = calloc((size_t)stride, sizeof(int));
  for (int i = 0; i < n; i++) {
    s.x[i] = testing_uniform(random, -1, 1);
    for (int j = 0; j < n; j++) s.A[i * stride + j] = testing_uniform(random, -1, 1) + (i == j ? 3 * sqrt(n) : 0);
  }
  return s;
}

static void drop(system_t *s)
{
  double *pieces[] = {s->A, s->G, s->copy, s->x, s->b, s->y};
  for (size_t i = 0; i < 6; i++) free(pieces[i]);
  free(s->pivot);
}

static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 31, 64, 100, 203}; // both ways
enum { SIZES = sizeof sizes / sizeof *sizes };

static void products_are_sums(void **state)
{
  (void)state;
  testing_random random = testing_random_start(301);
  for (int k = 0; k < SIZES; k++) {
    system_t s = draw(&random, sizes[k]);
    srs_dense_multiply(s.n, s.n, s.A, s.stride, s.x, s.y);
    srs_dense_multiply_transposed(s.n, s.n, s.A, s.stride, s.x, s.b);
    if (k % 2 == 0)
      srs_dense_gram(s.n, s.A, s.stride, s.G);
    else
      srs_large_gram(s.n, s.A, s.stride, s.G);
    for (int i = 0; i < s.n; i++) {
      double row = 0, column = 0;
      for (int j = 0; j < s.n; j++) row += s.A[i * s.stride + j] * s.x[j], column += s.A[j * s.stride + i] * s.x[j];
      assert_true(fabs(row - s.y[i]) < 1e-12 && fabs(column - s.b[i]) < 1e-12); // n roundings of numbers about 30
      for (int j = i; j < s.n; j++) {
        double sum = 0;
        for (int r = 0; r < s.n; r++) sum += s.A[r * s.stride + i] * s.A[r * s.stride + j];
        assert_true(fabs(sum - s.G[i * s.stride + j]) < 1e-14 * 16 * s.n * (1 + fabs(sum)));
      }
    }
    drop(&s);
  }
}

static void factorise_and_solve(bool is_large)
{
  testing_random random = testing_random_start(302);
  for (int k = 0; k < SIZES; k++) {
    system_t s = draw(&random, sizes[k]);
    const size_t bytes = sizeof(double) * (size_t)s.n;
    // A x = b by LU
    srs_dense_multiply(s.n, s.n, s.A, s.stride, s.x, s.b);
    memcpy(s.copy, s.A, sizeof(double) * (size_t)s.stride * (size_t)s.n);
    assert_true((is_large ? srs_large_lu : srs_dense_lu)(s.n, s.copy, s.stride, s.pivot) > 1e-3);
    memcpy(s.y, s.b, bytes);
    srs_dense_lu_solve(s.n, s.copy, s.stride, s.pivot, s.y);
    testing_assert_close("LU", s.y, s.x, s.n, 1e-12); // condition about 10
    // (A^T A + 0.5 I) x = b by Cholesky
    srs_dense_multiply_transposed(s.n, s.n, s.A, s.stride, s.b, s.y);
    for (int i = 0; i < s.n; i++) s.y[i] += 0.5 * s.x[i];
    srs_dense_gram(s.n, s.A, s.stride, s.G);
    for (int i = 0; is_large && i < s.n; i++) s.G[i * s.stride + i] += 0.5;
    assert_true(is_large ? srs_large_cholesky(s.n, s.G, s.stride) : srs_dense_cholesky(s.n, s.G, s.stride, 0.5));
    srs_dense_cholesky_solve(s.n, s.G, s.stride, s.y);
    testing_assert_close("Cholesky", s.y, s.x, s.n, 1e-11); // condition about 100
    drop(&s);
  }
}

static void factorisations_solve(void **state)
{
  (void)state;
  factorise_and_solve(false);
  factorise_and_solve(true);
}

// R^T R = A^T A and Q^T b has the length of b.
static void blocks_of_reflections_keep_lengths(void **state)
{
  (void)state;
  testing_random random = testing_random_start(304);
  for (int k = 0; k < SIZES; k++) {
    system_t s = draw(&random, sizes[k]);
    const size_t length = 2 * (size_t)s.stride;
    double *work = calloc(64 * length, sizeof(double)), *diagonal = calloc((size_t)s.n, sizeof(double)), b = 0, y = 0;
    for (int j = 0; j < s.n; j++)
      for (int i = 0; i < s.n; i++) s.G[(size_t)j * length + (size_t)i] = s.A[i * s.stride + j];
    for (int i = 0; i < s.n; i++) s.y[i] = s.x[i], b += s.x[i] * s.x[i];
    srs_large_qr(s.n, s.G, s.stride, s.y, diagonal, work);
    for (size_t i = 0; i < length; i++) y += s.y[i] * s.y[i];
    assert_true(fabs(b - y) < 1e-13 * (double)s.n);
    for (int i = 0; i < s.n; i++)
      for (int j = i; j < s.n; j++) {
        double gram = 0, triangle = 0;
        for (int l = 0; l < s.n; l++) gram += s.A[l * s.stride + i] * s.A[l * s.stride + j];
        for (int l = 0; l <= i; l++)
          triangle += (l == i ? diagonal[l] : s.G[(size_t)i * length + (size_t)l]) *
                      (l == j ? diagonal[l] : s.G[(size_t)j * length + (size_t)l]);
        assert_true(fabs(gram - triangle) < 1e-14 * 16 * s.n * (1 + fabs(gram)));
      }
    free(work);
    free(diagonal);
    drop(&s);
  }
}

// The least squares' gradient vanishes: A^T (A x - b) + shift x = 0.
static void damped_least_squares_have_no_slope(void **state)
{
  (void)state;
  testing_random random = testing_random_start(303);
  for (int k = 0; k < SIZES; k++) {
    for (int which = 0; which < 4; which++) {
      system_t s = draw(&random, sizes[k]);
      const double shift = which % 2 == 0 ? 1e-12 : 0.3;
      double *tall = calloc(2 * (size_t)s.stride, sizeof(double)), *slope = calloc((size_t)s.stride, sizeof(double));
      if (which == 1) // two equal columns: singular but for the shift
        for (size_t i = 0; i < (size_t)s.n; i++)
          s.A[i * (size_t)s.stride] = s.A[i * (size_t)s.stride + (size_t)s.n - 1];
      for (int j = 0; which > 1 && j < s.n; j++) // columns of I: two in three, or all
        if (j % 3 != 1 || k % 4 == 3)
          for (int i = 0; i < s.n; i++) s.A[i * s.stride + j] = i == j;
      for (int i = 0; i < s.n; i++) s.b[i] = testing_uniform(&random, -1, 1), s.y[i] = s.b[i];
      memcpy(s.copy, s.A, sizeof(double) * (size_t)s.stride * (size_t)s.n);
      srs_dense_least_squares(s.n, s.copy, s.stride, shift, s.G, tall, s.y);
      for (int i = s.n; i < s.stride; i++) s.y[i] = 0;
      srs_dense_multiply(s.n, s.n, s.A, s.stride, s.y, s.x);
      for (int i = 0; i < s.n; i++) s.x[i] -= s.b[i];
      srs_dense_multiply_transposed(s.n, s.n, s.A, s.stride, s.x, slope);
      for (int i = 0; i < s.n; i++) assert_true(fabs(slope[i] + shift * s.y[i]) < 1e-11);
      free(tall);
      free(slope);
      drop(&s);
    }
  }
}

static void a_matrix_without_inverse_is_recognised(void **state)
{
  (void)state;
  double zero[16] = {0}, minus[16] = {0};
  int pivot[4];
  assert_true(srs_dense_lu(4, zero, 4, pivot) == 0);
  double nearly[16] = {1, 2, 0, 0, 1, 2 + 1e-13, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, same[16];
  memcpy(same, nearly, sizeof same);
  assert_false(srs_dense_lu_if_regular(4, nearly, 4, pivot, 1e-12));
  assert_true(srs_dense_lu_if_regular(4, same, 4, pivot, 1e-14));
  for (size_t i = 0; i < 4; i++) minus[5 * i] = i == 2 ? -1 : 1;
  assert_false(srs_dense_cholesky(4, minus, 4, 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_sums),
      cmocka_unit_test(factorisations_solve),
      cmocka_unit_test(blocks_of_reflections_keep_lengths),
      cmocka_unit_test(damped_least_squares_have_no_slope),
      cmocka_unit_test(a_matrix_without_inverse_is_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
