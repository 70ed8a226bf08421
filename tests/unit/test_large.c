// Large problems: what is asked, refused and certified. Their answers are in test_interior_point.c.
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 150 };

static const contact_lots usual_lots = {.most_contacts = 8,
                                        .most_bilateral = 3,
                                        .most_copies = 2,
                                        .most_unilateral = 2,
                                        .most_box = 2,
                                        .most_friction = 0.3,
                                        .most_mass_ratio = 10,
                                        .has_any_tangents = true};

// The iteration's own answer, and its residual by the solver of the problem itself, which looks before it moves.
static void the_fixed_point_is_an_answer_of_the_problem(void **state)
{
  (void)state;
  testing_random random = testing_random_start(611);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options(), lemke = options;
  options.solver = SRS_SOLVER_RELAXED_FIXED_POINT;
  options.tolerance = 1e-9;
  lemke.solver = SRS_SOLVER_MLCP_LEMKE;
  lemke.tolerance = 1e-8;
  lemke.last_rung = SRS_RUNG_WARM;
  for (int i = 0; i < 150; i++) {
    random_problem drawn = random_problem_make(&random, &usual_lots);
    testing_blocks blocks;
    srs_contact_report report, other;
    double x[MOST_ROWS];
    testing_blocks_make(&drawn.problem, &blocks);
    const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
    assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    assert_int_equal(srs_contact_solve(solver, &drawn.problem, &lemke, true, x, NULL, &other), SRS_OK);
    assert_true(other.residual <= 1e-8);
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
}

// The same figures from blocks as from the whole matrix.
static void certificates_do_not_depend_on_the_form(void **state)
{
  (void)state;
  testing_random random = testing_random_start(612);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < 50; i++) {
    random_problem drawn = random_problem_make(&random, &usual_lots);
    testing_blocks blocks;
    srs_contact_report a, b;
    double x[MOST_ROWS];
    for (int k = 0; k < srs_contact_problem_rows(&drawn.problem); k++) x[k] = testing_uniform(&random, -1, 1);
    testing_blocks_make(&drawn.problem, &blocks);
    const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
    assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
    assert_int_equal(srs_contact_certify(solver, &drawn.problem, x, &a), SRS_OK);
    assert_int_equal(srs_contact_certify(solver, &blocks.problem, x, &b), SRS_OK);
    assert_true(a.status == b.status && fabs(a.residual - b.residual) <= 1e-12 * a.residual);
    assert_true(fabs(a.normal - b.normal) <= 1e-12 * (1 + a.normal) &&
                fabs(a.energy - b.energy) <= 1e-10 * (1 + fabs(a.energy)));
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  const double W[1] = {1}, b[1] = {-1};
  const srs_contact_problem p = {.n_unilateral = 1, .W = W, .b = b};
  testing_blocks blocks;
  srs_contact_solver *solver;
  srs_contact_report report;
  double x[1] = {0}, w[1];
  testing_blocks_make(&p, &blocks);
  assert_int_equal(srs_contact_solver_create(1, &solver, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options();
  options.solver = SRS_SOLVER_RELAXED;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_ERROR_CAPACITY);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
  assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_OK);
  assert_true(report.status == SRS_CONTACT_SOLVED && fabs(x[0] - 1) < 1e-11);
  options.solver = SRS_SOLVER_MLCP_LEMKE;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_ERROR_UNSUPPORTED);
  blocks.value[0] = NAN;
  options.solver = SRS_SOLVER_RELAXED;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_ERROR_NOT_FINITE);
  srs_contact_problem both = blocks.problem;
  both.W = W;
  assert_int_equal(srs_contact_solve(solver, &both, &options, false, x, w, &report), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_solver_reserve_blocks(NULL, &sizes, NULL), SRS_ERROR_ARGUMENT);
  testing_blocks_free(&blocks);
  srs_contact_solver_destroy(solver);
}

// b = 0 has the answer 0.
static void at_rest_nothing_pushes(void **state)
{
  (void)state;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {0}, mu = 0.5;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  testing_blocks blocks;
  srs_contact_solver *solver;
  srs_contact_report report;
  double x[3] = {1, 1, 1};
  testing_blocks_make(&p, &blocks);
  assert_int_equal(srs_contact_solver_create(0, &solver, NULL), SRS_OK);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
  assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options();
  options.solver = SRS_SOLVER_RELAXED;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
  assert_true(report.status == SRS_CONTACT_SOLVED && x[0] == 0 && x[1] == 0 && x[2] == 0);
  testing_blocks_free(&blocks);
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fixed_point_is_an_answer_of_the_problem),
      cmocka_unit_test(certificates_do_not_depend_on_the_form),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(at_rest_nothing_pushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
