// Large problems: what is asked, refused and certified. Their answers are in test_interior_point.c.
// Under the sanitizers a fifth of the draws (testing_draws).
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
  options.method = SRS_METHOD_RELAXED_FIXED_POINT;
  options.tolerance = 1e-9;
  lemke.method = SRS_METHOD_MLCP_LEMKE;
  lemke.tolerance = 1e-8;
  lemke.last_stage = SRS_STAGE_WARM;
  for (int i = 0; i < testing_draws(150); i++) {
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
  for (int i = 0; i < testing_draws(50); i++) {
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

static const contact_lots large_lots[] = {
    {.n_contacts = 110, .n_bodies = 40, .most_friction = 0.8, .most_mass_ratio = 10},
    {.n_contacts = 130,
     .n_bodies = 60,
     .most_bilateral = 30,
     .most_unilateral = 20,
     .most_box = 20,
     .most_friction = 0.5,
     .most_mass_ratio = 10,
     .has_any_tangents = true,
     .most_anisotropy = 2},
    {.n_contacts = 150, .n_bodies = 20, .most_bilateral = 10, .most_friction = 0.3, .most_mass_ratio = 10}};
enum { KINDS = sizeof large_lots / sizeof *large_lots, LARGE_ROWS = 700 };

// Problems of hundreds of rows, with loops that depend on each other and more contacts than freedom: answers by blocks
// are those of the whole matrix. Velocities have one answer, where friction is small, impulses many.
static void large_answers_are_those_of_the_whole(void **state)
{
  (void)state;
  enum { EACH = 8 };
  testing_random random = testing_random_start(613);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(LARGE_ROWS, &solver, NULL), SRS_OK);
  for (int kind = 0; kind < KINDS; kind++)
    for (int name = SRS_METHOD_MNCP_RLM; name <= SRS_METHOD_MNCP_PLM; name++) {
      double apart = 0, worst = 0;
      for (int i = 0; i < testing_draws(EACH); i++) {
        random_problem drawn = random_problem_make(&random, &large_lots[kind]);
        testing_blocks blocks;
        srs_contact_report whole, report;
        static double x[LARGE_ROWS], w[LARGE_ROWS], v[LARGE_ROWS];
        srs_contact_options options = srs_default_contact_options();
        const int n = srs_contact_problem_rows(&drawn.problem);
        double size = 0;
        options.method = (srs_contact_method)name;
        assert_true(n >= 300 && n <= LARGE_ROWS);
        testing_blocks_make(&drawn.problem, &blocks);
        const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
        assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
        assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, w, &whole), SRS_OK);
        assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, v, &report), SRS_OK);
        assert_true(whole.status == SRS_CONTACT_SOLVED && report.status == SRS_CONTACT_SOLVED);
        assert_true(report.residual <= 1e-12);
        worst = fmax(worst, report.residual);
        for (int k = 0; k < n; k++) size = fmax(size, fabs(drawn.problem.b[k]));
        for (int k = 0; k < n; k++) apart = fmax(apart, fabs(v[k] - w[k]) / size);
        testing_blocks_free(&blocks);
        random_problem_free(&drawn);
      }
      print_message("kind %d, %s: velocities %.2g of b apart, residual %.2g\n", kind,
                    srs_contact_method_name((srs_contact_method)name), apart, worst);
      assert_true(apart < 1e-9);
    }
  srs_contact_solver_destroy(solver);
}

// All solvers with a polyhedron, of more and turned directions too: their certificates say so.
static void large_polyhedral_problems_are_solved(void **state)
{
  (void)state;
  enum { EACH = 6, DIRECTIONS = 8 };
  testing_random random = testing_random_start(614);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(0, &solver, NULL), SRS_OK);
  for (int kind = 0; kind < KINDS; kind++)
    for (int name = SRS_METHOD_MLCP_LEMKE; name <= SRS_METHOD_MLCP_FB_PLM; name++)
      for (int i = 0; i < EACH; i++) {
        random_problem drawn = random_problem_make(&random, &large_lots[kind]);
        testing_blocks blocks;
        srs_contact_report report, again;
        static double x[LARGE_ROWS], y[LARGE_ROWS];
        srs_contact_options options = srs_default_contact_options();
        options.method = (srs_contact_method)name;
        options.n_directions = i % 2 == 0 ? 4 : DIRECTIONS;
        options.direction_angle = i % 3 == 0 ? 0.3 : 0;
        testing_blocks_make(&drawn.problem, &blocks);
        const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, DIRECTIONS);
        assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
        assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
        assert_true(report.status == SRS_CONTACT_SOLVED && report.residual <= 1e-12);
        memcpy(y, x, sizeof x);
        assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, true, y, NULL, &again), SRS_OK);
        assert_true(again.status == SRS_CONTACT_SOLVED && again.stage == SRS_STAGE_WARM);
        // well within the tolerance they are the answer; else Newton's method goes on from there
        assert_true(report.residual <= 0.1 * options.tolerance ? again.iterations == 0
                                                               : again.iterations <= options.max_iterations);
        testing_blocks_free(&blocks);
        random_problem_free(&drawn);
      }
  srs_contact_solver_destroy(solver);
}

