// What bounces keeps its energy, with no option set: rows, cradles and clouds of bodies at e = 1 without friction, from
// any depth, with gaps or without, by every impact law.
//
// The scenes of data/cases with the right values of its page, and drawn variants of their kinds.

#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;
static const char *const laws[] = {"two-phase", "poisson", "newton"};

static bool is_long(void) { return getenv("SARRUS_LONG") != NULL; }

static world load_case(const char *name)
{
  char path[96];
  snprintf(path, sizeof path, "cases/%s.yaml", name);
  return world_of_scene(scene_of_file(testing_data(path)));
}

static world ball_at(double height, double speed, const char *settings)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models: [{base: floating, position: [0, 0, %.17g], links: [{name: s, mass: 1, inertia: [0.004, 0.004, "
           "0.004]}], shapes: [{kind: sphere, link: s, radius: 0.1}]}]\n"
           "environment: [{name: floor, shape: half-space}]\ninitial: {v: {root.vz: %.17g}}\n%s\n",
           height, speed, settings);
  return load(text);
}

// ---------------------------------------------------------------------------------------------------------------------
// One ball
// ---------------------------------------------------------------------------------------------------------------------

static void a_ball_leaves_with_e_times_its_speed_from_any_depth(void **state)
{
  (void)state;
  testing_random random = testing_random_start(93);
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-euler",
                                            "implicit-moreau"};
  double worst = 0;
  for (int k = 0; k < 120; k++) {
    const double e = k % 3 == 0 ? 1 : testing_uniform(&random, 0, 1), v = pow(10, testing_uniform(&random, -2, 1));
    char settings[256];
    snprintf(settings, sizeof settings,
             "gravity: [0, 0, 0]\nintegrator: %s\ndt: %.17g\ncontact: {friction: 0, restitution: %.17g, impact: %s}",
             integrators[k % 4], pow(10, testing_uniform(&random, -4, -2)), e, laws[k / 4 % 3]);
    world w = ball_at(0.1 - testing_uniform(&random, -1e-4, 0.02), -v, settings);
    step(w.sim, 200);
    worst = fmax(worst, fabs(srs_sim_v(w.sim)[2] / (e * v) - 1));
    assert_true(srs_sim_v(w.sim)[2] > 0 || e * v < 1e-6);
    unload(&w);
  }
  print_message("leaving speed off by at most %.2g of e times the approach\n", worst);
  assert_true(worst < 1e-12);
}

// From 1 m at 1 ms. The midpoint scheme's flight is exact; semi-implicit Euler's apexes lie on its steps.
static void a_thousand_bounces_keep_their_height(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint"};
  for (int k = 0; k < 2; k++) {
    char settings[128];
    snprintf(settings, sizeof settings, "integrator: %s\ncontact: {friction: 0, restitution: 1}", integrators[k]);
    world w = ball_at(1.1, 0, settings);
    double apex = 0, last = 0;
    for (int bounces = 0; bounces < 1000;) {
      const double before = srs_sim_v(w.sim)[2];
      step(w.sim, 1);
      apex = fmax(apex, srs_sim_q(w.sim)[2] - 0.1);
      if (before < 0 && srs_sim_v(w.sim)[2] > 0) last = apex, apex = 0, bounces++;
    }
    print_message("%s: height %.9f m after 1000 bounces\n", integrators[k], last);
    assert_true(fabs(last - 1) < (k == 0 ? 1e-2 : 1e-3));
    unload(&w);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

static void rows_of_balls_keep_energy_and_momentum(void **state)
{
  (void)state;
  testing_random random = testing_random_start(94);
  double energy = 0, momentum = 0;
  for (int k = 0; k < (is_long() ? 300 : 60); k++) {
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "gravity: [0, 0, 0]\nmodels:\n");
    const int n = 2 + testing_below(&random, 5);
    double x = 0, mass[8];
    for (int i = 0; i < n; i++) {
      mass[i] = k % 2 == 0 ? 1 : pow(10, testing_uniform(&random, -1, 1));
      used +=
          (size_t)snprintf(text + used, sizeof text - used,
                           "  - {name: m%d, base: floating, position: [%.17g, 0, 0], links: [{name: b, mass: %.17g, "
                           "inertia: [0.001, 0.001, 0.001]}], shapes: [{kind: sphere, link: b, radius: 0.05}]}\n",
                           i, x, mass[i]);
      x += 0.1 + (testing_below(&random, 2) == 0 ? 0 : pow(10, testing_uniform(&random, -6, -3)));
    }
    snprintf(text + used, sizeof text - used,
             "contact: {friction: 0, restitution: 1, impact: %s}\ninitial: {v: {m0/root.vx: 1, m%d/root.vx: %.17g}}\n",
             laws[k % 3], n - 1, testing_below(&random, 2) == 0 ? 0 : -testing_uniform(&random, 0, 1));
    world w = load(text);
    const double before = kinetic_energy(w.sim);
    double start = 0, end = 0;
    for (int i = 0; i < n; i++) start += mass[i] * srs_sim_v(w.sim)[6 * (size_t)i];
    for (int i = 0; i < 100; i++) {
      step(w.sim, 1);
      energy = fmax(energy, fabs(kinetic_energy(w.sim) / before - 1));
    }
    for (int i = 0; i < n; i++) end += mass[i] * srs_sim_v(w.sim)[6 * (size_t)i];
    momentum = fmax(momentum, fabs(end - start));
    assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
    unload(&w);
  }
  print_message("energy off by %.2g of itself, momentum by %.2g kg m/s\n", energy, momentum);
  assert_true(energy < 1e-12 && momentum < 1e-12);
}

// Balls on strings in a row: the last one takes all, whether the balls touch or not.
static void a_cradle_passes_everything_on(void **state)
{
  (void)state;
  static const double gaps[] = {0, 1e-6, 1e-4, 1e-3}, steps[] = {1e-4, 1e-3};
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-moreau"};
  for (int k = 0; k < 24; k++) {
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "models:\n  - links:\n");
    for (int i = 0; i < 5; i++)
      used += (size_t)snprintf(text + used, sizeof text - used,
                               "      - {name: b%d, mass: 1, com: [0, 0, -1], inertia: [1e-3, 1e-3, 1e-3]}\n", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "    joints:\n");
    for (int i = 0; i < 5; i++)
      used += (size_t)snprintf(
          text + used, sizeof text - used,
          "      - {name: h%d, kind: revolute, child: b%d, axis: [0, 1, 0], origin: {position: [%.17g, 0, 1.5]}}\n", i,
          i, i * (0.1 + gaps[k % 4]));
    used += (size_t)snprintf(text + used, sizeof text - used, "    shapes:\n");
    for (int i = 0; i < 5; i++)
      used += (size_t)snprintf(
          text + used, sizeof text - used,
          "      - {kind: sphere, name: s%d, link: b%d, radius: 0.05, pose: {position: [0, 0, -1]}}\n", i, i);
    snprintf(text + used, sizeof text - used,
             "initial: {q: {h0: 0.3}}\ncontact: {friction: 0, restitution: 1}\ndt: %.17g\nintegrator: %s\n",
             steps[k / 4 % 2], integrators[k / 8]);
    world w = load(text);
    const double before = total_energy(w.sim), turnover = 5 * g * (1 - cos(0.3)) / 5;
    double most = 0, angle[5] = {0};
    for (long i = 0; i < lround(1.5 / steps[k / 4 % 2]); i++) {
      step(w.sim, 1);
      most = fmax(most, fabs(total_energy(w.sim) - before) / turnover);
      for (int j = 0; j < 5; j++) angle[j] = fmax(angle[j], fabs(srs_sim_q(w.sim)[j]));
    }
    if (k % 4 == 2)
      print_message("%s, gap %g, dt %g: energy within %.2g, angles %.4f %.4f %.4f %.4f %.4f\n", integrators[k / 8],
                    gaps[k % 4], steps[k / 4 % 2], most, angle[0], angle[1], angle[2], angle[3], angle[4]);
    assert_true(most < (k / 8 == 0 ? 2 * steps[k / 4 % 2] : 1e-5)); // semi-implicit Euler's own error is of order h
    assert_true(fabs(angle[4] - 0.3) < 2e-3 && angle[1] < 4e-3 && angle[2] < 4e-3 && angle[3] < 4e-3);
    unload(&w);
  }
}

static void the_cases_keep_their_energy(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double seconds, share;
  } cases[] = {
      {"sunk_ball", 0.05, 1e-12}, {"three_spheres", 0.1, 1e-12}, {"three_dropped", 2, 1e-2}, {"cradle", 3, 1e-2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    world w = load_case(cases[k].name);
    const double before = total_energy(w.sim);
    double most = 0;
    for (long i = 0; i < lround(cases[k].seconds / 1e-3); i++) {
      step(w.sim, 1);
      most = fmax(most, fabs(total_energy(w.sim) / before - 1));
    }
    print_message("%s: energy within %.2g of itself\n", cases[k].name, most);
    assert_true(most < cases[k].share);
    unload(&w);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Clouds
// ---------------------------------------------------------------------------------------------------------------------

// Balls and boxes between a floor and four walls.
static world draw_cloud(testing_random *random, bool has_gravity, const char *integrator, const char *law, double e,
                        double friction)
{
  static char text[8192];
  const int n = 2 + testing_below(random, 6);
  size_t used = (size_t)snprintf(text, sizeof text, "integrator: %s\n%smodels:\n", integrator,
                                 has_gravity ? "" : "gravity: [0, 0, 0]\n");
  for (int i = 0; i < n; i++) {
    const int row = i / 3;
    const double mass = pow(10, testing_uniform(random, -1, 1)), third = mass / 12;
    double size[3];
    for (int k = 0; k < 3; k++) size[k] = testing_uniform(random, 0.05, 0.2);
    const double x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2], ball = 0.1 * mass * x;
    const bool is_ball = testing_below(random, 2) == 0;
    char shape[160];
    if (is_ball)
      snprintf(shape, sizeof shape, "kind: sphere, radius: %.17g", 0.5 * size[0]);
    else
      snprintf(shape, sizeof shape, "kind: box, size: [%.17g, %.17g, %.17g]", size[0], size[1], size[2]);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "  - {name: b%d, base: floating, position: [%.17g, %.17g, %.17g], links: [{name: l, mass: "
                             "%.17g, inertia: [%.17g, %.17g, %.17g]}], shapes: [{link: l, %s}]}\n",
                             i, (i % 3 - 1) * 0.5, (row - 0.5) * 0.5, testing_uniform(random, 0.35, 0.7), mass,
                             is_ball ? ball : third * (y + z), is_ball ? ball : third * (z + x),
                             is_ball ? ball : third * (x + y), shape);
  }
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "environment:\n  - {name: floor, shape: half-space}\n"
                           "  - {name: w0, shape: half-space, normal: [1, 0, 0], offset: -1}\n"
                           "  - {name: w1, shape: half-space, normal: [-1, 0, 0], offset: -1}\n"
                           "  - {name: w2, shape: half-space, normal: [0, 1, 0], offset: -1}\n"
                           "  - {name: w3, shape: half-space, normal: [0, -1, 0], offset: -1}\n"
                           "contact: {friction: %.17g, restitution: %.17g, impact: %s}\ninitial: {v: {",
                           friction, e, law);
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%sb%d/root: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]",
                             i > 0 ? ", " : "", i, testing_uniform(random, -2, 2), testing_uniform(random, -2, 2),
                             testing_uniform(random, -2, 2), testing_uniform(random, -2, 2),
                             testing_uniform(random, -2, 2), testing_uniform(random, -2, 2));
  snprintf(text + used, sizeof text - used, "}}\n");
  return load(text);
}

