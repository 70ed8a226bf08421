// Friction polyhedra: all solvers find the same, and with many directions it is the cone's answer.
#include "support/contact_problems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 150 };

static bool is_polyhedral(int name) { return name >= SRS_METHOD_MLCP_LEMKE; }

static const double identity3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Slip (3, -4), mu 0.5, push 2. Exact: friction (-0.6, 0.8). Pyramid along the axes: the corner that takes the most
// from the slip is +t2: (0, 1).
static void a_pyramid_pulls_along_its_corners(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  const double b[3] = {-2, 3, -4}, mu = 0.5;
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &mu};
  for (int name = SRS_METHOD_MLCP_LEMKE; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    double x[3] = {0}, w[3];
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, w, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    const double pulled[3] = {2, 0, 1}, turned[3] = {2, -0.6, 0.8};
    testing_assert_close("along t2", x, pulled, 3, 1e-12);
    assert_true(report.exact_residual > 0.1);
    options.direction_angle = atan2(-4, 3); // along the slip: the cone's answer
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, w, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    testing_assert_close("along the slip", x, turned, 3, 1e-12);
    assert_true(report.exact_residual < 1e-12);
  }
  srs_contact_solver_destroy(solver);
}

static void solve_with_all(const contact_lots *lots)
{
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solver_reserve_directions(solver, MOST_ROWS, 6, NULL), SRS_OK);
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    testing_random random = testing_random_start(381);
    int n_unsolved = 0, n_stagnated = 0;
    for (int i = 0; i < 150; i++) {
      static double x[MOST_ROWS];
      random_problem drawn = random_problem_make(&random, lots);
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      options.n_directions = i % 2 == 0 ? 4 : 6;
      if (srs_contact_problem_rows(&drawn.problem) <= MOST_ROWS) {
        assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
        n_unsolved += report.status == SRS_CONTACT_UNSOLVED;
        n_stagnated += report.status == SRS_CONTACT_STAGNATED;
        if (!is_polyhedral(name)) assert_true(report.residual == report.exact_residual);
      }
      random_problem_free(&drawn);
    }
    print_message("%s: %d unsolved, %d stagnated\n", srs_contact_method_name((srs_contact_method)name), n_unsolved,
                  n_stagnated);
    assert_true(n_unsolved <= 1 && n_stagnated <= 3);
  }
  srs_contact_solver_destroy(solver);
}

static void all_solvers_solve_random_problems(void **state)
{
  (void)state;
  contact_lots lots = {.most_contacts = 8,
                       .most_bilateral = 3,
                       .most_copies = 3,
                       .most_unilateral = 2,
                       .most_box = 2,
                       .most_friction = 1,
                       .most_mass_ratio = 1e3};
  solve_with_all(&lots);
  lots.has_any_tangents = true, lots.most_anisotropy = 10;
  solve_with_all(&lots);
  lots.has_rolling = true;
  solve_with_all(&lots);
}

// One tangent: a polyhedron is the cone.
static void planar_contacts_have_one_answer(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(2, &solver, NULL), SRS_OK);
  const double W[4] = {1, 0.3, 0.3, 2}, b[2] = {-1, 3}, mu = 0.5, n = 1 / (1 - 0.3 * mu);
  const unsigned char one = 1;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu, .tangents = &one};
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    double x[2] = {0}, w[2];
    const double answer[2] = {n, -mu * n}, slip[2] = {0, 3 + 0.3 * n - 2 * mu * n};
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, w, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    testing_assert_close("impulse", x, answer, 2, 1e-12);
    testing_assert_close("velocity", w, slip, 2, 1e-12);
    assert_true(report.exact_residual < 1e-12);
  }
  srs_contact_solver_destroy(solver);
}

// A joint's dry friction that could hold ten million times what acts: nothing of what acts may be lost in it.
static void distant_bounds_cost_no_digits(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(4, &solver, NULL), SRS_OK);
  const double W[16] = {1, 0.2, 0.1, 0.3, 0.2, 1.5, 0.1, 0.2, 0.1, 0.1, 0.8, -0.3, 0.3, 0.2, -0.3, 1};
  const double b[4] = {-1e-7, 2e-7, 1e-7, -1e-7}, mu = 0.6, lower[2] = {-1, -INFINITY}, upper[2] = {1, INFINITY};
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++)
    for (int k = 0; k < 2; k++) {
      double x[4] = {0};
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      const srs_contact_problem p = {
          .n_contacts = 1, .n_box = 1, .W = W, .b = b, .friction = &mu, .box_lower = lower + k, .box_upper = upper + k};
      options.method = (srs_contact_method)name;
      assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    }
  srs_contact_solver_destroy(solver);
}

// The exact cone's figure falls with the square of the angle between directions.
static void more_directions_come_nearer_to_the_cone(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solver_reserve_directions(solver, 3, 64, NULL), SRS_OK);
  const double W[9] = {1, 0.2, 0.1, 0.2, 1.5, 0.1, 0.1, 0.1, 0.8}, b[3] = {-1, 2, 1}, mu = 0.6;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  double worst[2] = {0};
  for (int k = 0; k < 2; k++)
    for (int turn = 0; turn < 40; turn++) {
      double x[3] = {0};
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = SRS_METHOD_MLCP_LEMKE;
      options.n_directions = k == 0 ? 8 : 64;
      options.direction_angle = 0.02 * turn;
      assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
      worst[k] = fmax(worst[k], report.exact_residual);
    }
  assert_true(worst[1] < 0.2 * worst[0]); // a slip between two corners pulls at either: first order in the angle
  srs_contact_solver_destroy(solver);
}

static void directions_need_memory(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  srs_error error;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  const double b[3] = {-2, 3, -4}, mu = 0.5;
  double x[3] = {0};
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &mu};
  srs_contact_report report;
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_MLCP_FB_PLM;
  options.n_directions = 20;
  assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_ERROR_CAPACITY);
  assert_int_equal(srs_contact_solver_reserve_directions(solver, 3, 20, &error), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
  assert_int_equal(srs_contact_solver_reserve_directions(solver, 3, 5, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_solver_reserve_directions(solver, 3, 66, &error), SRS_ERROR_ARGUMENT);
  options.n_directions = 7;
  assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  options.n_directions = 4, options.penalty_weight = 0;
  assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pyramid_pulls_along_its_corners),       cmocka_unit_test(all_solvers_solve_random_problems),
      cmocka_unit_test(planar_contacts_have_one_answer),         cmocka_unit_test(distant_bounds_cost_no_digits),
      cmocka_unit_test(more_directions_come_nearer_to_the_cone), cmocka_unit_test(directions_need_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
