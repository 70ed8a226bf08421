// What turns fast stays true at 1 ms: satellites and drones with wheels, heavy tops, the tennis racket. Velocity terms
// at the mean of the step's velocities are of order 2 and keep the energy of bodies that float; at the start's velocity
// they give energy.

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static srs_sim *sim_with(const srs_scene *scene, double dt, srs_integrator integrator, srs_velocity_terms terms)
{
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.dt = dt;
  options.integrator = integrator;
  options.velocity_terms = terms;
  return sim_of_scene(scene, &options);
}

static double distance(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

// v after a time, in a sim that ends there.
static void end_velocity(const srs_scene *scene, double dt, srs_integrator integrator, double time, double *v)
{
  srs_sim *sim = sim_with(scene, dt, integrator, SRS_VELOCITY_TERMS_MEAN);
  step(sim, lround(time / dt));
  memcpy(v, srs_sim_v(sim), (size_t)srs_model_nv(srs_scene_model(scene)) * sizeof *v);
  srs_sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies that float
// ---------------------------------------------------------------------------------------------------------------------

// A wheel of momentum 3 N m s on a body of 0.203 kg m^2 across: w turns at 3 / 0.203 rad/s. The mean form turns it by
// 2 atan(n h / 2) a step, n^3 h^2 / 12 a second less.
static void the_satellite_keeps_its_nutation(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_data("cases/satellite.yaml"));
  const double n = 3 / 0.203;
  double error[2], size = 0;
  for (int halving = 0; halving < 2; halving++) {
    srs_sim *sim = sim_with(scene, ldexp(1e-3, -halving), SRS_SEMI_IMPLICIT_EULER, SRS_VELOCITY_TERMS_MEAN);
    const double energy = kinetic_energy(sim);
    step(sim, 6000L << halving);
    const double *w = srs_sim_v(sim) + 3, exact[2] = {0.1 * cos(6 * n), 0.1 * sin(6 * n)};
    const double mirrored[2] = {w[0], -w[1]};
    error[halving] = fmin(distance(w, exact, 2), distance(mirrored, exact, 2));
    if (halving == 0) {
      step(sim, 54000);
      size = hypot(w[0], w[1]);
      assert_true(fabs(kinetic_energy(sim) - energy) < 1e-8);
      assert_true(fabs(energy - 900.001) < 1e-4);
    }
    srs_sim_destroy(sim);
  }
  print_message("|w_xy| after 60 s: 0.1 %+.1e rad/s; phase at 6 s off by %.2e, with half the step 1/%.3f\n", size - 0.1,
                10 * error[0], error[0] / error[1]);
  assert_true(fabs(size - 0.1) < 1e-7);
  assert_true(10 * error[0] < 1.1 * n * n * n * 1e-6 / 12 * 6);
  assert_true(fabs(error[0] / error[1] - 4) < 0.05);
  srs_scene_destroy(scene);
}

static void check_order(const srs_scene *scene, srs_integrator integrator, double time, double ratio[1])
{
  double exact[64], v[64], error[2];
  const int nv = srs_model_nv(srs_scene_model(scene));
  end_velocity(scene, 1e-4, SRS_RK4, time, exact);
  for (int halving = 0; halving < 2; halving++) {
    end_velocity(scene, ldexp(1e-3, -halving), integrator, time, v);
    error[halving] = distance(v, exact, nv);
  }
  *ratio = error[0] / error[1];
  print_message("%s: v off by %.2e rad/s after %g s, with half the step 1/%.2f\n", srs_integrator_name(integrator),
                error[0], time, *ratio);
}

static void the_drone_keeps_its_energy(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_data("cases/drone.yaml"));
  for (int k = 0; k < 2; k++) {
    const srs_integrator integrator = k == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    srs_sim *sim = sim_with(scene, 1e-3, integrator, SRS_VELOCITY_TERMS_MEAN);
    const double energy = kinetic_energy(sim);
    step(sim, 10000);
    print_message("energy %.6f J, %.1e more after 10 s\n", energy, kinetic_energy(sim) - energy);
    assert_true(fabs(kinetic_energy(sim) - energy) < 1e-9 * energy);
    srs_sim_destroy(sim);
    double ratio;
    check_order(scene, integrator, 2, &ratio);
    assert_true(fabs(ratio - 4) < 0.1);
  }
  srs_scene_destroy(scene);
}

