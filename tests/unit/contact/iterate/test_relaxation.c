// The convex relaxation: its answers are the quadratic program's, and iterating it leads to the problem itself or says
// that it does not.
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 150 };

static srs_contact_options with_solver(srs_contact_method name)
{
  srs_contact_options options = srs_default_contact_options();
  options.method = name;
  return options;
}

static int tangents_of(const srs_contact_problem *p, int c) { return p->tangents == NULL ? 2 : p->tangents[c]; }

static double anisotropy_of(const srs_contact_problem *p, int c, int k)
{
  return p->anisotropy == NULL ? 1 : p->anisotropy[3 * c + k];
}

// The Karush-Kuhn-Tucker conditions of min x.Wx/2 + b.x over the cone of a contact, written out for a pyramid along t1
// and t2 (and the spin): x in the cone, w in the dual cone, x.w = 0.
static double off_conditions(const srs_contact_problem *p, int c, const double *x, const double *w)
{
  const double mu = p->friction[c];
  const int d = tangents_of(p, c);
  double sum = 0, most = 0, power = x[0] * w[0], off = 0;
  for (int k = 0; k < d; k++) {
    const double e = anisotropy_of(p, c, k);
    sum += fabs(x[1 + k]) / e;
    most = fmax(most, fabs(w[1 + k]) * e);
    power += x[1 + k] * w[1 + k];
  }
  off = fmax(off, sum - mu * x[0]);
  off = fmax(off, mu * most - w[0]);
  return fmax(off, fabs(power));
}

static double off_program(const srs_contact_problem *p, const double *x, const double *w)
{
  double off = 0;
  int i = 0;
  for (; i < p->n_bilateral; i++) off = fmax(off, fabs(w[i]));
  for (int c = 0; c < p->n_contacts; i += 1 + tangents_of(p, c), c++)
    off = fmax(off, off_conditions(p, c, x + i, w + i));
  for (int k = 0; k < p->n_unilateral; k++, i++) off = fmax(off, fabs(fmin(x[i], w[i])));
  for (int k = 0; k < p->n_box; k++, i++)
    off = fmax(off, fabs(x[i] - fmin(fmax(x[i] - w[i], p->box_lower[k]), p->box_upper[k])));
  return off;
}

// How large the numbers are whose differences these conditions are.
static double size_of(const srs_contact_problem *p, const double *x)
{
  const int n = srs_contact_problem_rows(p);
  double size = 1;
  for (int i = 0; i < n; i++) {
    double sum = fabs(p->b[i]);
    for (int j = 0; j < n; j++) sum += fabs(p->W[i * n + j] * x[j]);
    size = fmax(size, fmax(sum, sum * fabs(x[i])));
  }
  return size;
}

static void relaxed_is_the_optimum_of_the_program(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  const contact_lots plain = {.most_contacts = 8, .most_copies = 1, .most_friction = 1, .most_mass_ratio = 10};
  const contact_lots rich = {.most_contacts = 8,
                             .most_bilateral = 3,
                             .most_copies = 3,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 1,
                             .most_mass_ratio = 10,
                             .has_any_tangents = true,
                             .most_anisotropy = 2};
  const srs_contact_options options = with_solver(SRS_METHOD_RELAXED);
  testing_random random = testing_random_start(911);
  double worst = 0, worst_residual = 0;
  int solved = 0, drawn_problems = 0, warm_iterations = 0, cold_iterations = 0;
  for (int i = 0; i < 600; i++) {
    static double x[MOST_ROWS], w[MOST_ROWS];
    random_problem drawn = random_problem_make(&random, i % 2 == 0 ? &plain : &rich);
    srs_contact_report report;
    if (srs_contact_problem_rows(&drawn.problem) <= MOST_ROWS) {
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, w, &report), SRS_OK);
      drawn_problems++;
      solved += report.status == SRS_CONTACT_SOLVED;
      cold_iterations += report.iterations;
      worst_residual = fmax(worst_residual, report.residual);
      worst = fmax(worst, off_program(&drawn.problem, x, w) / size_of(&drawn.problem, x));
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, true, x, w, &report), SRS_OK);
      warm_iterations += report.iterations;
    }
    random_problem_free(&drawn);
  }
  print_message("%d of %d solved to 1e-12, worst residual %.2g, conditions off by %.2g; steps %d cold, %d warm\n",
                solved, drawn_problems, worst_residual, worst, cold_iterations, warm_iterations);
  assert_true(worst < 1e-10);
  assert_true(worst_residual < 1e-10);
  assert_true(warm_iterations < cold_iterations);
  srs_contact_solver_destroy(solver);
}

// v_n = mu |v_t|: a block that slides lifts off.
static void a_sliding_contact_lifts_off(void **state)
{
  (void)state;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 5, 0}, mu = 0.5;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  const srs_contact_options options = with_solver(SRS_METHOD_RELAXED);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  double x[3], w[3];
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_true(fabs(x[0] - 3.5 / 1.25) < 1e-14 && fabs(x[1] + 0.5 * x[0]) < 1e-14); // (1 + mu^2) x_n = 1 + mu 5
  assert_true(fabs(w[0] - mu * w[1]) < 1e-14);
  assert_true(report.exact_residual > 0.1); // and the certificate says so
  srs_contact_solver_destroy(solver);
}

