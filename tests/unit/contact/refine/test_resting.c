// Where more rows rest than W has rank, the velocities are found from those that do, and impulses for them.
//
// 12 to 18 contacts with friction coefficients to 10 of 6 to 10 coordinates whose masses are up to 1 : 1e6, made around
// an answer in which two of three contacts press. Newton's method alone solves few of these.
#include "contact/refine/resting.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 18, STRIDE = (3 * MOST_CONTACTS + 3) / 4 * 4, MOST_COORDINATES = 10 };

typedef struct planted {
  srs_cone_problem cone;
  double W[STRIDE * STRIDE], b[STRIDE], friction[MOST_CONTACTS];
} planted;

// The impulse and velocity of a contact that parts, sticks or slides.
static void draw_contact(testing_random *random, double friction, double *x, double *w)
{
  const int mode = testing_below(random, 3);
  const double angle = testing_uniform(random, -3.14, 3.14), size = testing_uniform(random, 0.1, 1);
  const double part = mode == 1 ? testing_uniform(random, 0, 0.9) : 1, t[2] = {cos(angle), sin(angle)};
  x[0] = mode == 0 ? 0 : size;
  w[0] = mode == 0 ? size : 0;
  for (int k = 0; k < 2; k++) {
    x[1 + k] = -friction * x[0] * part * t[k];
    w[1 + k] = mode == 1 ? 0 : size * t[k];
  }
}

static void draw(testing_random *random, planted *p)
{
  double J[STRIDE][MOST_COORDINATES], x[STRIDE], w[STRIDE], inverse[MOST_COORDINATES];
  memset(p, 0, sizeof *p);
  const int contacts = 12 + testing_below(random, 7), n = 3 * contacts, stride = srs_dense_stride(n);
  const int coordinates = 6 + testing_below(random, 5);
  for (int k = 0; k < coordinates; k++) inverse[k] = pow(10, testing_uniform(random, -6, 0));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < coordinates; k++) J[i][k] = testing_uniform(random, -1, 1);
  for (int c = 0; c < contacts; c++) {
    p->friction[c] = testing_below(random, 8) == 0 ? 0 : testing_uniform(random, 0, 10);
    draw_contact(random, p->friction[c], x + 3 * (size_t)c, w + 3 * (size_t)c);
  }
  for (int i = 0; i < n; i++) {
    long double sum = w[i];
    for (int j = 0; j < n; j++) {
      double entry = 0;
      for (int k = 0; k < coordinates; k++) entry += J[i][k] * inverse[k] * J[j][k];
      p->W[i * stride + j] = entry;
      sum -= (long double)entry * x[j];
    }
    p->b[i] = (double)sum;
  }
  p->cone = (srs_cone_problem){
      .n = n, .stride = stride, .n_contacts = contacts, .W = p->W, .b = p->b, .friction = p->friction};
}

static void velocities_are_found_from_rows_that_rest(void **state)
{
  (void)state;
  enum { MATRIX = STRIDE * STRIDE };
  testing_random random = testing_random_start(17);
  int found = 0, n = 100;
  for (int i = 0; i < n; i++) {
    static planted p;
    static double matrices[3][MATRIX], v[11][2 * STRIDE];
    static int pivot[STRIDE];
    double left = 1e8; // 30 ms
    uint64_t number = 1;
    const srs_lm_memory memory = {.J = matrices[0],
                                  .gram = matrices[1],
                                  .factor = matrices[2],
                                  .x = v[0],
                                  .trial = v[1],
                                  .trial_r = v[2],
                                  .gradient = v[3],
                                  .step = v[4],
                                  .best = v[5],
                                  .tall = v[6],
                                  .pivot = pivot,
                                  .left = &left};
    srs_resting resting = {.problem = NULL, .lm = &memory, .velocity = v[7], .impulse = v[8], .state = &number};
    draw(&random, &p);
    resting.problem = &p.cone;
    assert_true(srs_resting_begin(&resting));
    assert_true(resting.rank <= MOST_COORDINATES);
    bool is_answer = false;
    while (!is_answer && srs_resting_search(&resting, v[9])) {
      srs_cone_velocity(&p.cone, v[9], v[10]);
      is_answer = srs_cone_residual(&p.cone, v[9], v[10]) <= 1e-8; // impulses to 1e-10, which Newton's method finishes
    }
    assert_true(left >= 0);
    found += is_answer;
  }
  print_message("%d of %d found\n", found, n);
  assert_true(found >= n - n / 20); // where few stick, more draws are needed
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(velocities_are_found_from_rows_that_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
