// Do smoothed contacts obey the laws as these are smoothed, and do impulses change as their derivative says?
#include "contact/smooth/smooth_law.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 6, UNILATERAL = 2, BOX = 3, ROWS = 19 + UNILATERAL + BOX };

static const int first[CONTACTS + 1] = {0, 1, 3, 6, 10, 16, 19}; // 0, 1, 2, 3, 5 tangents, and 2 without friction
static const double friction[CONTACTS] = {0.5, 0.3, 0.8, 1.5, 0.1, 0};

typedef struct rows {
  double lower[BOX], upper[BOX];
  srs_cone_problem cone;
} rows;

static void set_up(rows *r)
{
  const double lower[BOX] = {-1, -INFINITY, -2}, upper[BOX] = {0.5, 1, INFINITY};
  memcpy(r->lower, lower, sizeof lower);
  memcpy(r->upper, upper, sizeof upper);
  r->cone = (srs_cone_problem){.n = ROWS,
                               .stride = (ROWS + 3) & ~3,
                               .n_contacts = CONTACTS,
                               .n_unilateral = UNILATERAL,
                               .n_box = BOX,
                               .first = first,
                               .friction = friction,
                               .lower = r->lower,
                               .upper = r->upper};
}

static void draw(testing_random *random, double *y)
{
  for (int i = 0; i < ROWS; i++) y[i] = testing_uniform(random, -2, 2);
}

static void impulses_and_velocities_obey_smoothed_laws(void **state)
{
  (void)state;
  rows r;
  testing_random random = testing_random_start(5501);
  set_up(&r);
  for (int k = 0; k < 2000; k++) {
    double y[ROWS], x[ROWS], w[ROWS];
    const double t = pow(10, testing_uniform(&random, -6, 0));
    draw(&random, y);
    srs_smooth_pair(&r.cone, t, y, x, w);
    for (int c = 0; c < CONTACTS; c++) {
      const int i = first[c], d = first[c + 1] - i - 1;
      const double mu = friction[c], slip = srs_length(d, w + i + 1), force = srs_length(d, x + i + 1);
      assert_true(x[i] > 0 && w[i] > 0 && fabs(x[i] * w[i] - t * t) <= 1e-12 * t * t);
      assert_true(force <= mu * x[i] * (1 + 1e-15));
      if (mu == 0) continue;
      // w_t = -t^2 x_t / (mu x_n + |x_t|) (mu x_n - |x_t|): the last factor is lost in rounding where it slides
      for (int j = 1; j <= d; j++) assert_true(fabs(w[i + j] * force + x[i + j] * slip) <= 1e-12 * force * slip);
      const double expected = t * t * force, room = (mu * x[i] + force) * (mu * x[i] - force);
      assert_true(fabs(slip * room - expected) <= 1e-12 * expected + 4e-15 * slip * mu * mu * x[i] * x[i]);
    }
    for (int i = first[CONTACTS]; i < ROWS - BOX; i++) assert_true(fabs(x[i] * w[i] - t * t) <= 1e-12 * t * t);
    for (int j = 0; j < BOX; j++) {
      const int i = ROWS - BOX + j;
      assert_true(x[i] >= r.lower[j] && x[i] <= r.upper[j]);
      assert_true(fabs(x[i] - w[i] - y[i]) <= 1e-14);
    }
  }
}

static void small_t_gives_the_laws(void **state)
{
  (void)state;
  rows r;
  testing_random random = testing_random_start(5502);
  set_up(&r);
  for (int k = 0; k < 500; k++) {
    double y[ROWS], x[ROWS], w[ROWS];
    draw(&random, y);
    srs_smooth_pair(&r.cone, 1e-9, y, x, w);
    for (int i = first[CONTACTS - 1] + 1; i < first[CONTACTS]; i++) assert_true(x[i] == 0 && w[i] == 0);
    assert_true(srs_cone_residual(&r.cone, x, w) <= 1e-8);
  }
}

// With dy as it says, dx = B r, and dw + r = 0 where x moves without W.
static void changes_are_those_of_differences(void **state)
{
  (void)state;
  rows r;
  testing_random random = testing_random_start(5503);
  set_up(&r);
  for (int k = 0; k < 500; k++) {
    enum { STRIDE = (ROWS + 3) & ~3 };
    const double t = pow(10, testing_uniform(&random, -1, 0)), h = 1e-6;
    double y[ROWS], there[2][ROWS], x[2][ROWS], w[2][ROWS], missing[STRIDE] = {0}, dx[STRIDE], dy[STRIDE];
    draw(&random, y);
    for (int i = 0; i < ROWS; i++) missing[i] = testing_uniform(&random, -1, 1);
    for (int i = first[CONTACTS - 1] + 1; i < first[CONTACTS]; i++) missing[i] = 0;
    srs_smooth_impulses(&r.cone, t, y, 1, missing, dx);
    srs_smooth_step(&r.cone, t, y, missing, dy);
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < ROWS; i++) there[s][i] = y[i] + (s == 0 ? -h : h) * dy[i];
      srs_smooth_pair(&r.cone, t, there[s], x[s], w[s]);
    }
    double size = 1;
    for (int i = 0; i < ROWS; i++) size = fmax(size, fabs(dy[i]));
    for (int i = 0; i < ROWS; i++) {
      assert_true(fabs((x[1][i] - x[0][i]) / (2 * h) - dx[i]) <= 1e-7 * size * size * size);
      assert_true(fabs((w[1][i] - w[0][i]) / (2 * h) + missing[i]) <= 1e-7 * size * size * size);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_and_velocities_obey_smoothed_laws),
                                     cmocka_unit_test(small_t_gives_the_laws),
                                     cmocka_unit_test(changes_are_those_of_differences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
