// What a scene says of a model that a file gave: values of joints, materials and groups of shapes, shapes and frames
// that it adds, and how its shapes collide with each other.
#include "support/scene_cases.h"

// A base, and two links on hinges, each with a box of 0.2 m; at zero the boxes of base and shin overlap by 50 mm.
static const char leg_urdf[] =
    "<robot name='leg'>\n"
    "<link name='base'><inertial><mass value='5'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision name='trunk'><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\n"
    "<link name='thigh'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
    "</inertial></link>\n"
    "<link name='shin'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><origin xyz='0 0 -0.15'/><geometry><box size='0.1 0.1 0.2'/></geometry></collision></link>\n"
    "<joint name='hip' type='revolute'><parent link='base'/><child link='thigh'/><axis xyz='0 1 0'/><limit "
    "lower='-1' upper='1' effort='9' velocity='9'/><dynamics damping='0.5'/></joint>\n"
    "<joint name='knee' type='revolute'><parent link='thigh'/><child link='shin'/><axis xyz='0 1 0'/><limit "
    "lower='-1' upper='1' effort='9' velocity='9'/></joint>\n</robot>\n";

static srs_scene *load_leg(const char *text)
{
  testing_write("leg.urdf", leg_urdf);
  testing_write("leg.srdf", "<robot name='leg'><disable_collisions link1='base' link2='shin'/></robot>\n");
  return load_good(text);
}

static void joints_and_shapes_get_what_the_scene_says(void **state)
{
  (void)state;
  srs_scene *scene = load_leg(
      "models:\n- file: leg.urdf\n  base: floating\n  armature: 0.01\n  damping: {knee: 2}\n  friction: {hip: [0.25]}\n"
      "  stiffness: {root: [0, 0, 0, 0, 0, 0]}\n  materials: {shin: rubber}\n  groups: {trunk: 2}\n  masks: {shin: 3}\n"
      "  shapes:\n  - {name: foot, link: shin, kind: sphere, radius: 0.03, pose: {position: [0, 0, -0.3]}, material: "
      "rubber}\n  frames:\n  - {name: toe, link: shin, pose: {position: [0.1, 0, -0.3]}}\n"
      "contact: {materials: [{name: rubber, friction: 1}]}\n");
  const srs_model *m = srs_scene_model(scene);
  const int hip = srs_model_find_v(m, "hip"), knee = srs_model_find_v(m, "knee"), x = srs_model_find_v(m, "root.vx");
  assert_true(srs_model_armature(m)[hip] == 0.01 && srs_model_armature(m)[knee] == 0.01);
  assert_true(srs_model_armature(m)[x] == 0); // a number is for joints of one coordinate
  assert_true(srs_model_damping(m)[hip] == 0.5 && srs_model_damping(m)[knee] == 2);
  assert_true(srs_model_friction(m)[hip] == 0.25 && srs_model_friction(m)[knee] == 0);
  assert_int_equal(srs_model_n_shapes(m), 3);
  assert_true(srs_model_shape(m, 0)->group == 2 && srs_model_shape(m, 0)->mask == 0xffffffffU);
  assert_true(srs_model_shape(m, 1)->group == 1 && srs_model_shape(m, 1)->mask == 3);
  assert_string_equal(srs_model_shape(m, 0)->material, "");
  assert_string_equal(srs_model_shape(m, 1)->material, "rubber");
  assert_string_equal(srs_model_shape(m, 2)->name, "foot");
  assert_int_equal(srs_model_shape(m, 2)->frame, srs_model_find_frame(m, "shin"));
  assert_int_equal(srs_model_shape(m, 2)->robot, srs_model_shape(m, 0)->robot); // so that auto looks at it too
  assert_true(srs_model_find_frame(m, "toe") >= 0);
  srs_scene_destroy(scene);
}

static void names_have_the_prefix_of_their_model(void **state)
{
  (void)state;
  srs_scene *scene =
      load_leg("models:\n- {name: l, file: leg.urdf, damping: {hip: 3}, materials: {trunk: wood}}\n"
               "- {name: r, file: leg.urdf, position: [0, 1, 0], shapes: [{link: shin, kind: sphere, radius: "
               "0.1}], armature: {hip: 0.5}}\ncontact: {materials: [{name: wood}]}\n");
  const srs_model *m = srs_scene_model(scene);
  assert_true(srs_model_damping(m)[srs_model_find_v(m, "l/hip")] == 3);
  assert_true(srs_model_damping(m)[srs_model_find_v(m, "r/hip")] == 0.5);
  assert_true(srs_model_armature(m)[srs_model_find_v(m, "l/hip")] == 0);
  assert_true(srs_model_armature(m)[srs_model_find_v(m, "r/hip")] == 0.5);
  assert_string_equal(srs_model_shape(m, 0)->material, "wood");
  assert_string_equal(srs_model_shape(m, 2)->material, "");
  assert_string_equal(srs_model_shape(m, 4)->label, "r/shin.2");
  srs_scene_destroy(scene);
}

