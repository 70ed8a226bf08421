// Groups of sides of which one has to hold: random problems beside all choices of sides, and what a caller may do
// wrong.
// Under the sanitizers a fifth of the draws (testing_draws).
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

static bool is_answer(srs_contact_status status)
{
  return status == SRS_CONTACT_SOLVED || status == SRS_CONTACT_STAGNATED;
}

// An answer also as trying all choices counts them: of problems near to singular the residual may stay above 1e-12.
static bool is_found(const srs_nonconvex_report *report)
{
  return is_answer(report->status) ||
         (report->contact.residual < 1e-9 && report->violation < 1e-7 && report->phantom == 0);
}

static int choices_of(const corner_problem *corner)
{
  int product = 1;
  for (int group = 0; group < corner->problem.n_groups; group++)
    product *= corner->first[group + 1] - corner->first[group];
  return product;
}

typedef struct tally {
  int n, impossible, rough, tries, most_tries, one_try;
} tally;

// The solver finds an answer wherever trying all choices of sides finds one, and it is an answer.
static void compare(const corner_problem *corner, srs_nonconvex_solver *solver, srs_contact_solver *plain, tally *t)
{
  enum { MOST_CHOICES = 300 };
  double x[CORNER_ROWS], other[CORNER_ROWS];
  int side[CORNER_GROUPS], choice[CORNER_GROUPS] = {0}, answers = 0;
  srs_nonconvex_report report;
  assert_int_equal(srs_nonconvex_solve(solver, &corner->problem, NULL, false, x, NULL, side, &report), SRS_OK);
  const bool is_solved = is_found(&report);
  t->n++, t->tries += report.tries, t->one_try += report.tries == 1;
  t->rough += is_solved && !is_answer(report.status);
  t->most_tries = report.tries > t->most_tries ? report.tries : t->most_tries;
  // Impulses are about 10 here and residuals 1e-12 of b; the laws' slopes make some 1e4 of that.
  if (is_solved) assert_true(corner_problem_defect(corner, side, x) < 1e-7);
  if (choices_of(corner) > MOST_CHOICES && is_solved) return;
  do answers += corner_problem_try(corner, plain, choice, other) < 1e-7;
  while (corner_problem_next(corner, choice));
  t->impossible += !is_solved;
  assert_int_equal(is_solved, answers > 0);
  if (!is_solved) assert_true(report.violation < 1e-7 && report.phantom > 0); // nothing is inside anything
}

static void draw_and_compare(int seed, int most_sides, int tangents, int draws)
{
  srs_nonconvex_solver *solver = make_solver();
  srs_contact_solver *plain;
  assert_int_equal(srs_contact_solver_create(CORNER_ROWS, &plain, NULL), SRS_OK);
  static corner_problem corner;
  testing_random random = testing_random_start((uint64_t)seed);
  for (int groups = 1; groups <= CORNER_GROUPS; groups++) {
    tally t = {0};
    const corner_lots lots = {.most_groups = groups,
                              .most_sides = most_sides,
                              .most_contacts = 3,
                              .most_bilateral = 2,
                              .tangents = tangents,
                              .most_friction = tangents == 0 ? 0 : 1};
    for (int i = 0; i < draws; i++) {
      corner_problem_draw(&random, &lots, &corner);
      compare(&corner, solver, plain, &t);
    }
    printf("up to %d groups of 2 to %d sides, friction %s: %d problems, of %d no choice has an answer, of %d to 1e-9 "
           "only; tries: mean %.3f, most %d, one in %.1f %%\n",
           groups, most_sides, tangents == 0 ? "no" : "yes", t.n, t.impossible, t.rough, (double)t.tries / t.n,
           t.most_tries, 100.0 * t.one_try / t.n);
    assert_true(1000 * t.rough <= t.n);
    if (tangents == 0) assert_int_equal(t.impossible, 0); // there is a least-energy answer
    if (groups <= 4 && most_sides == 2) assert_true(t.tries < 2 * t.n);
    if (groups == 1) assert_true(2 * t.one_try > t.n); // the median: as many solves as without groups
  }
  srs_nonconvex_solver_destroy(solver);
  srs_contact_solver_destroy(plain);
}

static bool is_long(void) { return getenv("SARRUS_LONG") != NULL; }

// Seeds 901 and 902 hold problems whose nearest choice of sides is solved to 1e-11 only, and another to 1e-12.
static int draws_without_friction(void) { return testing_draws(is_long() ? 20000 : 2000); }
static int draws_with_friction(void) { return testing_draws(is_long() ? 2000 : 100); }

