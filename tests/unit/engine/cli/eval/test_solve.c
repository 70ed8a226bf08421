// Contact problems with known answers, and many random ones: whatever is called solved has to be solved.
// Under the sanitizers a fifth of the draws (testing_draws).
#include "support/contact_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000 };

static int set_up(void **state)
{
  return srs_contact_solver_create(MOST_ROWS, (srs_contact_solver **)state, NULL) == SRS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
  srs_contact_solver_destroy(*state);
  return 0;
}

// Solves with the default options, demands an answer, and compares.
static srs_contact_report expect(srs_contact_solver *solver, const srs_contact_problem *problem, const double *impulse,
                                 const double *velocity)
{
  enum { MOST = 16 };
  double x[MOST] = {0}, w[MOST];
  srs_contact_report report;
  const int n = srs_contact_problem_rows(problem);
  assert_int_equal(srs_contact_solve(solver, problem, NULL, false, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  testing_assert_close("impulse", x, impulse, n, 1e-14); // a few roundings
  if (velocity != NULL) testing_assert_close("velocity", w, velocity, n, 1e-14);
  return report;
}

static const double identity3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void one_contact_parts_sticks_and_slides(void **state)
{
  const double half = 0.5;
  srs_contact_problem p = {.n_contacts = 1, .W = identity3, .friction = &half};
  const double parting[3] = {1, 2, 3}, zero[3] = {0, 0, 0};
  p.b = parting;
  expect(*state, &p, zero, parting);
  const double sticking[3] = {-2, 0.6, -0.8};
  p.b = sticking;
  const double held[3] = {2, -0.6, 0.8};
  expect(*state, &p, held, zero);
  const double sliding[3] = {-2, 3, -4}; // slip 5, friction takes 1 of it
  p.b = sliding;
  const double dragged[3] = {2, -0.6, 0.8}, left[3] = {0, 2.4, -3.2};
  const srs_contact_report report = expect(*state, &p, dragged, left);
  assert_true(report.normal < 1e-15 && report.cone < 1e-15 && report.sliding < 1e-15);
  // kinetic energy of a unit mass: from (4 + 25) / 2 to 16 / 2
  assert_true(fabs(report.energy - (8 - 14.5)) < 1e-13);
}

static void a_contact_without_friction_only_pushes(void **state)
{
  const double none = 0, b[3] = {-2, 3, -4}, push[3] = {2, 0, 0}, w[3] = {0, 3, -4};
  expect(*state, &(srs_contact_problem){.n_contacts = 1, .W = identity3, .b = b, .friction = &none}, push, w);
}

// Nothing slips: what is left of the cone without friction is a ray.
static void a_contact_without_friction_parts_straight(void **state)
{
  const double none = 0, b[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
  expect(*state, &(srs_contact_problem){.n_contacts = 1, .W = identity3, .b = b, .friction = &none}, zero, b);
}

// Coupling between slip and normal: W_nt = c. Sliding along t1 alone: w_n = x_n (1 - mu c) - 1 = 0 for slip > 0.
static void friction_may_press(void **state)
{
  const double mu = 0.5, c = 0.6, W[9] = {1, c, 0, c, 1, 0, 0, 0, 1}, b[3] = {-1, 3, 0};
  const double n = 1 / (1 - mu * c), x[3] = {n, -mu * n, 0}, w[3] = {0, 3 + c * n - mu * n, 0};
  expect(*state, &(srs_contact_problem){.n_contacts = 1, .W = W, .b = b, .friction = &mu}, x, w);
}

// A planar system's contact has no motion along one tangent: a zero row.
static void a_tangent_without_motion_is_harmless(void **state)
{
  const double mu = 0.5, W[9] = {1, 0.2, 0, 0.2, 2, 0, 0, 0, 0};
  const double sliding[3] = {-1, 5, 0}, n = 1 / (1 - 0.2 * mu), x[3] = {n, -mu * n, 0};
  expect(*state, &(srs_contact_problem){.n_contacts = 1, .W = W, .b = sliding, .friction = &mu}, x, NULL);
  const double sticking[3] = {-1, -0.2, 0}, held[3] = {1, 0, 0};
  expect(*state, &(srs_contact_problem){.n_contacts = 1, .W = W, .b = sticking, .friction = &mu}, held, NULL);
}

// A unit mass runs into a corner: two walls, normals x and y, friction along z on both.
static void a_mass_stops_in_a_corner(void **state)
{
  const double J[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  double W[36], b[6];
  const double v[3] = {-3, -4, 1}, mu[2] = {0, 0};
  for (int i = 0; i < 6; i++) {
    b[i] = J[i][0] * v[0] + J[i][1] * v[1] + J[i][2] * v[2];
    for (int j = 0; j < 6; j++) W[6 * i + j] = J[i][0] * J[j][0] + J[i][1] * J[j][1] + J[i][2] * J[j][2];
  }
  const double x[6] = {3, 0, 0, 4, 0, 0}, w[6] = {0, 0, 1, 0, 0, 1};
  expect(*state, &(srs_contact_problem){.n_contacts = 2, .W = W, .b = b, .friction = mu}, x, w);
}

// Mass 1 hangs on a wire along y (bilateral) and is thrown down at the floor: y is held, x slides, z stops.
static void bilateral_rows_and_contacts_share_a_body(void **state)
{
  const double W[16] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}; // rows y, z (n), x (t1), y (t2)
  const double b[4] = {2, -1, 3, 2}, mu = 0.5;
  double x[4] = {0}, w[4];
  srs_contact_report report;
  const srs_contact_problem p = {.n_bilateral = 1, .n_contacts = 1, .W = W, .b = b, .friction = &mu};
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_int_equal(report.bilateral_rank, 1);
  const double expected[4] = {-2, 1, -0.5, 0}, velocity[4] = {0, 0, 2.5, 0};
  testing_assert_close("impulse", x, expected, 4, 1e-14);
  testing_assert_close("velocity", w, velocity, 4, 1e-14);
}

static void redundant_bilateral_rows_share_the_least_impulse(void **state)
{
  // The same row three times, and another one once scaled by 2: x = W^+ (-b).
  const double J[4][2] = {{1, 0}, {1, 0}, {1, 0}, {0, 2}}, v[2] = {3, 5};
  double W[16], b[4];
  for (int i = 0; i < 4; i++) {
    b[i] = J[i][0] * v[0] + J[i][1] * v[1];
    for (int j = 0; j < 4; j++) W[4 * i + j] = J[i][0] * J[j][0] + J[i][1] * J[j][1];
  }
  const double x[4] = {-1, -1, -1, -2.5}, w[4] = {0, 0, 0, 0};
  const srs_contact_report report = expect(*state, &(srs_contact_problem){.n_bilateral = 4, .W = W, .b = b}, x, w);
  assert_int_equal(report.bilateral_rank, 2);
  // Rows of different length that mean the same: the longer one carries more, as the least norm asks.
  const double V[4] = {1, 2, 2, 4}, c[2] = {5, 10}, y[2] = {-1, -2};
  const srs_contact_report two = expect(*state, &(srs_contact_problem){.n_bilateral = 2, .W = V, .b = c}, y, w);
  assert_int_equal(two.bilateral_rank, 1);
}

static void contradicting_bilateral_rows_are_flagged(void **state)
{
  const double W[4] = {1, 1, 1, 1}, b[2] = {1, -1};
  double x[2] = {0};
  srs_contact_report report;
  const srs_contact_problem p = {.n_bilateral = 2, .W = W, .b = b};
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
  assert_true(isfinite(x[0]) && isfinite(x[1]) && report.residual > 0.1);
}

// Three bilateral rows, the third the sum of the others but for epsilon, beside a contact: W = J J^T, b = J v + error.
static srs_contact_report solve_dependent(srs_contact_solver *solver, testing_random *random, double epsilon,
                                          double error, double *largest)
{
  enum { N = 6, COORDINATES = 8 };
  double J[N][COORDINATES], v[COORDINATES], W[N * N], b[N], x[N];
  for (int k = 0; k < COORDINATES; k++) {
    v[k] = testing_uniform(random, -1, 1);
    for (int i = 0; i < N; i++) J[i][k] = testing_uniform(random, -1, 1);
    J[2][k] = J[0][k] + J[1][k] + epsilon * J[2][k];
  }
  for (int i = 0; i < N; i++) {
    b[i] = i == 2 ? error : 0;
    for (int k = 0; k < COORDINATES; k++) b[i] += J[i][k] * v[k];
    for (int j = 0; j < N; j++) {
      W[N * i + j] = 0;
      for (int k = 0; k < COORDINATES; k++) W[N * i + j] += J[i][k] * J[j][k];
    }
  }
  b[3] = -fabs(b[3]);
  const double mu = 0.4;
  const srs_contact_problem p = {.n_bilateral = 3, .n_contacts = 1, .W = W, .b = b, .friction = &mu};
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_OK);
  for (int i = 0; i < N; i++) {
    assert_true(isfinite(x[i]));
    *largest = fmax(*largest, fabs(x[i]));
  }
  return report;
}

static void dependent_bilateral_rows_are_counted_and_contradictions_flagged(void **state)
{
  testing_random random = testing_random_start(106);
  double largest = 0;
  for (int i = 0; i < 200; i++) {
    const srs_contact_report exact = solve_dependent(*state, &random, 0, 0, &largest);
    assert_int_equal(exact.status, SRS_CONTACT_SOLVED);
    assert_int_equal(exact.bilateral_rank, 2);
    // Not to be told from dependent: epsilon^2 is below W's rounding. What is contradicted is of epsilon's size.
    const srs_contact_report nearly = solve_dependent(*state, &random, 1e-9, 0, &largest);
    assert_int_equal(nearly.bilateral_rank, 2);
    assert_true(nearly.bilateral < 1e-7 && nearly.normal < 1e-10 && nearly.cone < 1e-10 && nearly.sliding < 1e-10);
    // Contradicted: the independent rows and the contact hold, and all is said.
    const srs_contact_report wrong = solve_dependent(*state, &random, 0, 0.1, &largest);
    assert_int_equal(wrong.status, SRS_CONTACT_UNSOLVED);
    assert_int_equal(wrong.bilateral_rank, 2);
    assert_true(wrong.bilateral > 0.01 && wrong.bilateral < 1);
    assert_true(wrong.normal < 1e-10 && wrong.cone < 1e-10 && wrong.sliding < 1e-10);
    const srs_contact_report apart = solve_dependent(*state, &random, 1e-3, 0, &(double){0});
    assert_int_not_equal(apart.status, SRS_CONTACT_UNSOLVED); // impulses of 1e6: rounding may be above the tolerance
    assert_int_equal(apart.bilateral_rank, 3);
  }
  print_message("largest impulse of dependent rows: %.3g\n", largest);
  assert_true(largest < 1e4); // velocities are about 1: nothing is blown up by 1 / epsilon
}

static void limits_push_and_dry_friction_holds_or_yields(void **state)
{
  // One coordinate each: a limit that is hit, a limit that is left, friction that holds, that yields either way.
  double W[25] = {0};
  for (size_t i = 0; i < 5; i++) W[6 * i] = 0.5;
  const double b[5] = {-1, 1, 0.4, 3, -3}, lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 2};
  const double x[5] = {2, 0, -0.8, -1, 2}, w[5] = {0, 1, 0, 2.5, -2};
  const srs_contact_problem p = {.n_unilateral = 2, .n_box = 3, .W = W, .b = b, .box_lower = lower, .box_upper = upper};
  const srs_contact_report report = expect(*state, &p, x, w);
  assert_true(report.unilateral < 1e-15 && report.box < 1e-15);
}

static void a_limit_and_dry_friction_on_one_coordinate(void **state)
{
  // Both rows are the same coordinate: moving at -3 into the limit; friction takes what it can (1), the limit the rest.
  const double W[4] = {1, 1, 1, 1}, b[2] = {-3, -3}, lower = -1, upper = 1;
  double x[2] = {0}, w[2];
  srs_contact_report report;
  const srs_contact_problem p = {
      .n_unilateral = 1, .n_box = 1, .W = W, .b = b, .box_lower = &lower, .box_upper = &upper};
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_true(fabs(w[0]) < 1e-14 && fabs(x[0] + x[1] - 3) < 1e-14 && fabs(x[1]) <= 1);
}

static void nothing_to_do_is_zero(void **state)
{
  double x[3] = {7, 7, 7}, w[3];
  const double b[3] = {0, 0, 0}, mu = 0.5;
  srs_contact_report report;
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &mu}, empty = {0};
  assert_int_equal(srs_contact_solve(*state, &p, NULL, true, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_int_equal(report.stage, SRS_STAGE_NONE);
  for (int i = 0; i < 3; i++) assert_true(x[i] == 0 && w[i] == 0);
  const double last[3] = {-3e-320, 2e-310, 0}; // what has no inverse in the finite numbers
  const srs_contact_problem rest = {.n_contacts = 1, .W = identity3, .b = last, .friction = &mu};
  assert_int_equal(srs_contact_solve(*state, &rest, NULL, true, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_int_equal(srs_contact_solve(*state, &empty, NULL, false, NULL, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
}

static void bad_input_is_refused_and_touches_nothing(void **state)
{
  const double mu = 0.5, negative = -0.1, b[3] = {-1, 0, 0}, not_finite[3] = {-1, NAN, 0},
               infinite[3] = {INFINITY, 0, 0};
  double x[3] = {1, 2, 3};
  srs_contact_report report;
  srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = not_finite, .friction = &mu};
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &report), SRS_ERROR_NOT_FINITE);
  assert_int_equal(report.status, SRS_CONTACT_NOT_FINITE);
  p.b = infinite;
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &report), SRS_ERROR_NOT_FINITE);
  p.b = b;
  p.friction = &negative;
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  p.friction = NULL;
  assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  p.friction = &mu;
  assert_int_equal(srs_contact_solve(NULL, &p, NULL, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_solve(*state, NULL, NULL, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  srs_contact_options options = srs_default_contact_options();
  options.tolerance = 0;
  assert_int_equal(srs_contact_solve(*state, &p, &options, false, x, NULL, &report), SRS_ERROR_ARGUMENT);
  const double nowhere[3] = {NAN, 0, 0};
  double warm[3];
  memcpy(warm, nowhere, sizeof warm);
  assert_int_equal(srs_contact_solve(*state, &p, NULL, true, warm, NULL, &report), SRS_ERROR_NOT_FINITE);
  assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
}

static void a_solver_too_small_says_so_and_can_grow(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  srs_error error;
  assert_int_equal(srs_contact_solver_create(2, &solver, &error), SRS_OK);
  const double b[3] = {-1, 0, 0}, mu = 0.5;
  double x[3] = {0};
  srs_contact_report report;
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &mu};
  assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_ERROR_CAPACITY);
  assert_int_equal(srs_contact_solver_reserve(solver, -1, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_solver_reserve(solver, 3, &error), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  srs_contact_solver_destroy(solver);
  assert_int_equal(srs_contact_solver_create(-1, &solver, &error), SRS_ERROR_ARGUMENT);
  srs_contact_solver_destroy(NULL);
}

static void names_go_there_and_back(void **state)
{
  (void)state;
  srs_contact_method name = SRS_METHOD_MNCP_RLM;
  assert_string_equal(srs_contact_method_name(name), "mncp-rlm");
  assert_true(srs_contact_method_from_name("mncp-rlm", &name));
  assert_false(srs_contact_method_from_name("newton", &name));
  assert_string_equal(srs_contact_status_name(SRS_CONTACT_STAGNATED), "stagnated");
}

// ---- drawn by lots ----

static int how_many(int ordinary, int most) { return getenv("SARRUS_LONG") != NULL ? most : ordinary; }

enum { STAGES = SRS_STAGE_SOFTENED + 1, STATUSES = SRS_CONTACT_UNSOLVED + 1 };

typedef struct tally {
  int ended[STATUSES][STAGES], unsolved, wrong;
  long iterations;
} tally;

static double anisotropy_of(const srs_contact_problem *p, int c, int tangent) // 0: the normal
{
  return p->anisotropy == NULL || tangent == 0 ? 1 : p->anisotropy[3 * (size_t)c + (size_t)tangent - 1];
}

// A contact's error squared: y = x - w - mu |w_t| e_n against its projection on the cone.
static long double contact_residual(int rows, const long double *x, const long double *w, long double mu)
{
  long double y[4], slip = 0, t = 0, sum = 0;
  for (int r = 1; r < rows; r++) slip = hypotl(slip, w[r]), t = hypotl(t, x[r] - w[r]);
  for (int r = 0; r < rows; r++) y[r] = x[r] - w[r] - (r == 0 ? mu * slip : 0);
  long double q0 = 0, f = 0; // the projection: (q0, f y_t)
  if (y[0] >= 0 && t <= mu * y[0])
    q0 = y[0], f = 1;
  else if (mu * t > -y[0])
    q0 = (y[0] + mu * t) / (1 + mu * mu), f = mu * q0 / t;
  for (int r = 0; r < rows; r++) {
    const long double d = x[r] - (r == 0 ? q0 : f * y[r]);
    sum += d * d;
  }
  return sum;
}

// What the natural map of contact.h says, from W and b again, in long double.
static long double residual(const srs_contact_problem *p, const double *x)
{
  const int n = srs_contact_problem_rows(p);
  long double sum = 0, size = 0;
  for (int i = 0, c = -p->n_bilateral, rows; i < n; i += rows, c++) { // c: the contact, where it is one
    const bool is_contact = c >= 0 && c < p->n_contacts;
    long double diagonal = 0, w[4], y[4];
    rows = !is_contact ? 1 : p->tangents == NULL ? 3 : 1 + p->tangents[c];
    for (int r = 0; r < rows; r++) {
      const long double e = is_contact ? anisotropy_of(p, c, r) : 1;
      diagonal += e * e * p->W[(size_t)(i + r) * (size_t)(n + 1)] / rows;
    }
    const long double scale = diagonal > 0 ? 1 / sqrtl(diagonal) : 1;
    for (int r = 0; r < rows; r++) {
      const long double s = scale * (is_contact ? anisotropy_of(p, c, r) : 1);
      size += s * p->b[i + r] * s * p->b[i + r];
      w[r] = p->b[i + r];
      for (int j = 0; j < n; j++) w[r] += (long double)p->W[(size_t)(i + r) * (size_t)n + (size_t)j] * x[j];
      w[r] *= s;
      y[r] = x[i + r] / s;
    }
    if (i < p->n_bilateral) {
      sum += w[0] * w[0];
    } else if (is_contact) {
      sum += contact_residual(rows, y, w, p->friction[c]);
    } else {
      const int box = i - (n - p->n_box);
      const long double lower = box < 0 ? 0 : p->box_lower[box] / scale;
      const long double upper = box < 0 ? HUGE_VALL : p->box_upper[box] / scale;
      const long double d = y[0] - fmaxl(lower, fminl(upper, y[0] - w[0]));
      sum += d * d;
    }
  }
  return size > 0 ? sqrtl(sum / size) : 0;
}

static void print_tally(srs_contact_method name, int count, const tally *t)
{
  print_message("%s, %d problems, %.2f iterations each, %d wrong\n%-12s", srs_contact_method_name(name), count,
                (double)t->iterations / count, t->wrong, "");
  for (int stage = 0; stage < STAGES; stage++) print_message("%13s", srs_contact_stage_name((srs_contact_stage)stage));
  for (int status = 0; status < STATUSES; status++) {
    print_message("\n%-12s", srs_contact_status_name((srs_contact_status)status));
    for (int stage = 0; stage < STAGES; stage++) print_message("%13d", t->ended[status][stage]);
  }
  print_message("\n");
}

// Every solver of the exact cone gets the same problems. None may be wrong, one in 10 000 (and one) unsolved.
static void solve_many(srs_contact_solver *solver, const contact_lots *lots, uint64_t seed, int count)
{
  static double x[MOST_ROWS];
  for (int name = SRS_METHOD_MNCP_RLM; name <= SRS_METHOD_MNCP_PLM; name++) {
    testing_random random = testing_random_start(seed);
    tally t = {0};
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name;
    for (int i = 0; i < count; i++) {
      random_problem drawn = random_problem_make(&random, lots);
      srs_contact_report report;
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
      const int n = srs_contact_problem_rows(&drawn.problem);
      for (int j = 0; j < n; j++) assert_true(isfinite(x[j]));
      t.iterations += report.iterations;
      t.ended[report.status][report.stage]++;
      t.unsolved += report.status == SRS_CONTACT_UNSOLVED;
      // Our judgement rounds once more than the library's: ten times the tolerance is the same verdict.
      t.wrong += report.status == SRS_CONTACT_SOLVED && residual(&drawn.problem, x) > 1e-11L;
      random_problem_free(&drawn);
    }
    print_tally(options.method, count, &t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.unsolved <= 1 + count / 10000);
  }
}

static void random_problems_are_solved_or_flagged(void **state)
{
  const contact_lots lots = {.most_contacts = 16,
                             .most_bilateral = 6,
                             .most_copies = how_many(1, 20),
                             .most_unilateral = 3,
                             .most_box = 3,
                             .most_friction = 2,
                             .most_mass_ratio = 1e6};
  solve_many(*state, &lots, 101, testing_draws(how_many(3000, 100000)));
}

// 0 to 3 tangents, anisotropy 0.1 to 10, all kinds of rows, copies.
static void contacts_of_all_kinds_are_solved_or_flagged(void **state)
{
  const contact_lots lots = {.most_contacts = 12,
                             .most_bilateral = 4,
                             .most_copies = 4,
                             .most_unilateral = 4,
                             .most_box = 4,
                             .most_friction = 1,
                             .most_mass_ratio = 1e4,
                             .has_any_tangents = true,
                             .most_anisotropy = 10};
  solve_many(*state, &lots, 106, testing_draws(how_many(2000, 50000)));
}

static void copied_contacts_are_solved_or_flagged(void **state)
{
  const contact_lots lots = {
      .most_contacts = 4, .most_bilateral = 3, .most_copies = 20, .most_friction = 1, .most_mass_ratio = 1e3};
  solve_many(*state, &lots, 102, testing_draws(how_many(300, 5000)));
}

static void a_warm_start_never_changes_the_velocities(void **state)
{
  const contact_lots lots = {.most_contacts = 6,
                             .most_bilateral = 3,
                             .most_copies = 1,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 0.5,
                             .most_mass_ratio = 10};
  testing_random random = testing_random_start(103);
  static double x[MOST_ROWS], cold[MOST_ROWS], warm[MOST_ROWS];
  int compared = 0;
  for (int i = 0; i < 500; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const int n = srs_contact_problem_rows(&drawn.problem);
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(*state, &drawn.problem, NULL, false, x, cold, &report), SRS_OK);
    const bool is_solved = report.status == SRS_CONTACT_SOLVED;
    for (int j = 0; j < n; j++) x[j] *= testing_uniform(&random, 0.9, 1.1);
    assert_int_equal(srs_contact_solve(*state, &drawn.problem, NULL, true, x, warm, &report), SRS_OK);
    if (is_solved && report.status == SRS_CONTACT_SOLVED) {
      // The velocities of these well-conditioned problems follow the residual within a factor of a hundred.
      testing_assert_close("velocity", warm, cold, n, 1e-9);
      compared++;
      if (report.stage == SRS_STAGE_WARM) assert_true(report.iterations < 60);
    }
    random_problem_free(&drawn);
  }
  assert_true(compared > 450);
}

// Units: impulses of contact i in units of 2^k_i, W in units of 2^k.
static void the_answer_does_not_depend_on_units(void **state)
{
  const contact_lots lots = {.most_contacts = 5,
                             .most_bilateral = 3,
                             .most_copies = 1,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 1,
                             .most_mass_ratio = 100};
  testing_random random = testing_random_start(104);
  static double W[200 * 200], b[200], x[200], y[200], lower[8], upper[8], unit[200];
  for (int i = 0; i < 200; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    srs_contact_problem p = drawn.problem;
    const int n = srs_contact_problem_rows(&p), boxes = n - p.n_box;
    srs_contact_report one, other;
    assert_int_equal(srs_contact_solve(*state, &p, NULL, false, x, NULL, &one), SRS_OK);
    for (int j = 0; j < n; j++) {
      const bool is_tangent =
          j >= p.n_bilateral && j < p.n_bilateral + 3 * p.n_contacts && (j - p.n_bilateral) % 3 != 0;
      unit[j] = is_tangent ? unit[j - 1] : ldexp(1, testing_below(&random, 40) - 20);
    }
    for (int j = 0; j < n; j++) {
      b[j] = p.b[j] * unit[j] * 1024;
      for (int k = 0; k < n; k++) W[j * n + k] = p.W[j * n + k] * unit[j] * unit[k];
    }
    for (int j = 0; j < p.n_box; j++) {
      lower[j] = p.box_lower[j] * 1024 / unit[boxes + j];
      upper[j] = p.box_upper[j] * 1024 / unit[boxes + j];
    }
    p.W = W, p.b = b, p.box_lower = lower, p.box_upper = upper;
    assert_int_equal(srs_contact_solve(*state, &p, NULL, false, y, NULL, &other), SRS_OK);
    assert_int_equal(one.status, other.status);
    // Units are powers of two and the scales' square roots are exact in them, except that the least norm of dependent
    // bilateral rows is asked for in the problem's own units.
    for (int j = 0; j < n; j++) y[j] *= unit[j] / 1024;
    const int first = one.bilateral_rank < p.n_bilateral ? p.n_bilateral : 0;
    if (one.status == SRS_CONTACT_SOLVED) testing_assert_close("impulse", y + first, x + first, n - first, 1e-9);
    random_problem_free(&drawn);
  }
}

static void the_same_problem_has_the_same_bits(void **state)
{
  const contact_lots lots = {.most_contacts = 16,
                             .most_bilateral = 6,
                             .most_copies = 4,
                             .most_unilateral = 3,
                             .most_box = 3,
                             .most_friction = 2,
                             .most_mass_ratio = 1e6};
  testing_random random = testing_random_start(105);
  srs_contact_solver *fresh;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &fresh, NULL), SRS_OK);
  static double x[MOST_ROWS], y[MOST_ROWS];
  for (int i = 0; i < 100; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const int n = srs_contact_problem_rows(&drawn.problem);
    srs_contact_report one, other;
    assert_int_equal(srs_contact_solve(*state, &drawn.problem, NULL, false, x, NULL, &one), SRS_OK);
    assert_int_equal(srs_contact_solve(fresh, &drawn.problem, NULL, false, y, NULL, &other), SRS_OK);
    assert_memory_equal(x, y, sizeof *x * (size_t)n);
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(fresh);
}

static void certifying_needs_no_solver(void **state)
{
  const double mu = 0.5, b[3] = {-2, 3, -4}, right[3] = {2, -0.6, 0.8}, wrong[3] = {2, -0.6, 0.9};
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &mu};
  srs_contact_report report;
  assert_int_equal(srs_contact_certify(*state, &p, right, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_int_equal(srs_contact_certify(*state, &p, wrong, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_UNSOLVED);
  assert_true(report.cone > 0.05 && report.sliding > 0.05);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_parts_sticks_and_slides),
      cmocka_unit_test(a_contact_without_friction_only_pushes),
      cmocka_unit_test(a_contact_without_friction_parts_straight),
      cmocka_unit_test(friction_may_press),
      cmocka_unit_test(a_tangent_without_motion_is_harmless),
      cmocka_unit_test(a_mass_stops_in_a_corner),
      cmocka_unit_test(bilateral_rows_and_contacts_share_a_body),
      cmocka_unit_test(redundant_bilateral_rows_share_the_least_impulse),
      cmocka_unit_test(contradicting_bilateral_rows_are_flagged),
      cmocka_unit_test(dependent_bilateral_rows_are_counted_and_contradictions_flagged),
      cmocka_unit_test(limits_push_and_dry_friction_holds_or_yields),
      cmocka_unit_test(a_limit_and_dry_friction_on_one_coordinate),
      cmocka_unit_test(nothing_to_do_is_zero),
      cmocka_unit_test(bad_input_is_refused_and_touches_nothing),
      cmocka_unit_test(a_solver_too_small_says_so_and_can_grow),
      cmocka_unit_test(names_go_there_and_back),
      cmocka_unit_test(random_problems_are_solved_or_flagged),
      cmocka_unit_test(contacts_of_all_kinds_are_solved_or_flagged),
      cmocka_unit_test(copied_contacts_are_solved_or_flagged),
      cmocka_unit_test(a_warm_start_never_changes_the_velocities),
      cmocka_unit_test(the_answer_does_not_depend_on_units),
      cmocka_unit_test(the_same_problem_has_the_same_bits),
      cmocka_unit_test(certifying_needs_no_solver),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
