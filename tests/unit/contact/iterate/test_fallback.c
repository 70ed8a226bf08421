// From where answers are found: all stages are needed, and none beyond the last that is allowed.
#include "support/contact_problems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 150 };

static void every_stage_finds_answers(void **state)
{
  (void)state;
  // Large friction, mass ratios and dependent rows: what makes Newton's way hard.
  const contact_lots lots = {
      .most_contacts = 16, .most_bilateral = 6, .most_copies = 1, .most_friction = 2, .most_mass_ratio = 1e6};
  testing_random random = testing_random_start(391);
  srs_contact_solver *solver;
  static double x[MOST_ROWS];
  int found[SRS_STAGE_SOFTENED + 1] = {0}, without_softening = 0;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < 3000; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, NULL, false, x, NULL, &report), SRS_OK);
    if (report.status == SRS_CONTACT_SOLVED) found[report.stage]++;
    if (report.stage > SRS_STAGE_GAUSS_SEIDEL) { // without softening Lemke's answers find some of these, too
      srs_contact_options options = srs_default_contact_options();
      options.last_stage = SRS_STAGE_LEMKE;
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
      without_softening += report.status == SRS_CONTACT_SOLVED && report.stage == SRS_STAGE_LEMKE;
    }
    random_problem_free(&drawn);
  }
  for (int i = 0; i <= SRS_STAGE_SOFTENED; i++)
    print_message("%s: %d\n", srs_contact_stage_name((srs_contact_stage)i), found[i]);
  print_message("Lemke, without softening: %d\n", without_softening);
  assert_true(found[SRS_STAGE_COLD] > 2900 && found[SRS_STAGE_GAUSS_SEIDEL] > 0 && found[SRS_STAGE_SOFTENED] > 0);
  assert_true(without_softening > 0);
  srs_contact_solver_destroy(solver);
}

static void no_stage_beyond_the_last_is_tried(void **state)
{
  (void)state;
  const contact_lots lots = {
      .most_contacts = 16, .most_bilateral = 6, .most_copies = 1, .most_friction = 2, .most_mass_ratio = 1e6};
  testing_random random = testing_random_start(392);
  srs_contact_solver *solver;
  static double x[MOST_ROWS];
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  int unsolved[SRS_STAGE_SOFTENED + 1] = {0};
  for (int i = 0; i < 1000; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    for (int last = SRS_STAGE_WARM; last <= SRS_STAGE_SOFTENED; last++) {
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.last_stage = (srs_contact_stage)last;
      memset(x, 0, sizeof x);
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, true, x, NULL, &report), SRS_OK);
      assert_true((int)report.stage <= last || report.stage == SRS_STAGE_COLD); // one contact alone has a direct answer
      unsolved[last] += report.status == SRS_CONTACT_UNSOLVED;
    }
    random_problem_free(&drawn);
  }
  for (int last = SRS_STAGE_COLD; last <= SRS_STAGE_SOFTENED; last++) assert_true(unsolved[last] <= unsolved[last - 1]);
  assert_true(unsolved[SRS_STAGE_WARM] > 0);
  srs_contact_solver_destroy(solver);
}

static void an_answer_is_its_own_warm_start(void **state)
{
  (void)state;
  const contact_lots lots = {.most_contacts = 6,
                             .most_bilateral = 3,
                             .most_copies = 1,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 1,
                             .most_mass_ratio = 100};
  testing_random random = testing_random_start(393);
  srs_contact_solver *solver;
  static double x[MOST_ROWS];
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < 300; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, NULL, false, x, NULL, &report), SRS_OK);
    const int cold = report.iterations;
    const bool is_solved = report.status == SRS_CONTACT_SOLVED;
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, NULL, true, x, NULL, &report), SRS_OK);
    if (is_solved) {
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
      assert_true(report.iterations <= 2 || report.iterations <= cold);
    }
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
}

// A ball held between immovable walls that close in on it: no answer. It ends, with finite numbers and a flag.
static void a_problem_without_answer_is_flagged(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  double W[36] = {0}, x[6] = {0};
  const double J[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 3; k++) W[6 * i + j] += J[i][k] * J[j][k];
  const double b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
  const srs_contact_problem p = {.n_contacts = 2, .W = W, .b = b, .friction = mu};
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
    for (int i = 0; i < 6; i++) assert_true(isfinite(x[i]));
    assert_true(report.residual > 0.1);
  }
  srs_contact_solver_destroy(solver);
}

#ifdef __SANITIZE_ADDRESS__
enum {
  SEARCHED = 2
}; // of 100 problems, searched with all the work that there is by default: 0.1 s each, ten times that here
#else
enum { SEARCHED = 15 };
#endif

// A brake that locks itself: one coordinate moves the shoe towards a belt and, c times as fast, along it; the belt runs
// against. Sliding would take x_n (1 - mu c) = 1, sticking is out of the shoe's reach: for mu c > 1 there is no answer.
static void a_brake_that_locks_itself_has_no_answer(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  testing_random random = testing_random_start(394);
  for (int i = 0; i < 100; i++)
    for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
      const bool is_locked = testing_below(&random, 2) == 0;
      const double c = testing_uniform(&random, 0.5, 3), belt = testing_uniform(&random, 0.5, 2);
      const double mu = (is_locked ? testing_uniform(&random, 1.1, 2) : testing_uniform(&random, 0, 0.9)) / c;
      const double W[9] = {1, c, 0, c, c * c, 0, 0, 0, 0}, b[3] = {-1, belt - c, 0};
      double x[3];
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      if (i >= SEARCHED) options.most_work = 1e7;
      const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
      assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(report.status, is_locked ? SRS_CONTACT_UNSOLVED : SRS_CONTACT_SOLVED);
      for (int k = 0; k < 3; k++) assert_true(isfinite(x[k]));
      if (!is_locked) assert_true(fabs(x[0] - 1 / (1 - mu * c)) < 1e-9 * x[0]);
      if (is_locked) assert_true(report.residual > 1e-3);
    }
  srs_contact_solver_destroy(solver);
}

static void work_is_bounded_and_who_runs_out_says_so(void **state)
{
  (void)state;
  const contact_lots lots = {
      .most_contacts = 16, .most_bilateral = 6, .most_copies = 1, .most_friction = 2, .most_mass_ratio = 1e6};
  testing_random random = testing_random_start(393);
  srs_contact_solver *solver;
  static double x[MOST_ROWS];
  int n_unsolved = 0, n_solved = 0;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < 500; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.tolerance = 1e-30; // none reaches it: every start is tried
    options.most_work = 1e6;
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
    assert_true(report.work >= 0 && report.work <= options.most_work);
    n_unsolved += report.status != SRS_CONTACT_SOLVED;
    for (int j = 0; j < srs_contact_problem_rows(&drawn.problem); j++) assert_true(isfinite(x[j]));
    options.tolerance = 1e-12;
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
    n_solved += report.status == SRS_CONTACT_SOLVED;
    random_problem_free(&drawn);
  }
  print_message("of 500: %d unsolved to 1e-30, %d solved to 1e-12\n", n_unsolved, n_solved);
  assert_true(n_unsolved > 400 && n_solved > 450);
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_finds_answers),
      cmocka_unit_test(no_stage_beyond_the_last_is_tried),
      cmocka_unit_test(an_answer_is_its_own_warm_start),
      cmocka_unit_test(a_problem_without_answer_is_flagged),
      cmocka_unit_test(a_brake_that_locks_itself_has_no_answer),
      cmocka_unit_test(work_is_bounded_and_who_runs_out_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
