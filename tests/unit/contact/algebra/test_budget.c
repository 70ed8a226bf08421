// No solve takes more work than it was allowed, whatever the problem and the method: problems without an answer,
// problems whose tolerance nothing reaches (every stage is tried), dense, by blocks, and with corners. And a bound that
// is not reached changes no bit of the answer.
//
// What a counted multiplication takes of a machine is measured by tests/bench/bench_bounded.c.
// Under the sanitizers a fifth of the draws (testing_draws).
#include "contact/algebra/budget.h"
#include "contact/problem/problem.h"
#include "support/blocks.h"
#include "support/contact_problems.h"
#include "support/corner_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNKNOWNS = 400 };
static const double bounds[] = {1, 1e5, 4e5, 2e6, 6e6};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

static void what_is_allowed_is_divided(void **state)
{
  (void)state;
  const srs_allowance tight = srs_allow(100, 1000, 10, 1e6), given = srs_allow(1e4, 1000, 10, 1e6),
                      usual = srs_allow(INFINITY, 1000, 10, 1e6), large = srs_allow(INFINITY, 1000, 1e4, 1e6);
  assert_true(tight.most == 1000 && tight.held == 0 && srs_allowance_search(&tight) == 0);
  assert_true(given.most == 1e4 && given.held == 900 && srs_allowance_search(&given) == 8100);
  assert_true(srs_allowance_search(&usual) == 1e6 && usual.most == 1e6 + 1000 + 2000 + srs_descent_work);
  assert_true(srs_allowance_search(&large) == 300 * 1e4);
  double left = 10;
  assert_true(srs_spend(&left, 4) && left == 6);
  assert_true(!srs_spend(&left, 7) && left == 0);
  assert_false(srs_spend(&left, 0)); // what was refused ends the search
}

typedef struct tally {
  int n, cut; // solves; those that used up their bound
} tally;

static void judge(const srs_contact_report *report, double most_work, double most_fixed, tally *t)
{
  assert_true(report->work >= 0 && report->work <= report->most_work);
  if (report->most_work > 0) assert_true(report->most_work == most_work || report->most_work <= most_fixed);
  t->n++;
  t->cut += report->work >= 0.8 * most_work;
}

static double fixed_of(const srs_contact_problem *p)
{
  const double n = srs_contact_problem_rows(p);
  return fmax(srs_fixed_work(n, p->n_bilateral, 3 * n), 4 * (4e4 + 60 * n * n + 2000 * n));
}

// Every method, every bound.
static void solve_all(srs_contact_solver *solver, const srs_contact_problem *p, double tolerance, tally *t)
{
  static double x[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
  for (int method = 0; method < SRS_CONTACT_METHODS; method++)
    for (int i = 0; i < BOUNDS; i++) {
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)method;
      options.tolerance = tolerance;
      options.most_work = bounds[i];
      assert_int_equal(srs_contact_solve(solver, p, &options, false, x, v, &report), SRS_OK);
      judge(&report, bounds[i], fixed_of(p), t);
      for (int k = 0; k < srs_contact_problem_rows(p); k++) assert_true(isfinite(x[k]) && isfinite(v[k]));
    }
}

static void solve_by_blocks(srs_contact_solver *solver, const srs_contact_problem *p, double tolerance, tally *t)
{
  testing_blocks blocks;
  testing_blocks_make(p, &blocks);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
  assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
  solve_all(solver, &blocks.problem, tolerance, t);
  testing_blocks_free(&blocks);
}

static void report_tally(const char *what, const tally *t)
{
  print_message("%s: %d solves, %d used up their bound, none more\n", what, t->n, t->cut);
  assert_true(t->cut > 0);
}

static void problems_without_an_answer_stay_within(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1711);
  srs_contact_solver *solver;
  tally whole = {0}, blocks = {0};
  assert_int_equal(srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(40); k++) {
    static contradiction d;
    contradiction_draw(&random, &d);
    solve_all(solver, &d.problem, 1e-12, &whole);
    solve_by_blocks(solver, &d.problem, 1e-12, &blocks);
  }
  report_tally("no answer", &whole);
  report_tally("no answer, by blocks", &blocks);
  srs_contact_solver_destroy(solver);
}