// Turns about its middle axis and flips. A body by itself is iterated at any speed.
static void the_tennis_racket_flips_in_time(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("gravity: [0, 0, 0]\n"
                                   "models:\n"
                                   "  - base: floating\n"
                                   "    links: [{name: b, mass: 1, inertia: [0.01, 0.02, 0.025]}]\n"
                                   "initial: {v: {root: [0, 0, 0, 0.01, 8, 0.01]}}\n");
  for (int k = 0; k < 2; k++) {
    const srs_integrator integrator = k == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    srs_sim *sim = sim_with(scene, 1e-3, integrator, SRS_VELOCITY_TERMS_MEAN);
    const double energy = kinetic_energy(sim);
    step(sim, 60000);
    print_message("energy %.1e of itself more after 60 s\n", kinetic_energy(sim) / energy - 1);
    assert_true(fabs(kinetic_energy(sim) / energy - 1) < 1e-10);
    srs_sim_destroy(sim);
    double ratio;
    check_order(scene, integrator, 20, &ratio);
    assert_true(ratio > 3.6 && ratio < 4.4);
  }
  srs_scene_destroy(scene);
}

// A base that tumbles, with 1 to 4 wheels on it about their own axes, at 50 to 1500 rad/s. The mass centre of all is
// the root's origin, so the inertia is constant in the root's coordinates, and the energy is.
static void draw_rotors(testing_random *random, char *text, size_t size)
{
  const int n = 1 + testing_below(random, 4);
  const double mass = exp(testing_uniform(random, -2, 2)), wide = testing_uniform(random, 0.008, 0.014) * mass;
  double m[4], at[4][3], com[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    m[i] = mass * exp(testing_uniform(random, -4, -1));
    for (int j = 0; j < 3; j++) com[j] -= m[i] / mass * (at[i][j] = testing_uniform(random, -0.1, 0.1));
  }
  int used = snprintf(text, size,
                      "gravity: [0, 0, 0]\nmodels:\n  - base: floating\n    links:\n"
                      "      - {name: base, mass: %.17g, com: [%.17g, %.17g, %.17g], inertia: [%.17g, %.17g, %.17g]}\n",
                      mass, com[0], com[1], com[2], 0.01 * mass, wide, 0.012 * mass);
  for (int i = 0; i < n; i++)
    used +=
        snprintf(text + used, size - (size_t)used, "      - {name: r%d, mass: %.17g, inertia: [%.17g, %.17g, %.17g]}\n",
                 i, m[i], 0.003 * m[i], 0.003 * m[i], 0.005 * m[i]);
  used += snprintf(text + used, size - (size_t)used, "    joints:\n");
  for (int i = 0; i < n; i++)
    used += snprintf(text + used, size - (size_t)used,
                     "      - {name: s%d, kind: continuous, parent: base, child: r%d, axis: [0, 0, 1], origin: "
                     "{position: [%.17g, %.17g, %.17g], rotation: {rpy: [%.6g, %.6g, 0]}}}\n",
                     i, i, at[i][0], at[i][1], at[i][2], testing_uniform(random, -2, 2),
                     testing_uniform(random, -1.5, 1.5));
  used += snprintf(text + used, size - (size_t)used, "initial: {v: {root: [0.1, 0, 0, %.6g, %.6g, %.6g]",
                   testing_uniform(random, -5, 5), testing_uniform(random, -5, 5), testing_uniform(random, -5, 5));
  for (int i = 0; i < n; i++)
    used += snprintf(text + used, size - (size_t)used, ", s%d: %.6g", i, exp(testing_uniform(random, 3.9, 7.3)));
  snprintf(text + used, size - (size_t)used, "}}\n");
}

