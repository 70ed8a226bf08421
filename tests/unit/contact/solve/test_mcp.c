// Mixed complementarity problems whose answers are known.
#include "support/testing.h"

#include <math.h>
#include <sarrus/mcp.h>
#include <string.h>

enum { MOST = 40 };

// Every function and method alone.
static srs_mcp_options way(int k)
{
  srs_mcp_options o = srs_default_mcp_options();
  o.function = k % 2 == 0 ? SRS_MCP_FB : SRS_MCP_PFB;
  o.method = k / 2 == 0 ? SRS_MCP_RLM : SRS_MCP_PLM;
  return o;
}

static double solve(const srs_mcp *problem, const srs_mcp_options *options, double *z, srs_mcp_report *report)
{
  srs_mcp_solver *solver;
  assert_int_equal(srs_mcp_solver_create(problem->n, &solver, NULL), SRS_OK);
  assert_int_equal(srs_mcp_solve(solver, problem, options, z, report), SRS_OK);
  const double again = srs_mcp_residual(solver, problem, z);
  srs_mcp_solver_destroy(solver);
  return again;
}

static const double zeros[MOST];

static const double *infinities(void)
{
  static double all[MOST];
  for (int i = 0; i < MOST; i++) all[i] = INFINITY;
  return all;
}

