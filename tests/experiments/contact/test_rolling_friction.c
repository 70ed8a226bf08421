// Does a ball that rolls come to rest by rolling friction, as the closed form says? By every solver, in space and in
// the plane, from scenes and from MJCF.
//
// A ball of mass m and radius R rolls along x at v, its spin w about y, s = v - R w its slip. Friction F brakes v and
// turns the ball, rolling friction M brakes w:
//
//   m v' = -F        I w' = F R - M
//
// With M = mu e N alone and no slip, v' = -(5/7) mu e g / R for a solid ball, I = 2/5 m R^2. On the exact cone both
// share the bound, (F / mu N)^2 + (M / (mu e N))^2 = 1, and oppose (s, e w): so s / (e w) = F / (M / e), and a ball
// that rolls creeps by s = k w, k = e^2 f, f = F / M. With v' = (R + k) w'
//
//   F (I/m + R^2 + k R) = (R + k) M
//
// which is solved for f by iteration: a and M are constant, and so are steps of any length. It differs from the first
// form by (e/R)^2. On a polyhedron |F| / (mu N) + |M| / (mu e N) = 1 and k = e, which differs by e/R.
#include "support/testing.h"
#include "support/world.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>

static const double g = 9.81, h = 1e-3;
static const char *const solvers[] = {"mncp-rlm",     "mncp-plm",    "mlcp-lemke", "mlcp-pfb-rlm",
                                      "mlcp-pfb-plm", "mlcp-fb-rlm", "mlcp-fb-plm"};
enum { SOLVERS = 7, EXACT = 2 };

typedef struct ball {
  double mass, radius, inertia, mu, e, torsional, speed, heading;
} ball;

static ball draw_ball(testing_random *random)
{
  ball b = {.mass = testing_uniform(random, 0.1, 5),
            .radius = testing_uniform(random, 0.05, 0.3),
            .mu = testing_uniform(random, 0.2, 1),
            .speed = testing_uniform(random, 0.5, 3),
            .heading = testing_uniform(random, -3, 3)};
  b.inertia = 0.4 * b.mass * b.radius * b.radius;
  b.e = b.radius * testing_uniform(random, 0.002, 0.02);
  b.torsional = testing_below(random, 2) == 0 ? 0 : b.e;
  return b;
}

// k, and the deceleration of the ball's centre.
static double deceleration(const ball *b, bool is_exact, double *creep)
{
  const double R = b->radius, r2 = b->inertia / b->mass;
  double f = 0;
  for (int i = 0; i < 50; i++) {
    *creep = is_exact ? b->e * b->e * f : b->e;
    f = (R + *creep) / (r2 + R * R + *creep * R);
  }
  const double torque = b->mu * b->e * g / (is_exact ? hypot(1, b->e * f) : 1 + b->e * f); // over m
  return f * torque;
}

static world load_rolling(const ball *b, const char *solver, const char *integrator, double speed)
{
  char text[2048];
  double k;
  (void)deceleration(b, solver[1] == 'n', &k);
  const double spin = speed / (b->radius + k), c = cos(b->heading), s = sin(b->heading);
  snprintf(text, sizeof text,
           "dt: 0.001\nintegrator: %s\n"
           "models: [{name: m, base: floating, position: [0, 0, %.17g],\n"
           "          links: [{name: b, mass: %.17g, inertia: [%.17g, %.17g, %.17g]}],\n"
           "          shapes: [{link: b, kind: sphere, radius: %.17g}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
           "contact: {friction: %.17g, torsional: %.17g, rolling: %.17g}\nsolver: {name: %s}\n"
           "initial: {v: {root: [%.17g, %.17g, 0, %.17g, %.17g, 0]}}\n",
           integrator, b->radius, b->mass, b->inertia, b->inertia, b->inertia, b->radius, b->mu, b->torsional, b->e,
           solver, speed * c, speed * s, -spin * s, spin * c);
  return load(text);
}

static void step_solved(srs_sim *sim, long n)
{
  step(sim, n);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  assert_true(srs_sim_get_statistics(sim)->residual_last <= 1e-12);
}

static double energy(const ball *b, const double *v)
{
  return 0.5 * b->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
         0.5 * b->inertia * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
}

