// Paths from the relaxed law to the exact one end near solutions of the exact law.
#include "contact/large/interior_point.h"
#include "contact/large/law_path.h"
#include "contact/problem/problem.h"
#include "factors.h"

#include <stdlib.h>
#include <string.h>

static void paths_end_near_solutions(void **state)
{
  (void)state;
  enum { PROBLEMS = 100 };
  const tree_lots contacts = {.most_trees = 12, .most_freedoms = 6, .most_contacts = 25, .is_planar = true};
  tree_lots all = contacts; // bilateral rows too: paths often end early
  all.most_scalars = 3;
  testing_random random = testing_random_start(931);
  srs_interior interior = {0};
  srs_law_path path = {0};
  srs_polyhedron polyhedron;
  srs_polyhedron_make(4, 0, &polyhedron);
  int tried = 0, arrived = 0, iterations = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    tree_problem *t = malloc(sizeof *t);
    testing_blocks blocks;
    srs_contact_form form;
    double scale[TREE_ROWS_MOST], none[TREE_NODES_MOST] = {0}, left = 1e9;
    tree_problem_make(&random, k % 2 == 0 ? &contacts : &all, t);
    testing_blocks_make(&t->problem, &blocks);
    blocks.blocks.factor = &t->factor;
    assert_int_equal(srs_contact_problem_check(&blocks.problem, &form), SRS_OK);
    const srs_contact_sizes sizes = tree_sizes(t, &blocks.blocks, 4);
    assert_true(srs_interior_reserve(&interior, &sizes, sizes.n_block_rows * 6));
    assert_true(srs_law_path_reserve(&path, sizes.n_rows));
    srs_contact_scales(&blocks.problem, &form, scale);
    const double size = srs_contact_size(form.n, t->problem.b, scale);
    memcpy(interior.scale, scale, sizeof *scale * (size_t)form.n);
    assert_true(srs_interior_begin(&interior, &blocks.problem, scale, size, &polyhedron));
    interior.left = &left;
    if (interior.has_groups) {
      tried += k % 2 == 0;
      if (srs_law_path_follow(&path, &interior, &iterations)) {
        arrived += k % 2 == 0;
        interior.polyhedron.is_relaxed = true;
        assert_true(srs_interior_map(&interior, none) < 0.01); // e is at most 3e-4 / rows there, z and y its root
      }
      left = 1;
      assert_false(srs_law_path_follow(&path, &interior, &iterations));
    }
    testing_blocks_free(&blocks);
    tree_problem_free(t);
    free(t);
  }
  print_message("%d of %d paths arrived, %d iterations each\n", arrived, tried, iterations / PROBLEMS);
  assert_true(5 * tried > PROBLEMS && 10 * arrived > 9 * tried);
  srs_law_path_release(&path);
  srs_interior_release(&interior);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_end_near_solutions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
