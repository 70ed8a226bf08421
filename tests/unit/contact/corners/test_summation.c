// The summation form of corners: random problems, and rows of every kind beside the groups.
#include "support/corner_problems.h"

#include <math.h>
#include <stdio.h>
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

static bool is_answer(srs_contact_status status)
{
  return status == SRS_CONTACT_SOLVED || status == SRS_CONTACT_STAGNATED;
}

// sum_k max(-epsilon, a_k) + (sides - 1) epsilon, and each side's impulse: both >= 0, one of them 0.
static double sum_defect(const corner_problem *corner, double epsilon, const double *x, const double *w)
{
  double worst = 0;
  for (int group = 0; group < corner->problem.n_groups; group++) {
    double sum = -epsilon;
    for (int k = corner->first[group]; k < corner->first[group + 1]; k++)
      sum += epsilon + fmax(-epsilon, w[corner->normal[corner->side[k]]]);
    for (int k = corner->first[group]; k < corner->first[group + 1]; k++)
      worst = fmax(worst, fabs(fmin(sum, x[corner->normal[corner->side[k]]])));
  }
  return worst;
}

static void sums_of_sides_are_pivoted(void **state)
{
  (void)state;
  srs_nonconvex_solver *solver = make_solver();
  static corner_problem corner;
  testing_random random = testing_random_start(906);
  for (int friction = 0; friction < 2; friction++) {
    const int n = 300;
    int tries = 0;
    const corner_lots lots = {.most_groups = 4,
                              .most_sides = 4,
                              .most_contacts = 3,
                              .most_bilateral = 2,
                              .tangents = friction == 0 ? 0 : -1,
                              .most_friction = 0.5 * friction};
    for (int i = 0; i < n; i++) {
      double x[CORNER_ROWS], w[CORNER_ROWS];
      int side[CORNER_GROUPS];
      srs_nonconvex_report report;
      srs_nonconvex_options options = srs_default_nonconvex_options();
      options.form = SRS_NONCONVEX_SUMMATION;
      options.epsilon = 0.01;
      options.contact.tolerance = 1e-10; // pivots, no refinement
      corner_problem_draw(&random, &lots, &corner);
      assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, &options, false, x, w, side, &report), SRS_OK);
      assert_true(is_answer(report.status));
      tries += report.tries;
      assert_true(sum_defect(&corner, options.epsilon, x, w) < 1e-7);
      for (int j = 0; j < corner.problem.contacts.n_bilateral; j++) assert_true(fabs(w[j]) < 1e-9);
    }
    printf("summation, friction %s: %d problems, tries: mean %.3f\n", friction == 0 ? "no" : "yes", n,
           (double)tries / n);
  }
  srs_nonconvex_solver_destroy(solver);
}

// A bilateral row, two sides, a limit and dry friction, in either form: rows pushed into their bounds, coupled weakly.
static void rows_of_every_kind_go_beside_groups(void **state)
{
  (void)state;
  enum { N = 9 }; // bilateral; two sides with two tangents each; limit; dry friction
  double W[N * N];
  const double b[N] = {0.3, -1, 0.5, 0.1, -2, 0.2, 0.4, -0.7, 3}, friction[2] = {0.5, 0.5}, lower[1] = {-0.4},
               upper[1] = {0.4};
  const int first[2] = {0, 2}, sides[2] = {0, 1};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) W[i * N + j] = i == j ? 1 : 0.05 * cos(i + j);
  const srs_nonconvex_problem p = {.contacts = {.n_bilateral = 1,
                                                .n_contacts = 2,
                                                .n_unilateral = 1,
                                                .n_box = 1,
                                                .W = W,
                                                .b = b,
                                                .friction = friction,
                                                .box_lower = lower,
                                                .box_upper = upper},
                                   .n_groups = 1,
                                   .first = first,
                                   .side = sides};
  srs_nonconvex_solver *solver = make_solver();
  for (int form = 0; form < 2; form++) {
    double x[N], w[N];
    int side;
    srs_nonconvex_report report;
    srs_nonconvex_options options = srs_default_nonconvex_options();
    options.form = (srs_nonconvex_form)form;
    assert_int_equal(srs_nonconvex_solve(solver, &p, &options, false, x, w, &side, &report), SRS_OK);
    assert_true(is_answer(report.status));
    assert_true(fabs(w[0]) < 1e-10 && fabs(w[7]) < 1e-10 && x[7] > 0); // far above rounding, far below the rows' size
    assert_true(fabs(x[8] + 0.4) < 1e-12 && w[8] > 0);
    assert_true(w[1] > -1e-3 || w[4] > -1e-3); // epsilon's cap
    if (form == 0) assert_int_equal(side, 0);  // a sum is content with either
  }
  srs_nonconvex_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_sides_are_pivoted),
      cmocka_unit_test(rows_of_every_kind_go_beside_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
