// The energy balance: dT + dV = sum of works + rest. Works of small systems against closed forms, works of drawn chains
// against those of rk4, the rest against the order of the scheme; contacts give no energy in any step.
// Under the sanitizers a fifth of the draws (testing_draws).

#include "support/embedded.h"
#include "support/sims.h"

#include <math.h>

static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT,        SRS_IMPLICIT_EULER,
                                             SRS_IMPLICIT_MOREAU,     SRS_GEOMETRICALLY_IMPLICIT, SRS_RK4};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators, WITH_ROWS = INTEGRATORS - 1, MOST = 64 };

static srs_energy_balance balance_of(srs_sim *sim)
{
  srs_energy_balance b;
  assert_int_equal(srs_sim_energy_balance(sim, &b), SRS_OK);
  return b;
}

static srs_sim *sim_with(const srs_scene *scene, srs_integrator integrator, double dt)
{
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = integrator;
  options.dt = dt;
  return sim_of_scene(scene, &options);
}

static srs_energy_balance balance_after(const srs_scene *scene, srs_integrator integrator, double dt, double duration)
{
  srs_sim *sim = sim_with(scene, integrator, dt);
  step(sim, lround(duration / dt));
  const srs_energy_balance b = balance_of(sim);
  srs_sim_destroy(sim);
  return b;
}

static void assert_near(const char *what, srs_integrator integrator, double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%s, %s: %.17g, not %.17g to %.1g", srs_integrator_name(integrator), what, value, expected, tolerance);
}

// ---------------------------------------------------------------------------------------------------------------------
// Small systems
// ---------------------------------------------------------------------------------------------------------------------

static const char ball[] = "models:\n"
                           "  - base: floating\n"
                           "    links: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n"
                           "    shapes: [{kind: sphere, link: b, radius: 0.1}]\n"
                           "environment: [{shape: half-space, name: floor, normal: [0, 0, 1], offset: 0}]\n"
                           "initial: {q: {root.z: 1.1}}\n";

// Explicit and implicit Euler fall h/2 g t farther, and less far, than the parabola; midpoint and rk4 on it.
static void a_falling_ball_leaves_the_schemes_error_alone(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(ball);
  const double h = 1e-3, v = 9.81 * 0.3, kinetic = v * v;
  for (int k = 0; k < INTEGRATORS; k++) {
    if (integrators[k] == SRS_RK4) continue; // it refuses the contact
    const srs_energy_balance b = balance_after(scene, integrators[k], h, 0.3);
    const bool is_mean = integrators[k] == SRS_MOREAU_MIDPOINT || integrators[k] == SRS_IMPLICIT_MOREAU;
    assert_near("kinetic", integrators[k], b.kinetic, kinetic, 1e-12);
    assert_near("rest", integrators[k], b.rest, is_mean ? 0 : -0.5 * h * 2 * 9.81 * v, 1e-12);
    assert_near("gravity", integrators[k], b.gravity, b.rest - kinetic, 1e-12);
    assert_near("works", integrators[k], fabs(b.drives) + fabs(b.contact_normal) + fabs(b.dampers), 0, 0);
  }
  srs_scene_destroy(scene);
}

// Dropped from 1 m: a contact without restitution takes m v^2 / 2; then the ball rests without work.
static void a_ball_that_lands_gives_its_energy_to_the_contact(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(ball);
  for (int k = 0; k < WITH_ROWS; k++) {
    const srs_energy_balance b = balance_after(scene, integrators[k], 1e-3, 1);
    assert_near("contact", integrators[k], b.contact_normal, -2 * 9.81, 0.15); // a step's way at 4.4 m/s
    assert_near("kinetic", integrators[k], b.kinetic, 0, 1e-12);
    assert_near("gravity", integrators[k], b.gravity, -2 * 9.81, 1e-6);
    assert_near("rest", integrators[k], b.rest, 0, 0.15);
  }
  srs_scene_destroy(scene);
}