// The same bits from the same problem, whatever was solved between.
static void nothing_is_remembered(void **state)
{
  (void)state;
  testing_random random = testing_random_start(615);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(0, &solver, NULL), SRS_OK);
  random_problem drawn = random_problem_make(&random, &large_lots[1]),
                 other = random_problem_make(&random, &large_lots[0]);
  testing_blocks blocks, between;
  testing_blocks_make(&drawn.problem, &blocks);
  testing_blocks_make(&other.problem, &between);
  const srs_contact_sizes sizes[] = {testing_sizes(&blocks.blocks, 4), testing_sizes(&between.blocks, 4)};
  for (int i = 0; i < 2; i++) assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes[i], NULL), SRS_OK);
  for (int name = 0; name < SRS_CONTACT_METHODS; name++) {
    static double x[LARGE_ROWS], y[LARGE_ROWS], z[LARGE_ROWS];
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name;
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
    assert_int_equal(srs_contact_solve(solver, &between.problem, &options, false, z, NULL, &report), SRS_OK);
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, y, NULL, &report), SRS_OK);
    assert_memory_equal(x, y, sizeof *x * (size_t)srs_contact_problem_rows(&drawn.problem));
  }
  testing_blocks_free(&blocks);
  testing_blocks_free(&between);
  random_problem_free(&drawn);
  random_problem_free(&other);
  srs_contact_solver_destroy(solver);
}

// What rests has nearly the problem of the step before. Its impulses are tried as they are, then after sweeps. Most
// such problems need no factor, though these are drawn, with sliding contacts and loops.
static void what_rests_needs_no_factor(void **state)
{
  (void)state;
  enum { EACH = 10 };
  testing_random random = testing_random_start(616);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(0, &solver, NULL), SRS_OK);
  const srs_contact_options options = srs_default_contact_options();
  int factors = 0;
  for (int i = 0; i < KINDS * EACH; i++) {
    random_problem drawn = random_problem_make(&random, &large_lots[i % KINDS]);
    testing_blocks blocks;
    srs_contact_report report;
    static double x[LARGE_ROWS], b[LARGE_ROWS];
    const int n = srs_contact_problem_rows(&drawn.problem);
    testing_blocks_make(&drawn.problem, &blocks);
    const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
    assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
    const bool is_solved = report.status == SRS_CONTACT_SOLVED;
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, true, x, NULL, &report), SRS_OK);
    assert_true(!is_solved || (report.status == SRS_CONTACT_SOLVED && report.iterations == 0));
    double largest = 0;
    for (int k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
    memcpy(b, drawn.problem.b, sizeof *b * (size_t)n);
    for (int k = 0; k < n; k++) {
      const double push = testing_uniform(&random, -1e-11, 1e-11) * largest; // so an answer is near
      for (int r = 0; r < n; r++) b[r] += drawn.problem.W[(size_t)r * (size_t)n + (size_t)k] * push;
    }
    blocks.problem.b = b;
    assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, true, x, NULL, &report), SRS_OK);
    assert_true(!is_solved || report.status == SRS_CONTACT_SOLVED);
    factors += report.iterations > 0;
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
  print_message("%d of %d needed a factor\n", factors, KINDS * EACH);
  assert_true(factors <= KINDS * EACH / 10);
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
  options.method = SRS_METHOD_RELAXED;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_ERROR_CAPACITY);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
  assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_OK);
  assert_true(report.status == SRS_CONTACT_SOLVED && fabs(x[0] - 1) < 1e-11);
  options.method = SRS_METHOD_MNCP_RLM;
  x[0] = NAN;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, true, x, w, &report), SRS_ERROR_NOT_FINITE);
  options.method = SRS_METHOD_MLCP_LEMKE;
  options.n_directions = 6; // memory is for 4
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, w, &report), SRS_ERROR_CAPACITY);
  options.n_directions = 4;
  blocks.value[0] = NAN;
  options.method = SRS_METHOD_RELAXED;
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
  options.method = SRS_METHOD_RELAXED;
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, &options, false, x, NULL, &report), SRS_OK);
  assert_true(report.status == SRS_CONTACT_SOLVED && x[0] == 0 && x[1] == 0 && x[2] == 0);
  testing_blocks_free(&blocks);
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fixed_point_is_an_answer_of_the_problem),
      cmocka_unit_test(large_answers_are_those_of_the_whole),
      cmocka_unit_test(large_polyhedral_problems_are_solved),
      cmocka_unit_test(nothing_is_remembered),
      cmocka_unit_test(what_rests_needs_no_factor),
      cmocka_unit_test(certificates_do_not_depend_on_the_form),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(at_rest_nothing_pushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
