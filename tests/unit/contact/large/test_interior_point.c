// Interior points answer as active sets do, which go another way.
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 150, MOST_DIRECTIONS = 16 };

static srs_contact_solver *solver_for_all(void)
{
  srs_contact_solver *solver;
  srs_error error;
  if (srs_contact_solver_create(0, &solver, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_contact_solver_reserve_directions(solver, MOST_ROWS, MOST_DIRECTIONS, &error) != SRS_OK)
    fail_msg("%s", error.message);
  return solver;
}

static srs_contact_report solve_by_blocks(srs_contact_solver *solver, const srs_contact_problem *p,
                                          const srs_contact_options *options, double *x, double *w)
{
  testing_blocks blocks;
  srs_contact_report report;
  testing_blocks_make(p, &blocks);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, MOST_DIRECTIONS);
  assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
  assert_true(srs_contact_solver_has_room(solver, &sizes));
  assert_int_equal(srs_contact_solve(solver, &blocks.problem, options, false, x, w, &report), SRS_OK);
  testing_blocks_free(&blocks);
  return report;
}

// Velocities are the same, where impulses need not be: W is singular.
static void answers_are_those_of_active_sets(void **state)
{
  (void)state;
  enum { EACH = 300 };
  const contact_lots kinds[] = {
      {.most_contacts = 12, .most_friction = 1, .most_mass_ratio = 100},
      {.most_contacts = 8,
       .most_bilateral = 4,
       .most_unilateral = 3,
       .most_box = 4,
       .most_friction = 1,
       .most_mass_ratio = 100},
      {.most_contacts = 8, .most_copies = 3, .most_bilateral = 2, .most_friction = 0.5, .most_mass_ratio = 1e4},
      {.most_contacts = 10,
       .most_bilateral = 2,
       .most_unilateral = 2,
       .most_box = 2,
       .most_friction = 1,
       .most_mass_ratio = 100,
       .has_any_tangents = true,
       .most_anisotropy = 3},
  };
  const int directions[] = {4, 6, MOST_DIRECTIONS};
  testing_random random = testing_random_start(601);
  srs_contact_solver *solver = solver_for_all();
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    int n = 0, iterations = 0;
    double apart = 0;
    for (int i = 0; i < EACH; i++) {
      random_problem drawn = random_problem_make(&random, &kinds[kind]);
      const srs_contact_problem *p = &drawn.problem;
      const int rows = srs_contact_problem_rows(p);
      double x[MOST_ROWS], w[MOST_ROWS], v[MOST_ROWS], size = 0;
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = SRS_METHOD_RELAXED;
      options.n_directions = directions[i % 3];
      options.direction_angle = i % 2 == 0 ? 0 : 0.3;
      options.tolerance = 1e-11; // velocities differ by a few times as much
      assert_true(rows <= MOST_ROWS);
      assert_int_equal(srs_contact_solve(solver, p, &options, false, x, w, &report), SRS_OK);
      if (report.status == SRS_CONTACT_SOLVED) {
        report = solve_by_blocks(solver, p, &options, x, v);
        assert_int_equal(report.status, SRS_CONTACT_SOLVED);
        iterations += report.iterations;
        n++;
        for (int k = 0; k < rows; k++) size = fmax(size, fabs(p->b[k]));
        for (int k = 0; k < rows; k++) apart = fmax(apart, fabs(w[k] - v[k]) / size);
      }
      random_problem_free(&drawn);
    }
    print_message("kind %zu: %d problems, velocities %.2g of b apart, %.1f iterations\n", kind, n, apart,
                  (double)iterations / n);
    assert_true(n > 0.9 * EACH && apart < 1e-9);
  }
  srs_contact_solver_destroy(solver);
}

// A contact between bodies in a plane: its second tangent is moved by nothing, and left out.
static void rows_that_nothing_moves_are_left_out(void **state)
{
  (void)state;
  const double W[9] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 0}, b[3] = {-1, 0.4, 0}, mu = 0.5;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  srs_contact_solver *solver = solver_for_all();
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_RELAXED;
  double x[3], w[3];
  const srs_contact_report report = solve_by_blocks(solver, &p, &options, x, w);
  // It sticks where that is in the cone: x_n = -(b_n - W_nt b_t / W_tt) / (W_nn - W_nt^2 / W_tt), x_t likewise.
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  const double normal = 1.2 / 1.75, tangent = -0.4 - 0.5 * normal;
  if (fabs(tangent) <= mu * normal) {
    assert_true(fabs(x[0] - normal) < 1e-11 && fabs(x[1] - tangent) < 1e-11);
  } else { // else it slides, w_n = mu |w_t|: x = z (1, -mu)
    const double z = -(b[0] - mu * b[1]) / (W[0] - 2 * mu * W[1] + mu * mu * W[4]);
    assert_true(fabs(x[0] - z) < 1e-11 && fabs(x[1] + mu * z) < 1e-11);
  }
  assert_true(x[2] == 0);
  srs_contact_solver_destroy(solver);
}

// A body that is asked to go up and down at once.
static void what_has_no_answer_is_unsolved(void **state)
{
  (void)state;
  const double W[4] = {1, -1, -1, 1}, b[2] = {-1, -1};
  const srs_contact_problem p = {.n_unilateral = 2, .W = W, .b = b};
  srs_contact_solver *solver = solver_for_all();
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_RELAXED;
  double x[2], w[2];
  const srs_contact_report report = solve_by_blocks(solver, &p, &options, x, w);
  assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
  assert_true(isfinite(x[0]) && isfinite(x[1]));
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_active_sets),
      cmocka_unit_test(rows_that_nothing_moves_are_left_out),
      cmocka_unit_test(what_has_no_answer_is_unsolved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
