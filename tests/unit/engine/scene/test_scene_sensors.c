// Sensors of a scene: read as written, put on the sim, saved with the model, and refused in one line where they are
// wrong.

#include "support/scene_cases.h"
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "models: [{name: m, base: floating, position: [0, 0, 1], links: [{name: k, mass: 2, inertia: "
    "[1, 1, 1]}, {name: pack, mass: 0.5, inertia: [1, 1, 1]}, {name: arm, mass: 1, inertia: "
    "[1, 1, 1]}], joints: [{name: mount, kind: fixed, parent: k, child: pack}, {name: h, kind: "
    "revolute, parent: k, child: arm, axis: [0, 1, 0]}], frames: [{name: eye, link: arm}, {name: post}], "
    "shapes: [{link: k, kind: sphere, radius: 0.1}]}]\n";

static const char all[] = "sensors:\n"
                          "  - {name: turn, kind: joint-position, coordinate: h}\n"
                          "  - {name: rate, kind: joint-velocity, coordinate: h}\n"
                          "  - {name: drive, kind: joint-effort, coordinate: h}\n"
                          "  - {name: speeding, kind: joint-acceleration, coordinate: h}\n"
                          "  - {name: body, kind: imu, frame: k}\n"
                          "  - {name: where, kind: pose, frame: eye}\n"
                          "  - {name: how, kind: twist, frame: eye, axes: world}\n"
                          "  - {name: faster, kind: acceleration, frame: arm, axes: local}\n"
                          "  - {name: load, kind: force-torque, frame: pack, axes: world}\n"
                          "  - {name: touch, kind: contact, frame: k}\n"
                          "  - {name: ground, kind: contact, frame: k, other: world}\n"
                          "  - {name: each, kind: contact, frame: k, other: arm}\n"
                          "  - {name: down, kind: range, frame: eye, range: 3}\n"
                          "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n";

