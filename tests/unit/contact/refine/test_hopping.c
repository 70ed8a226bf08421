// Contacts that can hold each other: an answer is found although impulses that grow without end come near to one.
//
// Up to eight contacts with friction coefficients to 10 between parts of 2 to 4 coordinates: dependent, so that some of
// them can squeeze each other with any force. The problems are made around an answer whose velocities are a millionth
// of b: contacts that all stick come within a residual of 1e-6 with impulses without bound, and are no answer.
//
// Larger ones, twelve contacts, all but at rest: they are found in units in which their velocities are of
// size 1.
#include "contact/refine/hopping.h"
#include "support/testing.h"
#include "unit/contact/refine/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 8, MOST_ROWS = 3 * MOST_CONTACTS, MOST_COORDINATES = 4 };

typedef struct held {
  srs_contact_problem problem;
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS];
} held;

// The impulse and velocity of a contact that parts, sticks or slides.
static void draw_contact(testing_random *random, double friction, double *x, double *w)
{
  const int mode = testing_below(random, 3);
  const double angle = testing_uniform(random, -3.14, 3.14), part = testing_uniform(random, 0, 1);
  const double slip[2] = {1e-6 * part * cos(angle), 1e-6 * part * sin(angle)};
  x[0] = mode == 0 ? 0 : testing_uniform(random, 0, 1);
  w[0] = mode == 0 ? testing_uniform(random, 0, 1e-6) : 0;
  for (int k = 0; k < 2; k++) {
    w[1 + k] = mode == 1 ? 0 : slip[k];
    x[1 + k] = -friction * x[0] * slip[k] / (mode == 1 ? 1e-6 : 1e-6 * part);
  }
}

static void draw(testing_random *random, held *h)
{
  double J[MOST_ROWS][MOST_COORDINATES], x[MOST_ROWS], w[MOST_ROWS];
  const int contacts = 3 + testing_below(random, MOST_CONTACTS - 2), n = 3 * contacts;
  const int coordinates = 2 + testing_below(random, MOST_COORDINATES - 1);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < coordinates; k++) J[i][k] = testing_uniform(random, -1, 1);
  for (int c = 0; c < contacts; c++) {
    h->friction[c] = testing_uniform(random, 0, 10);
    draw_contact(random, h->friction[c], x + 3 * (size_t)c, w + 3 * (size_t)c);
  }
  for (int i = 0; i < n; i++) {
    long double sum = w[i];
    for (int j = 0; j < n; j++) {
      double entry = 0;
      for (int k = 0; k < coordinates; k++) entry += J[i][k] * J[j][k];
      h->W[i * n + j] = entry;
      sum -= (long double)entry * x[j];
    }
    h->b[i] = (double)sum;
  }
  h->problem = (srs_contact_problem){.n_contacts = contacts, .W = h->W, .b = h->b, .friction = h->friction};
}

static void contacts_that_hold_each_other_have_an_answer(void **state)
{
  (void)state;
  const int n = getenv("SARRUS_LONG") != NULL ? 20000 : 500;
  testing_random random = testing_random_start(1729);
  srs_contact_solver *solver;
  int unsolved = 0, wrong = 0;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < n; i++) {
    static held h;
    double x[MOST_ROWS];
    srs_contact_report report;
    draw(&random, &h);
    assert_int_equal(srs_contact_solve(solver, &h.problem, NULL, false, x, NULL, &report), SRS_OK);
    unsolved += report.status == SRS_CONTACT_UNSOLVED;
    const srs_contact_claim claim = {.impulse = x};
    srs_contact_judgement judgement;
    assert_int_equal(srs_contact_judge(&h.problem, &claim, &judgement, NULL), SRS_OK);
    wrong += report.status == SRS_CONTACT_SOLVED && judgement.residual > 1.1e-12;
  }
  print_message("%d problems: %d unsolved, %d wrong\n", n, unsolved, wrong);
  assert_int_equal(wrong, 0);
  assert_true(unsolved <= n / 10000);
  srs_contact_solver_destroy(solver);
}

// Where no point has a step (numbers that overflow: their differences are none), with a budget and without one.
static void the_search_ends_where_every_point_is_a_minimum(void **state)
{
  (void)state;
  enum { N = 4 };
  double matrices[3][N * N], v[8][2 * N] = {{0}}, W[N * N] = {1}, b[N] = {NAN}, z[N], x[N];
  int pivot[N], formed = 0;
  double left = 1e6;
  uint64_t number = 1;
  srs_lm_memory memory = {.J = matrices[0],
                          .gram = matrices[1],
                          .factor = matrices[2],
                          .x = v[0],
                          .r = v[1],
                          .trial = v[2],
                          .trial_r = v[3],
                          .gradient = v[4],
                          .step = v[5],
                          .best = v[6],
                          .tall = v[7],
                          .pivot = pivot,
                          .left = &left};
  const srs_cone_problem problem = {.n = 1, .stride = N, .n_unilateral = 1, .W = W, .b = b};
  const srs_hopping hopping = {&problem, &memory, z, &number, 0};
  assert_false(srs_hopping_search(&hopping, x, &formed));
  memory.left = NULL;
  assert_false(srs_hopping_search(&hopping, x, &formed));
}

