// Walls of bricks that slide on each other: many contacts that hold each other, of which some slide.
//
// Three to five layers of one to three bricks on a floor under tilted gravity, four contacts between each pair that
// touches, masses to 1 : 100, friction 0.3 to 0.9, and speeds as of bricks that were nudged. W = J M^-1 J^T has half as
// much rank as rows or less. Damped steps end at residuals of 1e-3 in most of these; a few proximal points from sweeps
// and then smoothed contacts lead on.
#include "walls.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void walls_that_slide_are_solved_in_little_work(void **state)
{
  (void)state;
  enum { MOST = 60 };
  const double most_work = 1.2e8; // the median; 1.4e8 to 1.8e8 with damped steps first
  const int n = testing_draws(MOST);
  static wall w;
  double work[MOST];
  testing_random random = testing_random_start(2611);
  srs_contact_solver *solver;
  double *x = calloc(WALL_ROWS, sizeof *x);
  int unsolved = 0;
  assert_non_null(x);
  assert_int_equal(srs_contact_solver_create(WALL_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < n; i++) {
    const int layers = 3 + testing_below(&random, 3);
    wall_draw(&random, layers, 1 + testing_below(&random, 3), &w);
    const srs_contact_problem p = {.n_contacts = w.n_contacts, .W = w.W, .b = w.b, .friction = w.friction};
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_OK);
    unsolved += report.status != SRS_CONTACT_SOLVED;
    work[i] = report.work;
  }
  qsort(work, (size_t)n, sizeof *work, compare);
  print_message("%d walls: %d unsolved, work %.3g in the median, %.3g at most\n", n, unsolved, work[n / 2],
                work[n - 1]);
  srs_contact_solver_destroy(solver);
  free(x);
  assert_int_equal(unsolved, 0);
  assert_true(work[n / 2] <= most_work);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(walls_that_slide_are_solved_in_little_work)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
