// Elimination by fronts: meshes of nodes of any size, more places than a front has, and nothing outside of the memory.
#include "contact/algebra/sparse.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 900, NEIGHBOURS = 25, GUARDS = 64 };

typedef struct fixture {
  srs_sparse sparse;
  int *integers;
  double *doubles, *A, *x, *b, *r, *gradient;
} fixture;

static int set_up(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  const size_t rows = (size_t)MOST_NODES * SRS_NODE_MOST;
  const srs_sparse_room room = {(int)rows, (size_t)MOST_NODES * NEIGHBOURS, (size_t)MOST_NODES * 160};
  f->integers = calloc(srs_sparse_integers(&room), sizeof *f->integers);
  f->doubles = calloc(srs_sparse_doubles(&room), sizeof *f->doubles);
  f->A = calloc(rows * NEIGHBOURS * SRS_NODE_MOST, sizeof *f->A);
  f->x = calloc(4 * rows, sizeof *f->x);
  f->b = f->x + rows, f->r = f->b + rows, f->gradient = f->r + rows;
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
  free(f->x);
  free(f);
  return 0;
}

// A mesh of nodes, each coupled to those up to `reach` columns and rows away, some couplings left out. least: rows of a
// node; 0: some have none.
static void draw(fixture *f, testing_random *random, int width, int height, int reach, int least, int most)
{
  srs_sparse *s = &f->sparse;
  static bool coupled[MOST_NODES][MOST_NODES];
  const int n = width * height;
  s->n_nodes = n;
  s->first[0] = 0;
  for (int i = 0; i < n; i++) s->first[i + 1] = s->first[i] + least + testing_below(random, most - least + 1);
  s->n = s->first[n];
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      const bool is_near = abs(i % width - j % width) <= reach && abs(i / width - j / width) <= reach;
      coupled[i][j] = coupled[j][i] = i == j || (is_near && testing_below(random, 10) > 0);
    }
  for (int i = 0; i < n; i++) {
    s->start[i] = count;
    for (int j = 0; j < n; j++)
      if (coupled[i][j]) s->column[count++] = j;
  }
  s->start[n] = count;
  assert_true(srs_sparse_set_up(s));
  assert_true(srs_sparse_order(s));
  (void)srs_sparse_fill(s);
  for (size_t i = 0; i < srs_sparse_numbers(s); i++) f->A[i] = testing_uniform(random, -1, 1);
  for (int i = 0; i < s->n; i++) *srs_sparse_diagonal(s, f->A, i) += 12;
  for (int i = 0; i < s->n; i++) f->b[i] = testing_uniform(random, -1, 1);
}

// |A x - b|, and what is left in r.
static double residual(fixture *f)
{
  double most = 0;
  for (int node = 0; node < f->sparse.n_nodes; node++)
    srs_sparse_multiply(&f->sparse, node, f->A, f->x, f->r + f->sparse.first[node]);
  for (int i = 0; i < f->sparse.n; i++) {
    f->r[i] -= f->b[i];
    most = fmax(most, fabs(f->r[i]));
  }
  return most;
}

static double *guarded(size_t count)
{
  double *memory = malloc(sizeof *memory * (count + GUARDS));
  for (size_t i = 0; i < count + GUARDS; i++) memory[i] = 12345; // what is read before it is written shows
  return memory;
}

static void release(double *memory, size_t count)
{
  for (size_t i = count; i < count + GUARDS; i++) assert_true(memory[i] == 12345);
  free(memory);
}