static srs_scene *scene_with(const char *keys)
{
  char text[4096];
  srs_scene *scene = NULL;
  srs_error error;
  snprintf(text, sizeof text, "%s%s", head, keys);
  if (load_text(text, &scene, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
  return scene;
}

static void assert_all(const srs_scene *scene)
{
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(s->n_sensors, 13);
  static const srs_sensor_kind kinds[] = {SRS_SENSOR_JOINT_POSITION,
                                          SRS_SENSOR_JOINT_VELOCITY,
                                          SRS_SENSOR_JOINT_EFFORT,
                                          SRS_SENSOR_JOINT_ACCELERATION,
                                          SRS_SENSOR_IMU,
                                          SRS_SENSOR_POSE,
                                          SRS_SENSOR_TWIST,
                                          SRS_SENSOR_ACCELERATION,
                                          SRS_SENSOR_FORCE_TORQUE,
                                          SRS_SENSOR_CONTACT,
                                          SRS_SENSOR_CONTACT,
                                          SRS_SENSOR_CONTACT,
                                          SRS_SENSOR_RANGE};
  static const char *const on[] = {"h", "h", "h", "h", "k", "eye", "eye", "arm", "pack", "k", "k", "k", "eye"};
  for (int i = 0; i < 13; i++) {
    const srs_sensor_def *d = &s->sensors[i];
    assert_int_equal(d->kind, kinds[i]);
    if (i < 4)
      assert_int_equal(d->coordinate, srs_model_find_v(m, on[i]));
    else
      assert_int_equal(d->frame, srs_model_find_frame(m, on[i]));
  }
  assert_int_equal(s->sensors[6].axes, SRS_AXES_WORLD);
  assert_int_equal(s->sensors[7].axes, SRS_AXES_LOCAL);
  assert_int_equal(s->sensors[8].axes, SRS_AXES_WORLD);
  assert_int_equal(s->sensors[9].other, SRS_SENSOR_ANY);
  assert_int_equal(s->sensors[10].other, SRS_SENSOR_WORLD);
  assert_int_equal(s->sensors[11].other, srs_model_find_frame(m, "arm"));
  assert_true(s->sensors[12].range == 3);
  assert_string_equal(s->sensors[12].name, "down");
}

static void all_kinds_are_read_and_put_on_a_sim(void **state)
{
  (void)state;
  srs_scene *scene = scene_with(all);
  assert_all(scene);
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_sensors *sensors = NULL;
  srs_error error = {0};
  if (srs_sensors_create(sim, s->sensors, s->n_sensors, &sensors, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_sim_step(sim, 2000, &error), SRS_OK); // it falls, and lies on its ball
  assert_int_equal(srs_sensors_read(sensors, &error), SRS_OK);
  // The ground carries what there is, 3.5 kg; the link's proper acceleration is g upwards, at rest.
  const double *ground = srs_sensors_value(sensors, 10);
  double force = 0;
  for (int i = 3; i < 6; i++) force += ground[i] * ground[i];
  assert_true(fabs(sqrt(force) - 3.5 * 9.81) < 1e-6);
  srs_sensors_destroy(sensors);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void sensors_are_saved_with_the_model(void **state)
{
  (void)state;
  srs_scene *scene = scene_with(all), *again = NULL;
  char path[1200];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/saved.yaml", testing_folder());
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  for (int k = 0; k < 2; k++) {
    options.model_only = k == 1;
    assert_int_equal(srs_model_save(srs_scene_model(scene), path, &options, &error), SRS_OK);
    if (srs_scene_load(path, NULL, &again, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
    assert_all(again);
    srs_scene_destroy(again);
  }
  srs_scene_destroy(scene);
}

static void refuse(const char *keys, srs_status status, const char *words)
{
  char text[4096];
  snprintf(text, sizeof text, "%ssensors:\n  - %s\n", head, keys);
  expect_fault(text, status, 3, -1, words);
}

static void wrong_sensors_are_refused_where_they_stand(void **state)
{
  (void)state;
  refuse("{name: a, kind: joint-positon, coordinate: h}", SRS_ERROR_NAME, "did you mean 'joint-position'");
  refuse("{name: a, coordinate: h}", SRS_ERROR_SYNTAX, "needs a kind");
  refuse("{kind: imu, frame: k}", SRS_ERROR_SYNTAX, "'name'");
  refuse("{name: a, kind: imu}", SRS_ERROR_SYNTAX, "'frame'");
  refuse("{name: a, kind: joint-effort}", SRS_ERROR_SYNTAX, "'coordinate'");
  refuse("{name: a, kind: joint-effort, frame: k}", SRS_ERROR_SYNTAX, "has no 'frame'");
  refuse("{name: a, kind: imu, coordinate: h}", SRS_ERROR_SYNTAX, "has no 'coordinate'");
  refuse("{name: a, kind: imu, frame: k, axes: world}", SRS_ERROR_SYNTAX, "has no 'axes'");
  refuse("{name: a, kind: pose, frame: k, range: 1}", SRS_ERROR_SYNTAX, "has no 'range'");
  refuse("{name: a, kind: range, frame: k, range: 0}", SRS_ERROR_SYNTAX, "above 0");
  refuse("{name: a, kind: twist, frame: k, axes: body}", SRS_ERROR_NAME, "local or world");
  refuse("{name: a, kind: imu, frame: eyes}", SRS_ERROR_NAME, "did you mean 'eye'");
  refuse("{name: a, kind: force-torque, frame: post}", SRS_ERROR_SYNTAX, "'post' is on the world");
  refuse("{name: a, kind: contact, frame: k, other: nobody}", SRS_ERROR_NAME, "no link is named 'nobody'");
  refuse("{name: a, kind: joint-position, coordinate: g}", SRS_ERROR_NAME, "no coordinate is named");
  refuse("{name: a, kind: joint-position, coordinate: root.wx}", SRS_ERROR_SYNTAX, "kind pose");
  refuse("{name: a, kind: imu, frame: k, colour: red}", SRS_ERROR_NAME, "colour");
  refuse("imu", SRS_ERROR_SYNTAX, "a sensor");
  char text[4096];
  snprintf(text, sizeof text, "%ssensors: [{name: a, kind: imu, frame: k}, {name: a, kind: pose, frame: k}]\n", head);
  expect_fault(text, SRS_ERROR_NAME, 2, -1, "two sensors are named 'a'");
  snprintf(text, sizeof text, "%ssensors: {name: a}\n", head);
  expect_fault(text, SRS_ERROR_SYNTAX, 2, -1, "sensors");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_kinds_are_read_and_put_on_a_sim),
      cmocka_unit_test(sensors_are_saved_with_the_model),
      cmocka_unit_test(wrong_sensors_are_refused_where_they_stand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
