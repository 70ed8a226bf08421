// Dampers and servos that are stiff for the step decay without ringing in every integrator but rk4, which takes them as
// they stand; where they are mild the midpoint schemes keep order 2 and the energy of springs.

#include "support/inside_sim.h"
#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                             SRS_IMPLICIT_MOREAU, SRS_GEOMETRICALLY_IMPLICIT};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators, MOST = 32 };

static double drawn(testing_random *random, double low, double high)
{
  return pow(10, testing_uniform(random, low, high));
}

// ---------------------------------------------------------------------------------------------------------------------
// One joint
// ---------------------------------------------------------------------------------------------------------------------

// A wheel on a fixed axis, without gravity.
static srs_scene *wheel(double inertia, double damping, double max_effort)
{
  char text[512], limit[64] = "";
  if (isfinite(max_effort)) snprintf(limit, sizeof limit, ", max_effort: %.17g", max_effort);
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\nmodels:\n  - name: m\n    links: [{name: d, mass: 1, inertia: [%.17g, %.17g, %.17g]}]\n"
           "    joints: [{name: h, kind: revolute, axis: [0, 0, 1], child: d, damping: %.17g%s}]\n",
           inertia, inertia, inertia, damping, limit);
  return scene_of_text(text);
}

static srs_sim *sim_with(const srs_scene *scene, srs_integrator integrator, double dt)
{
  srs_sim_options o = srs_scene_get_settings(scene)->sim;
  o.integrator = integrator;
  if (dt > 0) o.dt = dt;
  return sim_of_scene(scene, &o);
}

static void servo(srs_sim *sim, double target, double kp, double kd)
{
  double q[MOST], v[MOST] = {0}, p[MOST], d[MOST];
  for (int i = 0; i < MOST; i++) q[i] = target, p[i] = kp, d[i] = kd;
  assert_int_equal(srs_sim_set_servo(sim, q, v, p, d, NULL), SRS_OK);
}

// The rate falls and keeps its sign.
static void decays(srs_sim *sim, int steps)
{
  double last = srs_sim_v(sim)[0];
  for (int n = 0; n < steps; n++) {
    step(sim, 1);
    const double v = srs_sim_v(sim)[0];
    assert_true(v >= 0 && v <= last);
    last = v;
  }
}

// The error from the target falls and keeps its sign, but for rounding.
static void settles(srs_sim *sim, double target, int steps)
{
  double last = target - srs_sim_q(sim)[0];
  const double rounding = 1e-13 * fabs(target);
  for (int n = 0; n < steps; n++) {
    step(sim, 1);
    const double error = target - srs_sim_q(sim)[0];
    assert_true(error >= -rounding && error <= last + rounding);
    last = error;
  }
}

