// Fixed tendons as couplings, with limits and springs, and as what actuators pull at; against closed forms. And
// actuators of sites and of joints with several coordinates.
#include "support/sims.h"
#include "unit/topology/mjcf/mjcf_cases.h"

// Two wheels of inertia 0.1 and 0.2 about z; L = 0.5 a - 1.5 b.
#define WHEELS                                                                                                         \
  "<mujoco><option gravity='0 0 0' timestep='0.001'/><worldbody>"                                                      \
  "<body><joint name='a' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body>"              \
  "<body><joint name='b' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='0.2 0.2 0.2'/></body></worldbody>"
#define OVER "<joint joint='a' coef='0.5'/><joint joint='b' coef='-1.5'/></fixed>"

static const double mobility = 0.25 / 0.1 + 2.25 / 0.2; // of L, 1/kg m^2

typedef struct machine {
  srs_scene *scene;
  srs_sim *sim;
} machine;

static machine started(const char *rest, const char *key)
{
  static char text[8192];
  snprintf(text, sizeof text, "%s%s</mujoco>", WHEELS, rest);
  machine m;
  srs_error error;
  srs_scene_options options = srs_default_scene_options();
  options.load.key = key;
  if (srs_scene_load(testing_write("tendon.xml", text), &options, &m.scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  m.sim = sim_of_scene(m.scene, NULL);
  return m;
}

static void end(machine m)
{
  srs_sim_destroy(m.sim);
  srs_scene_destroy(m.scene);
}

static double length_of(const machine *m) { return 0.5 * srs_sim_q(m->sim)[0] - 1.5 * srs_sim_q(m->sim)[1]; }
static double rate_of(const machine *m) { return 0.5 * srs_sim_v(m->sim)[0] - 1.5 * srs_sim_v(m->sim)[1]; }

static void advance(const machine *m, int n)
{
  srs_error error;
  if (srs_sim_step(m->sim, n, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void a_motor_pulls_at_all_joints_of_its_tendon(void **state)
{
  (void)state;
  const machine m = started("<tendon><fixed name='t'>" OVER "</tendon><actuator><motor tendon='t' gear='2'/></actuator>"
                            "<keyframe><key name='k' ctrl='0.7'/></keyframe>",
                            "k");
  advance(&m, 1000);
  assert_number(srs_sim_v(m.sim)[0], 2 * 0.7 * 0.5 / 0.1, 1e-9);
  assert_number(srs_sim_v(m.sim)[1], -2 * 0.7 * 1.5 / 0.2, 1e-9);
  double value, rate, effort;
  assert_int_equal(srs_sim_closure_coordinate(m.sim, 0, &value, &rate, &effort), SRS_OK);
  assert_number(value, length_of(&m), 1e-12);
  assert_number(rate, rate_of(&m), 1e-12);
  assert_number(effort, 1.4, 1e-12);
  end(m);
}

// Critically damped in L; and stiff, with steps 1000 times too long for an explicit servo.
static void a_servo_takes_its_tendon_to_the_input(void **state)
{
  (void)state;
  const machine m = started("<tendon><fixed name='t'>" OVER "</tendon><actuator><general tendon='t' gainprm='3e8' "
                            "biastype='affine' biasprm='0 -3e8 -2e3'/></actuator><keyframe><key name='k' ctrl='0.7'/>"
                            "</keyframe>",
                            "k");
  advance(&m, 2000);
  assert_number(length_of(&m), 0.7, 1e-9);
  assert_number(srs_sim_q(m.sim)[0] * 0.1 / 0.5, -srs_sim_q(m.sim)[1] * 0.2 / 1.5, 1e-9); // moved along the tendon
  end(m);
}

// Every integrator that takes rows pulls alike; rk4 takes none.
static void all_integrators_pull_or_refuse(void **state)
{
  (void)state;
  const char *rest =
      "<tendon><fixed name='t'>" OVER "</tendon><actuator><motor tendon='t' gear='2'/></actuator><keyframe>"
      "<key name='k' ctrl='0.7'/></keyframe>";
  static const srs_integrator all[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                       SRS_IMPLICIT_MOREAU, SRS_GEOMETRICALLY_IMPLICIT};
  const machine first = started(rest, "k");
  srs_sim_options options = srs_scene_get_settings(first.scene)->sim;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    options.integrator = all[i];
    const machine m = {first.scene, sim_of_scene(first.scene, &options)};
    advance(&m, 100);
    assert_number(srs_sim_v(m.sim)[0], 0.7, 1e-9);
    srs_sim_destroy(m.sim);
  }
  options.integrator = SRS_RK4;
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(first.scene, &options, &sim, &error), SRS_ERROR_UNSUPPORTED);
  assert_has(error.message, "'t'");
  end(first);
}

// A spring k on L: period 2 pi / sqrt(k mobility), at rest where `springlength` says.
static void a_spring_swings_with_its_period(void **state)
{
  (void)state;
  const machine m = started("<tendon><fixed name='t' stiffness='4' springlength='0.2'>" OVER "</tendon>", NULL);
  const double period = 2 * 3.14159265358979323846 / sqrt(4 * mobility);
  const int half = (int)lround(0.5 * period / 1e-3);
  advance(&m, half);
  const double kept =
      exp(-0.5 * 1e-3 * 4 * mobility * half * 1e-3); // a spring of a row is implicit: it damps, of order h
  assert_number(length_of(&m), 0.2 + 0.2 * kept, 2e-4);
  end(m);
}

// The range stops L: what is lost is the kinetic energy of L alone.
static void a_range_stops_the_length(void **state)
{
  (void)state;
  const machine m =
      started("<tendon><fixed name='t' range='-0.1 0.2'>" OVER "</tendon><keyframe><key name='k' qvel='1 0'/>"
              "</keyframe>",
              "k");
  const double before = 0.5 * 0.1;
  advance(&m, 1000);
  assert_number(length_of(&m), 0.2, 1e-9);
  assert_number(rate_of(&m), 0, 1e-9);
  const double *v = srs_sim_v(m.sim);
  assert_number(0.05 * v[0] * v[0] + 0.1 * v[1] * v[1], before - 0.5 * 0.25 / mobility, 1e-9);
  end(m);
}

// One tendon at its length as drawn plus p_0; one that follows another by a polynomial.
static void equalities_hold_tendons(void **state)
{
  (void)state;
  machine m =
      started("<tendon><fixed name='t'>" OVER "</tendon><equality><tendon tendon1='t' polycoef='0.3'/></equality>"
              "<keyframe><key name='k' qpos='0.6 0' qvel='3 1'/></keyframe>",
              "k");
  advance(&m, 1000);
  assert_number(length_of(&m), 0.3, 1e-9);
  assert_number(srs_sim_v(m.sim)[0], 3, 1e-9); // along the tendon: nothing changes
  assert_int_equal(srs_model_n_loop_rows(srs_scene_model(m.scene)), 1);
  end(m);
  m = started("<tendon><fixed name='t'><joint joint='a' coef='2'/></fixed><fixed name='u'><joint joint='b' coef='-1'/>"
              "</fixed></tendon><equality><tendon tendon1='t' tendon2='u' polycoef='0.1 0.5 0.25 0 0.125'/></equality>"
              "<keyframe><key name='k' qvel='1 -1'/></keyframe>",
              "k");
  advance(&m, 1000);
  const double x = -srs_sim_q(m.sim)[1];
  assert_true(fabs(x) > 0.3);
  assert_number(2 * srs_sim_q(m.sim)[0], 0.1 + 0.5 * x + 0.25 * x * x + 0.125 * x * x * x * x, 1e-8);
  end(m);
}

// A file of n wheels side by side, wheel i of inertia 0.1 + 0.05 i, and what is around the terms of one tendon over all
// of them: coefficients 1, -2, 3, -1, 2, -3, …
static double coefficient_of(int i) { return (i % 2 == 0 ? 1 : -1) * (1 + i % 3); }

static void chain_text(int n, const char *before, const char *after, char *text, size_t size)
{
  int used = snprintf(text, size, "<mujoco><option gravity='0 0 0' timestep='0.001'/><worldbody>");
  for (int i = 0; i < n; i++)
    used +=
        snprintf(text + used, size - (size_t)used,
                 "<body><joint name='j%d' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='%g %g %g'/></body>",
                 i, 0.1 + 0.05 * i, 0.1 + 0.05 * i, 0.1 + 0.05 * i);
  used += snprintf(text + used, size - (size_t)used, "</worldbody>%s", before);
  for (int i = 0; i < n; i++)
    used += snprintf(text + used, size - (size_t)used, "<joint joint='j%d' coef='%g'/>", i, coefficient_of(i));
  used += snprintf(text + used, size - (size_t)used, "%s", after);
  assert_true((size_t)used < size);
}

// @return the sum of c_i^2 / I_i
static double mobility_of(int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += coefficient_of(i) * coefficient_of(i) / (0.1 + 0.05 * i);
  return sum;
}

// Over 5, 11 and 16 wheels: a motor's acceleration of each, a range's stop, an equality; every integrator that takes
// rows, and solvers that take an island whole and by blocks.
static void tendons_go_over_many_joints(void **state)
{
  (void)state;
  static const int sizes[] = {5, 11, 16};
  static const srs_integrator all[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                       SRS_IMPLICIT_MOREAU, SRS_GEOMETRICALLY_IMPLICIT};
  static char text[8192];
  for (size_t k = 0; k < 3 * sizeof all / sizeof *all; k++) {
    const int n = sizes[k % 3];
    srs_scene *scene;
    srs_error error;
    srs_scene_options options = srs_default_scene_options();
    options.load.key = "k";
    chain_text(n, "<tendon><fixed name='t' range='-1 0.3'>",
               "</fixed></tendon><actuator><motor tendon='t' gear='2'/></actuator><keyframe><key name='k' ctrl='0.5'/>"
               "</keyframe></mujoco>",
               text, sizeof text);
    if (srs_scene_load(testing_write("many.xml", text), &options, &scene, &error) != SRS_OK)
      fail_msg("%s", error.message);
    srs_sim_options how = srs_scene_get_settings(scene)->sim;
    how.integrator = all[k / 3];
    srs_sim *sim = sim_of_scene(scene, &how);
    assert_int_equal(srs_sim_step(sim, 50, &error), SRS_OK);
    double length = 0;
    for (int i = 0; i < n; i++) assert_number(srs_sim_v(sim)[i], 0.05 * coefficient_of(i) / (0.1 + 0.05 * i), 1e-9);
    assert_int_equal(srs_sim_step(sim, 2000, &error), SRS_OK);
    for (int i = 0; i < n; i++) length += coefficient_of(i) * srs_sim_q(sim)[i];
    assert_number(length, 0.3, 1e-6); // stopped, and pulled on
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// Held at L = 0.4: from a start that is off, the nearest in the mass matrix' metric; velocities along it are free.
static void equalities_hold_tendons_over_many_joints(void **state)
{
  (void)state;
  static char text[8192];
  for (int n = 5; n <= 16; n += 11) {
    srs_scene *scene;
    srs_error error;
    chain_text(n, "<tendon><fixed name='t'>",
               "</fixed></tendon><equality><tendon tendon1='t' polycoef='0.4'/></equality></mujoco>", text,
               sizeof text);
    if (srs_scene_load(testing_write("held.xml", text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
    srs_sim *sim = sim_of_scene(scene, NULL);
    double length = 0, torque[16] = {1};
    assert_int_equal(srs_sim_set_torque(sim, torque, &error), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 100, &error), SRS_OK);
    for (int i = 0; i < n; i++) length += coefficient_of(i) * srs_sim_q(sim)[i];
    assert_number(length, 0.4, 1e-9);
    for (int i = 1; i < n; i++) // the force in it, -tau c_0 / I_0 / mobility, turns all wheels
      assert_number(srs_sim_v(sim)[i], -0.1 * (1 / 0.1) / mobility_of(n) * coefficient_of(i) / (0.1 + 0.05 * i), 1e-9);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// `ref` is in q, and the zeros of an equality are where the bodies are drawn.
static void lengths_count_from_where_bodies_are_drawn(void **state)
{
  (void)state;
  srs_model *model =
      world("<compiler angle='radian'/><tendon><fixed name='t'><joint joint='a' coef='3'/></fixed></tendon>"
            "<equality><tendon tendon1='t' polycoef='0.2'/></equality>",
            "<body><joint name='a' ref='0.5'/><geom size='0.1'/></body>");
  assert_number(srs_model_closure(model, 0)->tendon->polynomial[0], 1.7, 1e-15);
  srs_model_destroy(model);
}

// Without names, and in one line, as files of machines are.
static void equalities_of_one_line_are_told_apart(void **state)
{
  (void)state;
  srs_model *model = loaded(WHEELS "<tendon><fixed name='t'>" OVER "<fixed name='u'>" OVER "</tendon><equality><tendon "
                                   "tendon1='t'/><tendon tendon1='u'/><joint joint1='a'/><joint joint1='b'/>"
                                   "</equality></mujoco>");
  assert_int_equal(srs_model_n_loops(model), 4);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < i; k++) assert_string_not_equal(srs_model_loop_name(model, i), srs_model_loop_name(model, k));
  srs_model_destroy(model);
}

static void what_tendons_cannot_do_is_said(void **state)
{
  (void)state;
  refused("<mujoco><worldbody><body><freejoint name='f'/><geom size='1'/></body></worldbody><tendon>\n<fixed><joint "
          "joint='f' coef='1'/></fixed></tendon></mujoco>",
          SRS_ERROR_MODEL, 2, "a fixed tendon goes over hinges and slides");
  refused("<mujoco><worldbody><body><joint name='f'/><geom size='1'/></body></worldbody><tendon>\n<fixed><joint "
          "joint='g' coef='1'/></fixed></tendon></mujoco>",
          SRS_ERROR_NAME, 2, "no joint is named 'g'");
  refused("<mujoco><worldbody><body><joint name='f'/><geom size='1'/></body></worldbody><tendon>\n<fixed><joint "
          "joint='f'/></fixed></tendon></mujoco>",
          SRS_ERROR_SYNTAX, 2, "coef");
  refused("<mujoco><worldbody><body><joint name='f'/><geom size='1'/></body></worldbody><tendon>\n<fixed name='t' "
          "range='0 1'/></tendon></mujoco>",
          SRS_ERROR_MODEL, 2, "tendon 't' goes over no joint: add a <joint");
  static char text[4096];
  chain_text(17, "<tendon>\n<fixed name='t' range='0 1'>",
             "</fixed>\n<spatial name='s'/></tendon><actuator>\n"
             "<motor tendon='s'/></actuator></mujoco>",
             text, sizeof text);
  refused(text, SRS_ERROR_UNSUPPORTED, 2, "tendon 't' is not honoured: it goes over more than 16 joints; --allow-");
  srs_model *model = loaded_in_part(text);
  assert_warns(model, 2, "tendon 't' is not honoured: it goes over more than 16 joints");
  assert_warns(model, 4, "its tendon is spatial");
  srs_model_destroy(model);
}

// Several actuators of a joint add, seen from the joint.
static void actuators_of_one_joint_add(void **state)
{
  (void)state;
  const machine m =
      started("<actuator><position joint='a' kp='20' gear='3'/><velocity joint='a' kv='2'/><motor joint='a' "
              "gear='-1'/><damper joint='b' kv='3' ctrlrange='0 1'/><intvelocity joint='b' kp='7'/>"
              "</actuator><keyframe><key name='k' ctrl='0.3 0.5 1 0.5 9' qvel='0 1'/></keyframe>",
              "k");
  double a[2];
  srs_error error;
  assert_int_equal(srs_sim_acceleration(m.sim, a, &error), SRS_OK);
  assert_number(a[0], (18 + 1 - 1) / 0.1, 1e-9);
  assert_number(a[1], -1.5 / 0.2, 1e-9); // the integrator is at 0, where the joint is
  end(m);
}

// A thruster: gear is [force; torque] along the site's axes. A free joint takes torques coordinate by coordinate.
static void sites_and_free_joints_are_driven(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_error error;
  srs_scene_options options = srs_default_scene_options();
  options.load.key = "k";
  const char *text =
      "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody><body><freejoint name='f'/><inertial "
      "pos='0 0 "
      "0' mass='2' diaginertia='0.1 0.2 0.3'/><site name='s' pos='0.5 0 0' euler='0 1.5707963267948966 0'/></body>"
      "</worldbody><actuator><motor site='s' gear='0 0 1 0 0 0.25'/><motor site='s' gear='0 1 0 0 0 0' forcerange='-3 "
      "3'/>"
      "<motor joint='f' gear='0 0 0 1 0 0'/></actuator><keyframe><key name='k' qpos='0 0 0 1 0 0 0' ctrl='4 9 0.5'/>"
      "</keyframe></mujoco>";
  if (srs_scene_load(testing_write("drone.xml", text), &options, &scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  srs_sim *sim = sim_of_scene(scene, NULL);
  double a[6];
  assert_int_equal(srs_sim_acceleration(sim, a, &error), SRS_OK);
  // the site's z is the body's x, its y the body's y: force (4, 3, 0), torque (4/4 + 1/2, 0, 0) + (1/2, 0, 0) x force
  const double expected[6] = {2, 1.5, 0, (1 + 0.5) / 0.1, 0, 0.5 * 3 / 0.3};
  testing_assert_close("acceleration", a, expected, 6, 1e-12);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_pulls_at_all_joints_of_its_tendon),
      cmocka_unit_test(a_servo_takes_its_tendon_to_the_input),
      cmocka_unit_test(all_integrators_pull_or_refuse),
      cmocka_unit_test(a_spring_swings_with_its_period),
      cmocka_unit_test(a_range_stops_the_length),
      cmocka_unit_test(equalities_hold_tendons),
      cmocka_unit_test(tendons_go_over_many_joints),
      cmocka_unit_test(equalities_hold_tendons_over_many_joints),
      cmocka_unit_test(lengths_count_from_where_bodies_are_drawn),
      cmocka_unit_test(equalities_of_one_line_are_told_apart),
      cmocka_unit_test(what_tendons_cannot_do_is_said),
      cmocka_unit_test(actuators_of_one_joint_add),
      cmocka_unit_test(sites_and_free_joints_are_driven),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