// Stacks of bodies whose masses differ, repeated contacts, all kinds of rows.
static void stacks_and_heaps_stay_within(void **state)
{
  (void)state;
  const contact_lots lots[] = {
      {.most_contacts = 8, .most_copies = 3, .most_friction = 2, .most_mass_ratio = 1e6, .n_bodies = 4},
      {.most_contacts = 12,
       .most_bilateral = 6,
       .most_copies = 1,
       .most_unilateral = 3,
       .most_box = 3,
       .most_friction = 5,
       .most_mass_ratio = 1e4,
       .has_any_tangents = true},
      {.n_contacts = 50,
       .most_contacts = 50,
       .most_copies = 1,
       .most_friction = 1,
       .most_mass_ratio = 1e6,
       .n_bodies = 25},
  };
  testing_random random = testing_random_start(1712);
  srs_contact_solver *solver;
  tally whole = {0}, blocks = {0};
  assert_int_equal(srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(12); k++) {
    random_problem lot = random_problem_make(&random, &lots[k % 3]);
    solve_all(solver, &lot.problem, 1e-30, &whole); // none reaches it: every start is tried
    solve_by_blocks(solver, &lot.problem, 1e-30, &blocks);
    random_problem_free(&lot);
  }
  report_tally("stacks", &whole);
  report_tally("stacks, by blocks", &blocks);
  srs_contact_solver_destroy(solver);
}

static void corners_stay_within(void **state)
{
  (void)state;
  const corner_lots lots = {
      .most_groups = 5, .most_sides = 3, .most_contacts = 4, .most_bilateral = 2, .tangents = 2, .most_friction = 1};
  const srs_nonconvex_capacity capacity = {CORNER_ROWS, CORNER_GROUPS, CORNER_GROUPS * CORNER_SIDES, 4, true};
  testing_random random = testing_random_start(1713);
  srs_nonconvex_solver *solver;
  tally t = {0};
  assert_int_equal(srs_nonconvex_solver_create(&capacity, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(60); k++) {
    static corner_problem corner;
    static double x[CORNER_ROWS];
    corner_problem_draw(&random, &lots, &corner);
    const double n = srs_contact_problem_rows(&corner.problem.contacts);
    const double most_fixed = fmax(fixed_of(&corner.problem.contacts), 1e3 * n * n * (n + 60)); // a few of Lemke's LUs
    for (int form = SRS_NONCONVEX_MAX; form <= SRS_NONCONVEX_SUMMATION; form++)
      for (int i = 0; i < BOUNDS; i++) {
        int side[CORNER_GROUPS];
        srs_nonconvex_report report;
        srs_nonconvex_options options = srs_default_nonconvex_options();
        options.form = (srs_nonconvex_form)form;
        options.contact.tolerance = 1e-30;
        options.contact.most_work = bounds[i];
        assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, &options, false, x, NULL, side, &report), SRS_OK);
        judge(&report.contact, bounds[i], most_fixed, &t);
      }
  }
  report_tally("corners", &t);
  srs_nonconvex_solver_destroy(solver);
}