static double worst_gain(testing_random *random, int n, bool has_gravity, const char *integrator, double e,
                         double friction, bool both_ways)
{
  double worst = -INFINITY;
  for (int k = 0; k < n; k++) {
    world w = draw_cloud(random, has_gravity, integrator, laws[friction > 0 ? k % 2 : k % 3], e, friction);
    const double before = total_energy(w.sim);
    for (int i = 0; i < 2000; i++) {
      step(w.sim, 1);
      const double gain = total_energy(w.sim) / before - 1;
      worst = fmax(worst, both_ways ? fabs(gain) : gain);
    }
    assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
    unload(&w);
  }
  return worst;
}

static void clouds_keep_their_energy(void **state)
{
  (void)state;
  testing_random random = testing_random_start(95);
  const int n = is_long() ? 50 : 6;
  const double floating = worst_gain(&random, n, false, "semi-implicit-euler", 1, 0, true);
  const double midpoint = worst_gain(&random, n, false, "moreau-midpoint", 1, 0, true);
  const double falling = worst_gain(&random, n, true, "moreau-midpoint", 1, 0, true);
  const double euler = worst_gain(&random, n, true, "semi-implicit-euler", 1, 0, true);
  print_message("energy within %.2g and %.2g without gravity, %.2g and %.2g (semi-implicit Euler) with it\n", floating,
                midpoint, falling, euler);
  assert_true(floating < 1e-9 && midpoint < 1e-9 && falling < 1e-9 && euler < 1e-2);
}