static void pairs_of_sides_without_friction(void **state)
{
  (void)state;
  draw_and_compare(901, 2, 0, draws_without_friction());
}

static void more_sides_without_friction(void **state)
{
  (void)state;
  draw_and_compare(902, 4, 0, draws_without_friction());
}

static void pairs_of_sides_with_friction(void **state)
{
  (void)state;
  draw_and_compare(903, 2, -1, draws_with_friction());
}

static void more_sides_with_friction(void **state)
{
  (void)state;
  draw_and_compare(904, 4, -1, draws_with_friction());
}

static void every_inner_solver_serves(void **state)
{
  (void)state;
  srs_nonconvex_solver *solver = make_solver();
  static corner_problem corner;
  testing_random random = testing_random_start(905);
  const corner_lots lots = {
      .most_groups = 3, .most_sides = 3, .most_contacts = 2, .most_bilateral = 2, .tangents = 2, .most_friction = 0.5};
  for (int i = 0; i < 40; i++) {
    corner_problem_draw(&random, &lots, &corner);
    for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
      double x[CORNER_ROWS];
      int side[CORNER_GROUPS];
      srs_nonconvex_report report;
      srs_nonconvex_options options = srs_default_nonconvex_options();
      options.contact.method = (srs_contact_method)name;
      options.contact.n_directions = 8;
      options.contact.tolerance = 1e-9; // what Fischer-Burmeister's equations reach
      assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, &options, false, x, NULL, side, &report), SRS_OK);
      assert_true(is_answer(report.status));
      assert_true(report.violation < 1e-6 && report.phantom < 1e-6);
    }
  }
  srs_nonconvex_solver_destroy(solver);
}

// ---- the point before a corner: EBT sec. IV, example b ----

static const double point_W[4] = {1, 0, 0, 1}, point_friction[2] = {0, 0};
static const unsigned char no_tangents[2] = {0, 0};
static const int one_group[2] = {0, 2}, both[2] = {0, 1};

static srs_nonconvex_problem point_before_a_corner(const double b[2])
{
  return (srs_nonconvex_problem){
      .contacts = {.n_contacts = 2, .W = point_W, .b = b, .friction = point_friction, .tangents = no_tangents},
      .n_groups = 1,
      .first = one_group,
      .side = both};
}

static void the_nearest_side_is_taken_or_the_last(void **state)
{
  (void)state;
  const double b[2] = {-1.5, -0.5};
  const srs_nonconvex_problem p = point_before_a_corner(b);
  srs_nonconvex_solver *solver = make_solver();
  double x[2] = {0, 0}, w[2];
  int side = -1;
  srs_nonconvex_report report;
  assert_int_equal(srs_nonconvex_solve(solver, &p, NULL, false, x, w, &side, &report), SRS_OK);
  assert_int_equal(side, 1);
  assert_true(fabs(x[0]) + fabs(x[1] - 0.5) + fabs(w[0] + 1.5) + fabs(w[1]) < 1e-12);
  side = 0;
  assert_int_equal(srs_nonconvex_solve(solver, &p, NULL, true, x, w, &side, &report), SRS_OK);
  assert_int_equal(side, 0);
  assert_int_equal(report.tries, 1);
  assert_true(fabs(x[0] - 1.5) + fabs(x[1]) + fabs(w[0]) + fabs(w[1] + 0.5) < 1e-12);
  const double free[2] = {-1.5, 0.5}; // example a: the last side is out of it
  const srs_nonconvex_problem passing = point_before_a_corner(free);
  assert_int_equal(srs_nonconvex_solve(solver, &passing, NULL, true, x, w, &side, &report), SRS_OK);
  assert_int_equal(side, 1);
  assert_true(x[0] == 0 && x[1] == 0 && w[0] == -1.5 && w[1] == 0.5);
  srs_nonconvex_solver_destroy(solver);
}