// A box slides at 3 m/s until friction has stopped it.
static void friction_takes_what_a_sliding_box_has(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("models:\n"
                                   "  - base: floating\n"
                                   "    links: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n"
                                   "    shapes: [{kind: box, link: b, size: [0.4, 0.4, 0.2]}]\n"
                                   "environment: [{shape: half-space, name: floor, normal: [0, 0, 1], offset: 0}]\n"
                                   "initial: {q: {root.z: 0.1}, v: {root.vx: 3}}\n");
  for (int k = 0; k < WITH_ROWS; k++) {
    const srs_energy_balance b = balance_after(scene, integrators[k], 1e-3, 1);
    print_message("%-22s: friction %.9f J of 9, normal %.2e, push-out %.2e, rest %.2e\n",
                  srs_integrator_name(integrators[k]), b.contact_friction, b.contact_normal, b.push_out, b.rest);
    assert_near("friction", integrators[k], b.contact_friction, -9, 1e-6);
    assert_near("normal", integrators[k], b.contact_normal, 0, 1e-6);
    assert_near("rest", integrators[k], b.rest, 0, 1e-6);
  }
  srs_scene_destroy(scene);
}

// One wheel, I = 0.5 kg m^2 about its axis, without gravity, so that nothing but the works changes its energy.
static srs_scene *wheel(const char *joint, double w)
{
  char text[1024];
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\n"
           "models:\n"
           "  - base: fixed\n"
           "    links: [{name: b, mass: 2, inertia: [0.3, 0.3, 0.4]}]\n"
           "    joints: [{name: j, child: b, axis: [0, 0, 1], armature: 0.1, %s}]\n"
           "initial: {v: {j: %g}}\n",
           joint, w);
  return scene_of_text(text);
}

static void a_damper_and_dry_friction_take_what_a_wheel_loses(void **state)
{
  (void)state;
  srs_scene *damped = wheel("kind: continuous, damping: 0.4", 4), *rubbed = wheel("kind: continuous, friction: 1", 4);
  for (int k = 0; k < INTEGRATORS; k++) {
    srs_energy_balance b = balance_after(damped, integrators[k], 1e-3, 1);
    assert_near("damper", integrators[k], b.dampers, 4 * (exp(-1.6) - 1), 2e-3);
    assert_near("rest", integrators[k], b.rest, 0, 1e-12);
    if (integrators[k] == SRS_RK4) continue;
    b = balance_after(rubbed, integrators[k], 1e-3, 3);
    assert_near("dry friction", integrators[k], b.dry_friction, -4, 1e-12);
    assert_near("rest", integrators[k], b.rest, 0, 1e-12);
  }
  srs_scene_destroy(damped);
  srs_scene_destroy(rubbed);
}