static void drawn_rotors_keep_their_energy(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2207);
  double worst = 0;
  int most = 0;
  long iterations = 0, steps = 0;
  for (int drawn = 0; drawn < 60; drawn++) {
    char text[4096];
    draw_rotors(&random, text, sizeof text);
    srs_scene *scene = scene_of_text(text);
    for (int k = 0; k < 2; k++) {
      srs_sim *sim =
          sim_with(scene, 1e-3, k == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT, SRS_VELOCITY_TERMS_MEAN);
      const double energy = kinetic_energy(sim);
      step(sim, 1000);
      worst = fmax(worst, fabs(kinetic_energy(sim) / energy - 1));
      const srs_spin_statistics *s = srs_sim_get_spin_statistics(sim);
      assert_true(s->unconverged == 0);
      most = s->iterations_max > most ? s->iterations_max : most;
      iterations += s->iterations, steps += srs_sim_steps(sim);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
  print_message("energy within %.1e of itself; %.2f iterations a step, at most %d\n", worst,
                (double)iterations / (double)steps, most);
  assert_true(worst < 1e-7); // of the scheme 1e-8; the rest is what the roots' momentum takes
}

// ---------------------------------------------------------------------------------------------------------------------
// Heavy tops
// ---------------------------------------------------------------------------------------------------------------------

static const double A = 0.0108, C = 0.0015, MGL = 0.981, TILT = 1.2; // about the point at rest, kg m^2; N m; rad

// The slow steady precession at a tilt: (C (s + p cos) - A p cos) p = m g l.
static double precession(double spin)
{
  const double a = (C - A) * cos(TILT), b = C * spin;
  return 2 * MGL / (b + sqrt(b * b + 4 * a * MGL));
}

static srs_scene *gimbal_top(double spin, double nod_rate)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models:\n  - base: fixed\n    links:\n      - {name: yaw}\n      - {name: pitch}\n"
           "      - {name: wheel, mass: 1, inertia: [0.0008, 0.0008, 0.0015]}\n    joints:\n"
           "      - {name: yaw, kind: continuous, child: yaw, axis: [0, 0, 1]}\n"
           "      - {name: pitch, kind: continuous, parent: yaw, child: pitch, axis: [0, 1, 0]}\n"
           "      - {name: spin, kind: continuous, parent: pitch, child: wheel, axis: [0, 0, 1], origin: {position: "
           "[0, 0, 0.1]}}\n"
           "initial: {q: {pitch: %.17g}, v: {yaw: %.17g, pitch: %.17g, spin: %.17g}}\n",
           TILT, precession(spin), nod_rate, spin);
  return scene_of_text(text);
}

// Nods at nearly C s / A, so by 0.5 A / (C s) to either side, and never more.
static void a_heavy_top_precesses_on_its_gimbal(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double spin = k % 2 == 0 ? 300 : 1000, p = precession(spin);
    const srs_integrator integrator = k < 2 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    srs_scene *scene = gimbal_top(spin, 0.5);
    srs_sim *sim = sim_with(scene, 1e-3, integrator, SRS_VELOCITY_TERMS_MEAN);
    double nod = 0;
    for (int i = 0; i < 10000; i++) {
      step(sim, 1);
      nod = fmax(nod, fabs(srs_sim_q(sim)[1] - TILT));
    }
    const double rate = srs_sim_q(sim)[0] / 10, nods = 0.5 * A / (C * spin);
    print_message("%s, %g rad/s: precession %.7f %+.1e rad/s, nods by %.4f of %.4f rad\n",
                  srs_integrator_name(integrator), spin, p, rate - p, nod, nods);
    assert_true(fabs(rate - p) < 2e-3 * p && nod < 1.1 * nods);
    assert_true(srs_sim_get_spin_statistics(sim)->unresolved == 0);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// The rate at which a top on a ball joint precesses in 2 s.  @param nod  rad, out: how far the tilt changes
static double ball_precession(const srs_scene *scene, double dt, srs_integrator integrator, double *nod)
{
  srs_sim *sim = sim_with(scene, dt, integrator, SRS_VELOCITY_TERMS_MEAN);
  const int frame = srs_model_find_frame(srs_scene_model(scene), "wheel");
  double yaw = 0;
  *nod = 0;
  while (srs_sim_time(sim) < 2 - 0.5 * dt) {
    step(sim, 1);
    srs_pose pose;
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), frame, &pose), SRS_OK);
    yaw += remainder(atan2(pose.rotation[5], pose.rotation[2]) - yaw, 6.283185307179586);
    *nod = fmax(*nod, fabs(acos(pose.rotation[8]) - TILT));
  }
  srs_sim_destroy(sim);
  return yaw / 2;
}

