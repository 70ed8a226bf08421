// Do sensors agree with momentum, and with what is known in closed form?

#include "support/world.h"
#include <sarrus/sensors.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

// A box with a backpack, fixed to it, and an arm; it slides over a floor.
static const char robot[] = "models:\n"
                            "  - name: r\n"
                            "    base: floating\n"
                            "    position: [0, 0, 0.06]\n"
                            "    links:\n"
                            "      - {name: body, mass: 2, inertia: [0.03, 0.04, 0.05]}\n"
                            "      - {name: pack, mass: 0.4, inertia: [0.001, 0.001, 0.0015]}\n"
                            "      - {name: arm, mass: 0.5, com: [0, 0, 0.15], inertia: [0.004, 0.004, 0.001]}\n"
                            "    joints:\n"
                            "      - {name: mount, kind: fixed, parent: body, child: pack, origin: {position: [0, 0.1, "
                            "0.1], rotation: {rpy: [0.3, "
                            "0.2, 0.1]}}}\n"
                            "      - {name: swing, kind: revolute, parent: body, child: arm, axis: [0, 1, 0], origin: "
                            "{position: [0.1, 0, 0.1]}, "
                            "friction: 0.02}\n"
                            "    shapes: [{link: body, kind: box, size: [0.3, 0.2, 0.1]}]\n"
                            "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
                            "initial: {q: {swing: 0.4}, v: {root: [1, 0.3, -0.1, 0, 0, 0.5], swing: 2}}\n%s";

typedef struct fixture {
  world w;
  srs_sensors *sensors;
} fixture;

static fixture start(const char *more, const srs_sensor_def *defs, int n)
{
  char text[4096];
  srs_error error = {0};
  snprintf(text, sizeof text, robot, more);
  fixture f = {.w = load(text)};
  if (srs_sensors_create(f.w.sim, defs, n, &f.sensors, &error) != SRS_OK) fail_msg("%s", error.message);
  return f;
}

static void finish(fixture *f)
{
  srs_sensors_destroy(f->sensors);
  unload(&f->w);
}

static const double *value(const fixture *f, const char *name)
{
  const double *x = srs_sensors_value(f->sensors, srs_sensors_find(f->sensors, name));
  assert_non_null(x);
  return x;
}

static srs_sensor_def on_frame(const world *w, srs_sensor_kind kind, const char *name, const char *frame)
{
  srs_sensor_def d = srs_default_sensor_def(kind, name);
  d.frame = srs_model_find_frame(w->model, frame);
  assert_true(d.frame >= 0);
  return d;
}

// The three bodies: mass times acceleration less gravity is what contacts and joints exert, in every step, slipping,
// landing and bouncing.
static void forces_are_those_of_momentum(void **unused)
{
  (void)unused;
  static const char *const ways[] = {"", "contact: {restitution: 0.4}\n", "integrator: moreau-midpoint\n",
                                     "velocity_terms: start\n"};
  for (int way = 0; way < 4; way++) {
    srs_sensor_def defs[MOST];
    char text[4096];
    snprintf(text, sizeof text, robot, ways[way]);
    world w = load(text);
    defs[0] = on_frame(&w, SRS_SENSOR_ACCELERATION, "a body", "body");
    defs[1] = on_frame(&w, SRS_SENSOR_ACCELERATION, "a pack", "pack");
    defs[2] = on_frame(&w, SRS_SENSOR_FORCE_TORQUE, "f pack", "pack");
    defs[3] = on_frame(&w, SRS_SENSOR_FORCE_TORQUE, "f arm", "arm");
    defs[4] = on_frame(&w, SRS_SENSOR_CONTACT, "contact", "body");
    defs[5] = on_frame(&w, SRS_SENSOR_IMU, "imu", "pack");
    for (int i = 0; i < 5; i++) defs[i].axes = SRS_AXES_WORLD;
    unload(&w);
    fixture f = start(ways[way], defs, 6);
    double worst = 0, most = 0;
    for (int k = 0; k < 300; k++) {
      step(f.w.sim, 1);
      assert_int_equal(srs_sensors_read(f.sensors, NULL), SRS_OK);
      const double *a = value(&f, "a body"), *p = value(&f, "a pack"), *fp = value(&f, "f pack"),
                   *fa = value(&f, "f arm");
      const double *c = value(&f, "contact"), *imu = value(&f, "imu"), g[3] = {0, 0, -9.81};
      double proper = 0, felt = 0;
      for (int i = 3; i < 6; i++) {
        most = fmax(most, fabs(c[i]));
        worst = fmax(worst, fabs(2 * (a[i] - g[i - 3]) - (c[i] - fp[i] - fa[i]))); // forces on children act back
        worst = fmax(worst, fabs(0.4 * (p[i] - g[i - 3]) - fp[i]));
        proper += (p[i] - g[i - 3]) * (p[i] - g[i - 3]), felt += imu[i] * imu[i];
      }
      worst = fmax(worst, fabs(sqrt(proper) - sqrt(felt)));
    }
    printf("way %d: forces up to %.3g N, off by %.1e N\n", way, most, worst);
    assert_true(most > 20 && worst < 1e-10 * most);
    finish(&f);
  }
}

