// Large symmetric systems of which little is not zero: what is divided comes back.
#include "contact/algebra/sparse_supernode.h"
#include "contact/algebra/sparse_symmetric.h"
#include "support/testing.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 120, MOST_ROWS = SRS_NODE_MOST * NODES, MOST_BLOCKS = 64 * NODES, FILL = 64 * NODES };

typedef struct fixture {
  srs_sparse pattern;
  srs_symmetric symmetric;
  int *integers;
  size_t *sizes;
  double *doubles, *A; // MOST_ROWS^2
} fixture;

static int set_up(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  const srs_sparse_room room = {NODES, MOST_BLOCKS, FILL};
  const size_t n_doubles = srs_sparse_doubles(&room), n_integers = srs_sparse_integers(&room);
  f->integers = calloc(n_integers + srs_symmetric_integers(NODES, FILL), sizeof *f->integers);
  f->sizes = calloc(NODES, sizeof *f->sizes);
  f->doubles = calloc(n_doubles + srs_symmetric_doubles(MOST_ROWS, NODES, (size_t)16 * FILL), sizeof *f->doubles);
  f->A = calloc((size_t)MOST_ROWS * MOST_ROWS, sizeof *f->A);
  srs_sparse_lay_out(&f->pattern, &room, f->integers, f->doubles);
  srs_symmetric_lay_out(&f->symmetric, MOST_ROWS, NODES, (size_t)16 * FILL, f->integers + n_integers, f->sizes,
                        f->doubles + n_doubles);
  f->symmetric.pattern = &f->pattern;
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  free(f->integers);
  free(f->sizes);
  free(f->doubles);
  free(f->A);
  free(f);
  return 0;
}

static void block_of(const void *data, int node, int k, double *block)
{
  const fixture *f = data;
  const srs_sparse *p = &f->pattern;
  const int other = p->column[k];
  for (int i = 0; i < p->first[node + 1] - p->first[node]; i++)
    for (int j = 0; j < p->first[other + 1] - p->first[other]; j++)
      block[i * SRS_NODE_MOST + j] = f->A[(size_t)(p->first[node] + i) * MOST_ROWS + (size_t)(p->first[other] + j)];
}

// A grid of nodes of 0 to 4 rows, 10 wide, each coupled to those within reach, which is 1 to 3: then many places are
// eliminated together. The diagonal outweighs the rest.
static int draw(fixture *f, testing_random *random, int reach)
{
  srs_sparse *p = &f->pattern;
  int count = 0;
  p->n_nodes = NODES;
  for (int i = 0; i < NODES; i++) p->first[i + 1] = p->first[i] + testing_below(random, 5);
  p->n = p->first[NODES];
  memset(f->A, 0, sizeof *f->A * MOST_ROWS * MOST_ROWS);
  for (int i = 0; i < NODES; i++) {
    p->start[i] = count;
    for (int j = 0; j < NODES; j++) {
      const bool is_near = abs(i % 10 - j % 10) <= reach && abs(i / 10 - j / 10) <= reach;
      if (is_near) p->column[count++] = j;
      for (int a = p->first[i]; a < p->first[i + 1] && is_near && j <= i; a++)
        for (int b = p->first[j]; b < p->first[j + 1]; b++)
          f->A[a * MOST_ROWS + b] = f->A[b * MOST_ROWS + a] = testing_uniform(random, -1, 1) + 100 * (a == b);
    }
  }
  p->start[NODES] = count;
  return p->n;
}

static double off(const fixture *f, int n, const double *x, const double *b)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (int j = 0; j < n; j++) {
      const double term = f->A[i * MOST_ROWS + j] * x[j];
      sum += term, size += fabs(term);
    }
    worst = fmax(worst, size > 0 ? fabs(sum) / size : 0);
  }
  return worst;
}

static void factor(fixture *f)
{
  assert_true(srs_sparse_order(&f->pattern));
  (void)srs_sparse_fill(&f->pattern);
  assert_true(srs_symmetric_factor(&f->symmetric, block_of, f));
}

static int largest_supernode(const fixture *f)
{
  const srs_sparse *p = &f->pattern;
  int most = 0;
  for (int k = 0, end; k < p->n_nodes; k = end) {
    end = srs_supernode_end(p, k);
    const int rows = p->offset[end] - p->offset[k];
    most = rows > most ? rows : most;
  }
  return most;
}

static void what_is_divided_comes_back(void **state)
{
  fixture *f = *state;
  static double x[MOST_ROWS], b[MOST_ROWS];
  testing_random random = testing_random_start(631);
  int least = SRS_SUPERNODE_MOST, most = 0;
  for (int round = 0; round < 40; round++) {
    const int n = draw(f, &random, 1 + round % 3);
    factor(f);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < n; i++) x[i] = b[i] = testing_uniform(&random, -1, 1);
      srs_symmetric_solve(&f->symmetric, x);
      assert_true(off(f, n, x, b) < 1e-14);
    }
    const int rows = largest_supernode(f);
    least = rows < least ? rows : least, most = rows > most ? rows : most;
  }
  print_message("supernodes of up to %d rows at least, %d at most\n", least, most);
  assert_true(least < SRS_SUPERNODE_FROM && most > SRS_SUPERNODE_FROM); // both ways
}