static void the_cases_settle(void **state)
{
  (void)state;
  srs_scene *damper = scene_of_file(testing_data("cases/stiff_damper.yaml"));
  srs_scene *driven = scene_of_file(testing_data("cases/stiff_servo.yaml"));
  for (int k = 0; k < INTEGRATORS; k++) {
    srs_sim *sim = sim_with(damper, integrators[k], 0);
    step(sim, 1);
    const double first = srs_sim_v(sim)[0];
    decays(sim, 19);
    srs_sim_destroy(sim);
    sim = sim_with(driven, integrators[k], 0);
    settles(sim, 1, 300);
    print_message("%-22s: 10 -> %.3g rad/s in a step; at %.17g of 1 rad in the end\n",
                  srs_integrator_name(integrators[k]), first, srs_sim_q(sim)[0]);
    assert_true(first >= 0 && first < 0.05);
    assert_true(fabs(srs_sim_q(sim)[0] - 1) < 1e-12);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(damper);
  srs_scene_destroy(driven);
}

static void drawn_dampers_decay(void **state)
{
  (void)state;
  testing_random random = testing_random_start(701);
  for (int trial = 0; trial < 200; trial++) {
    const double inertia = drawn(&random, -6, 3), dt = drawn(&random, -5, -1), z = drawn(&random, -3, 9);
    srs_scene *scene = wheel(inertia, z * inertia / dt, INFINITY);
    srs_sim *sim = sim_with(scene, integrators[trial % INTEGRATORS], dt);
    const double v0 = drawn(&random, -3, 3);
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, &v0, NULL), SRS_OK);
    decays(sim, 50);
    // An exact decay goes on for v I / d; no scheme goes further than the step takes it at that speed.
    assert_true(srs_sim_q(sim)[0] <= v0 * (dt / z) * (1 + z) * (1 + 1e-12));
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// Gains of critical damping and beyond, for steps from far shorter to far longer than the servo's period; a third of
// them with an effort limit, which some exceed.
static void drawn_servos_settle(void **state)
{
  (void)state;
  testing_random random = testing_random_start(702);
  for (int trial = 0; trial < 300; trial++) {
    const double inertia = drawn(&random, -6, 3), dt = drawn(&random, -5, -1), y = drawn(&random, -2, 5);
    const double kp = y * y * inertia / (dt * dt), ratio = trial % 2 == 0 ? 1 : drawn(&random, 0, 3);
    const double kd = 2 * ratio * sqrt(kp * inertia);
    const double limit = trial % 3 == 0 ? kp * drawn(&random, -2, 1) : INFINITY;
    srs_scene *scene = wheel(inertia, 0, limit);
    srs_sim *sim = sim_with(scene, integrators[trial % INTEGRATORS], dt);
    servo(sim, 1, kp, kd);
    if (isfinite(limit)) {
      // Saturated servos brake too late to keep the sign; they must not go on swinging.
      step(sim, 20000);
      const double left = fabs(srs_sim_q(sim)[0] - 1) + fabs(dt * srs_sim_v(sim)[0]);
      if (y > 0.1 && ratio < 10) assert_true(left < 1e-6);
    } else {
      settles(sim, 1, 100);
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// A spring alone that the step cannot follow: it comes to rest, under the midpoint schemes too.
static void drawn_springs_come_to_rest(void **state)
{
  (void)state;
  testing_random random = testing_random_start(703);
  for (int trial = 0; trial < 100; trial++) {
    const double inertia = drawn(&random, -6, 3), dt = drawn(&random, -5, -1), y = 2.5 * drawn(&random, 0, 5);
    srs_scene *scene = wheel(inertia, 0, INFINITY);
    srs_sim *sim = sim_with(scene, integrators[trial % INTEGRATORS], dt);
    servo(sim, 1, y * y * inertia / (dt * dt), 0);
    step(sim, 200);
    assert_true(fabs(srs_sim_q(sim)[0] - 1) < 1e-9);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// A servo whose target lies beyond a position limit: the coordinate arrives at the limit and stays there.
static void drawn_servos_stop_at_a_limit(void **state)
{
  (void)state;
  testing_random random = testing_random_start(708);
  for (int trial = 0; trial < 100; trial++) {
    const double inertia = drawn(&random, -4, 2), dt = drawn(&random, -4, -2), y = drawn(&random, -1, 4);
    char text[512];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, 0]\nmodels:\n  - name: m\n    links: [{name: d, mass: 1, inertia: [%.17g, %.17g, %.17g]}]\n"
        "    joints: [{name: h, kind: revolute, axis: [0, 0, 1], child: d, lower: -1, upper: 0.7}]\n",
        inertia, inertia, inertia);
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_with(scene, integrators[trial % 4], dt);
    const double kp = y * y * inertia / (dt * dt);
    servo(sim, 1, kp, 2 * sqrt(kp * inertia) * drawn(&random, 0, 1));
    double beyond = 0;
    for (int n = 0; n < 2000; n++) {
      step(sim, 1);
      beyond = fmax(beyond, srs_sim_q(sim)[0] - 0.7);
    }
    assert_true(beyond < 1e-12);
    assert_true(fabs(srs_sim_q(sim)[0] - 0.7) < 1e-12 && fabs(srs_sim_v(sim)[0]) * dt < 1e-12);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Mild gains
// ---------------------------------------------------------------------------------------------------------------------

// A mode of 23 Hz at 1 ms: how its frequency and its amplitude come out.
static void a_mode_of_23_hertz(void **state)
{
  (void)state;
  const double omega = 2 * acos(-1) * 23, dt = 1e-3;
  for (int k = 0; k <= INTEGRATORS; k++) {
    const srs_integrator integrator = k < INTEGRATORS ? integrators[k] : SRS_RK4;
    srs_scene *scene = wheel(1, 0, INFINITY);
    srs_sim *sim = sim_with(scene, integrator, dt);
    servo(sim, 0, omega * omega, 0);
    const double q0 = 1;
    assert_int_equal(srs_sim_set_state(sim, 0, &q0, NULL, NULL), SRS_OK);
    double crossed[2] = {0};
    int crossings = 0;
    for (int n = 0; n < 2000; n++) {
      const double q = srs_sim_q(sim)[0], t = srs_sim_time(sim);
      step(sim, 1);
      const double next = srs_sim_q(sim)[0];
      if (!(q > 0 && next <= 0)) continue;
      crossed[crossings > 0] = t + dt * q / (q - next);
      crossings++;
    }
    const double v = srs_sim_v(sim)[0], q = srs_sim_q(sim)[0], energy = (v * v / (omega * omega)) + q * q;
    print_message("%-22s: %.4f Hz, amplitude %.4g after 2 s, energy off by %.1e\n", srs_integrator_name(integrator),
                  (crossings - 1) / (crossed[1] - crossed[0]), sqrt(energy), fabs(energy - 1));
    const bool is_midpoint = integrator == SRS_MOREAU_MIDPOINT || integrator == SRS_IMPLICIT_MOREAU;
    assert_true(is_midpoint ? fabs(energy - 1) < 1e-10 : integrator == SRS_RK4 ? energy > 0.99 : energy < 1e-6);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

static void end_of(const srs_model *model, srs_integrator integrator, double dt, const double *q0, const double *v0,
                   double *v_end)
{
  srs_sim_options o = srs_default_sim_options();
  o.integrator = integrator, o.dt = dt;
  o.implicit.tolerance = 1e-13;
  o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
  srs_sim *sim = sim_of_model(model, &o);
  assert_int_equal(srs_sim_set_state(sim, 0, q0, v0, NULL), SRS_OK);
  servo(sim, 0.2, 40, 2);
  step(sim, lround(0.25 / dt));
  memcpy(v_end, srs_sim_v(sim), (size_t)srs_model_nv(model) * sizeof *v_end);
  srs_sim_destroy(sim);
}

static double apart(const double *a, const double *b, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void mild_gains_have_order_two(void **state)
{
  (void)state;
  testing_random random = testing_random_start(704);
  static const srs_joint_kind kinds[2] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC};
  for (int trial = 0; trial < 3; trial++) {
    srs_model *model = testing_random_model(&random, 5, kinds, 2, 0.7);
    const int nv = srs_model_nv(model);
    double q0[MOST], v0[MOST], exact[MOST], end[MOST], error[2];
    testing_random_q(&random, model, q0);
    testing_random_v(&random, model, 1, v0);
    end_of(model, SRS_RK4, 2e-5, q0, v0, exact);
    for (int i = 0; i < 2; i++) {
      end_of(model, SRS_IMPLICIT_MOREAU, 5e-4 / (1 + i), q0, v0, end);
      error[i] = apart(end, exact, nv);
    }
    print_message("implicit-moreau, servos on 5 joints: %.3e, half the step %.3e: ratio %.3f\n", error[0], error[1],
                  error[0] / error[1]);
    assert_true(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
    srs_model_destroy(model);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Chains
// ---------------------------------------------------------------------------------------------------------------------

static double product(const double *M, const double *x, const double *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += M[i * n + j] * x[i] * y[j];
  return sum;
}

// Dampers of any stiffness on all joints of a tree, at rates so low that velocity terms do not matter. In the product
// of M + h Theta D the step is symmetric, and it has no negative factor: v . v+ >= 0 there. Kinetic energy falls.
static void drawn_trees_of_dampers_decay(void **state)
{
  (void)state;
  testing_random random = testing_random_start(705);
  static const srs_joint_kind kinds[2] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC};
  enum { N = 8 };
  double most = 0;
  for (int trial = 0; trial < 60; trial++) {
    srs_model *model = testing_random_model(&random, N, kinds, 2, testing_uniform(&random, 0, 1));
    srs_sim_options o = srs_default_sim_options();
    o.integrator = integrators[trial % INTEGRATORS];
    o.dt = drawn(&random, -4, -2);
    o.gravity[2] = 0;
    o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
    srs_sim *sim = sim_of_model(model, &o);
    double q[N], v[N], zero[N] = {0}, kd[N], M[N * N];
    testing_random_q(&random, model, q);
    testing_random_v(&random, model, 1e-7, v);
    for (int i = 0; i < N; i++) kd[i] = drawn(&random, -4, 7);
    assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_servo(sim, q, zero, zero, kd, NULL), SRS_OK);
    const bool is_mean = sim->integrator->traits.is_mean;
    for (int n = 0; n < 30; n++) {
      memcpy(v, srs_sim_v(sim), sizeof v);
      step(sim, 1);
      const double *after = srs_sim_v(sim);
      assert_int_equal(srs_mass_matrix(srs_sim_workspace(sim), srs_sim_q(sim), M), SRS_OK);
      const double energy = product(M, v, v, N), energy_after = product(M, after, after, N);
      assert_true(energy_after <= energy * (1 + 1e-6) + 1e-40);
      for (int i = 0; i < N; i++) {
        const double theta = !is_mean ? 1 : sim->step.theta != NULL ? sim->step.theta[i] : 0.5;
        M[i * N + i] += o.dt * theta * (kd[i] + srs_model_damping(model)[i]);
        if (is_mean) most = fmax(most, theta);
      }
      assert_true(product(M, v, after, N) >= -1e-6 * sqrt(product(M, v, v, N) * product(M, after, after, N)));
    }
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  print_message("largest theta %.9g\n", most);
  assert_true(most > 0.99);
}

// Servos on every joint, far from their targets, against gravity: they arrive and stand still.
static void drawn_chains_of_servos_settle(void **state)
{
  (void)state;
  testing_random random = testing_random_start(706);
  static const srs_joint_kind kinds[1] = {SRS_JOINT_REVOLUTE};
  enum { N = 10 };
  for (int trial = 0; trial < 15; trial++) {
    srs_model *model = testing_random_model(&random, N, kinds, 1, 1);
    srs_sim_options o = srs_default_sim_options();
    o.integrator = integrators[trial % INTEGRATORS];
    o.dt = drawn(&random, -3, -2);
    o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
    srs_sim *sim = sim_of_model(model, &o);
    double target[N], zero[N] = {0}, kp[N], kd[N], last[N], moved = 0, off = 0;
    for (int i = 0; i < N; i++) {
      target[i] = testing_uniform(&random, -0.5, 0.5);
      kp[i] = drawn(&random, 6, 9);
      kd[i] = kp[i] * 0.02; // a time of 20 ms, overdamped for the inertias that there are
    }
    assert_int_equal(srs_sim_set_servo(sim, target, zero, kp, kd, NULL), SRS_OK);
    step(sim, lround(1.5 / o.dt));
    memcpy(last, srs_sim_q(sim), sizeof last);
    step(sim, 1);
    for (int i = 0; i < N; i++) {
      moved = fmax(moved, fabs(srs_sim_q(sim)[i] - last[i]));
      off = fmax(off, fabs(last[i] - target[i]));
    }
    print_message("%-22s dt %.1e: off by %.1e rad, moves %.1e in a step\n", srs_integrator_name(o.integrator), o.dt,
                  off, moved);
    assert_true(off < 1e-2 && moved < 1e-9);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Loop joints
// ---------------------------------------------------------------------------------------------------------------------

// Kind of the closure, what else it has, initial velocities.
static const char four_bar[] =
    "gravity: [0, 0, 0]\nmodels:\n  - name: m\n    links:\n"
    "      - {name: a, mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004]}\n"
    "      - {name: b, mass: 2, com: [0.2, 0, 0], inertia: [0.001, 0.03, 0.03]}\n"
    "      - {name: c, mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01]}\n"
    "    joints:\n"
    "      - {name: ja, kind: revolute, axis: [0, 0, 1], child: a}\n"
    "      - {name: jb, kind: revolute, axis: [0, 0, 1], parent: a, child: b, origin: {position: [0.2, 0, 0]}}\n"
    "      - {name: jc, kind: revolute, axis: [0, 0, 1], child: c, origin: {position: [0.5, 0, 0]}}\n"
    "    closures: [{name: cut, kind: %s, frame_a: b, frame_b: c, pose_a: {position: [0.45, 0, 0]},\n"
    "      pose_b: {position: [0.3, 0, 0]}%s}]\n"
    "initial: {q: {ja: 1.2, jb: -0.9, jc: 1.5}%s}\n";

// Its damper is on the joint where it is cut.
static void a_damper_where_a_loop_is_cut_decays(void **state)
{
  (void)state;
  testing_random random = testing_random_start(707);
  for (int trial = 0; trial < 40; trial++) {
    char text[1024], given[64];
    const double damping = drawn(&random, -2, 7), dt = drawn(&random, -4, -2);
    snprintf(given, sizeof given, ", axis: [0, 0, 1], damping: %.17g", damping);
    snprintf(text, sizeof text, four_bar, "revolute", given, ", v: {ja: 0.001}");
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_with(scene, integrators[trial % 4], dt);
    double x, rate, last, effort;
    assert_int_equal(srs_sim_assemble(sim, NULL, NULL, NULL), SRS_OK);
    assert_int_equal(srs_sim_closure_coordinate(sim, 0, &x, &last, &effort), SRS_OK);
    const double sign = copysign(1, last);
    assert_true(last != 0);
    for (int n = 0; n < 30; n++) {
      step(sim, 1);
      assert_int_equal(srs_sim_closure_coordinate(sim, 0, &x, &rate, &effort), SRS_OK);
      assert_true(sign * rate >= -1e-12 && sign * rate <= sign * last + 1e-7);
      last = rate;
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// A four-bar linkage, its loop as rows or embedded, with a stiff servo on the crank: it goes to the target and rests.
static void a_stiff_servo_drives_a_loop(void **state)
{
  (void)state;
  testing_random random = testing_random_start(709);
  for (int trial = 0; trial < 32; trial++) {
    char text[1024];
    snprintf(text, sizeof text, four_bar, "revolute",
             trial / 4 % 2 == 0 ? ", axis: [0, 0, 1]" : ", axis: [0, 0, 1], embed: true, independent: [ja]", "");
    srs_scene *scene = scene_of_text(text);
    const double dt = drawn(&random, -3, -2), kp = drawn(&random, 3, 7), kd = kp * 0.02;
    srs_sim *sim = sim_with(scene, integrators[trial % 4], dt);
    assert_int_equal(srs_sim_assemble(sim, NULL, NULL, NULL), SRS_OK);
    const double start = srs_sim_q(sim)[0], target = start + 0.2;
    double gains[2][3] = {{kp, 0, 0}, {kd, 0, 0}}, q_ref[3] = {target, 0, 0}, zero[3] = {0};
    assert_int_equal(srs_sim_set_servo(sim, q_ref, zero, gains[0], gains[1], NULL), SRS_OK);
    double last = target - start;
    for (int n = 0; n < 1000; n++) {
      step(sim, 1);
      const double error = target - srs_sim_q(sim)[0];
      assert_true(error > -1e-4 && error < last + 1e-4); // loops move servos' coordinates by O(h^2) of their own
      last = error;
    }
    assert_true(fabs(last) < 1e-9);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// The factor of a damped mode in a step, by z = h d / m.
static void the_factor_of_a_step(void **state)
{
  (void)state;
  static const double zs[] = {0.1, 0.5, 1, 1.5, 1.8, 2, 3, 5, 10, 100, 1e4, 1e6};
  print_message("     z   exact     ");
  for (int k = 0; k < 4; k++) print_message(" %-20s", srs_integrator_name(integrators[k]));
  print_message("\n");
  for (size_t i = 0; i < sizeof zs / sizeof *zs; i++) {
    print_message("%8g %-10.4g", zs[i], exp(-zs[i]));
    for (int k = 0; k < 4; k++) {
      srs_scene *scene = wheel(1, zs[i] / 1e-3, INFINITY);
      srs_sim *sim = sim_with(scene, integrators[k], 1e-3);
      const double v0 = 1;
      assert_int_equal(srs_sim_set_state(sim, 0, NULL, &v0, NULL), SRS_OK);
      step(sim, 1);
      print_message(" %-20.4g", srs_sim_v(sim)[0]);
      assert_true(srs_sim_v(sim)[0] >= 0 && srs_sim_v(sim)[0] <= 1 / (1 + zs[i]) + 1e-15);
      srs_sim_destroy(sim);
      srs_scene_destroy(scene);
    }
    print_message("\n");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cases_settle),
      cmocka_unit_test(drawn_dampers_decay),
      cmocka_unit_test(drawn_servos_settle),
      cmocka_unit_test(drawn_springs_come_to_rest),
      cmocka_unit_test(drawn_servos_stop_at_a_limit),
      cmocka_unit_test(a_mode_of_23_hertz),
      cmocka_unit_test(mild_gains_have_order_two),
      cmocka_unit_test(drawn_trees_of_dampers_decay),
      cmocka_unit_test(drawn_chains_of_servos_settle),
      cmocka_unit_test(a_damper_where_a_loop_is_cut_decays),
      cmocka_unit_test(a_stiff_servo_drives_a_loop),
      cmocka_unit_test(the_factor_of_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