static void contacts_are_told_apart_by_their_other_side(void **unused)
{
  (void)unused;
  srs_sensor_def defs[3];
  for (int i = 0; i < 3; i++) {
    defs[i] = srs_default_sensor_def(SRS_SENSOR_CONTACT, i == 0 ? "any" : i == 1 ? "floor" : "arm");
    defs[i].axes = SRS_AXES_WORLD;
  }
  defs[1].other = SRS_SENSOR_WORLD, defs[2].other = 2;
  fixture f = start("", defs, 3);
  assert_int_equal(srs_sensors_read(f.sensors, NULL), SRS_OK);
  for (int i = 0; i < 6; i++) assert_true(value(&f, "any")[i] == 0); // no step yet
  step(f.w.sim, 200);
  assert_int_equal(srs_sensors_read(f.sensors, NULL), SRS_OK);
  assert_true(value(&f, "any")[5] > 10);
  assert_memory_equal(value(&f, "any"), value(&f, "floor"), 6 * sizeof(double));
  for (int i = 0; i < 6; i++) assert_true(value(&f, "arm")[i] == 0);
  finish(&f);
}

// 0.5 m over the floor, looking down at 60 degrees from the vertical: 1 m; up: nothing.
static void ranges_and_joints_in_closed_form(void **unused)
{
  (void)unused;
  world w =
      load("models:\n  - name: a\n    links: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
           "    joints: [{name: x, kind: revolute, child: b, axis: [0, 1, 0], origin: {position: [0, 0, 0.5]}, "
           "armature: 1}]\n"
           "    frames: [{name: eye, link: b}, {name: back, link: b, pose: {rotation: {rpy: [3.141592653589793, 0, "
           "0]}}}]\n"
           "    shapes: [{link: b, kind: sphere, radius: 0.1}]\n"
           "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
           "initial: {q: {x: 2.0943951023931953}, v: {x: 0.5}}\n");
  srs_sensor_def defs[6] = {on_frame(&w, SRS_SENSOR_RANGE, "eye", "eye"),
                            on_frame(&w, SRS_SENSOR_RANGE, "back", "back"),
                            srs_default_sensor_def(SRS_SENSOR_JOINT_POSITION, "q"),
                            srs_default_sensor_def(SRS_SENSOR_JOINT_VELOCITY, "v"),
                            srs_default_sensor_def(SRS_SENSOR_JOINT_ACCELERATION, "a"),
                            srs_default_sensor_def(SRS_SENSOR_JOINT_EFFORT, "effort")};
  srs_sensors *s = NULL;
  assert_int_equal(srs_sensors_create(w.sim, defs, 6, &s, NULL), SRS_OK);
  assert_int_equal(srs_sensors_read(s, NULL), SRS_OK);
  assert_true(fabs(srs_sensors_value(s, 0)[0] - 1) < 1e-8 && srs_sensors_value(s, 1)[0] == 10);
  const double torque = 3;
  assert_int_equal(srs_sim_set_torque(w.sim, &torque, NULL), SRS_OK);
  step(w.sim, 1);
  assert_int_equal(srs_sensors_read(s, NULL), SRS_OK);
  assert_true(srs_sensors_value(s, 2)[0] == srs_sim_q(w.sim)[0] && srs_sensors_value(s, 3)[0] == srs_sim_v(w.sim)[0]);
  assert_true(fabs(srs_sensors_value(s, 4)[0] - 1.5) < 1e-12 && srs_sensors_value(s, 5)[0] == 3);
  srs_sensors_destroy(s);
  unload(&w);
}