// Rolls as the closed form says, energy falling in each step, and then stands still for good.
static void a_ball_rolls_to_rest_by_the_closed_form(void **state)
{
  (void)state;
  testing_random random = testing_random_start(671);
  for (int i = 0; i < 4; i++)
    for (int s = 0; s < SOLVERS; s++) {
      const ball b = draw_ball(&random);
      double k;
      const bool is_exact = s < EXACT;
      const double a = deceleration(&b, is_exact, &k), plain = 5.0 / 7 * b.mu * b.e * g / b.radius;
      assert_true(fabs(a - plain) <= (is_exact ? b.e * b.e / (b.radius * b.radius) : b.e / b.radius) * plain);
      const double speed = a * 0.2; // it stands after 0.2 s
      world w = load_rolling(&b, solvers[s], "semi-implicit-euler", speed);
      double before = INFINITY;
      for (int n = 1; n <= 190; n++) {
        step_solved(w.sim, 1);
        const double *v = srs_sim_v(w.sim), now = energy(&b, v), left = speed - a * h * n;
        assert_true(now < before);
        before = now;
        const double off = hypot(v[0] - left * cos(b.heading), v[1] - left * sin(b.heading));
        if (!(off <= 1e-8 * speed)) fail_msg("%s, %d steps: off by %g of %g", solvers[s], n, off, left);
      }
      int count;
      const srs_sim_contact *c = srs_sim_contacts(w.sim, &count);
      assert_int_equal(count, 1);
      const double torque = hypot(c->rolling_torque[0], c->rolling_torque[1]), most = b.mu * b.e * b.mass * g;
      assert_true(torque <= most * (1 + 1e-9) && torque >= most * (is_exact ? 0.999 : 0.97));
      assert_true(c->rolling == b.e && c->anisotropy[2] == b.torsional);
      assert_true(fabs(c->rolling_impulse[0] - h * c->rolling_torque[0]) <= 1e-15 && c->rolling_torque[2] == 0);
      step_solved(w.sim, 60);
      const double x = srs_sim_q(w.sim)[0];
      step_solved(w.sim, 200);
      for (int j = 0; j < 6; j++) assert_true(fabs(srs_sim_v(w.sim)[j]) < 1e-12);
      assert_true(fabs(srs_sim_q(w.sim)[0] - x) < 1e-12);
      unload(&w);
    }
}

// Every integrator with contacts has the law at the end of its step.
static void integrators_roll_alike(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-euler",
                                            "implicit-moreau"};
  testing_random random = testing_random_start(672);
  for (int i = 0; i < 4; i++) {
    const ball b = draw_ball(&random);
    double k;
    const double a = deceleration(&b, true, &k);
    world w = load_rolling(&b, "mncp-rlm", integrators[i], 0.2 * a);
    step_solved(w.sim, 150);
    const double v = hypot(srs_sim_v(w.sim)[0], srs_sim_v(w.sim)[1]);
    if (!(fabs(v - 0.05 * a) < 1e-6 * a)) fail_msg("%s: %.12g, not %.12g", integrators[i], v, 0.05 * a);
    unload(&w);
  }
}

// A wheel that only moves in a plane has one row of rolling friction: the same motion.
static void a_wheel_in_a_plane_rolls_to_rest(void **state)
{
  (void)state;
  testing_random random = testing_random_start(673);
  for (int s = 0; s < SOLVERS; s++) {
    const ball b = draw_ball(&random);
    char text[2048];
    double k;
    const double a = deceleration(&b, s < EXACT, &k), speed = 0.2 * a;
    snprintf(
        text, sizeof text,
        "models: [{name: m, links: [{name: c}, {name: d}, {name: e}, {name: b, mass: %.17g, inertia: [1, %.17g, 1]}],\n"
        "  joints: [{name: x, kind: prismatic, parent: c, child: d, axis: [1, 0, 0]},\n"
        "           {name: z, kind: prismatic, parent: d, child: e, axis: [0, 0, 1], origin: {position: [0, 0, "
        "%.17g]}},\n"
        "           {name: turn, kind: continuous, parent: e, child: b, axis: [0, 1, 0]}],\n"
        "  shapes: [{link: b, kind: sphere, radius: %.17g}]}]\n"
        "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
        "contact: {friction: %.17g, torsional: %.17g, rolling: %.17g}\nsolver: {name: %s}\n"
        "initial: {v: {x: %.17g, turn: %.17g}}\n",
        b.mass, b.inertia, b.radius, b.radius, b.mu, b.torsional, b.e, solvers[s], speed, speed / (b.radius + k));
    world w = load(text);
    step_solved(w.sim, 150);
    if (!(fabs(srs_sim_v(w.sim)[0] - 0.25 * speed) < 1e-8 * speed))
      fail_msg("%s: %.12g, not %.12g", solvers[s], srs_sim_v(w.sim)[0], 0.25 * speed);
    int n;
    const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
    assert_true(n == 1 && fabs(c->rolling_torque[1]) > 0.97 * b.mu * b.e * b.mass * g && c->torque == 0);
    step_solved(w.sim, 100);
    assert_true(fabs(srs_sim_v(w.sim)[0]) < 1e-12 && fabs(srs_sim_v(w.sim)[2]) < 1e-12);
    unload(&w);
  }
}