// The same top on a ball joint. Its coordinates turn with the wheel, so the precession is the difference of two rates
// of the wheel's size, and wrong by 6 % at 0.3 rad a step; by a quarter of that with half the step, at the midpoint.
static void a_heavy_top_precesses_on_a_ball(void **state)
{
  (void)state;
  const double spin = 300, p = precession(spin);
  char text[1024];
  snprintf(text, sizeof text,
           "models:\n  - base: fixed\n    links:\n"
           "      - {name: wheel, mass: 1, com: [0, 0, 0.1], inertia: [0.0008, 0.0008, 0.0015]}\n    joints:\n"
           "      - {name: ball, kind: spherical, child: wheel}\n"
           "initial: {q: {ball: [%.17g, 0, %.17g, 0]}, v: {ball: [%.17g, 0, %.17g]}}\n",
           cos(TILT / 2), sin(TILT / 2), -p * sin(TILT), spin + p * cos(TILT));
  srs_scene *scene = scene_of_text(text);
  for (int k = 0; k < 2; k++) {
    const srs_integrator integrator = k == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    double nod[3], off[3];
    for (int i = 0; i < 3; i++) off[i] = ball_precession(scene, ldexp(1e-3, -i), integrator, &nod[i]) - p;
    print_message("%s: precession %.4f %+.1e rad/s, with half the step %+.1e, a quarter %+.1e; nods by %.1e rad\n",
                  srs_integrator_name(integrator), p, off[0], off[1], off[2], nod[0]);
    assert_true(fabs(off[0]) < 0.07 * p && fabs(off[2]) < fabs(off[1]) && nod[0] < 0.02 && nod[2] < nod[0]);
    if (k == 1) assert_true(fabs(off[1] / off[2] - 4) < 0.2);
  }
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// The chain, and what the option and the notes say
// ---------------------------------------------------------------------------------------------------------------------

// Off rk4 after 2 s: the slow chain of the samples is no worse than with c at the start, and of order 2 at the
// midpoint.
static void the_chain_is_as_accurate_as_before(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_source("samples/chain12.yaml"));
  double exact[12], error[2][2];
  for (int k = 0; k < 3; k++) {
    for (int terms = 0; terms < (k == 0 ? 1 : 2); terms++) {
      const srs_integrator integrator = k == 0 ? SRS_RK4 : k == 1 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
      srs_sim *sim = sim_with(scene, k == 0 ? 2e-4 : 1e-3, integrator,
                              terms == 0 ? SRS_VELOCITY_TERMS_MEAN : SRS_VELOCITY_TERMS_START);
      step(sim, k == 0 ? 10000 : 2000);
      if (k == 0)
        memcpy(exact, srs_sim_q(sim), sizeof exact);
      else
        error[k - 1][terms] = distance(srs_sim_q(sim), exact, 12);
      srs_sim_destroy(sim);
    }
  }
  for (int k = 0; k < 2; k++) print_message("mean %.2e, start %.2e rad\n", error[k][0], error[k][1]);
  assert_true(error[0][0] < error[0][1] && error[1][0] < 0.1 * error[1][1]);
  srs_scene_destroy(scene);
}

