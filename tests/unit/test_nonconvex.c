// Groups of sides of which one has to hold: random problems beside all choices of sides, and what a caller may do wrong.
#include "support/corner_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_nonconvex_solver *make_solver(void)
{
  const srs_nonconvex_capacity capacity = {.n_rows = CORNER_ROWS,
                                           .n_groups = CORNER_GROUPS,
                                           .n_sides = CORNER_GROUPS * CORNER_SIDES,
                                           .n_directions = 8,
                                           .has_summation = true};
  srs_nonconvex_solver *solver = NULL;
  assert_int_equal(srs_nonconvex_solver_create(&capacity, &solver, NULL), SRS_OK);
  return solver;
}

typedef struct tally {
  int n, solved, none, found_by_all_alone, more;
  long tries, most_tries;
} tally;

static int choices_of(const corner_problem *corner)
{
  int product = 1;
  for (int group = 0; group < corner->problem.n_groups; group++)
    product *= corner->first[group + 1] - corner->first[group];
  return product;
}

static void compare(const corner_problem *corner, srs_nonconvex_solver *solver, srs_contact_solver *plain, tally *t)
{
  double x[CORNER_ROWS], other[CORNER_ROWS];
  int side[CORNER_GROUPS], choice[CORNER_GROUPS] = {0}, answers = 0;
  srs_nonconvex_report report;
  assert_int_equal(srs_nonconvex_solve(solver, &corner->problem, NULL, false, x, NULL, side, &report), SRS_OK);
  const bool is_solved = report.status == SRS_CONTACT_SOLVED || report.status == SRS_CONTACT_STAGNATED;
  const double defect = corner_problem_defect(corner, side, x);
  t->n++, t->solved += is_solved, t->tries += report.tries;
  t->most_tries = report.tries > t->most_tries ? report.tries : t->most_tries;
  if (is_solved && !(defect < 1e-6)) printf("defect %g residual %g\n", defect, report.contact.residual), t->more++;
  if (choices_of(corner) > 300 && is_solved) return;
  do answers += corner_problem_try(corner, plain, choice, other) < 1e-7;
  while (corner_problem_next(corner, choice));
  t->none += answers == 0;
  t->found_by_all_alone += answers > 0 && !is_solved;
}

static void experiment(void **state)
{
  (void)state;
  srs_nonconvex_solver *solver = make_solver();
  srs_contact_solver *plain;
  assert_int_equal(srs_contact_solver_create(CORNER_ROWS, &plain, NULL), SRS_OK);
  static corner_problem corner;
  testing_random random = testing_random_start(901);
  for (int mode = 0; mode < 4; mode++)
    for (int groups = 1; groups <= 6; groups++) {
      tally t = {0};
      const corner_lots lots = {.most_groups = groups, .most_sides = mode % 2 ? 4 : 2, .most_contacts = 3,
                                .most_bilateral = 2, .tangents = mode < 2 ? 0 : -1, .most_friction = mode < 2 ? 0 : 1};
      for (int i = 0; i < 300; i++) {
        corner_problem_draw(&random, &lots, &corner);
        compare(&corner, solver, plain, &t);
      }
      printf("mode %d groups %d: solved %d of %d, no choice %d, missed %d, bad %d, tries %.3f most %ld\n", mode, groups, t.solved,
             t.n, t.none, t.found_by_all_alone, t.more, (double)t.tries / t.n, t.most_tries);
    }
  srs_nonconvex_solver_destroy(solver);
  srs_contact_solver_destroy(plain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(experiment)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