// Under a relaxed law what slides is lifted, w_n = mu |w_t|, from a side that is nearly parallel too: no side is free
// by that. A point at 1 m/s along a plane and into it, beside a plane that it is turned towards by 0.1.
static void what_a_relaxed_law_lifts_is_not_free(void **state)
{
  (void)state;
  const double J[4][2] = {{0, 1}, {1, 0}, {-sin(0.1), cos(0.1)}, {cos(0.1), sin(0.1)}}, free[2] = {1, -0.5};
  const double friction[2] = {0.5, 0.5};
  const unsigned char tangents[2] = {1, 1};
  double W[16], b[4], x[4], w[4];
  for (int i = 0; i < 4; i++) {
    b[i] = J[i][0] * free[0] + J[i][1] * free[1];
    for (int j = 0; j < 4; j++) W[4 * i + j] = J[i][0] * J[j][0] + J[i][1] * J[j][1];
  }
  const srs_nonconvex_problem p = {
      .contacts = {.n_contacts = 2, .W = W, .b = b, .friction = friction, .tangents = tangents},
      .n_groups = 1,
      .first = one_group,
      .side = both};
  srs_nonconvex_solver *solver = make_solver();
  for (int name = SRS_METHOD_RELAXED; name <= SRS_METHOD_RELAXED_FIXED_POINT; name++) {
    srs_nonconvex_options options = srs_default_nonconvex_options();
    options.contact.method = (srs_contact_method)name;
    srs_nonconvex_report report;
    int side;
    assert_int_equal(srs_nonconvex_solve(solver, &p, &options, false, x, w, &side, &report), SRS_OK);
    assert_true(is_answer(report.status));
    assert_int_equal(side, 0);
    assert_int_equal(report.tries, 1);
    assert_true(report.phantom == 0 && report.violation == 0);
    const double lift = name == SRS_METHOD_RELAXED ? 0.5 * fabs(w[1]) : 0; // the fixed point takes it back
    assert_true(x[0] > 0.1 && x[2] == 0 && w[1] > 0.1 && fabs(w[0] - lift) < 1e-9);
    assert_true(fabs(x[1] + 0.5 * x[0]) < 1e-9);
  }
  srs_nonconvex_solver_destroy(solver);
}

// ---- the edges ----

static void without_groups_it_is_a_plain_solve(void **state)
{
  (void)state;
  srs_nonconvex_solver *solver = make_solver();
  srs_contact_solver *plain;
  assert_int_equal(srs_contact_solver_create(CORNER_ROWS, &plain, NULL), SRS_OK);
  static corner_problem corner;
  testing_random random = testing_random_start(907);
  const corner_lots lots = {
      .most_groups = 2, .most_sides = 2, .most_contacts = 3, .most_bilateral = 1, .tangents = 2, .most_friction = 0.5};
  for (int i = 0; i < 50; i++) {
    double x[CORNER_ROWS], y[CORNER_ROWS], w[CORNER_ROWS], u[CORNER_ROWS];
    srs_nonconvex_report report;
    srs_contact_report other;
    corner_problem_draw(&random, &lots, &corner);
    corner.problem.n_groups = 0;
    const srs_contact_problem *p = &corner.problem.contacts;
    assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, NULL, false, x, w, NULL, &report), SRS_OK);
    assert_int_equal(srs_contact_solve(plain, p, NULL, false, y, u, &other), SRS_OK);
    assert_memory_equal(x, y, sizeof *x * (size_t)srs_contact_problem_rows(p));
    assert_memory_equal(w, u, sizeof *x * (size_t)srs_contact_problem_rows(p));
    assert_int_equal(report.status, other.status);
    assert_int_equal(report.tries, 1);
  }
  srs_nonconvex_solver_destroy(solver);
  srs_contact_solver_destroy(plain);
}