// A bob of mass m at l below a hinge: alpha = -g/l sin q + tau / (m l^2), and the rod pulls by m (g cos q + l w^2)
// along itself and tau / l across. Of the state that each row shows, from the first on; efforts are a step's.
static void under_rk4_forces_are_those_of_the_present_state(void **unused)
{
  (void)unused;
  const double m = 0.7, l = 0.6, g = 9.81, tau = 0.4;
  world w =
      load("integrator: rk4\ndt: 2e-3\nmodels:\n  - links: [{name: rod, mass: 0, inertia: [0, 0, 0]}, {name: bob, "
           "mass: 0.7, inertia: [0, 0, 0]}]\n"
           "    joints: [{name: x, kind: revolute, child: rod, axis: [0, 1, 0]}, {name: weld, kind: fixed, parent: "
           "rod, child: bob, origin: {position: [0, 0, -0.6]}}]\n"
           "initial: {q: {x: 1.1}, v: {x: 2}}\n");
  srs_sensor_def defs[5] = {
      on_frame(&w, SRS_SENSOR_IMU, "imu", "bob"), on_frame(&w, SRS_SENSOR_FORCE_TORQUE, "weld", "bob"),
      srs_default_sensor_def(SRS_SENSOR_JOINT_ACCELERATION, "a"), srs_default_sensor_def(SRS_SENSOR_JOINT_EFFORT, "e"),
      on_frame(&w, SRS_SENSOR_ACCELERATION, "moves", "bob")};
  srs_sensors *s = NULL;
  assert_int_equal(srs_sensors_create(w.sim, defs, 5, &s, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_torque(w.sim, &tau, NULL), SRS_OK);
  for (int n = 0; n < 500; n++) {
    assert_int_equal(srs_sensors_read(s, NULL), SRS_OK);
    const double q = srs_sim_q(w.sim)[0], v = srs_sim_v(w.sim)[0], across = tau / (m * l);
    const double a = -g / l * sin(q) + across / l, pull = g * cos(q) + l * v * v;
    const double *imu = srs_sensors_value(s, 0), *force = srs_sensors_value(s, 1), *moves = srs_sensors_value(s, 4);
    assert_true(fabs(srs_sensors_value(s, 2)[0] - a) < 1e-12 * 50 && srs_sensors_value(s, 3)[0] == tau);
    assert_true(fabs(imu[1] - v) < 1e-14 * 10 && fabs(imu[3] + across) < 1e-12 * 50 &&
                fabs(imu[5] - pull) < 1e-12 * 50);
    assert_true(fabs(force[3] + m * across) < 1e-12 * 50 && fabs(force[5] - m * pull) < 1e-12 * 50);
    assert_true(fabs(moves[1] - a) < 1e-12 * 50);
    step(w.sim, 1);
  }
  srs_sensors_destroy(s);
  unload(&w);
}

// A servo on a slide, with a bound that it reaches: the sensor shows what it exerts in the present state, and the
// effort of the step is what has changed the momentum.
static void under_rk4_a_servo_s_effort_is_of_the_state_and_of_the_step(void **unused)
{
  (void)unused;
  const double m = 0.7, kp = 40, kd = 3, wanted = 0.5, most = 15;
  world w = load("integrator: rk4\ndt: 1e-2\nmodels:\n  - links: [{name: car, mass: 0.7, inertia: [1, 1, 1]}]\n"
                 "    joints: [{name: x, kind: prismatic, child: car, axis: [1, 0, 0], max_effort: 15}]\n"
                 "actuators: [{coordinate: x, kp: 40, kd: 3, position: 0.5}]\n");
  srs_sensor_def def = srs_default_sensor_def(SRS_SENSOR_JOINT_EFFORT, "e");
  srs_sensors *s = NULL;
  assert_int_equal(srs_sensors_create(w.sim, &def, 1, &s, NULL), SRS_OK);
  for (int n = 0; n < 200; n++) {
    const double v = srs_sim_v(w.sim)[0];
    assert_int_equal(srs_sensors_read(s, NULL), SRS_OK);
    const double effort = fmax(-most, fmin(most, kp * (wanted - srs_sim_q(w.sim)[0]) - kd * v));
    assert_true(fabs(srs_sensors_value(s, 0)[0] - effort) < 1e-13 * kp);
    step(w.sim, 1);
    const double impulse = 1e-2 * srs_sim_actuator_effort(w.sim)[0];
    assert_true(fabs(impulse - m * (srs_sim_v(w.sim)[0] - v)) < 1e-14);
  }
  srs_sensors_destroy(s);
  unload(&w);
}

static void what_is_no_sensor_is_refused_by_name(void **unused)
{
  (void)unused;
  char text[4096];
  snprintf(text, sizeof text, robot, "");
  world w = load(text);
  srs_sensors *s = NULL;
  srs_error error = {0};
  srs_sensor_def two[2] = {srs_default_sensor_def(SRS_SENSOR_IMU, "imu"),
                           srs_default_sensor_def(SRS_SENSOR_IMU, "imu")};
  assert_int_equal(srs_sensors_create(w.sim, two, 2, &s, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "'imu'"));
  two[1].name = "b", two[1].frame = 99;
  assert_int_equal(srs_sensors_create(w.sim, two, 2, &s, &error), SRS_ERROR_ARGUMENT);
  two[1] = srs_default_sensor_def(SRS_SENSOR_JOINT_POSITION, "b"), two[1].coordinate = 4;
  assert_int_equal(srs_sensors_create(w.sim, two, 2, &s, &error), SRS_ERROR_ARGUMENT);
  two[1] = srs_default_sensor_def(SRS_SENSOR_RANGE, "b"), two[1].range = 0;
  assert_int_equal(srs_sensors_create(w.sim, two, 2, &s, &error), SRS_ERROR_ARGUMENT);
  assert_null(s);
  for (int kind = 0; kind < SRS_SENSOR_KINDS; kind++) {
    assert_true(srs_sensor_kind_size((srs_sensor_kind)kind) > 0);
    assert_true(srs_sensor_kind_name((srs_sensor_kind)kind)[0] != '\0');
  }
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_are_those_of_momentum),
      cmocka_unit_test(contacts_are_told_apart_by_their_other_side),
      cmocka_unit_test(ranges_and_joints_in_closed_form),
      cmocka_unit_test(under_rk4_forces_are_those_of_the_present_state),
      cmocka_unit_test(under_rk4_a_servo_s_effort_is_of_the_state_and_of_the_step),
      cmocka_unit_test(what_is_no_sensor_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