// Where a search is cut, too, nothing is left of the problem before.
static void what_was_solved_before_does_not_matter(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1715);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(30); k++) {
    static contradiction d, other;
    testing_blocks blocks, other_blocks;
    contradiction_draw(&random, &d);
    contradiction_draw(&random, &other);
    testing_blocks_make(&d.problem, &blocks);
    testing_blocks_make(&other.problem, &other_blocks);
    const srs_contact_sizes sizes[2] = {testing_sizes(&blocks.blocks, 4), testing_sizes(&other_blocks.blocks, 4)};
    for (int i = 0; i < 2; i++) assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes[i], NULL), SRS_OK);
    for (int i = 0; i < 2 * BOUNDS * SRS_CONTACT_METHODS; i++) {
      static double x[MOST_UNKNOWNS], y[MOST_UNKNOWNS];
      const srs_contact_problem *p = i % 2 == 0 ? &d.problem : &blocks.problem,
                                *between = i % 2 == 0 ? &other.problem : &other_blocks.problem;
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)(i / (2 * BOUNDS));
      options.most_work = bounds[i / 2 % BOUNDS];
      assert_int_equal(srs_contact_solve(solver, p, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(srs_contact_solve(solver, between, &options, false, y, NULL, &report), SRS_OK);
      assert_int_equal(srs_contact_solve(solver, p, &options, false, y, NULL, &report), SRS_OK);
      assert_memory_equal(x, y, sizeof(double) * (size_t)d.n);
    }
    testing_blocks_free(&blocks);
    testing_blocks_free(&other_blocks);
  }
  srs_contact_solver_destroy(solver);
}

static void a_bound_that_is_not_reached_changes_nothing(void **state)
{
  (void)state;
  const contact_lots lots = {
      .most_contacts = 10, .most_bilateral = 4, .most_copies = 2, .most_friction = 2, .most_mass_ratio = 1e6};
  testing_random random = testing_random_start(1714);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(100); k++) {
    random_problem lot = random_problem_make(&random, &lots);
    const size_t bytes = sizeof(double) * (size_t)srs_contact_problem_rows(&lot.problem);
    for (int method = 0; method < SRS_CONTACT_METHODS; method++) {
      static double x[MOST_UNKNOWNS], y[MOST_UNKNOWNS];
      srs_contact_report free, bounded;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)method;
      assert_int_equal(srs_contact_solve(solver, &lot.problem, &options, false, x, NULL, &free), SRS_OK);
      if (free.status != SRS_CONTACT_SOLVED) continue;
      options.most_work = 10 * free.work + 1;
      assert_int_equal(srs_contact_solve(solver, &lot.problem, &options, false, y, NULL, &bounded), SRS_OK);
      assert_true(bounded.status == SRS_CONTACT_SOLVED &&
                  fabs(bounded.work - free.work) <= 1e-4 * free.work); // of 1.2e10
      assert_memory_equal(x, y, bytes);
    }
    random_problem_free(&lot);
  }
  srs_contact_solver_destroy(solver);
}

// What docs/solvers.md promises of a problem of n rows, whatever it is: known before a run.
static void the_usual_bound_follows_from_the_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1716);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL), SRS_OK);
  for (int k = 0; k < testing_draws(40); k++) {
    const int most_contacts = k % 4 == 0 ? 50 : 8;
    const contact_lots lots = {
        .most_contacts = most_contacts, .most_copies = 1, .most_friction = 1, .most_mass_ratio = 10, .n_bodies = 5};
    random_problem lot = random_problem_make(&random, &lots);
    const double n = srs_contact_problem_rows(&lot.problem), cube = n * n * (n + 60);
    const double most = fmax(1.2e10, 100 * cube) + 67 * cube + 3e7 + 2 * fixed_of(&lot.problem);
    for (int method = 0; method < SRS_CONTACT_METHODS; method++) {
      static double x[MOST_UNKNOWNS];
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)method;
      assert_int_equal(srs_contact_solve(solver, &lot.problem, &options, false, x, NULL, &report), SRS_OK);
      assert_true(report.work <= report.most_work && report.most_work <= most);
    }
    random_problem_free(&lot);
  }
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_allowed_is_divided),
      cmocka_unit_test(problems_without_an_answer_stay_within),
      cmocka_unit_test(stacks_and_heaps_stay_within),
      cmocka_unit_test(corners_stay_within),
      cmocka_unit_test(what_was_solved_before_does_not_matter),
      cmocka_unit_test(a_bound_that_is_not_reached_changes_nothing),
      cmocka_unit_test(the_usual_bound_follows_from_the_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
