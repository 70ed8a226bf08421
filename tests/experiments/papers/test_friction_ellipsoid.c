// Does friction with anisotropy do what its law says? The law of Chakraborty, Berard, Akella & Trinkle eq. 5 (of the
// impulses in |lambda_t / e| <= mu lambda_n the one that takes most from the slip), checked by looking at all of them;
// and discs that spin and glide, whose motion has a closed form.
#include "support/testing.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// W = A^T A of so many rows, b with an approaching normal.
static void draw(testing_random *random, int rows, double *W, double *b)
{
  double A[16];
  for (int i = 0; i < rows * rows; i++) A[i] = testing_uniform(random, -1, 1), W[i] = 0;
  for (int i = 0; i < rows; i++) {
    b[i] = i == 0 ? testing_uniform(random, -2, -0.5) : testing_uniform(random, -3, 3);
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < rows; k++) W[rows * i + j] += A[rows * k + i] * A[rows * k + j];
    W[rows * i + i] += 0.3;
  }
}

// The least power that any impulse of the set has against the slip: a scan of the ball, in 1, 2 or 3 dimensions.
static double least_power(int d, double radius, const double *e, const double *w)
{
  enum { STEPS = 720 };
  double least = 0;
  for (int i = 0; i <= STEPS; i++)
    for (int j = 0; j <= (d == 3 ? STEPS : 0); j++) {
      const double a = 2 * PI * i / STEPS, c = PI * j / STEPS;
      const double u[3] = {d == 3 ? cos(a) * sin(c) : cos(a), d == 3 ? sin(a) * sin(c) : sin(a), cos(c)};
      double power = 0;
      for (int k = 0; k < d; k++) power += radius * e[k] * u[k] * w[k];
      least = fmin(least, power);
    }
  return least;
}

static void sliding_takes_most_from_the_slip(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(4, &solver, NULL), SRS_OK);
  testing_random random = testing_random_start(501);
  int slid = 0;
  for (int i = 0; i < 60; i++) {
    const int d = 1 + i % 3;
    const unsigned char tangents = (unsigned char)d;
    double W[16], b[4], x[4] = {0}, w[4], e[3], mu = testing_uniform(&random, 0.05, 0.6);
    for (int k = 0; k < 3; k++) e[k] = pow(10, testing_uniform(&random, -0.7, 0.7));
    draw(&random, 1 + d, W, b);
    const srs_contact_problem p = {
        .n_contacts = 1, .W = W, .b = b, .friction = &mu, .tangents = &tangents, .anisotropy = e};
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, w, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    double size = 0, slip = 0, power = 0;
    for (int k = 0; k < d; k++) {
      size = hypot(size, x[1 + k] / e[k]), slip = hypot(slip, e[k] * w[1 + k]);
      power += x[1 + k] * w[1 + k];
    }
    assert_true(x[0] > 0 && fabs(w[0]) < 1e-11 && size < mu * x[0] + 1e-11);
    if (slip < 1e-9) continue; // sticks: any impulse of the set may do so
    slid++;
    const double least = least_power(d, mu * x[0], e, w + 1);
    // Half a step of the scan, 0.25 degrees, misses 1 - cos = 1e-5 (twice that over a sphere); ours may not be worse.
    assert_true(power < least + 1e-11 && power > least * (1 + 4e-5) - 1e-11);
    for (int k = 0; k < d; k++) // and in the law's own form
      assert_true(fabs(x[1 + k] + mu * x[0] * e[k] * e[k] * w[1 + k] / slip) < 1e-9 * (1 + e[k]));
  }
  assert_true(slid > 20);
  srs_contact_solver_destroy(solver);
}

// A body of mass m on a plane that slides along t1 and t2 and turns about the normal, one contact under it: a step of
// implicit Euler. state: v1, v2, spin.
typedef struct disc {
  double m, inertia, mu, g, h;
  double e[3];
} disc;

static void step(srs_contact_solver *solver, const disc *d, double v[3])
{
  const unsigned char three = 3;
  const double W[16] = {1 / d->m, 0, 0, 0, 0, 1 / d->m, 0, 0, 0, 0, 1 / d->m, 0, 0, 0, 0, 1 / d->inertia};
  const double b[4] = {-d->g * d->h, v[0], v[1], v[2]};
  double x[4] = {0}, w[4];
  const srs_contact_problem p = {
      .n_contacts = 1, .W = W, .b = b, .friction = &d->mu, .tangents = &three, .anisotropy = d->e};
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  memcpy(v, w + 1, 3 * sizeof *v);
}

// With S = |e w|: v' = -mu g e_t^2 v / S and spin' = -mu m g e_r^2 spin / (I S). So d ln v / d ln spin = I e_t^2 / (m
// e_r^2): where that is 1 both fade alike and end at t = S_0 / (mu g e_t^2); else v / v_0 = (spin / spin_0)^that.
static void a_spinning_disc_that_glides_follows_its_power_law(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(4, &solver, NULL), SRS_OK);
  static const double inertia[] = {0.01, 0.02, 0.04}; // exponent 0.5, 1, 2
  for (int i = 0; i < 3; i++) {
    double error[2];
    for (int half = 0; half < 2; half++) {
      const disc d = {2, inertia[i], 0.3, 10, half == 0 ? 1e-3 : 5e-4, {1, 1, 0.1}};
      const double exponent = d.inertia / (d.m * d.e[2] * d.e[2]);
      double v[3] = {1.2, 0, 9}, time = 0;
      error[half] = 0;
      while (v[2] > 1) { // the law up to a ninth of the spin
        step(solver, &d, v);
        time += d.h;
        error[half] = fmax(error[half], fabs(v[0] / 1.2 - pow(v[2] / 9, exponent)));
        assert_true(fabs(v[1]) < 1e-15);
      }
      while (v[0] > 0 || v[2] > 0) {
        step(solver, &d, v);
        time += d.h;
        for (int k = 0; k < 3; k++) v[k] = fabs(v[k]) < 1e-12 ? 0 : v[k];
      }
      const double end = hypot(1.2, 0.1 * 9) / (d.mu * d.g);
      if (i == 1) assert_true(fabs(time - end) < 2 * d.h);
    }
    print_message("I / (m e_r^2) = %g: error of the power law %.2g, at half the step %.2g\n", inertia[i] / 0.02,
                  error[0], error[1]);
    assert_true(error[0] < 1e-2 && error[1] < 0.6 * error[0] + 1e-12); // first order; none where both fade alike
  }
  srs_contact_solver_destroy(solver);
}

// Spin alone is held by mu lambda_n e_r, and gliding makes it turn on: what holds it at rest lets it creep when it is
// pushed.
static void gliding_takes_the_grip_on_spin(void **state)
{
  (void)state;
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(4, &solver, NULL), SRS_OK);
  const disc d = {2, 0.02, 0.3, 10, 1e-3, {1, 1, 0.1}};
  const double most = d.mu * d.m * d.g * d.h * d.e[2] / d.inertia; // spin that friction stops within a step
  double resting[3] = {0, 0, 0.5 * most}, gliding[3] = {1, 0, 0.5 * most};
  step(solver, &d, resting);
  step(solver, &d, gliding);
  assert_true(fabs(resting[2]) < 1e-15);
  assert_true(gliding[2] > 0.49 * most); // mu lambda_n e_r^2 spin / |e w|: the slip is 1, e_r spin below 1e-2
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_takes_most_from_the_slip),
      cmocka_unit_test(a_spinning_disc_that_glides_follows_its_power_law),
      cmocka_unit_test(gliding_takes_the_grip_on_spin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