// A row that nothing moves and that asks for more: no choice has an answer.
static void what_has_no_answer_is_said_to_have_none(void **state)
{
  (void)state;
  const double W[4] = {0, 0, 0, 0}, b[2] = {-1, -2};
  srs_nonconvex_problem p = point_before_a_corner(b);
  p.contacts.W = W;
  srs_nonconvex_solver *solver = make_solver();
  for (int form = 0; form < 2; form++) {
    double x[2];
    int side;
    srs_nonconvex_report report;
    srs_nonconvex_options options = srs_default_nonconvex_options();
    options.form = (srs_nonconvex_form)form;
    assert_int_equal(srs_nonconvex_solve(solver, &p, &options, false, x, NULL, &side, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
    assert_true(isfinite(x[0]) && isfinite(x[1]));
    assert_true(report.violation > 0 && side >= 0 && side < 2);
  }
  srs_nonconvex_solver_destroy(solver);
}

static srs_status status_of(srs_nonconvex_solver *solver, const srs_nonconvex_problem *p,
                            const srs_nonconvex_options *options)
{
  double x[2] = {0, 0};
  int side[2] = {0, 0};
  srs_nonconvex_report report;
  return srs_nonconvex_solve(solver, p, options, true, x, NULL, side, &report);
}

static void what_is_no_problem_is_refused(void **state)
{
  (void)state;
  const double b[2] = {-1, -2}, bad[2] = {NAN, 0};
  const int empty[3] = {0, 2, 2}, twice[2] = {1, 1}, outside[2] = {0, 2};
  const srs_nonconvex_problem good = point_before_a_corner(b);
  srs_nonconvex_solver *solver = make_solver(), *small;
  const srs_nonconvex_capacity capacity = {.n_rows = 2, .n_groups = 1, .n_sides = 1, .n_directions = 4};
  assert_int_equal(srs_nonconvex_solver_create(&capacity, &small, NULL), SRS_OK);
  srs_nonconvex_options options = srs_default_nonconvex_options();
  assert_int_equal(status_of(solver, &good, &options), SRS_OK);
  assert_int_equal(status_of(small, &good, &options), SRS_ERROR_CAPACITY);
  srs_nonconvex_problem p = good;
  p.first = empty, p.n_groups = 2;
  assert_int_equal(status_of(solver, &p, &options), SRS_ERROR_ARGUMENT);
  p = good, p.side = twice;
  assert_int_equal(status_of(solver, &p, &options), SRS_ERROR_ARGUMENT);
  p = good, p.side = outside;
  assert_int_equal(status_of(solver, &p, &options), SRS_ERROR_ARGUMENT);
  p = good, p.contacts.b = bad;
  assert_int_equal(status_of(solver, &p, &options), SRS_ERROR_NOT_FINITE);
  options.slack = -1;
  assert_int_equal(status_of(solver, &good, &options), SRS_ERROR_ARGUMENT);
  options = srs_default_nonconvex_options(), options.most_tries = 0;
  assert_int_equal(status_of(solver, &good, &options), SRS_ERROR_ARGUMENT);
  options = srs_default_nonconvex_options(), options.form = SRS_NONCONVEX_SUMMATION, options.epsilon = 0;
  assert_int_equal(status_of(solver, &good, &options), SRS_ERROR_ARGUMENT);
  options.epsilon = 1;
  p = good, p.n_groups = 1;
  const int one_side[2] = {0, 1};
  p.first = one_side;
  assert_int_equal(status_of(small, &p, &options), SRS_ERROR_UNSUPPORTED);
  assert_int_equal(status_of(NULL, &good, &options), SRS_ERROR_ARGUMENT);
  srs_nonconvex_solver_destroy(solver);
  srs_nonconvex_solver_destroy(small);
}

// ---- sides of several contacts ----

// How far frictionless impulses are from the laws, with sides of `size` contacts each, contacts of a group in order.
static double defect_of_wide_sides(const corner_problem *corner, const int *size, const double *x)
{
  const srs_contact_problem *p = &corner->problem.contacts;
  double w[CORNER_ROWS];
  double worst = corner_problem_velocities(corner, x, w);
  bool is_side[CORNER_ROWS] = {false};
  for (int group = 0; group < corner->problem.n_groups; group++) {
    double most = -INFINITY, push = 0;
    for (int k = corner->first[group]; k < corner->first[group + 1]; k++) {
      double least = INFINITY;
      for (int c = corner->side[k]; c < corner->side[k] + size[k]; c++) {
        const int i = corner->normal[c];
        is_side[c] = true;
        least = fmin(least, w[i]);
        push = fmax(push, x[i]);
        worst = fmax(worst, fmax(-x[i], x[i] > 0 ? fabs(w[i]) : 0));
      }
      most = fmax(most, least);
    }
    worst = fmax(worst, fmax(-most, fmin(push, most)));
  }
  for (int c = 0; c < p->n_contacts; c++)
    if (!is_side[c]) worst = fmax(worst, fabs(fmin(x[corner->normal[c]], w[corner->normal[c]])));
  return worst;
}

// The sides of each group two by two: pairs of contacts that hold together, and the one that is over by itself.
static void join_sides(corner_problem *corner, int *size)
{
  int k = 0, begin = 0;
  for (int group = 0; group < corner->problem.n_groups; group++) {
    const int end = corner->first[group + 1];
    for (int from = begin; from < end; from += 2, k++) {
      corner->side[k] = corner->side[from];
      size[k] = end - from < 2 ? 1 : 2;
    }
    begin = end;
    corner->first[group + 1] = k;
  }
  corner->problem.size = size;
}

// Whether some choice of a side in each group leaves a problem whose answer is one of the whole.
static bool has_answer(corner_problem *corner, const int *size, srs_contact_solver *plain)
{
  const srs_contact_problem *p = &corner->problem.contacts;
  const int n = srs_contact_problem_rows(p);
  int choice[CORNER_GROUPS] = {0};
  do {
    static double W[CORNER_ROWS * CORNER_ROWS];
    double b[CORNER_ROWS], mu[CORNER_ROWS], x[CORNER_ROWS] = {0}, part[CORNER_ROWS];
    int row[CORNER_ROWS], rows = 0;
    bool is_out[CORNER_ROWS] = {false};
    for (int group = 0; group < corner->problem.n_groups; group++)
      for (int k = corner->first[group]; k < corner->first[group + 1]; k++)
        for (int c = corner->side[k]; c < corner->side[k] + size[k]; c++)
          is_out[c] = k != corner->first[group] + choice[group];
    srs_contact_problem left = *p;
    left.n_contacts = 0, left.W = W, left.b = b, left.friction = mu;
    for (int i = 0; i < p->n_bilateral; i++) row[rows++] = i;
    for (int c = 0; c < p->n_contacts; c++) {
      if (is_out[c]) continue;
      row[rows++] = corner->normal[c];
      mu[left.n_contacts++] = 0;
    }
    for (int i = 0; i < rows; i++) {
      b[i] = corner->b[row[i]];
      for (int j = 0; j < rows; j++) W[i * rows + j] = corner->W[row[i] * n + row[j]];
    }
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(plain, &left, NULL, false, part, NULL, &report), SRS_OK);
    for (int i = 0; i < rows; i++) x[row[i]] = part[i];
    if (is_answer(report.status) && defect_of_wide_sides(corner, size, x) < 1e-7) return true;
  } while (corner_problem_next(corner, choice));
  return false;
}

static void sides_of_several_contacts_hold_together(void **state)
{
  (void)state;
  static corner_problem corner;
  srs_nonconvex_solver *solver = make_solver();
  srs_contact_solver *plain;
  assert_int_equal(srs_contact_solver_create(CORNER_ROWS, &plain, NULL), SRS_OK);
  testing_random random = testing_random_start(906);
  const corner_lots lots = {.most_groups = 3, .most_sides = 4, .most_contacts = 3, .most_bilateral = 2};
  int size[CORNER_GROUPS * CORNER_SIDES]; // the last problem keeps it
  int solved = 0, n = testing_draws(getenv("SARRUS_LONG") != NULL ? 3000 : 300), tries = 0;
  for (int i = 0; i < n; i++) {
    double x[CORNER_ROWS];
    int side[CORNER_GROUPS];
    srs_nonconvex_report report;
    corner_problem_draw(&random, &lots, &corner);
    join_sides(&corner, size);
    assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, NULL, false, x, NULL, side, &report), SRS_OK);
    tries += report.tries;
    if (is_answer(report.status)) assert_true(defect_of_wide_sides(&corner, size, x) < 1e-7);
    assert_int_equal(is_answer(report.status), has_answer(&corner, size, plain));
    solved += is_answer(report.status);
  }
  print_message("%d of %d problems have an answer; tries: mean %.3f\n", solved, n, (double)tries / n);
  assert_true(2 * solved > n);
  srs_nonconvex_options options = srs_default_nonconvex_options();
  options.form = SRS_NONCONVEX_SUMMATION;
  double x[CORNER_ROWS];
  int side[CORNER_GROUPS];
  srs_nonconvex_report report;
  assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, &options, false, x, NULL, side, &report),
                   SRS_ERROR_UNSUPPORTED);
  srs_nonconvex_solver_destroy(solver);
  srs_contact_solver_destroy(plain);
}

static void forms_have_names(void **state)
{
  (void)state;
  for (int form = 0; form < 2; form++) {
    srs_nonconvex_form back;
    assert_true(srs_nonconvex_form_from_name(srs_nonconvex_form_name((srs_nonconvex_form)form), &back));
    assert_int_equal(back, form);
  }
  srs_nonconvex_form untouched;
  assert_false(srs_nonconvex_form_from_name("convex", &untouched));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_of_sides_without_friction),
      cmocka_unit_test(more_sides_without_friction),
      cmocka_unit_test(pairs_of_sides_with_friction),
      cmocka_unit_test(more_sides_with_friction),
      cmocka_unit_test(every_inner_solver_serves),
      cmocka_unit_test(the_nearest_side_is_taken_or_the_last),
      cmocka_unit_test(what_a_relaxed_law_lifts_is_not_free),
      cmocka_unit_test(without_groups_it_is_a_plain_solve),
      cmocka_unit_test(what_has_no_answer_is_said_to_have_none),
      cmocka_unit_test(what_is_no_problem_is_refused),
      cmocka_unit_test(sides_of_several_contacts_hold_together),
      cmocka_unit_test(forms_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