// A ball strikes the ground with slip and spin: within the bound, no failure; no energy is made.
static void impacts_make_no_energy(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson"};
  testing_random random = testing_random_start(674);
  for (int i = 0; i < 28; i++) {
    const ball b = draw_ball(&random);
    char text[2048];
    snprintf(text, sizeof text,
             "models: [{name: m, base: floating, position: [0, 0, %.17g],\n"
             "          links: [{name: b, mass: %.17g, inertia: [%.17g, %.17g, %.17g]}],\n"
             "          shapes: [{link: b, kind: sphere, radius: %.17g}]}]\n"
             "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
             "contact: {friction: %.17g, torsional: %.17g, rolling: %.17g, restitution: 0.6, impact: %s}\n"
             "solver: {name: %s}\ninitial: {v: {root: [%.17g, 0.3, -2, 1, %.17g, 4]}}\n",
             b.radius, b.mass, b.inertia, b.inertia, b.inertia, b.radius, b.mu, b.torsional, 10 * b.e, laws[i % 2],
             solvers[i % SOLVERS], b.speed, 5 * b.speed);
    world w = load(text);
    const double before = energy(&b, srs_sim_v(w.sim));
    step_solved(w.sim, 1);
    assert_true(energy(&b, srs_sim_v(w.sim)) < before && srs_sim_v(w.sim)[2] > 1);
    int n;
    const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
    assert_int_equal(n, 1);
    const double rolling = hypot(c->rolling_impulse[0], c->rolling_impulse[1]), most = b.mu * fabs(c->impulse[2]);
    assert_true(rolling > 0 && rolling <= 10 * b.e * most * (1 + 1e-9));
    unload(&w);
  }
}

static double speed_after(const char *ground, const char *contact)
{
  char text[2048];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, position: [0, 0, 0.1],\n"
           "          links: [{name: b, mass: 2, inertia: [0.008, 0.008, 0.008]}],\n"
           "          shapes: [{link: b, kind: sphere, radius: 0.1, material: soft}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]%s}]\n"
           "contact: {friction: 0.5, %s}\ninitial: {v: {root: [1, 0, 0, 0, 10, 0]}}\n",
           ground, contact);
  world w = load(text);
  step_solved(w.sim, 200);
  const double v = srs_sim_v(w.sim)[0];
  unload(&w);
  return v;
}

static void the_larger_counts_and_pairs_override(void **state)
{
  (void)state;
  const double loss = 5.0 / 7 * 0.5 * g / 0.1 * 0.2, near = 1e-4; // per e; (e/R)^2
  const char materials[] = "materials: [{name: soft, rolling: 0.0002}, {name: hard, rolling: 0.001}]";
  char text[512];
  assert_true(fabs(speed_after("", "materials: [{name: soft}]") - 1) < 1e-9);
  assert_true(fabs(speed_after("", "rolling: 0.0005, materials: [{name: soft}]") - (1 - 0.0005 * loss)) < near);
  assert_true(fabs(speed_after("", materials) - (1 - 0.0002 * loss)) < near);
  assert_true(fabs(speed_after(", material: hard", materials) - (1 - 0.001 * loss)) < near);
  snprintf(text, sizeof text, "%s, pairs: [{between: [soft, hard], rolling: 0.0004}]", materials);
  assert_true(fabs(speed_after(", material: hard", text) - (1 - 0.0004 * loss)) < near);
  snprintf(text, sizeof text, "%s, pairs: [{between: [soft, hard], rolling: 0}]", materials);
  assert_true(fabs(speed_after(", material: hard", text) - 1) < 1e-9);
}

// On a slope of less than e / R a ball stays; on a steeper one it goes.
static void a_ball_stays_on_a_gentle_slope(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double slope = i == 0 ? 0.0098 : 0.0102; // tan; mu e / R = 0.01
    char text[1024];
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, -9.81]\n"
             "models: [{name: m, base: floating, position: [0, 0, 0.1],\n"
             "          links: [{name: b, mass: 2, inertia: [0.008, 0.008, 0.008]}],\n"
             "          shapes: [{link: b, kind: sphere, radius: 0.1}]}]\n"
             "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
             "contact: {friction: 0.5, rolling: 0.002}\n",
             9.81 * slope);
    world w = load(text);
    step_solved(w.sim, 2000);
    const double v = srs_sim_v(w.sim)[0];
    if (i == 0)
      assert_true(fabs(v) < 1e-12 && fabs(srs_sim_q(w.sim)[0]) < 1e-12);
    else
      assert_true(v > 1e-3);
    unload(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_rolls_to_rest_by_the_closed_form), cmocka_unit_test(integrators_roll_alike),
      cmocka_unit_test(a_wheel_in_a_plane_rolls_to_rest),        cmocka_unit_test(impacts_make_no_energy),
      cmocka_unit_test(the_larger_counts_and_pairs_override),    cmocka_unit_test(a_ball_stays_on_a_gentle_slope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
