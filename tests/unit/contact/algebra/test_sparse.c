// Large systems of which little is not zero, against dense ones.
#include "contact/algebra/sparse.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 400, STRIDE = MOST_ROWS };

typedef struct fixture {
  srs_sparse sparse;
  int *integers;
  double *doubles, *A, *packed, *memory, *dense, *tall;
} fixture;

static int set_up(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  const srs_sparse_room room = srs_sparse_usual_room(MOST_ROWS);
  f->integers = calloc(srs_sparse_integers(&room), sizeof *f->integers);
  f->doubles = calloc(srs_sparse_doubles(&room), sizeof *f->doubles);
  f->A = calloc((size_t)STRIDE * STRIDE, sizeof *f->A);
  f->packed = calloc((size_t)STRIDE * STRIDE, sizeof *f->packed);
  f->memory = calloc((size_t)2 * STRIDE * STRIDE, sizeof *f->memory);
  f->dense = calloc((size_t)2 * STRIDE * STRIDE, sizeof *f->dense);
  f->tall = calloc((size_t)2 * STRIDE, sizeof *f->tall);
  srs_sparse_lay_out(&f->sparse, &room, f->integers, f->doubles);
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  free(f->integers);
  free(f->doubles);
  free(f->A);
  free(f->packed);
  free(f->memory);
  free(f->dense);
  free(f->tall);
  free(f);
  return 0;
}

static double *block(fixture *f, int i, int j)
{
  return f->A + (size_t)f->sparse.first[i] * STRIDE + (size_t)f->sparse.first[j];
}

// Nodes of 1 to 4 rows in a ring with a few chords; a matrix of that pattern whose symmetric part is positive.
static int draw(fixture *f, testing_random *random)
{
  srs_sparse *s = &f->sparse;
  const int n_nodes = 90;
  s->first[0] = 0;
  for (int i = 0; i < n_nodes; i++) s->first[i + 1] = s->first[i] + 1 + testing_below(random, 4);
  const int n = s->first[n_nodes];
  assert_true(n >= SRS_SPARSE_FROM && n <= MOST_ROWS);
  memset(f->A, 0, sizeof *f->A * STRIDE * STRIDE);
  for (int i = 0; i < n_nodes; i++) {
    const int others[3] = {i, (i + 1) % n_nodes, testing_below(random, 8) == 0 ? testing_below(random, n_nodes) : i};
    for (int k = 0; k < 3; k++)
      for (int r = 0; r < s->first[i + 1] - s->first[i]; r++)
        for (int c = 0; c < s->first[others[k] + 1] - s->first[others[k]]; c++) {
          block(f, i, others[k])[r * STRIDE + c] = testing_uniform(random, -0.3, 0.3);
          if (testing_below(random, 2) == 0) // else the pattern is one-sided
            block(f, others[k], i)[c * STRIDE + r] = testing_uniform(random, -0.3, 0.3);
        }
  }
  for (size_t i = 0; i < (size_t)n; i++) f->A[i * (STRIDE + 1)] += 4;
  assert_true(srs_sparse_analyse(s, n_nodes, f->A, STRIDE, (size_t)2 * STRIDE * STRIDE));
  srs_sparse_pack(s, f->A, STRIDE, f->packed);
  return n;
}

static void products_are_those_of_the_dense(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(331);
  static double x[STRIDE], y[STRIDE], expected[STRIDE];
  for (int i = 0; i < 50; i++) {
    const int n = draw(f, &random);
    memset(x, 0, sizeof x);
    for (int j = 0; j < n; j++) x[j] = testing_uniform(&random, -1, 1);
    for (int node = 0; node < f->sparse.n_nodes; node++)
      srs_sparse_multiply(&f->sparse, node, f->packed, x, y + f->sparse.first[node]);
    srs_dense_multiply(n, n, f->A, STRIDE, x, expected);
    testing_assert_close("A x", y, expected, n, 1e-14); // a few roundings
    srs_sparse_multiply_transposed(&f->sparse, f->packed, x, y);
    srs_dense_multiply_transposed(n, n, f->A, STRIDE, x, expected);
    testing_assert_close("A^T x", y, expected, n, 1e-14);
    for (int j = 0; j < n; j++)
      assert_true(*srs_sparse_diagonal(&f->sparse, f->packed, j) == f->A[(size_t)j * (STRIDE + 1)]);
  }
}

