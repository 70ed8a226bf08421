// What solvers see of a large problem, against the whole matrix.
#include "contact/large/large_cone.h"
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void open_cone(srs_large_cone *large, testing_blocks *blocks, double *scale, double *size)
{
  const srs_contact_problem *p = &blocks->problem;
  const srs_contact_form form = srs_contact_any_form(p);
  const srs_contact_sizes sizes = testing_sizes(&blocks->blocks, 4);
  assert_true(srs_large_cone_reserve(large, sizes.n_rows, sizes.n_block_rows, sizes.n_blocks, sizes.n_values));
  srs_contact_scales(p, &form, scale);
  *size = srs_contact_size(form.n, p->b, scale);
  while (!srs_large_cone_begin(large, p, scale, *size, 1e-12)) {
    assert_true(large->is_short);
    assert_true(srs_large_cone_reserve(large, sizes.n_rows, sizes.n_block_rows, sizes.n_blocks, sizes.n_values));
  }
}

// w = W x + b in its units, rows in its order, is what the whole matrix says; impulses come back as they went.
static void velocities_are_those_of_the_whole(void **state)
{
  (void)state;
  enum { MOST = 200 };
  const contact_lots lots = {.most_contacts = 20,
                             .most_bilateral = 5,
                             .most_unilateral = 4,
                             .most_box = 4,
                             .most_friction = 1,
                             .most_mass_ratio = 100,
                             .has_any_tangents = true,
                             .most_anisotropy = 3};
  testing_random random = testing_random_start(631);
  srs_large_cone large = {0};
  for (int i = 0; i < 100; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const srs_contact_problem *p = &drawn.problem;
    const int n = srs_contact_problem_rows(p);
    testing_blocks blocks;
    double scale[MOST], size, impulse[MOST], back[MOST], w[MOST];
    assert_true(n <= MOST);
    testing_blocks_make(p, &blocks);
    open_cone(&large, &blocks, scale, &size);
    srs_fallback *l = &large.fallback;
    const srs_cone_problem *cone = &l->cone;
    memset(back, 0, sizeof back);
    for (int k = 0; k < cone->n; k++) back[large.kept[k]] = 1;
    for (int k = 0; k < n; k++) impulse[k] = back[k] * testing_uniform(&random, -1, 1);
    srs_large_cone_gather(&large, impulse, l->x);
    srs_large_cone_spread(&large, l->x, back);
    testing_assert_close("impulses", back, impulse, n, 1e-15);
    srs_cone_velocity(cone, l->x, l->w);
    for (int k = 0; k < n; k++) {
      w[k] = p->b[k];
      for (int j = 0; j < n; j++) w[k] += p->W[(size_t)k * (size_t)n + (size_t)j] * impulse[j];
    }
    for (int k = 0; k < cone->n; k++) {
      const double unit = large.unit[large.kept[k]] / large.unit_size;
      assert_true(fabs(l->w[k] - unit * w[large.kept[k]]) <= 1e-12);
    }
    // Bilateral rows come last, without bounds.
    assert_int_equal(cone->n_box, p->n_box + p->n_bilateral);
    for (int k = p->n_box; k < cone->n_box; k++) assert_true(isinf(cone->lower[k]) && isinf(cone->upper[k]));
    for (int k = 0; k < p->n_bilateral; k++) assert_int_equal(large.kept[cone->n - p->n_bilateral + k], k);
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
  srs_large_cone_release(&large);
}

// A plane mechanism's second tangents, a contact without friction, a limit that holds nothing.
static void rows_that_nothing_moves_are_left_out(void **state)
{
  (void)state;
  const double W[49] = {2, 0.5, 0, 0.1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 0, 0, 0,   0, 0, 0, 0, 0, 0.1, 0, 0, 3,
                        0, 0,   0, 0,   0, 0, 0, 1,   0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0,   0, 0};
  const double b[7] = {-1, 0.4, 0, -1, 0.2, 0.1, 0}, friction[2] = {0.5, 0};
  const srs_contact_problem p = {.n_contacts = 2, .n_unilateral = 1, .W = W, .b = b, .friction = friction};
  testing_blocks blocks;
  srs_large_cone large = {0};
  double scale[7], size, impulse[7];
  testing_blocks_make(&p, &blocks);
  open_cone(&large, &blocks, scale, &size);
  const int kept[] = {0, 1, 3};
  assert_int_equal(large.fallback.cone.n, 3);
  assert_memory_equal(large.kept, kept, sizeof kept);
  assert_int_equal(srs_cone_tangents(&large.fallback.cone, 0), 1);
  assert_int_equal(srs_cone_tangents(&large.fallback.cone, 1), 0);
  assert_int_equal(large.fallback.cone.n_unilateral, 0);
  assert_false(srs_large_cone_has_planes(&large));
  srs_large_cone_spread(&large, (const double[]){1, 1, 1}, impulse);
  assert_true(impulse[0] > 0 && impulse[1] > 0 && impulse[3] > 0);
  assert_true(impulse[2] == 0 && impulse[4] == 0 && impulse[5] == 0 && impulse[6] == 0);
  srs_large_cone_release(&large);
  testing_blocks_free(&blocks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocities_are_those_of_the_whole),
      cmocka_unit_test(rows_that_nothing_moves_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
