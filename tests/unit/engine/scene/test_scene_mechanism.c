// Are the keys that hold, stop and actuator joints read as they are written, and refused in one line where they are
// wrong?

#include "support/scene_cases.h"

#include <math.h>

static const char head[] = "models: [{file: one.urdf, name: m}, {name: n, base: floating, links: [{name: k, mass: 1, "
                           "inertia: [1, 1, 1]}]}]\n";

static srs_scene *load_with(const char *keys)
{
  char text[1024];
  srs_scene *scene = NULL;
  srs_error error;
  snprintf(text, sizeof text, "%s%s", head, keys);
  if (load_text(text, &scene, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
  return scene;
}

static void refuse(const char *keys, srs_status status, const char *words)
{
  char text[1024];
  snprintf(text, sizeof text, "%s%s", head, keys);
  expect_fault(text, status, 2, -1, words);
}

static void settings_default_to_what_acts(void **state)
{
  (void)state;
  srs_scene *scene = load_with("");
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  const srs_joint_settings *joint = &s->sim.joint;
  assert_true(joint->limits && joint->friction && joint->actuator_limits && s->sim.closure.projection);
  assert_true(joint->restitution == 0 && joint->error_reduction == 0.2 && joint->max_depenetration_velocity == 1);
  assert_true(s->sim.closure.error_reduction == 0.2 && s->n_actuators == 0);
  srs_scene_destroy(scene);
}

static void settings_are_read(void **state)
{
  (void)state;
  srs_scene *scene = load_with("limits: {restitution: 0.5, error_reduction: 0.7, max_depenetration_velocity: 3}\n"
                               "joint_friction: false\ndrive_limits: false\n"
                               "closure: {projection: false, error_reduction: 0.9}\n");
  const srs_sim_options *o = &srs_scene_get_settings(scene)->sim;
  assert_true(o->joint.limits && !o->joint.friction && !o->joint.actuator_limits && !o->closure.projection);
  assert_true(o->joint.restitution == 0.5 && o->joint.error_reduction == 0.7 &&
              o->joint.max_depenetration_velocity == 3);
  assert_true(o->closure.error_reduction == 0.9);
  srs_scene_destroy(scene);
  scene = load_with("limits: false\n");
  assert_false(srs_scene_get_settings(scene)->sim.joint.limits);
  srs_scene_destroy(scene);
}

static void wrong_settings_are_refused_where_they_stand(void **state)
{
  (void)state;
  refuse("limits: maybe\n", SRS_ERROR_SYNTAX, "limits");
  refuse("limits: {restitution: 2}\n", SRS_ERROR_SYNTAX, "restitution must be between 0 and 1, here is 2");
  refuse("limits: {max_depenetration_velocity: -1}\n", SRS_ERROR_SYNTAX,
         "max_depenetration_velocity must be 0 or more, here is -1");
  refuse("limits: {restition: 0}\n", SRS_ERROR_NAME, "restitution");
  refuse("joint_friction: 3\n", SRS_ERROR_SYNTAX, "joint_friction");
  refuse("closure: {error_reduction: -1}\n", SRS_ERROR_SYNTAX, "error_reduction");
  refuse("closure: []\n", SRS_ERROR_SYNTAX, "closure");
}

static void actuators_are_read_and_act_through_their_gear(void **state)
{
  (void)state;
  srs_scene *scene =
      load_with("actuators: [{coordinate: m/h, gear: -4, torque: 3, position: 2, velocity: 0.5, kp: 10, kd: "
                "1}, {coordinate: n/root.wx, kd: 2, velocity: 1}]\ngravity: [0, 0, 0]\n");
  srs_sim *sim = NULL;
  srs_error error;
  assert_int_equal(srs_scene_get_settings(scene)->n_actuators, 2);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  const srs_model *m = srs_scene_model(scene);
  const int h = srs_model_find_v(m, "m/h"), wx = srs_model_find_v(m, "n/root.wx");
  assert_true(srs_sim_torque(sim)[h] == -12);
  assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
  // tau = -12 + 160 (-0.5 - h v) + 16 (-0.125 - v) on 1 + 1 kg m^2
  const double dt = 1e-3, v = dt * (-12 - 80 - 2) / (2 + dt * 16 + dt * dt * 160);
  assert_true(fabs(srs_sim_v(sim)[h] - v) < 1e-14);
  assert_true(fabs(srs_sim_actuator_effort(sim)[h] - 2 * v / dt) < 1e-11);
  assert_true(fabs(srs_sim_v(sim)[wx] - dt * 2 / (1 + dt * 2)) < 1e-15);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void wrong_actuators_are_refused_where_they_stand(void **state)
{
  (void)state;
  refuse("actuators: {}\n", SRS_ERROR_SYNTAX, "actuators must be a list");
  refuse("actuators: [{gear: 1}]\n", SRS_ERROR_SYNTAX, "an actuator needs the key 'coordinate' or 'closure'");
  refuse("actuators: [{coordinate: m/j}]\n", SRS_ERROR_NAME, "no coordinate is named 'm/j'");
  refuse("actuators: [{coordinate: m/h, gear: 0}]\n", SRS_ERROR_SYNTAX, "gear must not be 0");
  refuse("actuators: [{coordinate: m/h, position: 1}]\n", SRS_ERROR_SYNTAX,
         "position does nothing without a gain: give 'kp'");
  refuse("actuators: [{coordinate: m/h, velocity: 1, kp: 2}]\n", SRS_ERROR_SYNTAX,
         "velocity does nothing without a gain: give 'kd'");
  refuse("actuators: [{coordinate: m/h, kp: -1}]\n", SRS_ERROR_SYNTAX, "kp must be 0 or more");
  refuse("actuators: [{coordinate: m/h, ratio: 2}]\n", SRS_ERROR_NAME, "ratio");
  refuse("actuators: [{coordinate: m/h, kp: 2}, {coordinate: n/root.wx}, {coordinate: m/h, torque: 1}]\n",
         SRS_ERROR_SYNTAX, "'m/h' is driven twice");
  refuse(
      "actuators: [{closure: pin, kp: 2}, {coordinate: m/h}, {closure: pin}]\nclosures: [{name: pin, kind: revolute, "
      "frame_b: m/l, axis: [1, 0, 0]}]\n",
      SRS_ERROR_SYNTAX, "'pin' is driven twice");
  refuse("actuators: [{closure: m/h}]\n", SRS_ERROR_NAME, "no closure is named 'm/h'");
  refuse(
      "actuators: [{closure: pin, coordinate: m/h}]\nclosures: [{name: pin, kind: revolute, frame_b: m/l, axis: [1, 0, "
      "0]}]\n",
      SRS_ERROR_SYNTAX, "either a 'coordinate' or a 'closure'");
  refuse("actuators: [{closure: pin}]\nclosures: [{name: pin, kind: point, frame_b: m/l}]\n", SRS_ERROR_SYNTAX,
         "closure 'pin' is a point");
  refuse("closures: [{name: pin, kind: point, frame_b: m/l, upper: 1}]\n", SRS_ERROR_SYNTAX,
         "'upper' is for revolute and prismatic closures and tendons, not for a point");
  refuse("closures: [{name: pin, kind: revolute, axis: [1, 0, 0], frame_b: m/l, lower: 2, upper: 1}]\n",
         SRS_ERROR_MODEL, "lower limit 2 is above upper limit 1");
  refuse("actuators: [{coordinate: n/root.wx, position: 1}]\n", SRS_ERROR_SYNTAX, "is a velocity of a quaternion");
}

static void wrong_actuators_are_refused_by_the_sim(void **state)
{
  (void)state;
  srs_scene *scene = load_with("");
  srs_sim *sim = NULL;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  const int wx = srs_model_find_v(srs_scene_model(scene), "n/root.wx");
  srs_actuator actuator = srs_default_actuator(-1);
  assert_int_equal(srs_sim_set_actuator(sim, &actuator, &error), SRS_ERROR_ARGUMENT);
  actuator = srs_default_actuator(wx);
  actuator.gear = 0;
  assert_int_equal(srs_sim_set_actuator(sim, &actuator, &error), SRS_ERROR_ARGUMENT);
  actuator = srs_default_actuator(wx);
  actuator.kp = 1;
  assert_int_equal(srs_sim_set_actuator(sim, &actuator, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "quaternion"));
  actuator = srs_default_actuator(wx);
  actuator.kd = -1;
  assert_int_equal(srs_sim_set_actuator(sim, &actuator, &error), SRS_ERROR_ARGUMENT);
  actuator = srs_default_actuator(wx);
  actuator.torque = NAN;
  assert_int_equal(srs_sim_set_actuator(sim, &actuator, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_sim_set_actuator(sim, NULL, &error), SRS_ERROR_ARGUMENT);
  for (int i = 0; i < 4; i++) { // numbers of the motor that are no numbers of the coordinate
    actuator = srs_default_actuator(wx);
    actuator.gear = i == 1 ? 1e-300 : 1e200;
    actuator.torque = i == 0 ? 1e200 : 0;
    actuator.velocity = i == 1 ? 1e100 : 0;
    actuator.kd = i == 2 ? 1 : 0;
    const srs_status status = srs_sim_set_actuator(sim, &actuator, &error);
    assert_int_equal(status, i == 3 ? SRS_OK : SRS_ERROR_NOT_FINITE);
    if (i < 3) assert_non_null(strstr(error.message, "gear"));
  }
  assert_true(srs_sim_torque(sim)[wx] == 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settings_default_to_what_acts),
      cmocka_unit_test(settings_are_read),
      cmocka_unit_test(wrong_settings_are_refused_where_they_stand),
      cmocka_unit_test(actuators_are_read_and_act_through_their_gear),
      cmocka_unit_test(wrong_actuators_are_refused_where_they_stand),
      cmocka_unit_test(wrong_actuators_are_refused_by_the_sim),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