// Rows and columns scaled by 1e-8 … 1e8: no digit is lost.
static void scales_do_not_matter(void **state)
{
  fixture *f = *state;
  static double x[MOST_ROWS], b[MOST_ROWS], scale[MOST_ROWS];
  testing_random random = testing_random_start(632);
  for (int round = 0; round < 20; round++) {
    const int n = draw(f, &random, 1 + round % 3);
    for (int i = 0; i < n; i++) scale[i] = pow(10, testing_uniform(&random, -8, 8));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) f->A[i * MOST_ROWS + j] *= scale[i] * scale[j];
    factor(f);
    for (int i = 0; i < n; i++) x[i] = b[i] = scale[i] * testing_uniform(&random, -1, 1);
    srs_symmetric_solve(&f->symmetric, x);
    assert_true(off(f, n, x, b) < 1e-13);
  }
}

// A node that is another's copy: its pivots are rounding, and its part is left at zero.
static void what_depends_is_left_out(void **state)
{
  fixture *f = *state;
  srs_sparse *p = &f->pattern;
  const int first[] = {0, 2, 4}, start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  const double own[2][2] = {{2, 1}, {1, 3}};
  p->n_nodes = 2, p->n = 4;
  memcpy(p->first, first, sizeof first);
  memcpy(p->start, start, sizeof start);
  memcpy(p->column, column, sizeof column);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) f->A[i * MOST_ROWS + j] = own[i % 2][j % 2];
  factor(f);
  double x[4] = {1, -1, 1, -1};
  const double b[4] = {1, -1, 1, -1};
  srs_symmetric_solve(&f->symmetric, x);
  assert_true(off(f, 4, x, b) < 1e-14);
  assert_true((x[0] == 0 && x[1] == 0) || (x[2] == 0 && x[3] == 0));
}

// The same in a supernode: 40 nodes coupled to each other, the later 20 copies of the earlier.
static void what_depends_in_a_supernode_is_left_out(void **state)
{
  fixture *f = *state;
  srs_sparse *p = &f->pattern;
  enum { ALL = 40, HALF = ALL / 2, N = 2 * ALL };
  testing_random random = testing_random_start(634);
  p->n_nodes = ALL, p->n = N;
  for (int i = 0; i <= ALL; i++) p->first[i] = 2 * i, p->start[i] = ALL * i;
  for (int i = 0; i < ALL * ALL; i++) p->column[i] = i % ALL;
  for (int i = 0; i < ALL; i++)
    for (int j = 0; j <= i; j++) {
      const double entry = testing_uniform(&random, -1, 1) + 30 * (i == j);
      for (int copy = 0; copy < 4; copy++) {
        const int a = i + ALL * (copy % 2), b = j + ALL * (copy / 2);
        f->A[a * MOST_ROWS + b] = f->A[b * MOST_ROWS + a] = entry;
      }
    }
  factor(f);
  assert_true(largest_supernode(f) > SRS_SUPERNODE_FROM);
  double x[N], b[N];
  for (int i = 0; i < N; i++) x[i] = b[i] = i < ALL ? testing_uniform(&random, -1, 1) : b[i - ALL];
  srs_symmetric_solve(&f->symmetric, x);
  assert_true(off(f, N, x, b) < 1e-13);
  for (int i = 0; i < ALL; i++) assert_true((x[i] == 0) != (x[i + ALL] == 0));
}

// Beside each place by itself: the same where no supernode is large enough, to rounding where one is.
static void together_is_as_one_by_one(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(636);
  const size_t bytes = sizeof(double) * f->symmetric.room;
  double *alone = malloc(bytes);
  for (int round = 0; round < 12; round++) {
    (void)draw(f, &random, 1 + round % 3);
    memset(f->symmetric.U, 0, bytes);
    f->symmetric.together_from = SRS_SUPERNODE_MOST + 1;
    factor(f);
    memcpy(alone, f->symmetric.U, bytes);
    f->symmetric.together_from = round < 6 ? SRS_SUPERNODE_FROM : 1;
    factor(f);
    if (largest_supernode(f) < f->symmetric.together_from) assert_memory_equal(alone, f->symmetric.U, bytes);
    for (size_t i = 0; i < f->symmetric.room; i++)
      assert_true(fabs(alone[i] - f->symmetric.U[i]) < 1e-14); // of up to 1
  }
  free(alone);
}

static void bits_are_the_same_in_any_number_of_threads(void **state)
{
  fixture *f = *state;
  const int before = openblas_get_num_threads();
  testing_random random = testing_random_start(635);
  const size_t bytes = sizeof(double) * f->symmetric.room;
  double *first = malloc(bytes);
  for (int round = 0; round < 3; round++) {
    (void)draw(f, &random, 3);
    for (int threads = 1; threads <= 8; threads += 1 + threads / 4) {
      openblas_set_num_threads(threads);
      factor(f);
      if (threads == 1) memcpy(first, f->symmetric.U, bytes);
      assert_memory_equal(f->symmetric.U, first, bytes);
    }
    assert_true(largest_supernode(f) > SRS_SUPERNODE_FROM);
  }
  free(first);
  openblas_set_num_threads(before);
}

static void too_little_room_is_told(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(633);
  (void)draw(f, &random, 1);
  assert_true(srs_sparse_order(&f->pattern));
  f->symmetric.room = (size_t)srs_sparse_fill(&f->pattern) - 1;
  assert_false(srs_symmetric_factor(&f->symmetric, block_of, f));
  f->symmetric.room++;
  assert_true(srs_symmetric_factor(&f->symmetric, block_of, f));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_divided_comes_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(scales_do_not_matter, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_depends_is_left_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_depends_in_a_supernode_is_left_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(together_is_as_one_by_one, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bits_are_the_same_in_any_number_of_threads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(too_little_room_is_told, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
