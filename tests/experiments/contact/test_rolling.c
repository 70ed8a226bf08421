// A body that rolls without slip: the rattleback, an ellipsoid whose axes of inertia are turned against those of its
// surface, against an independent integration of rolling by rk4.
//
//   R, w    orientation and angular velocity, in body axes; n = R^T e_z the plane's normal
//   contact p = -A^2 n / s,  s = sqrt(n . A^2 n),  A the semi-axes; the mass centre's velocity is -w x p, its height
//           -p . n
//   torque  I w' + w x I w = p x F,  F = m (g n + v' ), v' the acceleration of the mass centre -w' x p - w x (w x p +
//   p'):
//           (I + m (p^2 - p p^T)) w' = -w x I w + m p x (g n - w x (w x p + p')),   p' by n' = -w x n

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vec {
  double x, y, z;
} vec;

typedef struct rolling_body {
  double mass, gravity;
  double inertia[3][3];
  vec axes;
} rolling_body;

enum { STATE = 9 }; // x, y of the mass centre; quaternion w x y z; angular velocity in body axes

static vec add(vec a, double s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static vec by_axes(vec axes, vec n)
{
  return (vec){axes.x * axes.x * n.x, axes.y * axes.y * n.y, axes.z * axes.z * n.z};
}

// R v for a unit quaternion, or R^T v.
static vec turned(const double *q, vec v, bool back)
{
  const vec u = back ? (vec){-q[1], -q[2], -q[3]} : (vec){q[1], q[2], q[3]};
  const vec t = cross(u, v);
  return add(add(v, 2 * q[0], t), 2, cross(u, t));
}

static vec solve(const double A[3][3], vec b)
{
  const vec x = {A[0][0], A[1][0], A[2][0]}, y = {A[0][1], A[1][1], A[2][1]}, z = {A[0][2], A[1][2], A[2][2]};
  const double det = dot(x, cross(y, z));
  return (vec){dot(b, cross(y, z)) / det, dot(x, cross(b, z)) / det, dot(x, cross(y, b)) / det};
}

static vec times(const double A[3][3], vec v)
{
  return (vec){A[0][0] * v.x + A[0][1] * v.y + A[0][2] * v.z, A[1][0] * v.x + A[1][1] * v.y + A[1][2] * v.z,
               A[2][0] * v.x + A[2][1] * v.y + A[2][2] * v.z};
}

static vec contact_of(const rolling_body *b, vec n)
{
  const vec An = by_axes(b->axes, n);
  return add((vec){0, 0, 0}, -1 / sqrt(dot(n, An)), An);
}

static void rates(const rolling_body *b, const double *s, double *rate)
{
  const double *q = s + 2;
  const vec w = {s[6], s[7], s[8]}, n = turned(q, (vec){0, 0, 1}, true);
  const vec An = by_axes(b->axes, n), dn = cross(n, w), dAn = by_axes(b->axes, dn);
  const double size = sqrt(dot(n, An));
  const vec p = contact_of(b, n);
  const vec dp = add(add((vec){0, 0, 0}, -1 / size, dAn), dot(n, dAn) / (size * size * size), An);
  const vec centre = turned(q, cross(p, w), false); // velocity of the mass centre
  const vec pull = add(add((vec){0, 0, 0}, b->gravity, n), -1, cross(w, add(cross(w, p), 1, dp)));
  const vec load = add(add((vec){0, 0, 0}, -1, cross(w, times(b->inertia, w))), b->mass, cross(p, pull));
  const double P[3] = {p.x, p.y, p.z};
  double A[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[i][j] = b->inertia[i][j] + b->mass * ((i == j ? dot(p, p) : 0) - P[i] * P[j]);
  const vec dw = solve(A, load);
  rate[0] = centre.x, rate[1] = centre.y;
  rate[2] = -0.5 * (q[1] * w.x + q[2] * w.y + q[3] * w.z);
  rate[3] = 0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y);
  rate[4] = 0.5 * (q[0] * w.y + q[3] * w.x - q[1] * w.z);
  rate[5] = 0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x);
  rate[6] = dw.x, rate[7] = dw.y, rate[8] = dw.z;
}