static void elimination_solves(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(332);
  static double x[STRIDE], y[STRIDE];
  for (int i = 0; i < 50; i++) {
    const int n = draw(f, &random);
    memset(x, 0, sizeof x);
    for (int j = 0; j < n; j++) x[j] = testing_uniform(&random, -1, 1);
    srs_dense_multiply(n, n, f->A, STRIDE, x, y);
    assert_true(srs_sparse_solve(&f->sparse, f->packed, 1e-14, f->memory, y));
    testing_assert_close("A^-1 A x", y, x, n, 1e-12); // a condition of about 10
  }
}

static void kept_factors_solve(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(335);
  static double x[STRIDE], y[STRIDE];
  for (int i = 0; i < 50; i++) {
    const int n = draw(f, &random);
    assert_true(srs_sparse_factor_doubles(&f->sparse) <= (size_t)2 * STRIDE * STRIDE);
    assert_true(srs_sparse_factor(&f->sparse, f->packed, 1e-14, f->memory));
    for (int k = 0; k < 3; k++) {
      memset(x, 0, sizeof x);
      for (int j = 0; j < n; j++) x[j] = testing_uniform(&random, -1, 1);
      srs_dense_multiply(n, n, f->A, STRIDE, x, y);
      srs_sparse_apply(&f->sparse, f->memory, y);
      testing_assert_close("A^-1 A x", y, x, n, 1e-12);
    }
  }
}

static void least_squares_are_those_of_the_dense(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(333);
  static double x[STRIDE], y[STRIDE];
  for (int i = 0; i < 12; i++) {
    const int n = draw(f, &random);
    const double shift = pow(10, testing_uniform(&random, -12, 1));
    if (i % 2 == 1) {
      memset(f->packed, 0, sizeof *f->packed * (size_t)f->sparse.wide[0]);
      memset(f->A, 0, sizeof *f->A * STRIDE);
    } // a zero row: only the shift makes it regular
    memset(x, 0, sizeof x);
    for (int j = 0; j < n; j++) x[j] = y[j] = testing_uniform(&random, -1, 1);
    assert_true(srs_sparse_least_squares(&f->sparse, f->packed, shift, f->memory, y));
    srs_dense_least_squares(n, f->A, STRIDE, shift, f->dense, f->tall, x);
    const double damped = i % 2 == 1 && shift < 1e-2 ? 1e-16 / shift : 0; // along the null space rounding is blown up
    testing_assert_close("least squares", y, x, n, 1e-11 + 100 * damped);
  }
}

static void what_is_singular_is_told(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(334);
  static double x[STRIDE];
  (void)draw(f, &random);
  memset(f->packed, 0, sizeof *f->packed * (size_t)f->sparse.wide[0]); // a zero row
  assert_false(srs_sparse_solve(&f->sparse, f->packed, 1e-14, f->memory, x));
}

static void dense_ways_are_left_to_the_dense(void **state)
{
  fixture *f = *state;
  for (int i = 0; i <= MOST_ROWS / 4; i++) f->sparse.first[i] = 4 * i;
  for (size_t i = 0; i < (size_t)STRIDE * STRIDE; i++) f->A[i] = 1;
  assert_false(srs_sparse_analyse(&f->sparse, MOST_ROWS / 4, f->A, STRIDE, (size_t)2 * STRIDE * STRIDE));
  assert_false(srs_sparse_analyse(&f->sparse, 10, f->A, STRIDE, (size_t)2 * STRIDE * STRIDE)); // small
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(products_are_those_of_the_dense, set_up, tear_down),
      cmocka_unit_test_setup_teardown(elimination_solves, set_up, tear_down),
      cmocka_unit_test_setup_teardown(kept_factors_solve, set_up, tear_down),
      cmocka_unit_test_setup_teardown(least_squares_are_those_of_the_dense, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_singular_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(dense_ways_are_left_to_the_dense, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