// e = 0.5: the limit takes 3/4 of the energy.
static void a_limit_takes_what_does_not_come_back(void **state)
{
  (void)state;
  srs_scene *scene = wheel("kind: revolute, lower: -1, upper: 1", 4);
  for (int k = 0; k < WITH_ROWS; k++) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = integrators[k];
    options.joint.restitution = 0.5;
    srs_sim *sim = sim_of_scene(scene, &options);
    step(sim, 500);
    const srs_energy_balance b = balance_of(sim);
    assert_near("limit", integrators[k], b.limits, -3, 1e-12);
    assert_near("push-out", integrators[k], b.push_out, 0, 1e-12);
    assert_near("rest", integrators[k], b.rest, 0, 1e-12);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// A start beyond a limit is led back: by how much the speed asked for gains energy, and that alone, is push-out.
static void leading_back_is_push_out(void **state)
{
  (void)state;
  srs_scene *scene = wheel("kind: revolute, lower: -1, upper: 1", 0);
  for (int k = 0; k < WITH_ROWS; k++) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = integrators[k];
    options.joint.projection = false;
    srs_sim *sim = sim_of_scene(scene, &options);
    const double q = 1.002;
    assert_int_equal(srs_sim_set_state(sim, 0, &q, NULL, NULL), SRS_OK);
    step(sim, 1);
    const srs_energy_balance b = balance_of(sim);
    assert_near("push-out", integrators[k], b.push_out, b.kinetic, 1e-12);
    assert_near("limit", integrators[k], b.limits, 0, 1e-12);
    assert_true(b.kinetic > 1e-3);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// With and without an effort limit, so that the servo is also a row.
static void a_servo_gives_what_a_wheel_gains(void **state)
{
  (void)state;
  static const char *const joints[2] = {"kind: continuous", "kind: continuous, max_effort: 3, max_velocity: 2"};
  for (int limited = 0; limited < 2; limited++) {
    srs_scene *scene = wheel(joints[limited], 0);
    for (int k = 0; k < INTEGRATORS; k++) {
      srs_sim *sim = sim_with(scene, integrators[k], 1e-3);
      const double q_ref = 1, v_ref = 0, kp = 100, kd = 2, torque = 0.2;
      assert_int_equal(srs_sim_set_servo(sim, &q_ref, &v_ref, &kp, &kd, NULL), SRS_OK);
      assert_int_equal(srs_sim_set_torque(sim, &torque, NULL), SRS_OK);
      step(sim, 230);
      const srs_energy_balance b = balance_of(sim);
      assert_true(fabs(b.kinetic) > 1e-3);
      assert_near("drives", integrators[k], b.drives, b.kinetic, integrators[k] == SRS_RK4 ? 1e-4 : 1e-12);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
}

// 3 N over the way, and 0.5 N m over the angle.
static void a_wrench_gives_force_times_way(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("gravity: [0, 0, 0]\n"
                                   "models: [{base: floating, links: [{name: b, mass: 2, inertia: [1, 1, 1]}]}]\n");
  for (int k = 0; k < INTEGRATORS; k++) {
    srs_sim *sim = sim_with(scene, integrators[k], 1e-3);
    const double wrench[6] = {0, 0, 0.5, 0, 0, 3};
    const int frame = srs_model_find_frame(srs_sim_model(sim), "b");
    assert_int_equal(srs_sim_set_wrench(sim, frame, SRS_AXES_WORLD, wrench, NULL), SRS_OK);
    step(sim, 1000);
    const srs_energy_balance b = balance_of(sim);
    assert_near("wrench", integrators[k], b.drives, 9.0 / 4 + 0.125, 1e-10);
    assert_near("rest", integrators[k], b.rest, 0, 1e-10);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest is of the scheme's order
// ---------------------------------------------------------------------------------------------------------------------

static void assert_order(const char *what, const srs_scene *scene, double duration, int k, int order)
{
  const double whole = fabs(balance_after(scene, integrators[k], 1e-3, duration).rest);
  const double half = fabs(balance_after(scene, integrators[k], 5e-4, duration).rest);
  print_message("%s, %-22s: rest %.3e, %.3e J with half the step\n", what, srs_integrator_name(integrators[k]), whole,
                half);
  assert_true(half < 1.3 * pow(0.5, order) * whole + 1e-11);
}

static const int orders[INTEGRATORS] = {1, 1, 1, 2, 1, 4};

static void what_a_chain_leaves_over_is_of_the_order_of_its_scheme(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_source("samples/chain12.yaml"));
  for (int k = 0; k < INTEGRATORS; k++) assert_order("12 links", scene, 0.4, k, orders[k]);
  srs_scene_destroy(scene);
}

static void so_is_that_of_loops_and_motions(void **state)
{
  (void)state;
  static const char *const files[] = {"samples/four_bar.yaml", "samples/slider_crank.yaml", "samples/delta.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    srs_scene *scene = scene_of_file(testing_source(files[i]));
    for (int k = 0; k < WITH_ROWS; k++) assert_order(files[i], scene, 0.2, k, 1);
    srs_scene_destroy(scene);
  }
}

// Torques and dampers on the joints of loops, which are rows, or embedded. At both steps the velocity terms are found
// in the same way (step/mean_velocity.c: trees that turn by more than 0.02 rad a step are iterated, with a smaller
// error).
static void so_is_that_of_embedded_loops(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof embedded_mechanisms / sizeof *embedded_mechanisms; i++) {
    for (int k = 0; k < 4; k++) {
      double rest[2];
      srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
      for (int halves = 0; halves < 2; halves++) {
        srs_sim *sim = sim_with(scene, integrators[k], halves ? 2.5e-4 : 5e-4);
        double tau[MOST] = {0};
        for (int c = 0; c < srs_model_nv(srs_sim_model(sim)); c++) tau[c] = 0.2 * (c % 3 - 1);
        assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
        step(sim, halves ? 400 : 200);
        const srs_energy_balance b = balance_of(sim);
        assert_true(b.loops == 0 && b.drives != 0);
        rest[halves] = fabs(b.rest);
        srs_sim_destroy(sim);
      }
      print_message("%s, %s: rest %.3e, %.3e J with half the step\n", embedded_mechanisms[i].name,
                    srs_integrator_name(integrators[k]), rest[0], rest[1]);
      assert_true(rest[1] < 0.65 * rest[0] + 1e-7);
      srs_scene_destroy(scene);
    }
  }
}

// Spring, damper, friction and rotor of the joint that closes a four-bar linkage.
static void so_is_that_of_loop_joints(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(
      "models:\n"
      "  - base: fixed\n"
      "    links: [{name: a, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}, {name: b, mass: 1, com: [0.15, "
      "0, "
      "0], inertia: [0.01, 0.01, 0.01]}, {name: c, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}]\n"
      "    joints:\n"
      "      - {name: ja, kind: continuous, child: a, axis: [0, 1, 0]}\n"
      "      - {name: jb, kind: continuous, parent: a, child: b, axis: [0, 1, 0], origin: {position: [0.2, 0, 0]}}\n"
      "      - {name: jc, kind: continuous, child: c, axis: [0, 1, 0], origin: {position: [0.3, 0, 0]}}\n"
      "    closures: [{name: l, kind: revolute, frame_a: b, frame_b: c, pose_a: {position: [0.3, 0, 0]}, pose_b: "
      "{position: [0.2, 0, 0]}, axis: [0, 1, 0], damping: 0.02, stiffness: 0.5, armature: 0.01, friction: 0.05}]\n"
      "initial: {q: {ja: -1, jb: 1, jc: -1}, v: {ja: 3}}\n");
  for (int k = 0; k < WITH_ROWS; k++) {
    const srs_energy_balance b = balance_after(scene, integrators[k], 1e-3, 0.3);
    assert_true(b.dry_friction < -1e-3 && b.loop_joints < -1e-3 && b.loops == 0);
    assert_order("loop joint", scene, 0.3, k, 1);
  }
  srs_scene_destroy(scene);
}

// Steps that do not converge in four iterations are split: their works add up.
static void works_of_split_steps_add_up(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_source("samples/double_pendulum.yaml"));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = SRS_IMPLICIT_MOREAU;
  options.dt = 0.01;
  options.implicit.iterations = 4;
  srs_sim *sim = sim_of_scene(scene, &options);
  const double torque[2] = {2, -1};
  assert_int_equal(srs_sim_set_torque(sim, torque, NULL), SRS_OK);
  const double q0 = srs_sim_q(sim)[0], q1 = srs_sim_q(sim)[1];
  step(sim, 200);
  const long halved = srs_sim_get_implicit_statistics(sim)->halved;
  const srs_energy_balance b = balance_of(sim);
  print_message("%ld of 200 steps split; drives %.6g J, rest %.2g J\n", halved, b.drives, b.rest);
  assert_true(halved > 20);
  const double given = torque[0] * (srs_sim_q(sim)[0] - q0) + torque[1] * (srs_sim_q(sim)[1] - q1);
  assert_true(fabs(b.drives - given) < 1e-9 * (1 + fabs(given))); // q moves with the mean velocity
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawn chains, with the works of rk4
// ---------------------------------------------------------------------------------------------------------------------

static void draw_chain(testing_random *random, char *text, size_t size)
{
  const int n = 1 + testing_below(random, 6);
  int at = snprintf(text, size, "models:\n  - base: %s\n    links:\n", testing_below(random, 2) ? "fixed" : "floating");
  for (int i = 0; i <= n; i++)
    at += snprintf(text + at, size - (size_t)at,
                   "      - {name: l%d, mass: %.3f, com: [0.1, 0.02, 0], inertia: [%.4f, "
                   "0.02, 0.025]}\n",
                   i, testing_uniform(random, 0.5, 2), testing_uniform(random, 0.01, 0.03));
  at += snprintf(text + at, size - (size_t)at, "    joints:\n");
  for (int i = 0; i < n; i++)
    at +=
        snprintf(text + at, size - (size_t)at,
                 "      - {name: j%d, kind: continuous, parent: l%d, child: l%d, axis: [%.3f, 1, 0.2], damping: %.3f, "
                 "stiffness: %.3f, reference: 0.3, armature: %.3f, origin: {position: [0.25, 0, 0]}}\n",
                 i, i, i + 1, testing_uniform(random, -1, 1), testing_uniform(random, 0, 0.1),
                 testing_uniform(random, 0, 3), testing_uniform(random, 0, 0.02));
}

static void drive(testing_random *random, srs_sim *sim)
{
  const int nq = srs_model_nq(srs_sim_model(sim)), nv = srs_model_nv(srs_sim_model(sim)), root = nq - nv > 0 ? 6 : 0;
  double v[MOST], tau[MOST] = {0}, q_ref[MOST], zero[MOST] = {0}, kp[MOST] = {0}, kd[MOST] = {0};
  memcpy(q_ref, srs_sim_q(sim), (size_t)nq * sizeof *q_ref);
  for (int i = 0; i < nv; i++) {
    v[i] = testing_uniform(random, -2, 2);
    if (i < root) continue;
    tau[i] = testing_uniform(random, -1, 1);
    kp[i] = testing_uniform(random, 0, 5), kd[i] = testing_uniform(random, 0, 0.1);
  }
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_servo(sim, q_ref, zero, kp, kd, NULL), SRS_OK);
  const double wrench[6] = {0.1, 0, 0.2, 1, 2, 0};
  const int frame = srs_model_find_frame(srs_sim_model(sim), "l1");
  assert_int_equal(srs_sim_set_wrench(sim, frame, SRS_AXES_WORLD, wrench, NULL), SRS_OK);
}

static void drawn_chains_agree_with_runge_kutta(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2101);
  double worst[INTEGRATORS] = {0};
  for (int drawn = 0; drawn < testing_draws(30); drawn++) {
    char text[4096];
    draw_chain(&random, text, sizeof text);
    srs_scene *scene = scene_of_text(text);
    const testing_random drive_seed = random;
    srs_energy_balance exact = {0};
    for (int k = INTEGRATORS - 1; k >= 0; k--) {
      srs_sim *sim = sim_with(scene, integrators[k], 1e-4);
      testing_random same = drive_seed;
      drive(&same, sim);
      step(sim, 3000);
      const srs_energy_balance b = balance_of(sim);
      const double scale = 1 + fabs(b.kinetic) + fabs(b.drives) + fabs(b.dampers) + fabs(b.gravity);
      if (k == INTEGRATORS - 1) {
        exact = b;
        assert_true(fabs(b.rest) < 1e-8 * scale);
      }
      worst[k] = fmax(worst[k], fmax(fabs(b.drives - exact.drives), fabs(b.dampers - exact.dampers)) / scale);
      worst[k] = fmax(worst[k], fabs(b.rest) / scale);
      random = same;
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
  for (int k = 0; k < INTEGRATORS; k++)
    print_message("%-22s: works within %.1e of rk4's\n", srs_integrator_name(integrators[k]), worst[k]);
  for (int k = 0; k < INTEGRATORS; k++) assert_true(worst[k] < 5e-3);
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts give nothing
// ---------------------------------------------------------------------------------------------------------------------

enum { ARMS = 3 };

// Bodies fall in a heap, spinning, and collide with each other, the floor and a wall; with arms, they carry chains of
// links whose hinges run into their limits.
static void draw_heap(testing_random *random, bool is_smooth, bool has_arms, char *text, size_t size)
{
  static const char *const shapes[] = {"kind: sphere, radius: 0.1", "kind: box, size: [0.2, 0.15, 0.25]"};
  const int n = 1 + testing_below(random, has_arms ? 2 : 4);
  const double e = is_smooth ? 0 : testing_uniform(random, 0, 0.95);
  char links[2048] = "", joints[4096] = "", bodies[2048] = "", q[512] = "", v[1024] = "";
  for (int i = 0; i < n; i++) {
    const char *comma = i > 0 ? ", " : "";
    sprintf(links + strlen(links), "%s{name: b%d, mass: %.3f, inertia: [0.02, 0.025, 0.03]}", comma, i,
            testing_uniform(random, 0.5, 3));
    sprintf(joints + strlen(joints), "%s{name: f%d, kind: free, child: b%d}", comma, i, i);
    sprintf(bodies + strlen(bodies), "%s{link: b%d, %s}", comma, i, shapes[testing_below(random, is_smooth ? 1 : 2)]);
    for (int k = 0; k < (has_arms ? ARMS : 0); k++) {
      sprintf(links + strlen(links), ", {name: a%d%d, mass: %.3f, inertia: [0.004, 0.004, 0.001]}", i, k,
              testing_uniform(random, 0.3, 1));
      sprintf(joints + strlen(joints),
              ", {name: h%d%d, kind: revolute, parent: %c%d%.*d, child: a%d%d, axis: [%s], lower: -0.5, upper: 0.6, "
              "origin: {position: [0, 0, -0.2]}}",
              i, k, k > 0 ? 'a' : 'b', i, k > 0, k > 0 ? k - 1 : 0, i, k, k % 2 > 0 ? "1, 0, 0" : "0, 1, 0");
      sprintf(bodies + strlen(bodies), ", {link: a%d%d, kind: sphere, radius: 0.04}", i, k);
    }
    sprintf(q + strlen(q), "%sf%d.z: %.3f, f%d.x: %.3f", comma, i, (has_arms ? 0.8 : 0.25) + 0.35 * i, i,
            testing_uniform(random, -0.05, 0.05));
    sprintf(v + strlen(v), "%sf%d: [", comma, i);
    for (int c = 0; c < 6; c++) sprintf(v + strlen(v), "%s%.3f", c > 0 ? ", " : "", testing_uniform(random, -3, 3));
    strcat(v, "]");
  }
  snprintf(text, size,
           "contact: {friction: %.3f, restitution: %.3f}\n"
           "environment: [{shape: half-space, name: floor, normal: [0, 0, 1], offset: 0}, {shape: half-space, name: "
           "wall, normal: [1, 0, 0.3], offset: -0.4}]\n"
           "models:\n"
           "  - {name: m, base: fixed, links: [%s], joints: [%s], shapes: [%s]}\n"
           "initial: {q: {%s}, v: {%s}}\n",
           testing_uniform(random, 0, 1), e, links, joints, bodies, q, v);
}

static void contacts_give_no_energy_in_any_step(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2102);
  double worst[WITH_ROWS] = {0};
  long contacts = 0;
  for (int drawn = 0; drawn < 24; drawn++) {
    char text[16384];
    draw_heap(&random, drawn % 3 == 0, drawn % 4 == 3, text, sizeof text);
    srs_scene *scene = scene_of_text(text);
    for (int k = 0; k < WITH_ROWS; k++) {
      srs_sim_options options = srs_scene_get_settings(scene)->sim;
      options.integrator = integrators[k];
      srs_sim *sim = NULL;
      if (srs_scene_create_sim(scene, &options, &sim, NULL) != SRS_OK) continue;
      double before = 0;
      const double scale = fabs(total_energy(sim));
      for (int s = 0; s < (drawn % 4 == 3 ? 1500 : 400); s++) {
        if (srs_sim_step(sim, 1, NULL) != SRS_OK) break; // an implicit step that does not converge
        const srs_energy_balance b = balance_of(sim);
        const double given = b.contact_normal + b.contact_friction - before;
        worst[k] = fmax(worst[k], given / scale);
        before = b.contact_normal + b.contact_friction;
        int n;
        srs_sim_contacts(sim, &n);
        contacts += n;
      }
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
  print_message("%ld contacts\n", contacts);
  for (int k = 0; k < WITH_ROWS; k++)
    print_message("%-22s: contacts give at most %.1e of the energy in a step\n", srs_integrator_name(integrators[k]),
                  worst[k]);
  assert_true(contacts > 10000);
  // Implicit iterations end when no velocity changes by more than 1e-10.
  for (int k = 0; k < WITH_ROWS; k++)
    assert_true(worst[k] <
                (integrators[k] == SRS_IMPLICIT_EULER || integrators[k] == SRS_IMPLICIT_MOREAU ? 1e-8 : 1e-12));
}

// Newton's law of impact adds 497 J to 408 J in the pendulum's first impact (docs/contact.md): the contact's own work.
static void the_energy_that_newtons_law_makes_is_the_contacts(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_source("samples/pendulum12.yaml"));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  for (int newton = 0; newton < 2; newton++) {
    options.contact.impact = newton ? SRS_IMPACT_NEWTON : SRS_IMPACT_TWO_PHASE;
    srs_sim *sim = sim_of_scene(scene, &options);
    step(sim, 156);
    const double before = kinetic_energy(sim);
    assert_true(balance_of(sim).contact_normal == 0);
    step(sim, 1);
    const srs_energy_balance b = balance_of(sim);
    const double gained = kinetic_energy(sim) - before, given = b.contact_normal + b.contact_friction;
    print_message("%s: %.2f J have become %.2f J, contacts gave %.2f J\n", newton ? "newton" : "two-phase", before,
                  before + gained, given);
    assert_true(newton ? given > 400 : given < 0);
    assert_true(fabs(given - gained) < 0.03 * before); // a millisecond of gravity and velocity terms
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// State and command
// ---------------------------------------------------------------------------------------------------------------------

static void snapshots_hold_the_balance_and_a_new_state_starts_it_anew(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_file(testing_source("samples/pendulum12.yaml"));
  srs_sim *sim = sim_of_scene(scene, NULL), *other = sim_of_scene(scene, NULL);
  step(sim, 300);
  static double bytes[8192];
  const size_t size = srs_sim_snapshot_size(sim);
  assert_true(size <= sizeof bytes);
  srs_sim_snapshot_save(sim, bytes);
  step(sim, 200);
  assert_int_equal(srs_sim_snapshot_restore(other, bytes, size, NULL), SRS_OK);
  step(other, 200);
  srs_energy_balance a = balance_of(sim), b = balance_of(other);
  assert_memory_equal(&a, &b, sizeof a);
  assert_true(a.contact_normal < -1);
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, srs_sim_v(other), NULL), SRS_OK);
  a = balance_of(sim);
  assert_true(a.contact_normal == 0 && a.kinetic == 0 && a.gravity == 0 && a.rest == 0);
  srs_sim_reset(other);
  assert_int_equal(
      srs_sim_set_state(other, 0, srs_scene_get_settings(scene)->q, srs_scene_get_settings(scene)->v, NULL), SRS_OK);
  b = balance_of(other);
  assert_true(b.contact_normal == 0 && b.kinetic == 0 && b.rest == 0);
  assert_int_equal(srs_sim_energy_balance(NULL, &b), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_energy_balance(sim, NULL), SRS_ERROR_ARGUMENT);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  assert_true(options.energy_balance && !srs_default_sim_options().energy_balance);
  options.energy_balance = false;
  srs_sim *without = sim_of_scene(scene, &options);
  step(without, 300);
  step(other, 300);
  assert_int_equal(srs_sim_energy_balance(without, &b), SRS_ERROR_UNSUPPORTED);
  assert_memory_equal(srs_sim_q(without), srs_sim_q(other), 12 * sizeof(double));
  srs_sim_destroy(without);
  srs_sim_destroy(sim);
  srs_sim_destroy(other);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_falling_ball_leaves_the_schemes_error_alone),
      cmocka_unit_test(a_ball_that_lands_gives_its_energy_to_the_contact),
      cmocka_unit_test(friction_takes_what_a_sliding_box_has),
      cmocka_unit_test(a_damper_and_dry_friction_take_what_a_wheel_loses),
      cmocka_unit_test(a_limit_takes_what_does_not_come_back),
      cmocka_unit_test(leading_back_is_push_out),
      cmocka_unit_test(a_servo_gives_what_a_wheel_gains),
      cmocka_unit_test(a_wrench_gives_force_times_way),
      cmocka_unit_test(what_a_chain_leaves_over_is_of_the_order_of_its_scheme),
      cmocka_unit_test(so_is_that_of_loops_and_motions),
      cmocka_unit_test(so_is_that_of_embedded_loops),
      cmocka_unit_test(so_is_that_of_loop_joints),
      cmocka_unit_test(works_of_split_steps_add_up),
      cmocka_unit_test(drawn_chains_agree_with_runge_kutta),
      cmocka_unit_test(contacts_give_no_energy_in_any_step),
      cmocka_unit_test(the_energy_that_newtons_law_makes_is_the_contacts),
      cmocka_unit_test(snapshots_hold_the_balance_and_a_new_state_starts_it_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
