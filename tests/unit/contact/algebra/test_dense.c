// Dense systems, by our own loops and by blocks that BLAS multiplies, against sums written out; at the limits between
// both; the same bits whatever number of threads BLAS has.
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_qr.h"
#include "contact/algebra/dense_small.h"
#include "support/testing.h"

#include <cblas.h>
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

static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 31, 64, 65, 71, 100, 128, 203}; // both ways
enum { SIZES = sizeof sizes / sizeof *sizes };

static void products_are_sums(void **state)
{
  (void)state;
  testing_random random = testing_random_start(301);
  for (int k = 0; k < SIZES; k++) {
    system_t s = draw(&random, sizes[k]);
    srs_dense_multiply(s.n, s.n, s.A, s.stride, s.x, s.y);
    srs_dense_multiply_transposed(s.n, s.n, s.A, s.stride, s.x, s.b);
    (k % 2 == 0 ? srs_small_gram : srs_blocks_gram)(s.n, s.A, s.stride, s.G);
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

static void factorise_and_solve(bool in_blocks)
{
  testing_random random = testing_random_start(302);
  for (int k = 0; k < SIZES; k++) {
    system_t s = draw(&random, sizes[k]);
    const size_t bytes = sizeof(double) * (size_t)s.n;
    // A x = b by LU
    srs_dense_multiply(s.n, s.n, s.A, s.stride, s.x, s.b);
    memcpy(s.copy, s.A, sizeof(double) * (size_t)s.stride * (size_t)s.n);
    assert_true((in_blocks ? srs_blocks_lu : srs_small_lu)(s.n, s.copy, s.stride, s.pivot, 0) > 1e-3);
    memcpy(s.y, s.b, bytes);
    srs_dense_lu_solve(s.n, s.copy, s.stride, s.pivot, s.y);
    testing_assert_close("LU", s.y, s.x, s.n, 1e-12); // condition about 10
    // (A^T A + 0.5 I) x = b by Cholesky
    srs_dense_multiply_transposed(s.n, s.n, s.A, s.stride, s.b, s.y);
    for (int i = 0; i < s.n; i++) s.y[i] += 0.5 * s.x[i];
    srs_dense_gram(s.n, s.A, s.stride, s.G);
    for (int i = 0; i < s.n; i++) s.G[i * s.stride + i] += 0.5;
    assert_true((in_blocks ? srs_blocks_cholesky : srs_small_cholesky)(s.n, s.G, s.stride));
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

// R^T R = A^T A + shift and Q^T b has the length of b, by one panel of all columns and by panels of 64.
static void reflections_keep_lengths(void **state)
{
  (void)state;
  testing_random random = testing_random_start(304);
  for (int k = 0; k < 2 * SIZES; k++) {
    system_t s = draw(&random, sizes[k / 2]);
    const size_t length = 2 * (size_t)s.stride;
    const double shift = 0.3;
    double *diagonal = calloc((size_t)s.n, sizeof(double)), b = 0, y = 0;
    for (int j = 0; j < s.n; j++) {
      for (int i = 0; i < s.n; i++) s.G[(size_t)j * length + (size_t)i] = s.A[i * s.stride + j];
      s.G[(size_t)j * length + (size_t)(s.stride + j)] = sqrt(shift);
    }
    for (int i = 0; i < s.n; i++) s.y[i] = s.x[i], b += s.x[i] * s.x[i];
    srs_dense_qr(s.n, s.G, s.stride, k % 2 == 0 ? s.n : 64, s.y, diagonal);
    for (size_t i = 0; i < length; i++) y += s.y[i] * s.y[i];
    assert_true(fabs(b - y) < 1e-13 * (double)s.n);
    for (int i = 0; i < s.n; i++)
      for (int j = i; j < s.n; j++) {
        double gram = i == j ? shift : 0, triangle = 0;
        for (int l = 0; l < s.n; l++) gram += s.A[l * s.stride + i] * s.A[l * s.stride + j];
        for (int l = 0; l <= i; l++)
          triangle += (l == i ? diagonal[l] : s.G[(size_t)i * length + (size_t)l]) *
                      (l == j ? diagonal[l] : s.G[(size_t)j * length + (size_t)l]);
        assert_true(fabs(gram - triangle) < 1e-14 * 16 * s.n * (1 + fabs(gram)));
      }
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

// A column that is a multiple of another, and a diagonal entry below zero, in each block in turn.
static void blocks_recognise_it_too(void **state)
{
  (void)state;
  testing_random random = testing_random_start(306);
  for (int bad = 3; bad < 203; bad += 40) {
    system_t s = draw(&random, 203);
    for (int i = 0; i < s.n; i++) s.A[i * s.stride + bad] = -2 * s.A[i * s.stride + (bad + 57) % s.n];
    memcpy(s.copy, s.A, sizeof(double) * (size_t)s.stride * (size_t)s.n);
    assert_true(srs_blocks_lu(s.n, s.copy, s.stride, s.pivot, 1e-12) == 0);
    memcpy(s.copy, s.A, sizeof(double) * (size_t)s.stride * (size_t)s.n);
    assert_true(srs_blocks_lu(s.n, s.copy, s.stride, s.pivot, 0) < 1e-12);
    srs_blocks_gram(s.n, s.A, s.stride, s.G);
    s.G[bad * s.stride + bad] = -1;
    assert_false(srs_blocks_cholesky(s.n, s.G, s.stride));
    drop(&s);
  }
}

// ---- limits and threads ----

enum { KERNELS = 4, LEAST_SQUARES = 3 };
static const int limits[KERNELS] = {SRS_DENSE_GRAM, SRS_DENSE_CHOLESKY, SRS_DENSE_LU, SRS_DENSE_QR};

// Kernel k as the library takes it (way 0), by own loops (1), in blocks (2): its result in G, of 2 stride^2 doubles.
static void run(system_t *s, int k, int way)
{
  const size_t square = (size_t)s->stride * (size_t)s->stride, step = (size_t)s->stride;
  memset(s->G, 0, 2 * square * sizeof *s->G);
  memset(s->y, 0, 2 * step * sizeof *s->y);
  memcpy(s->y, s->x, step * sizeof *s->y);
  memset(s->b, 0, step * sizeof *s->b);
  if (k == LEAST_SQUARES) {
    for (size_t j = 0; j < (size_t)s->n; j++) {
      for (size_t i = 0; i < (size_t)s->n; i++) s->G[j * 2 * step + i] = s->A[i * step + j];
      s->G[j * 2 * step + step + j] = sqrt(0.3);
    }
    if (way == 0) {
      memcpy(s->b, s->x, step * sizeof *s->b);
      srs_dense_least_squares(s->n, s->A, s->stride, 0.3, s->G, s->y, s->b);
    } else
      srs_dense_qr(s->n, s->G, s->stride, way == 1 ? s->n : 64, s->y, s->b);
    return;
  }
  for (size_t i = 0; i < (size_t)s->n; i++) // definite: the diagonal is 3 n^1/2 and the rest below n/10
    for (size_t j = 0; j < (size_t)s->n; j++) s->G[i * step + j] = s->A[i * step + j] + (k == 1 && i == j ? s->n : 0);
  if (k == 0)
    (way == 0 ? srs_dense_gram : way == 1 ? srs_small_gram : srs_blocks_gram)(s->n, s->A, s->stride, s->G);
  else if (k == 1)
    assert_true(way == 0   ? srs_dense_cholesky(s->n, s->G, s->stride, 0)
                : way == 1 ? srs_small_cholesky(s->n, s->G, s->stride)
                           : srs_blocks_cholesky(s->n, s->G, s->stride));
  else
    assert_true((way == 0   ? srs_dense_lu(s->n, s->G, s->stride, s->pivot)
                 : way == 1 ? srs_small_lu(s->n, s->G, s->stride, s->pivot, 0)
                            : srs_blocks_lu(s->n, s->G, s->stride, s->pivot, 0)) > 0);
}

// The upper triangle, or all of it.
static bool is_equal(const system_t *s, int k, const double *other, double tolerance)
{
  const size_t step = (size_t)s->stride;
  bool is = true;
  for (size_t i = 0; i < (size_t)s->n; i++)
    for (size_t j = k < 2 ? i : 0; j < (k == LEAST_SQUARES ? i : (size_t)s->n); j++) {
      const size_t at = k == LEAST_SQUARES ? i * 2 * step + j : i * step + j;
      is = is && fabs(s->G[at] - other[at]) <= tolerance * (1 + fabs(other[at]));
    }
  return is;
}

// Own loops up to the limit, blocks beyond, and the two agree there; at random sizes beyond too.
static void own_loops_work_up_to_the_limit_and_blocks_beyond(void **state)
{
  (void)state;
  testing_random random = testing_random_start(305);
  for (int k = 0; k < KERNELS; k++)
    for (int beyond = 0; beyond < 2; beyond++) {
      system_t s = draw(&random, limits[k] + beyond);
      const size_t bytes = 2 * sizeof(double) * (size_t)s.stride * (size_t)s.stride;
      double *own = malloc(bytes), *blocks = malloc(bytes);
      run(&s, k, 1);
      memcpy(own, s.G, bytes);
      run(&s, k, 2);
      memcpy(blocks, s.G, bytes);
      assert_true(is_equal(&s, k, own, 1e-11)); // of some 30, after n sums, condition 10
      run(&s, k, 0);
      assert_true(is_equal(&s, k, beyond ? blocks : own, 0));
      free(own);
      free(blocks);
      drop(&s);
    }
}

static void blocks_have_the_same_bits_in_any_number_of_threads(void **state)
{
  (void)state;
  const int before = openblas_get_num_threads();
  testing_random random = testing_random_start(307);
  for (int k = 0; k < KERNELS; k++)
    for (int size = 0; size < 3; size++) {
      system_t s = draw(&random, 65 + testing_below(&random, 260));
      const size_t bytes = 2 * sizeof(double) * (size_t)s.stride * (size_t)s.stride;
      double *first = malloc(bytes);
      for (int threads = 1; threads <= 8; threads += 1 + threads / 4) {
        openblas_set_num_threads(threads);
        run(&s, k, 2);
        if (threads == 1) memcpy(first, s.G, bytes);
        assert_memory_equal(s.G, first, bytes);
      }
      free(first);
      drop(&s);
    }
  openblas_set_num_threads(before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_sums),
      cmocka_unit_test(factorisations_solve),
      cmocka_unit_test(reflections_keep_lengths),
      cmocka_unit_test(damped_least_squares_have_no_slope),
      cmocka_unit_test(a_matrix_without_inverse_is_recognised),
      cmocka_unit_test(blocks_recognise_it_too),
      cmocka_unit_test(own_loops_work_up_to_the_limit_and_blocks_beyond),
      cmocka_unit_test(blocks_have_the_same_bits_in_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