// How many pairs of shapes may collide.
static int pairs_of(const char *keys)
{
  char text[512];
  snprintf(text, sizeof text, "models: [{file: leg.urdf%s}]\n", keys);
  srs_scene *scene = load_leg(text);
  srs_collider *collider;
  srs_error error;
  assert_int_equal(
      srs_collider_create(srs_scene_model(scene), &srs_scene_get_settings(scene)->collider, &collider, &error), SRS_OK);
  const int n = srs_collider_n_pairs(collider);
  srs_collider_destroy(collider);
  srs_scene_destroy(scene);
  return n;
}

static void self_collision_is_auto_for_files_and_all_for_models_of_the_scene(void **state)
{
  (void)state;
  assert_int_equal(pairs_of(""), 0); // base and shin overlap at zero
  assert_int_equal(pairs_of(", self_collision: auto"), 0);
  assert_int_equal(pairs_of(", self_collision: all"), 1);
  assert_int_equal(pairs_of(", self_collision: false"), 0);
  assert_int_equal(pairs_of(", self_collision: all, srdf: leg.srdf"), 0);
  srs_scene *scene =
      load_good("models: [{links: [{name: a, mass: 1}], shapes: [{link: a, kind: sphere, radius: 1}]}]\n");
  assert_int_equal(srs_model_shape(srs_scene_model(scene), 0)->self_collision, SRS_SELF_COLLISION_ALL);
  srs_scene_destroy(scene);
  scene =
      load_good("models: [{self_collision: auto, links: [{name: a, mass: 1}], shapes: [{link: a, kind: sphere, radius: "
                "1}]}]\n");
  assert_int_equal(srs_model_shape(srs_scene_model(scene), 0)->self_collision, SRS_SELF_COLLISION_AUTO);
  srs_scene_destroy(scene);
}

static void expect_leg_fault(const char *keys, srs_status status, int column, const char *words)
{
  char text[512];
  snprintf(text, sizeof text, "models:\n- {file: leg.urdf, %s}\n", keys);
  testing_write("leg.urdf", leg_urdf);
  expect_fault(text, status, 2, column, words);
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  expect_leg_fault("armature: {hipp: 1}", SRS_ERROR_NAME, 31,
                   "no joint of this model is named 'hipp', did you mean 'hip'?");
  expect_leg_fault("armature: {hip: -1}", SRS_ERROR_MODEL, 36, "armature must not be negative");
  expect_leg_fault("damping: -1", SRS_ERROR_MODEL, 29, "damping must not be negative");
  expect_leg_fault("damping: {hip: [1, 2]}", SRS_ERROR_SYNTAX, 35, "2 entries");
  expect_leg_fault("materials: {shinn: rubber}", SRS_ERROR_NAME, 32, "did you mean 'shin'?");
  expect_leg_fault("materials: {thigh: rubber}", SRS_ERROR_NAME, 32, "link 'thigh' carries no shape");
  expect_leg_fault("groups: {shin: 1.5}", SRS_ERROR_SYNTAX, 35, "whole number");
  expect_leg_fault("shapes: [{link: toe, kind: sphere, radius: 1}]", SRS_ERROR_NAME, 36,
                   "no link of this model is named 'toe'");
  expect_leg_fault("frames: [{name: f, link: shim}]", SRS_ERROR_NAME, 45, "did you mean 'shin'?");
  expect_leg_fault("self_collision: maybe", SRS_ERROR_NAME, 36, "must be false, auto or all, not maybe");
  expect_leg_fault("srdf: none.srdf", SRS_ERROR_FILE, 26, "the SRDF file");
  expect_leg_fault("joints: []", SRS_ERROR_NAME, 20, "unknown key 'joints' in a model that is a file");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_and_shapes_get_what_the_scene_says),
      cmocka_unit_test(names_have_the_prefix_of_their_model),
      cmocka_unit_test(self_collision_is_auto_for_files_and_all_for_models_of_the_scene),
      cmocka_unit_test(mistakes_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
