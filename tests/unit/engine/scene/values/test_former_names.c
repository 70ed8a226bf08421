// Scenes written with the words that were in use before the names of the field: the same scene comes of them.
#include "support/scene_cases.h"

#define BODIES                                                                                                         \
  "links: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n"
#define SCENE(joints, revolute, prismatic, actuators, limits, reduction, most)                                         \
  "models:\n- name: m\n  " BODIES "  " joints                                                                          \
  ": [{name: p, kind: revolute, child: a}, {name: s, kind: revolute, parent: a, child: b}]\n"                          \
  "  shapes: [{name: ball, kind: sphere, radius: 0.1, link: b}]\n"                                                     \
  "  closures: [{name: one, kind: " revolute ", frame_a: b, axis: [1, 0, 0]}, "                                        \
  "{name: two, kind: " prismatic ", frame_a: b, axis: [1, 0, 0]}]\n" actuators                                         \
  ": [{coordinate: p, torque: 2}]\n" limits ": false\n"                                                                \
  "contact: {" reduction ": 0.1, " most ": 0.5}\n"

static void former_words_make_the_same_scene(void **state)
{
  (void)state;
  static const char *const texts[2] = {
      SCENE("joints", "revolute", "prismatic", "actuators", "actuator_limits", "error_reduction",
            "max_depenetration_velocity"),
      SCENE("hinges", "hinge", "slider", "drives", "drive_limits", "stabilisation", "max_correction_speed")};
  for (int i = 0; i < 2; i++) {
    srs_scene *scene = NULL;
    srs_error error;
    if (load_text(texts[i], &scene, &error) != SRS_OK) fail_msg("%s", error.message);
    const srs_scene_settings *s = srs_scene_get_settings(scene);
    const srs_model *model = srs_scene_model(scene);
    assert_int_equal(srs_model_nv(model), 2);
    assert_int_equal(srs_model_closure(model, 0)->kind, SRS_CLOSURE_REVOLUTE);
    assert_int_equal(srs_model_closure(model, 1)->kind, SRS_CLOSURE_PRISMATIC);
    assert_int_equal(s->n_actuators, 1);
    assert_true(s->actuators[0].torque == 2);
    assert_false(s->sim.joint.actuator_limits);
    assert_true(s->sim.contact.error_reduction == 0.1 && s->sim.contact.max_depenetration_velocity == 0.5);
    srs_scene_destroy(scene);
  }
}

static void both_names_of_one_key_are_refused(void **state)
{
  (void)state;
  expect_fault("models: [{file: one.urdf}]\ncontact: {stabilisation: 0, error_reduction: 0}\n", SRS_ERROR_NAME, 2, 11,
               "'stabilisation' is the former name of 'error_reduction', which is given too, in line 2");
}

// A mistyped former name leads to the present one, which may be unlike it.
static void mistyped_former_names_lead_to_the_present_ones(void **state)
{
  (void)state;
#define MODEL "models:\n- name: m\n  links: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n"
  expect_fault(MODEL "  hinge: []\n", SRS_ERROR_NAME, 4, 3, "unknown key 'hinge' in a model, did you mean 'joints'?");
  expect_fault(MODEL "drive: []\n", SRS_ERROR_NAME, 4, 1, "unknown key 'drive' in a scene, did you mean 'actuators'?");
  expect_fault(MODEL "contact: {stabilization: 0}\n", SRS_ERROR_NAME, 4, 11, "did you mean 'error_reduction'?");
  expect_fault(MODEL "  closures: [{name: c, kind: Hinge}]\n", SRS_ERROR_NAME, 4, 30, "did you mean 'revolute'?");
  expect_fault(MODEL "  closures: [{name: c, kind: hinges}]\n", SRS_ERROR_NAME, 4, 30, "did you mean 'revolute'?");
  expect_fault(MODEL "  closures: [{name: c, kind: silder}]\n", SRS_ERROR_NAME, 4, 30, "did you mean 'prismatic'?");
  // What is near to a present name leads there as before.
  expect_fault(MODEL "  jonts: []\n", SRS_ERROR_NAME, 4, 3, "did you mean 'joints'?");
}

static void faults_name_the_key_that_stands_in_the_file(void **state)
{
  (void)state;
  expect_fault(MODEL "contact: {stabilisation: 2}\n", SRS_ERROR_SYNTAX, 4, 26, "stabilisation must be between 0 and 1");
  expect_fault(MODEL "contact: {max_correction_speed: x}\n", SRS_ERROR_SYNTAX, 4, 33,
               "max_correction_speed: 'x' is not a finite number");
  expect_fault(MODEL "limits: {stabilisation: 2}\n", SRS_ERROR_SYNTAX, 4, 25, "stabilisation must be between 0 and 1");
  expect_fault(MODEL "drives: 2\n", SRS_ERROR_SYNTAX, 4, 9, "drives must be a list");
  expect_fault(MODEL "drive_limits: 2\n", SRS_ERROR_SYNTAX, 4, 15, "drive_limits must be true or false");
  expect_fault(MODEL "  hinges: 2\n", SRS_ERROR_SYNTAX, 4, 11, "hinges must be a list");
  expect_fault(MODEL "contact: {error_reduction: 2}\n", SRS_ERROR_SYNTAX, 4, 28, "error_reduction must be between");
}

// `distance: bullet` was said of what Bullet does not do, and goes without a word in its place: Bullet is a detector.
static void bullet_is_a_detector_and_no_distance(void **state)
{
  (void)state;
  expect_fault(MODEL "contact: {distance: bullet}\n", SRS_ERROR_NAME, 4, 21,
               "no distance is named 'bullet' (there are euclidean, ratio-metric)");
  expect_fault(MODEL "collision: {bullet: []}\n", SRS_ERROR_NAME, 4, 13, "unknown key 'bullet' in collision");
  expect_fault(MODEL "collision: {detector: bulet}\n", SRS_ERROR_NAME, 4, 23, "did you mean 'bullet'?");
  srs_scene *scene = NULL;
  srs_error error;
  if (load_text(MODEL "collision: {detector: bullet}\n", &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_scene_get_settings(scene)->collider.detector, SRS_DETECTOR_BULLET);
  assert_int_equal(srs_scene_get_settings(scene)->sim.contact.collider.detector, SRS_DETECTOR_BULLET);
  srs_scene_destroy(scene);
}

// Names that users give are theirs: a joint may be called `drives`, another `actuators`.
static void names_of_users_are_left_alone(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_error error;
  const srs_status status =
      load_text("models:\n- name: m\n  " BODIES "  joints: [{name: drives, kind: revolute, child: a}, "
                "{name: actuators, kind: revolute, parent: a, child: b}]\n"
                "initial: {q: {drives: 0.25, actuators: 0.5}}\n",
                &scene, &error);
  if (status != SRS_OK) fail_msg("%s", error.message);
  const double *q = srs_scene_get_settings(scene)->q;
  assert_true(q[0] == 0.25 && q[1] == 0.5);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(former_words_make_the_same_scene),
      cmocka_unit_test(both_names_of_one_key_are_refused),
      cmocka_unit_test(mistyped_former_names_lead_to_the_present_ones),
      cmocka_unit_test(faults_name_the_key_that_stands_in_the_file),
      cmocka_unit_test(bullet_is_a_detector_and_no_distance),
      cmocka_unit_test(names_of_users_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