// Kojima and Shindo's: answers (sqrt 6 / 2, 0, 0, 1/2), where F = (0, 2 + sqrt 6 / 2, 0, 0), and (1, 0, 3, 0), where
// F = (0, 31, 0, 4) (Pang & Gabriel 1993).
static void kojima_shindo(void *data, const double *z, double *F)
{
  const double a = z[0], b = z[1], c = z[2], d = z[3];
  (void)data;
  F[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
  F[1] = 2 * a * a + a + b * b + 10 * c + 2 * d - 2;
  F[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9;
  F[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
}

static void kojima_shindo_slopes(void *data, const double *z, double *J, int stride)
{
  const double a = z[0], b = z[1];
  const double rows[4][4] = {{6 * a + 2 * b, 2 * a + 4 * b, 1, 3},
                             {4 * a + 1, 2 * b, 10, 2},
                             {6 * a + b, a + 4 * b, 2, 9},
                             {2 * a, 6 * b, 2, 3}};
  (void)data;
  for (int i = 0; i < 4; i++) memcpy(J + (ptrdiff_t)i * stride, rows[i], sizeof rows[i]);
}

static void kojima_shindos_problem_is_solved_from_many_starts(void **state)
{
  (void)state;
  const srs_mcp problem = {4, zeros, infinities(), NULL, kojima_shindo, kojima_shindo_slopes};
  const double one[4] = {sqrt(1.5), 0, 0, 0.5}, two[4] = {1, 0, 3, 0};
  testing_random random = testing_random_start(8);
  for (int k = 0; k < 4; k++)
    for (int run = 0; run < 50; run++) {
      const srs_mcp_options options = way(k);
      double z[4], to_one = 0, to_two = 0;
      for (int i = 0; i < 4; i++) z[i] = run == 0 ? 0 : testing_uniform(&random, 0, 2);
      srs_mcp_report report;
      const double residual = solve(&problem, &options, z, &report);
      assert_int_equal(report.status, SRS_MCP_SOLVED);
      assert_true(residual == report.residual && residual <= 1e-10);
      for (int i = 0; i < 4; i++)
        to_one = fmax(to_one, fabs(z[i] - one[i])), to_two = fmax(to_two, fabs(z[i] - two[i]));
      assert_true(fmin(to_one, to_two) < 1e-6); // the first answer has a row with z = F = 0: half the digits
    }
}

// F = M z + q
typedef struct linear {
  int n;
  double M[MOST][MOST], q[MOST];
} linear;

static void linear_function(void *data, const double *z, double *F)
{
  const linear *l = data;
  for (int i = 0; i < l->n; i++) {
    F[i] = l->q[i];
    for (int j = 0; j < l->n; j++) F[i] += l->M[i][j] * z[j];
  }
}

static void linear_slopes(void *data, const double *z, double *J, int stride)
{
  const linear *l = data;
  (void)z;
  for (int i = 0; i < l->n; i++) memcpy(J + (ptrdiff_t)i * stride, l->M[i], sizeof(double) * (size_t)l->n);
}

// M positive definite but not symmetric: one answer only. It is made first, then q from it.
static void a_random_box_problem_has_the_answer_it_was_made_from(void **state)
{
  (void)state;
  testing_random random = testing_random_start(8);
  for (int run = 0; run < 100; run++) {
    linear l = {.n = 1 + run % MOST};
    double lower[MOST], upper[MOST], answer[MOST], F[MOST];
    for (int i = 0; i < l.n; i++)
      for (int j = 0; j < l.n; j++) { // D + (A - A^T), and no column that stands out
        const double a = testing_uniform(&random, -1, 1) / sqrt(l.n);
        l.M[i][j] += a, l.M[j][i] -= i == j ? 0 : a;
      }
    for (int i = 0; i < l.n; i++) l.M[i][i] = testing_uniform(&random, 0.5, 2);
    for (int i = 0; i < l.n; i++) {
      const int kind = testing_below(&random, 6), where = testing_below(&random, 3);
      const double size = testing_uniform(&random, 0.1, 2), far = testing_uniform(&random, 0.1, 2);
      lower[i] = kind == 0 || kind == 1 ? -INFINITY : -size;
      upper[i] = kind == 0 || kind == 2 ? INFINITY : kind == 3 ? lower[i] : far;
      const bool at_lower = where == 0 && isfinite(lower[i]), at_upper = where == 1 && isfinite(upper[i]);
      answer[i] = at_lower || kind == 3 ? lower[i] : at_upper ? upper[i] : testing_uniform(&random, -0.09, 0.09);
      F[i] = kind == 3 ? testing_uniform(&random, -1, 1) : at_lower ? size : at_upper ? -size : 0;
    }
    for (int i = 0; i < l.n; i++) {
      l.q[i] = F[i];
      for (int j = 0; j < l.n; j++) l.q[i] -= l.M[i][j] * answer[j];
    }
    const srs_mcp problem = {l.n, lower, upper, &l, linear_function, linear_slopes};
    for (int k = 0; k < 4; k++) {
      const srs_mcp_options options = way(k);
      double z[MOST] = {0};
      srs_mcp_report report;
      solve(&problem, &options, z, &report);
      assert_int_equal(report.status, SRS_MCP_SOLVED);
      for (int i = 0; i < l.n; i++) assert_true(fabs(z[i] - answer[i]) <= 1e-8);
    }
  }
}

// z >= 0, F = z^2 + 1 <= 0 is impossible where z may not be 0: F = -1 - z for z >= 0 has no answer.
static void falling_function(void *data, const double *z, double *F)
{
  (void)data;
  F[0] = -1 - z[0] * z[0];
}

static void falling_slopes(void *data, const double *z, double *J, int stride)
{
  (void)data, (void)stride;
  J[0] = -2 * z[0];
}

static void a_problem_without_an_answer_is_said_to_be_unsolved(void **state)
{
  (void)state;
  const srs_mcp problem = {1, zeros, infinities(), NULL, falling_function, falling_slopes};
  for (int k = 0; k < 4; k++) {
    const srs_mcp_options options = way(k);
    double z[1] = {0.5};
    srs_mcp_report report;
    solve(&problem, &options, z, &report);
    assert_true(report.status == SRS_MCP_STATIONARY || report.status == SRS_MCP_UNSOLVED);
    assert_true(report.residual >= 1); // the natural map of z >= 0 is 1 + z^2 at least
  }
}

// Degenerate: z = F = 0 in all rows, at the kink of every equation.
static void an_answer_at_all_kinks_at_once_is_found(void **state)
{
  (void)state;
  linear l = {.n = 3, .M = {{2, 1, 0}, {-1, 2, 0}, {0, 0, 1}}};
  const srs_mcp problem = {3, zeros, infinities(), &l, linear_function, linear_slopes};
  for (int k = 0; k < 8; k++) {
    const srs_mcp_options options = way(k % 4);
    double z[3] = {k < 4 ? 0 : 1, k < 4 ? 0 : 1, 0};
    srs_mcp_report report;
    assert_true(solve(&problem, &options, z, &report) <= 1e-10);
  }
}

static void not_a_number_is_refused(void **state)
{
  (void)state;
  linear l = {.n = 1, .M = {{1}}, .q = {NAN}};
  srs_mcp problem = {1, zeros, infinities(), &l, linear_function, linear_slopes};
  double z[1] = {0};
  srs_mcp_report report;
  srs_mcp_solver *solver;
  assert_int_equal(srs_mcp_solver_create(1, &solver, NULL), SRS_OK);
  assert_int_equal(srs_mcp_solve(solver, &problem, NULL, z, &report), SRS_OK);
  assert_int_equal(report.status, SRS_MCP_NOT_FINITE);
  z[0] = NAN;
  assert_int_equal(srs_mcp_solve(solver, &problem, NULL, z, &report), SRS_ERROR_NOT_FINITE);
  z[0] = 0, problem.n = 2;
  assert_int_equal(srs_mcp_solve(solver, &problem, NULL, z, &report), SRS_ERROR_CAPACITY);
  problem.n = 1;
  const double above[1] = {1}, below[1] = {0};
  problem.lower = above, problem.upper = below;
  assert_int_equal(srs_mcp_solve(solver, &problem, NULL, z, &report), SRS_ERROR_ARGUMENT);
  srs_mcp_solver_destroy(solver);
  assert_int_equal(srs_mcp_solver_create(-1, &solver, NULL), SRS_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kojima_shindos_problem_is_solved_from_many_starts),
      cmocka_unit_test(a_random_box_problem_has_the_answer_it_was_made_from),
      cmocka_unit_test(a_problem_without_an_answer_is_said_to_be_unsolved),
      cmocka_unit_test(an_answer_at_all_kinks_at_once_is_found),
      cmocka_unit_test(not_a_number_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
