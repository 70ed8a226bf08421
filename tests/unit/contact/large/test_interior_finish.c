// Where an interior point is slow, what it leaves is finished: answers at which a third of all rows neither push nor
// part, with more rows than freedoms.
#include "support/blocks.h"

#include <math.h>

enum { ROWS = 120, MOST_COLUMNS = 60 };

// x and w at the answer: one of them, or none, above 0; b of these.
typedef struct degenerate {
  double L[ROWS * MOST_COLUMNS], W[ROWS * ROWS], b[ROWS], x[ROWS], w[ROWS];
  int columns;
} degenerate;

static void draw(testing_random *random, degenerate *d)
{
  d->columns = 10 + testing_below(random, MOST_COLUMNS - 9);
  for (int i = 0; i < ROWS; i++) {
    const int kind = testing_below(random, 3), first = testing_below(random, d->columns - 3);
    for (int c = 0; c < d->columns; c++)
      d->L[i * MOST_COLUMNS + c] = c >= first && c < first + 4 ? testing_uniform(random, -1, 1) : 0;
    d->x[i] = kind == 0 ? testing_uniform(random, 0, 1) : 0;
    d->w[i] = kind == 1 ? testing_uniform(random, 0, 1) : 0;
  }
  for (int i = 0; i < ROWS; i++) {
    d->b[i] = d->w[i];
    for (int j = 0; j < ROWS; j++) {
      double sum = 0;
      for (int c = 0; c < d->columns; c++) sum += d->L[i * MOST_COLUMNS + c] * d->L[j * MOST_COLUMNS + c];
      d->W[i * ROWS + j] = sum;
      d->b[i] -= sum * d->x[j];
    }
  }
}

static void what_neither_pushes_nor_parts_is_found(void **state)
{
  (void)state;
  enum { TIMES = 100 };
  testing_random random = testing_random_start(661);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(ROWS, &solver, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_RELAXED;
  int iterations = 0;
  double apart = 0, worst = 0;
  for (int i = 0; i < TIMES; i++) {
    static degenerate d;
    testing_blocks blocks;
    srs_contact_report report;
    double x[ROWS], w[ROWS], size = 0;
    draw(&random, &d);
    const srs_contact_problem p = {.n_unilateral = ROWS, .W = d.W, .b = d.b};
    testing_blocks_make(&p, &blocks);
    const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4), none = {0};
    srs_status status;
    assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
    while ((status = srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report)) == SRS_ERROR_CAPACITY)
      assert_int_equal(srs_contact_solver_reserve_blocks(solver, &none, NULL), SRS_OK);
    assert_int_equal(status, SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    for (int k = 0; k < ROWS; k++) size = fmax(size, fabs(d.b[k]));
    for (int k = 0; k < ROWS; k++) apart = fmax(apart, fabs(w[k] - d.w[k]) / size);
    worst = fmax(worst, report.residual);
    iterations += report.iterations;
    testing_blocks_free(&blocks);
  }
  print_message("residual %.2g, velocities %.2g of b apart, %.1f iterations\n", worst, apart,
                (double)iterations / TIMES);
  assert_true(worst <= 1e-12 && apart < 1e-8); // each direction of W has its own curvature
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_neither_pushes_nor_parts_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