static void roll(const rolling_body *b, double duration, int n, double *s)
{
  const double h = duration / n;
  double k[4][STATE], at[STATE];
  for (int step = 0; step < n; step++) {
    rates(b, s, k[0]);
    for (int stage = 1; stage < 4; stage++) {
      for (int i = 0; i < STATE; i++) at[i] = s[i] + (stage == 3 ? h : 0.5 * h) * k[stage - 1][i];
      rates(b, at, k[stage]);
    }
    for (int i = 0; i < STATE; i++) s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

// The order of implicit-moreau where a body rolls (docs/theory.md).
static const double order = 2;

// Angular velocity in body axes and path of the mass centre, as the free joint has them.
static void state_of(srs_sim *sim, double *s)
{
  const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
  s[0] = q[0], s[1] = q[1];
  memcpy(s + 2, q + 3, 4 * sizeof *s);
  memcpy(s + 6, v + 3, 3 * sizeof *s);
}

static double off_by(const double *a, const double *b)
{
  double worst = 0;
  for (int i = 6; i < STATE; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

// Errors of the angular velocity after `duration`, with `coarsest` steps and twice as many each time; returns the order
// that the last two show.
static double order_of(const srs_scene *scene, const rolling_body *body, double duration, int coarsest, double *finest)
{
  double error[3];
  for (int k = 0; k < 3; k++) {
    const int n = coarsest << k;
    srs_sim *sim = sim_with_step(scene, duration / n);
    double rolled[STATE], half[STATE], now[STATE];
    state_of(sim, rolled);
    memcpy(half, rolled, sizeof half);
    roll(body, duration, 2000, rolled);
    roll(body, duration, 1000, half);
    assert_true(off_by(half, rolled) < 1e-8); // the rolling integration itself
    step(sim, n);
    state_of(sim, now);
    error[k] = off_by(now, rolled);
    srs_sim_destroy(sim);
  }
  *finest = error[2];
  return log2(error[1] / error[2]);
}

static void the_rattleback_rolls(void **state)
{
  (void)state;
  static const rolling_body rattleback = {1,
                                          9.81,
                                          {{0.0010927908914371751, -0.002318398865532061, 0},
                                           {-0.002318398865532061, 0.011507209108562826, 0},
                                           {0, 0, 0.0122}},
                                          {0.2, 0.04, 0.03}};
  srs_scene *scene = scene_of_file(testing_data("cases/rattleback.yaml"));
  static const double durations[] = {0.1, 0.3};
  for (int i = 0; i < 2; i++) {
    double error;
    const double found = order_of(scene, &rattleback, durations[i], 800, &error);
    print_message("after %.1f s: w off by %.2e rad/s, order %.3f\n", durations[i], error, found);
    assert_true(fabs(found - order) < 0.3);
    assert_true(error < 0.03);
  }
  srs_scene_destroy(scene);
}

// A solid ellipsoid whose inertia is turned about its short axis, set down on the floor and rolling.
static srs_scene *drawn_body(testing_random *random, rolling_body *b)
{
  const double a[3] = {testing_uniform(random, 0.08, 0.2), testing_uniform(random, 0.04, 0.08),
                       testing_uniform(random, 0.02, 0.04)};
  *b = (rolling_body){testing_uniform(random, 0.2, 5), 9.81, {{0}}, {a[0], a[1], a[2]}};
  const double I[3] = {b->mass / 5 * (a[1] * a[1] + a[2] * a[2]), b->mass / 5 * (a[0] * a[0] + a[2] * a[2]),
                       b->mass / 5 * (a[0] * a[0] + a[1] * a[1])};
  const double turn = testing_uniform(random, -0.3, 0.3), c = cos(turn), s = sin(turn);
  b->inertia[0][0] = c * c * I[0] + s * s * I[1], b->inertia[1][1] = s * s * I[0] + c * c * I[1];
  b->inertia[0][1] = b->inertia[1][0] = c * s * (I[0] - I[1]), b->inertia[2][2] = I[2];
  double q[4] = {1, testing_uniform(random, -0.05, 0.05), testing_uniform(random, -0.05, 0.05), 0};
  const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  for (int i = 0; i < 4; i++) q[i] /= size;
  const vec w = {testing_uniform(random, -1, 1), testing_uniform(random, -1, 1), testing_uniform(random, -4, 4)};
  const vec n = turned(q, (vec){0, 0, 1}, true), p = contact_of(b, n), v = turned(q, cross(p, w), false);
  char text[1024];
  snprintf(
      text, sizeof text,
      "models:\n  - base: floating\n    links: [{name: r, mass: %.17g, inertia: [%.17g, %.17g, %.17g, %.17g, 0, 0]}]\n"
      "    shapes: [{kind: ellipsoid, name: e, link: r, size: [%.17g, %.17g, %.17g]}]\n"
      "environment: [{name: floor, shape: half-space}]\ncontact: {friction: 1000}\n"
      "initial: {q: {root: [0, 0, %.17g, %.17g, %.17g, %.17g, %.17g]}, v: {root: [%.17g, %.17g, %.17g, %.17g, %.17g, "
      "%.17g]}}\nintegrator: implicit-moreau\n",
      b->mass, b->inertia[0][0], b->inertia[1][1], b->inertia[2][2], b->inertia[0][1], a[0], a[1], a[2], -dot(p, n),
      q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z);
  return scene_of_text(text);
}

static void drawn_ellipsoids_roll(void **state)
{
  (void)state;
  testing_random random = testing_random_start(721);
  for (int trial = 0; trial < 12; trial++) {
    rolling_body b;
    srs_scene *scene = drawn_body(&random, &b);
    double error;
    const double found = order_of(scene, &b, 0.05, 400, &error);
    print_message("%.3g x %.3g x %.3g m: w off by %.2e rad/s, order %.3f\n", b.axes.x, b.axes.y, b.axes.z, error,
                  found);
    assert_true(fabs(found - order) < 0.3);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rattleback_rolls),
      cmocka_unit_test(drawn_ellipsoids_roll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