// ---- all but at rest ----

enum { SLOW_CONTACTS = 12, SLOW_STRIDE = 3 * SLOW_CONTACTS, SLOW_COORDINATES = 20 };

typedef struct slow {
  srs_cone_problem cone;
  double W[SLOW_STRIDE * SLOW_STRIDE], b[SLOW_STRIDE], friction[SLOW_CONTACTS];
} slow;

// W of 14 to 20 coordinates whose masses are up to 1 : 1e6, its diagonal 1 in the mean.
static void draw_matrix(testing_random *random, double *W)
{
  double J[SLOW_STRIDE][SLOW_COORDINATES], inverse[SLOW_COORDINATES], trace = 0;
  const int coordinates = 14 + testing_below(random, SLOW_COORDINATES - 13);
  for (int k = 0; k < coordinates; k++) inverse[k] = pow(10, testing_uniform(random, -3, 3));
  for (int i = 0; i < SLOW_STRIDE; i++)
    for (int k = 0; k < coordinates; k++) {
      J[i][k] = testing_uniform(random, -1, 1);
      trace += J[i][k] * inverse[k] * J[i][k];
    }
  for (int i = 0; i < SLOW_STRIDE; i++)
    for (int j = 0; j < SLOW_STRIDE; j++) {
      double entry = 0;
      for (int k = 0; k < coordinates; k++) entry += J[i][k] * inverse[k] * J[j][k];
      W[i * SLOW_STRIDE + j] = SLOW_STRIDE * entry / trace;
    }
}

// Impulses of 1e-3 to 1e3 that change velocities by 1, and velocities of 1e-8.
static void draw_slow(testing_random *random, slow *s)
{
  double x[SLOW_STRIDE], w[SLOW_STRIDE], square = 0;
  memset(s, 0, sizeof *s);
  draw_matrix(random, s->W);
  for (int c = 0; c < SLOW_CONTACTS; c++) {
    s->friction[c] = testing_uniform(random, 0, 10);
    draw_contact(random, s->friction[c], x + 3 * (size_t)c, w + 3 * (size_t)c);
    const double size = pow(10, testing_uniform(random, -3, 3));
    for (int k = 0; k < 3; k++) x[3 * c + k] *= size;
  }
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < SLOW_STRIDE; i++) {
      long double sum = 0;
      for (int j = 0; j < SLOW_STRIDE; j++) sum += (long double)s->W[i * SLOW_STRIDE + j] * x[j];
      if (pass == 0) square += (double)(sum * sum);
      s->b[i] = (double)(0.01L * w[i] - sum / sqrt(square));
    }
  s->cone = (srs_cone_problem){.n = SLOW_STRIDE,
                               .stride = SLOW_STRIDE,
                               .n_contacts = SLOW_CONTACTS,
                               .W = s->W,
                               .b = s->b,
                               .friction = s->friction};
}

// Whether impulses are found with so much work, to a small part of the velocities.
static bool is_found(const srs_cone_problem *cone, double slip, double work)
{
  static workspace m;
  m = (workspace){.left = work, .number = 1};
  const srs_lm_memory memory = workspace_memory(&m);
  const srs_hopping hopping = {cone, &memory, m.v[8], &m.number, slip};
  int formed = 0;
  bool result = false;
  while (!result && srs_hopping_search(&hopping, m.v[9], &formed)) {
    srs_cone_velocity(cone, m.v[9], m.v[10]);
    result = srs_cone_residual(cone, m.v[9], m.v[10]) <= 1e-12;
  }
  assert_true(m.left >= 0);
  return result;
}

static void velocities_far_below_b_are_found_in_their_own_units(void **state)
{
  (void)state;
  const int n = testing_draws(20);
  testing_random random = testing_random_start(1730);
  int known = 0, unknown = 0;
  for (int i = 0; i < n; i++) {
    static slow s;
    draw_slow(&random, &s);
    known += is_found(&s.cone, 4e-9, 1e8);
    unknown += is_found(&s.cone, 0, 1e8);
  }
  print_message("%d of %d found where the size of velocities is known, %d where it is not\n", known, n, unknown);
  assert_true(known >= n / 2 && known >= unknown);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_that_hold_each_other_have_an_answer),
                                     cmocka_unit_test(the_search_ends_where_every_point_is_a_minimum),
                                     cmocka_unit_test(velocities_far_below_b_are_found_in_their_own_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