static void try_all(fixture *f, double shift)
{
  const srs_sparse *s = &f->sparse;
  const size_t bytes = sizeof *f->x * (size_t)s->n, most = srs_sparse_most_doubles(s);
  double *memory = guarded(most);
  memcpy(f->x, f->b, bytes);
  assert_true(srs_sparse_solve(s, f->A, 1e-14, memory, f->x));
  assert_true(residual(f) < 1e-13); // entries of 1 and 12, x below 1
  memcpy(f->x, f->b, bytes);
  assert_true(srs_sparse_least_squares(s, f->A, shift, memory, f->x));
  (void)residual(f);
  srs_sparse_multiply_transposed(s, f->A, f->r, f->gradient);
  for (int i = 0; i < s->n; i++) assert_true(fabs(f->gradient[i] + shift * f->x[i]) < 1e-11);
  release(memory, most);
  const size_t kept = srs_sparse_factor_doubles(s);
  memory = guarded(kept);
  assert_true(srs_sparse_factor(s, f->A, 1e-14, memory));
  for (int k = 0; k < 2; k++) { // another right-hand side, with the same factors
    for (int i = 0; i < s->n; i++) f->b[i] *= i % 3 == k ? -1 : 1;
    memcpy(f->x, f->b, bytes);
    srs_sparse_apply(s, memory, f->x);
    assert_true(residual(f) < 1e-13);
  }
  release(memory, kept);
}

static void meshes_are_solved(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(336);
  for (int k = 0; k < testing_draws(40); k++) {
    const int least = testing_below(&random, 4), most = least + testing_below(&random, SRS_NODE_MOST + 1 - least);
    const int width = 1 + testing_below(&random, 16), height = 1 + testing_below(&random, 16);
    draw(f, &random, width, height, 1 + testing_below(&random, 2), least, most > 0 ? most : 1);
    try_all(f, pow(10, testing_uniform(&random, -8, 1)));
  }
}

// All coupled with all, more rows than a front has; and a heap.
static void large_fronts_are_solved(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(337);
  draw(f, &random, 25, 1, 25, 4, 4);
  try_all(f, 1e-3);
  draw(f, &random, 30, 30, 1, 3, 3);
  assert_true(f->sparse.n_fronts < f->sparse.n_nodes / 2);
  try_all(f, 1e-3);
}

static void children_come_right_before_their_parents(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(338);
  for (int k = 0; k < 20; k++) {
    draw(f, &random, 2 + testing_below(&random, 20), 2 + testing_below(&random, 20), 1, 1, 3);
    const srs_sparse *s = &f->sparse;
    for (int place = 1; place < s->n_nodes; place++) { // a place that reaches none, or one after it, ends its subtree
      const int from = s->panel_start[place - 1], to = s->panel_start[place];
      const int parent = from < to ? s->panel[from] : s->n_nodes;
      for (int between = place; between < parent && between < s->n_nodes; between++) {
        const int first = s->panel_start[between], end = s->panel_start[between + 1];
        assert_true(first < end ? s->panel[first] <= parent : parent == s->n_nodes);
      }
    }
  }
}

// A pivot of 1e-16 of the largest, alone in its row and column: told with a bound above it, solved with one below.
static void small_pivots_are_told(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(339);
  draw(f, &random, 12, 12, 1, 1, 3);
  srs_sparse *s = &f->sparse;
  const size_t most = srs_sparse_most_doubles(s);
  double *memory = guarded(most);
  const int row = testing_below(&random, s->n);
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = s->first[node]; i < s->first[node + 1]; i++) {
      double *to = srs_sparse_row(s, f->A, node, i);
      for (int k = s->start[node]; k < s->start[node + 1]; k++)
        for (int j = s->first[s->column[k]]; j < s->first[s->column[k] + 1]; j++, to++)
          if ((i == row) != (j == row)) *to = 0;
    }
  *srs_sparse_diagonal(s, f->A, row) = 1e-15;
  memcpy(f->x, f->b, sizeof *f->x * (size_t)s->n);
  assert_false(srs_sparse_solve(s, f->A, 1e-14, memory, f->x));
  memcpy(f->x, f->b, sizeof *f->x * (size_t)s->n);
  assert_true(srs_sparse_solve(s, f->A, 0, memory, f->x));
  assert_true(fabs(f->x[row] * 1e-15 - f->b[row]) < 1e-15);
  release(memory, most);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(meshes_are_solved, set_up, tear_down),
      cmocka_unit_test_setup_teardown(large_fronts_are_solved, set_up, tear_down),
      cmocka_unit_test_setup_teardown(children_come_right_before_their_parents, set_up, tear_down),
      cmocka_unit_test_setup_teardown(small_pivots_are_told, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