static void the_fixed_point_is_an_answer_or_none_is_claimed(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  srs_contact_options options = with_solver(SRS_METHOD_RELAXED_FIXED_POINT);
  options.tolerance = 1e-9;
  testing_random random = testing_random_start(912);
  for (int k = 0; k < 4; k++) {
    const double frictions[4] = {0.1, 0.3, 0.6, 1};
    const contact_lots lots = {.most_contacts = 8,
                               .most_bilateral = 3,
                               .most_copies = 2,
                               .most_unilateral = 2,
                               .most_box = 2,
                               .most_friction = frictions[k],
                               .most_mass_ratio = 10,
                               .has_any_tangents = true};
    int solved = 0, n = 0;
    for (int i = 0; i < 150; i++) {
      static double x[MOST_ROWS];
      random_problem drawn = random_problem_make(&random, &lots);
      srs_contact_report report, other;
      if (srs_contact_problem_rows(&drawn.problem) <= MOST_ROWS) {
        n++;
        assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
        const bool is_solved = report.status == SRS_CONTACT_SOLVED;
        solved += is_solved;
        srs_contact_options lemke = with_solver(SRS_METHOD_MLCP_LEMKE); // which looks at once: zero steps from there
        lemke.tolerance = 1e-8;
        assert_int_equal(srs_contact_solve(solver, &drawn.problem, &lemke, true, x, NULL, &other), SRS_OK);
        assert_true(is_solved == (report.residual <= 1e-9) || report.status == SRS_CONTACT_STAGNATED);
      }
      random_problem_free(&drawn);
    }
    print_message("friction up to %g: %d of %d solved\n", frictions[k], solved, n);
    if (k < 2) assert_true(solved == n);
  }
  srs_contact_solver_destroy(solver);
}

// One contact that slides along t1: Gamma -> mu sigma is affine with the factor
// kappa = -mu (A_nt - mu A_tt) / (A_nn - 2 mu A_nt + mu^2 A_tt), and |kappa| < 1 is what the two inequalities say.
static void two_inequalities_tell_whether_one_contact_converges(void **state)
{
  (void)state;
  const srs_contact_options options = with_solver(SRS_METHOD_RELAXED_FIXED_POINT);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  testing_random random = testing_random_start(913);
  int n_converging = 0, n_damped = 0, n_jammed = 0;
  for (int i = 0; i < 4000; i++) {
    const bool is_near = i % 2 == 0; // to where the inequalities fail
    const double nn = 1, tt = testing_uniform(&random, 0.2, 6), root = sqrt(nn * tt);
    const double nt = root * (is_near ? testing_uniform(&random, 0.95, 0.999) : testing_uniform(&random, -0.95, 0.95));
    const double mu = is_near ? testing_uniform(&random, 0.5, 1.5) * nt / tt : testing_uniform(&random, 0.05, 2);
    const double W[9] = {nn, nt, 0, nt, tt, 0, 0, 0, 1}, b[3] = {-1, 1e4, 0};
    const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
    const double kappa = -mu * (nt - mu * tt) / (nn - 2 * mu * nt + mu * mu * tt);
    const bool first = mu * nt<nn, second = 2 * mu * mu * tt - 3 * mu * nt + nn> 0;
    assert_true((first && second) == (fabs(kappa) < 1));
    if (fabs(fabs(kappa) - 1) < 0.05) continue; // too slow to tell
    double x[3] = {0}, w[3];
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, w, &report), SRS_OK);
    const bool is_solved = report.status == SRS_CONTACT_SOLVED;
    if (!first) { // no answer slides: nn - mu nt would have to push
      assert_true(!is_solved || w[1] < 1e-6);
      n_jammed++;
      continue;
    }
    assert_true(is_solved && w[1] > 1 && fabs(x[0] - 1 / (nn - mu * nt)) < 1e-5 * x[0]); // b is 1e4, tolerance 1e-12
    double off = INFINITY; // of the contraction, for the part of the way that it may have gone
    for (int halvings = second ? 0 : 1; halvings <= (second ? 0 : 3); halvings++)
      off = fmin(off, fabs(report.contraction - fabs(1 - ldexp(1 - kappa, -halvings))));
    assert_true(off < 1e-3); // of steps that are 1e-9 of all at least
    if (second)
      n_converging++;
    else
      n_damped++;
  }
  print_message("%d converge, %d by parts of the way, %d have no sliding answer\n", n_converging, n_damped, n_jammed);
  assert_true(n_converging > 1000 && n_damped > 100 && n_jammed > 100);
  srs_contact_solver_destroy(solver);
}

// Two contacts that ask a body to go up and down at once.
static void what_has_no_answer_is_unsolved(void **state)
{
  (void)state;
  const double W[36] = {1,  0, 0, -1, 0, 0, 0, 1,  0, 0, -1, 0, 0, 0, 1,  0, 0, -1,
                        -1, 0, 0, 1,  0, 0, 0, -1, 0, 0, 1,  0, 0, 0, -1, 0, 0, 1};
  const double b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
  const srs_contact_problem p = {.n_contacts = 2, .W = W, .b = b, .friction = mu};
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(6, &solver, NULL), SRS_OK);
  for (int name = SRS_METHOD_RELAXED; name <= SRS_METHOD_RELAXED_FIXED_POINT; name++) {
    const srs_contact_options options = with_solver((srs_contact_method)name);
    double x[6] = {0};
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
    for (int i = 0; i < 6; i++) assert_true(isfinite(x[i]));
  }
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxed_is_the_optimum_of_the_program),
      cmocka_unit_test(a_sliding_contact_lifts_off),
      cmocka_unit_test(the_fixed_point_is_an_answer_or_none_is_claimed),
      cmocka_unit_test(two_inequalities_tell_whether_one_contact_converges),
      cmocka_unit_test(what_has_no_answer_is_unsolved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