// Newton's law may gain with friction (simulation_options.h), and does not take its turn there.
static void clouds_with_losses_gain_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(96);
  const int n = is_long() ? 50 : 6;
  const double elastic = worst_gain(&random, n, false, "semi-implicit-euler", 0.7, 0, false);
  const double rough = worst_gain(&random, n, false, "moreau-midpoint", 0.8, 0.4, false);
  print_message("energy gained: %.2g at e = 0.7, %.2g with friction\n", elastic, rough);
  assert_true(elastic < 1e-10 && rough < 1e-10);
}

// A ball falls on one of 64 that touch each other: more rows than whole matrices are made for.
static void a_ball_bounces_off_a_large_group(void **state)
{
  (void)state;
  static char text[65536];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "environment: [{name: floor, shape: half-space}]\n"
                                 "contact: {restitution: 1, friction: 0}\nintegrator: moreau-midpoint\nmodels:\n");
  for (int i = 0; i < 65; i++) {
    const int row = i / 8;
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "  - {name: b%d, base: floating, position: [%.17g, %.17g, %.17g], links: [{name: l, mass: "
                             "1, inertia: [1e-3, 1e-3, 1e-3]}], shapes: [{link: l, kind: sphere, radius: 0.05}]}\n",
                             i, i < 64 ? 0.1 * (i % 8) : 0.3, i < 64 ? 0.1 * row : 0.3, i < 64 ? 0.05 : 0.4);
  }
  world w = load(text);
  const double before = total_energy(w.sim);
  double most = 0, highest = 0;
  for (int i = 0; i < 480; i++) {
    step(w.sim, 1);
    most = fmax(most, fabs(total_energy(w.sim) / before - 1));
    if (i > 300) highest = fmax(highest, srs_sim_q(w.sim)[7 * 64 + 2]);
  }
  print_message("energy within %.2g of itself; the ball is up to %.6f m of 0.4 m again\n", most, highest);
  assert_true(most < 1e-9 && fabs(highest - 0.4) < 1e-3);
  assert_true(srs_sim_get_statistics(w.sim)->contacts_max > 100);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_leaves_with_e_times_its_speed_from_any_depth),
      cmocka_unit_test(a_thousand_bounces_keep_their_height),
      cmocka_unit_test(rows_of_balls_keep_energy_and_momentum),
      cmocka_unit_test(a_cradle_passes_everything_on),
      cmocka_unit_test(the_cases_keep_their_energy),
      cmocka_unit_test(a_ball_bounces_off_a_large_group),
      cmocka_unit_test(clouds_keep_their_energy),
      cmocka_unit_test(clouds_with_losses_gain_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