static void start_takes_the_velocity_of_the_start(void **state)
{
  (void)state;
  srs_scene *scene = gimbal_top(300, 0.5);
  const double tau[3] = {0, 0, 0};
  double a[3];
  srs_sim *sim = sim_with(scene, 1e-3, SRS_SEMI_IMPLICIT_EULER, SRS_VELOCITY_TERMS_START);
  for (int i = 0; i < 10; i++) {
    double v[3];
    memcpy(v, srs_sim_v(sim), sizeof v);
    srs_workspace *w = srs_sim_workspace(sim);
    assert_int_equal(srs_forward_dynamics(w, srs_sim_q(sim), v, tau, NULL, a), SRS_OK);
    step(sim, 1);
    for (int j = 0; j < 3; j++) v[j] += 1e-3 * a[j];
    assert_memory_equal(v, srs_sim_v(sim), sizeof v);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void snapshots_continue_with_the_same_bits(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  for (int drawn = 0; drawn < 10; drawn++) {
    char text[4096];
    draw_rotors(&random, text, sizeof text);
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_of_scene(scene, NULL), *other = sim_of_scene(scene, NULL);
    static double bytes[4096];
    step(sim, 100);
    assert_true(srs_sim_snapshot_size(sim) <= sizeof bytes);
    srs_sim_snapshot_save(sim, bytes);
    step(sim, 100);
    step(other, 3);
    assert_int_equal(srs_sim_snapshot_restore(other, bytes, srs_sim_snapshot_size(sim), NULL), SRS_OK);
    step(other, 100);
    assert_memory_equal(srs_sim_v(sim), srs_sim_v(other),
                        (size_t)srs_model_nv(srs_scene_model(scene)) * sizeof(double));
    srs_sim_destroy(sim);
    srs_sim_destroy(other);
    srs_scene_destroy(scene);
  }
}

static const char fast_ball[] = "gravity: [0, 0, 0]\n"
                                "models:\n"
                                "  - base: floating\n"
                                "    links: [{name: b, mass: 1, inertia: [0.01, 0.02, 0.025]}]\n"
                                "initial: {v: {root: [0, 0, 0, 1, 2, 700]}}\n"
                                "duration: 0.1\n";

static void what_turns_too_far_in_a_step_is_told_once(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(fast_ball);
  srs_sim *sim = sim_of_scene(scene, NULL);
  step(sim, 10);
  const srs_spin_statistics *s = srs_sim_get_spin_statistics(sim);
  assert_true(s->unresolved == 10 && s->unconverged == 0 && s->link == 0 && s->first_time == 0);
  assert_true(fabs(s->speed - 700) < 1 && fabs(s->dt - 0.5 / s->speed) < 1e-12);
  srs_sim_reset(sim);
  assert_true(s->unresolved == 0 && s->speed == 0 && isnan(s->first_time));
  srs_sim_destroy(sim);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.dt = 7e-4;
  sim = sim_of_scene(scene, &options);
  step(sim, 10);
  assert_true(srs_sim_get_spin_statistics(sim)->unresolved == 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  static char command[2048], out[65536], err[65536];
  snprintf(command, sizeof command, "%s run %s", testing_command(), testing_write("fast.yaml", fast_ball));
  assert_int_equal(testing_run(command, out, err), 0);
  const char *note = strstr(err, "link 'b' turns by 0.7 rad in a step, at 700 rad/s");
  assert_non_null(note);
  assert_non_null(strstr(note, "take dt: 0.00071"));
  assert_null(strstr(note + 1, "link 'b'"));
}

// A wheel on a hinge may turn by any angle in a step; what is not round about its hinge may not.
static void a_wheel_is_not_told_but_a_flail_is(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[512];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nmodels:\n  - base: fixed\n    links: [{name: w, mass: 1, com: [%g, 0, 0.1], inertia: "
             "[0.01, %g, 0.015]}]\n    joints: [{name: s, kind: continuous, child: w, axis: [0, 0, 1]}]\n"
             "initial: {v: {s: 900}}\n",
             k == 1 ? 0.01 : 0, k == 2 ? 0.011 : 0.01);
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_of_scene(scene, NULL);
    step(sim, 10);
    assert_int_equal(srs_sim_get_spin_statistics(sim)->unresolved, k == 0 ? 0 : 10);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

static void a_wrong_word_is_refused(void **state)
{
  (void)state;
  static char text[1024];
  srs_scene *scene = NULL;
  srs_error error;
  snprintf(text, sizeof text, "velocity_terms: begin\n%s", fast_ball);
  assert_int_equal(srs_scene_load(testing_write("word.yaml", text), NULL, &scene, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "mean"));
  assert_non_null(strstr(error.message, "start"));
  assert_int_equal(error.line, 1);
  srs_sim_options options = srs_default_sim_options();
  assert_int_equal(options.velocity_terms, SRS_VELOCITY_TERMS_MEAN);
  options.velocity_terms = (srs_velocity_terms)2;
  scene = scene_of_text(fast_ball);
  srs_sim *sim = NULL;
  assert_int_equal(srs_sim_create(srs_scene_model(scene), &options, &sim, &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(srs_velocity_terms_name(SRS_VELOCITY_TERMS_START), "start");
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_satellite_keeps_its_nutation),
      cmocka_unit_test(the_drone_keeps_its_energy),
      cmocka_unit_test(the_tennis_racket_flips_in_time),
      cmocka_unit_test(drawn_rotors_keep_their_energy),
      cmocka_unit_test(a_heavy_top_precesses_on_its_gimbal),
      cmocka_unit_test(a_heavy_top_precesses_on_a_ball),
      cmocka_unit_test(the_chain_is_as_accurate_as_before),
      cmocka_unit_test(start_takes_the_velocity_of_the_start),
      cmocka_unit_test(snapshots_continue_with_the_same_bits),
      cmocka_unit_test(what_turns_too_far_in_a_step_is_told_once),
      cmocka_unit_test(a_wheel_is_not_told_but_a_flail_is),
      cmocka_unit_test(a_wrong_word_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
