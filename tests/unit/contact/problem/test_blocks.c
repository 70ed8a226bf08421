// A matrix made of blocks is the matrix.
#include "contact/problem/blocks.h"
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

static void rows_and_products_are_the_matrix_own(void **state)
{
  (void)state;
  enum { MOST_ROWS = 120 };
  static double W[MOST_ROWS * MOST_ROWS];
  const contact_lots lots = {.most_contacts = 10,
                             .most_bilateral = 3,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_mass_ratio = 10,
                             .has_any_tangents = true};
  testing_random random = testing_random_start(621);
  for (int round = 0; round < 50; round++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const srs_contact_problem *p = &drawn.problem;
    const int n = srs_contact_problem_rows(p);
    testing_blocks blocks;
    double x[MOST_ROWS], w[MOST_ROWS], diagonal[MOST_ROWS], scale[MOST_ROWS], terms = 0;
    assert_true(n <= MOST_ROWS);
    testing_blocks_make(p, &blocks);
    srs_contact_blocks_expand(&blocks.blocks, W);
    assert_memory_equal(W, p->W, sizeof *W * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) x[i] = testing_uniform(&random, -1, 1), scale[i] = testing_uniform(&random, 0.5, 2);
    srs_blocks_diagonal(&blocks.blocks, diagonal);
    srs_blocks_velocity(&blocks.blocks, p->b, x, w);
    for (int i = 0; i < n; i++) {
      double sum = p->b[i], size = fabs(p->b[i]);
      for (int j = 0; j < n; j++) sum += p->W[i * n + j] * x[j], size += fabs(p->W[i * n + j] * x[j]);
      assert_true(diagonal[i] == p->W[i * n + i]);
      assert_true(fabs(w[i] - sum) <= 1e-14 * size);
      terms += scale[i] * size * scale[i] * size;
    }
    assert_true(fabs(srs_blocks_terms(&blocks.blocks, p->b, x, scale) - terms) <= 1e-12 * terms);
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_and_products_are_the_matrix_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
