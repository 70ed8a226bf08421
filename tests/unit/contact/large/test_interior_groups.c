// Steps by W's factor are those by W: on random trees, what is divided comes back, and all three ways answer alike.
#include "contact/large/interior_step.h"
#include "unit/contact/large/factors.h"

#include <string.h>

static const tree_lots kinds[] = {
    {.most_trees = 6, .most_freedoms = 3, .most_contacts = 20, .most_scalars = 2, .is_planar = true},
    {.most_trees = 5, .most_freedoms = 6, .most_contacts = 12, .most_scalars = 3},
    {.most_trees = 2, .most_freedoms = 14, .most_contacts = 10, .most_scalars = 4, .is_soft = true},
    {.most_trees = 12, .most_freedoms = 6, .most_contacts = 8, .most_scalars = 3, .is_soft = true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// srs_interior of the problem with its factor; `size` 1.
static void begin(srs_interior *s, tree_problem *t, testing_blocks *blocks, double *scale)
{
  testing_blocks_make(&t->problem, blocks);
  blocks->blocks.factor = &t->factor;
  const srs_contact_sizes sizes = tree_sizes(t, &blocks->blocks, 4), none = {0};
  srs_polyhedron polyhedron;
  srs_polyhedron_make(4, 0, &polyhedron);
  polyhedron.is_relaxed = true;
  for (int i = 0; i < sizes.n_rows; i++) scale[i] = s->scale != NULL ? s->scale[i] : 1;
  assert_true(srs_interior_reserve(s, &sizes, 6 * sizes.n_block_rows));
  for (int i = 0; i < sizes.n_rows; i++) s->scale[i] = scale[i] = 1;
  while (!srs_interior_begin(s, &blocks->problem, s->scale, 1, &polyhedron)) {
    assert_true(s->is_short || s->groups.is_short);
    assert_true(srs_interior_reserve(s, &none, 0));
    for (int i = 0; i < sizes.n_rows; i++) s->scale[i] = 1;
  }
}

static void the_factor_is_the_matrix(void **state)
{
  (void)state;
  testing_random random = testing_random_start(651);
  double scale[TREE_ROWS_MOST], x[TREE_ROWS_MOST], y[TREE_ROWS_MOST], v[TREE_ROWS_MOST], worst = 0;
  for (int i = 0; i < 200; i++) {
    tree_problem t;
    testing_blocks blocks;
    srs_interior s = {0};
    tree_problem_make(&random, &kinds[i % 2], &t);
    begin(&s, &t, &blocks, scale);
    if (s.has_groups) {
      for (int k = 0; k < s.pattern.n; k++) x[k] = testing_uniform(&random, -1, 1);
      srs_groups_gather(&s.groups, x, s.change);
      srs_groups_spread(&s.groups, s.change, y);
      srs_interior_multiply(&s, x, v);
      for (int k = 0; k < s.pattern.n; k++) worst = fmax(worst, fabs(y[k] - v[k]));
    }
    srs_interior_release(&s);
    testing_blocks_free(&blocks);
    tree_problem_free(&t);
  }
  print_message("%.2g apart\n", worst);
  assert_true(worst < 1e-12); // sums of up to 60 x 36 terms below 1
}

// (1 + L^T H L) y of what was found for y.
static void what_is_divided_comes_back(void **state)
{
  (void)state;
  enum { SQUARE = SRS_NODE_MOST * SRS_NODE_MOST };
  testing_random random = testing_random_start(652);
  double scale[TREE_ROWS_MOST], y[TREE_ROWS_MOST], along[TREE_ROWS_MOST], pushed[TREE_ROWS_MOST], back[TREE_ROWS_MOST];
  double worst = 0;
  int n_groups = 0;
  for (int i = 0; i < 200; i++) {
    tree_problem t;
    testing_blocks blocks;
    srs_interior s = {0};
    tree_problem_make(&random, &kinds[i % KINDS], &t);
    begin(&s, &t, &blocks, scale);
    if (s.has_groups) {
      const int n = s.groups.pattern.n;
      memset(s.H, 0, sizeof *s.H * SQUARE * (size_t)s.n_nodes);
      for (int node = 0; node < s.n_nodes; node++)
        for (int k = 0; k < SRS_NODE_MOST; k++)
          s.H[SQUARE * (size_t)node + (size_t)(k * (SRS_NODE_MOST + 1))] = pow(10, testing_uniform(&random, -3, 3));
      assert_true(srs_groups_factor(&s.groups, s.H));
      for (int k = 0; k < n; k++) y[k] = back[k] = testing_uniform(&random, -1, 1);
      srs_groups_solve(&s.groups, y);
      srs_groups_spread(&s.groups, y, along);
      for (int node = 0; node < s.n_nodes; node++)
        for (int k = s.pattern.first[node]; k < s.pattern.first[node + 1]; k++)
          pushed[k] =
              along[k] * s.H[SQUARE * (size_t)node + (size_t)((k - s.pattern.first[node]) * (SRS_NODE_MOST + 1))];
      srs_groups_gather(&s.groups, pushed, s.change);
      for (int k = 0; k < n; k++) worst = fmax(worst, fabs(y[k] + s.change[k] - back[k]));
      n_groups++;
    }
    srs_interior_release(&s);
    testing_blocks_free(&blocks);
    tree_problem_free(&t);
  }
  print_message("%d of 200 by groups, %.2g left\n", n_groups, worst);
  assert_true(n_groups > 50 && worst < 1e-9); // conditions up to 1e5
}

// Velocities of the dense active sets, of blocks, and of blocks with their factor.
static void all_ways_answer_alike(void **state)
{
  (void)state;
  testing_random random = testing_random_start(653);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(TREE_ROWS_MOST, &solver, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_RELAXED;
  options.tolerance = 1e-11;
  for (int kind = 0; kind < KINDS; kind++) {
    enum { EACH = 150 };
    double apart = 0;
    int n = 0;
    for (int i = 0; i < EACH; i++) {
      tree_problem t;
      testing_blocks blocks;
      srs_contact_report report;
      double x[TREE_ROWS_MOST], w[3][TREE_ROWS_MOST], size = 0;
      tree_problem_make(&random, &kinds[kind], &t);
      testing_blocks_make(&t.problem, &blocks);
      const srs_contact_sizes sizes = tree_sizes(&t, &blocks.blocks, 4), none = {0};
      assert_int_equal(srs_contact_solve(solver, &t.problem, &options, false, x, w[0], &report), SRS_OK);
      const bool is_solved = report.status == SRS_CONTACT_SOLVED;
      assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
      for (int way = 1; way < 3 && is_solved; way++) {
        blocks.blocks.factor = way == 1 ? NULL : &t.factor;
        srs_status status;
        while ((status = srs_contact_solve(solver, &blocks.problem, &options, false, x, w[way], &report)) ==
               SRS_ERROR_CAPACITY)
          assert_int_equal(srs_contact_solver_reserve_blocks(solver, &none, NULL), SRS_OK);
        assert_int_equal(status, SRS_OK);
        assert_int_equal(report.status, SRS_CONTACT_SOLVED);
        for (int k = 0; k < sizes.n_rows; k++) size = fmax(size, fabs(t.b[k]));
        for (int k = 0; k < sizes.n_rows; k++) apart = fmax(apart, fabs(w[way][k] - w[0][k]) / size);
      }
      n += is_solved;
      testing_blocks_free(&blocks);
      tree_problem_free(&t);
    }
    print_message("kind %d: %d of %d, velocities %.2g of b apart\n", kind, n, EACH, apart);
    assert_true(n > 0.9 * EACH && apart < 1e-9);
  }
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_factor_is_the_matrix),
      cmocka_unit_test(what_is_divided_comes_back),
      cmocka_unit_test(all_ways_answer_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
