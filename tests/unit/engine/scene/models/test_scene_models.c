// Models in a scene: how each mistake in them is told.
#include "support/scene_cases.h"

#include <stdio.h>
#include <string.h>

static void mistakes_in_models_are_told_with_their_place(void **state)
{
  (void)state;
  expect_fault("models: []\n", SRS_ERROR_SYNTAX, 1, 9, "models is empty");
  expect_fault("models: {file: one.urdf}\n", SRS_ERROR_SYNTAX, 1, 9, "models must be a list");
  expect_fault("models: [one.urdf]\n", SRS_ERROR_SYNTAX, 1, 10, "a model must be a map");
  expect_fault("models: [{file: two.urdf}]\n", SRS_ERROR_FILE, 1, 17, "two.urdf cannot be read: No such file");
  expect_fault("models: [{name: x}]\n", SRS_ERROR_SYNTAX, 1, 10, "needs either 'file'");
  expect_fault("models: [{file: one.urdf, links: []}]\n", SRS_ERROR_NAME, 1, 27,
               "unknown key 'links' in a model that is a file");
  expect_fault("models: [{file: one.urdf, bsae: fixed}]\n", SRS_ERROR_NAME, 1, 27, "did you mean 'base'?");
  expect_fault("models: [{file: one.urdf, base: loose}]\n", SRS_ERROR_SYNTAX, 1, 33,
               "base must be fixed or floating, not loose");
  expect_fault("models: [{file: one.urdf, base: [1]}]\n", SRS_ERROR_SYNTAX, 1, 33, "not a list");
  expect_fault("models: [{file: one.urdf, position: [1, 2]}]\n", SRS_ERROR_SYNTAX, 1, 37,
               "position has 2 entries, 3 are needed");
  expect_fault("models: [{file: one.urdf, rotation: [1, 2, 3]}]\n", SRS_ERROR_SYNTAX, 1, 37, "rotation must be a map");
  expect_fault("models: [{file: one.urdf, rotation: {}}]\n", SRS_ERROR_SYNTAX, 1, 37, "either 'rpy' or");
  expect_fault("models: [{file: one.urdf, rotation: {quaternion_wxyz: [2, 0, 0, 0]}}]\n", SRS_ERROR_SYNTAX, 1, 55,
               "has length 2, it must be 1");
  expect_fault("models:\n- {file: one.urdf, name: a}\n- {file: one.urdf}\n", SRS_ERROR_SYNTAX, 3, 3,
               "each needs a 'name'");
  expect_fault("models:\n- {file: one.urdf, name: a}\n- {file: one.urdf, name: a}\n", SRS_ERROR_NAME, 3, 26,
               "two models are named 'a'");
  expect_fault("models: [{file: one.urdf, name: a/b}]\n", SRS_ERROR_NAME, 1, 33, "must not hold a slash");
}

// A model of two links whose second joint is what the case says.
static void expect_joint_fault(const char *joint, srs_status status, int column, const char *words)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models:\n- links: [{name: ann, mass: 1, inertia: [1, 1, 1]}, {name: bob, mass: 1, inertia: [1, 1, 1]}]\n"
           "  joints:\n  - {name: h, kind: revolute, child: ann}\n  - %s\n",
           joint);
  expect_fault(text, status, 5, column, words);
}

static void mistakes_in_joints_are_told_with_their_place(void **state)
{
  (void)state;
  expect_joint_fault("{name: k, kind: revolut, child: bob}", SRS_ERROR_NAME, 21, "did you mean 'revolute'?");
  expect_joint_fault("{name: k, child: bob}", SRS_ERROR_SYNTAX, 5, "a joint needs the key 'kind'");
  expect_joint_fault("{name: k, kind: revolute}", SRS_ERROR_SYNTAX, 5, "a joint needs the key 'child'");
  expect_joint_fault("{kind: revolute, child: bob}", SRS_ERROR_SYNTAX, 5, "a joint needs the key 'name'");
  expect_joint_fault("{name: k, kind: revolute, child: bobb}", SRS_ERROR_NAME, 38,
                     "no link of this model is named 'bobb', did you mean 'bob'?");
  expect_joint_fault("{name: k, kind: revolute, child: bob, parent: world}", SRS_ERROR_NAME, 51,
                     "leave the key out for the world");
  expect_joint_fault("{name: k, kind: revolute, child: ann}", SRS_ERROR_MODEL, 38, "'ann' is the child of two joints");
  expect_joint_fault("{name: h, kind: revolute, child: bob}", SRS_ERROR_NAME, -1, "'h'");
  expect_joint_fault("{name: k, kind: revolute, child: bob, axs: [1, 0, 0]}", SRS_ERROR_NAME, 43,
                     "did you mean 'axis'?");
  expect_joint_fault("{name: k, kind: revolute, child: bob, axis: [0, 0, 0]}", SRS_ERROR_MODEL, -1, "axis");
  expect_joint_fault("{name: k, kind: revolute, child: bob, axis: 1}", SRS_ERROR_SYNTAX, 49,
                     "axis of joint 'k' must be a list");
  expect_joint_fault("{name: k, kind: spherical, child: bob, axis: [1, 0, 0]}", SRS_ERROR_SYNTAX, 44,
                     "a spherical joint has no axis");
  expect_joint_fault("{name: k, kind: revolute, child: bob, axis2: [1, 0, 0]}", SRS_ERROR_SYNTAX, 43, "no second axis");
  expect_joint_fault("{name: k, kind: revolute, child: bob, pitch: 1}", SRS_ERROR_SYNTAX, 43, "no pitch");
  expect_joint_fault("{name: k, kind: helical, child: bob}", SRS_ERROR_SYNTAX, 5,
                     "a helical joint needs the key 'pitch'");
  expect_joint_fault("{name: k, kind: universal, child: bob}", SRS_ERROR_SYNTAX, 5, "needs the key 'axis2'");
  expect_joint_fault("{name: k, kind: planar, child: bob, damping: 1}", SRS_ERROR_SYNTAX, 50,
                     "a list of 3 numbers (the joint is planar)");
  expect_joint_fault("{name: k, kind: planar, child: bob, damping: [1, 2]}", SRS_ERROR_SYNTAX, 50,
                     "a list of 3 numbers");
  expect_joint_fault("{name: k, kind: revolute, child: bob, damping: -50}", SRS_ERROR_MODEL, -1, "damping");
  expect_joint_fault("{name: k, kind: revolute, child: bob, damping: .inf}", SRS_ERROR_SYNTAX, 52,
                     "not a finite number");
  expect_joint_fault("{name: k, kind: fixed, child: bob, damping: 1}", SRS_ERROR_SYNTAX, 40,
                     "a fixed joint has no coordinates");
  expect_joint_fault("{name: k, kind: continuous, child: bob, lower: 1}", SRS_ERROR_SYNTAX, 45, "no limits");
  expect_joint_fault("{name: k, kind: free, child: bob, upper: 1}", SRS_ERROR_SYNTAX, 39, "no limits");
  expect_joint_fault("{name: k, kind: revolute, child: bob, lower: .inf}", SRS_ERROR_MODEL, 50, "lower limit of .inf");
  expect_joint_fault("{name: k, kind: revolute, child: bob, upper: -.inf}", SRS_ERROR_MODEL, 50, "limit of -.inf");
  expect_joint_fault("{name: k, kind: revolute, child: bob, lower: 1, upper: -1}", SRS_ERROR_MODEL, -1, "limit");
  expect_joint_fault("{name: k, kind: spherical, child: bob, reference: [2, 0, 0, 0]}", SRS_ERROR_SYNTAX, 55,
                     "has length 2");
  expect_joint_fault("{name: k, kind: revolute, child: bob, origin: [1, 2, 3]}", SRS_ERROR_SYNTAX, 51, "must be a map");
  expect_joint_fault("{name: k, kind: revolute, child: bob, origin: {positon: [1, 2, 3]}}", SRS_ERROR_NAME, 52,
                     "did you mean 'position'?");
  expect_joint_fault("{name: k, kind: revolute, child: bob, parent: bob}", SRS_ERROR_MODEL, -1, "bob");
}

static void mistakes_in_links_shapes_and_frames_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    srs_status status;
    int line, column;
    const char *words;
  } cases[] = {
      {"models: [{links: []}]", SRS_ERROR_MODEL, 1, 18, "a model needs a link"},
      {"models: [{links: 5}]", SRS_ERROR_SYNTAX, 1, 18, "links must be a list"},
      {"models: [{links: [5]}]", SRS_ERROR_SYNTAX, 1, 19, "a link must be a map"},
      {"models: [{links: [{mass: 5}]}]", SRS_ERROR_SYNTAX, 1, 19, "a link needs the key 'name'"},
      {"models: [{links: [{name: ''}]}]", SRS_ERROR_SYNTAX, 1, 26, "must be text that is not empty"},
      {"models: [{links: [{name: a, mas: 5}]}]", SRS_ERROR_NAME, 1, 29, "did you mean 'mass'?"},
      {"models: [{links: [{name: a, mass: -5}]}]", SRS_ERROR_MODEL, 1, -1, "negative"},
      {"models: [{links: [{name: a, mass: 1.0kg}]}]", SRS_ERROR_SYNTAX, 1, 35, "'1.0kg' is not a finite number"},
      {"models: [{links: [{name: a, inertia: [1, 2]}]}]", SRS_ERROR_SYNTAX, 1, 38, "inertia has 2 entries, it needs 3"},
      {"models: [{links: [{name: a, mass: 1, inertia: [1, 0.2, 0.3]}]}]", SRS_ERROR_MODEL, 1, -1, "0.2"},
      {"models: [{links: [{name: a},\n {name: a}]}]", SRS_ERROR_NAME, 2, -1, "'a'"},
      {"models: [{links: [{name: a},\n {name: b}]}]", SRS_ERROR_MODEL, 2, 2, "links 'a' and 'b' both hang on no joint"},
      {"models: [{base: floating, links: [{name: a, mass: 1, inertia: [1, 1, 1]}],\n"
       " joints: [{name: h, kind: revolute, child: a}]}]",
       SRS_ERROR_MODEL, 1, -1, "every link hangs on one"},
      {"models: [{links: [{name: a}], frames: [{name: a}]}]", SRS_ERROR_NAME, 1, -1, "'a'"},
      {"models: [{links: [{name: a}], frames: [{name: t, link: b}]}]", SRS_ERROR_NAME, 1, 56, "no link of this model"},
      {"models: [{links: [{name: a}], frames: [{link: a}]}]", SRS_ERROR_SYNTAX, 1, 40, "needs the key 'name'"},
      {"models: [{links: [{name: a}], frames: [{name: t, pose: {rotation: {rpy: [0, 0]}}}]}]", SRS_ERROR_SYNTAX, 1, -1,
       "rpy has 2 entries, 3 are needed"},
      {"models: [{links: [{name: a}], shapes: [{kind: spere, size: 1}]}]", SRS_ERROR_NAME, 1, 47,
       "did you mean 'sphere'?"},
      {"models: [{links: [{name: a}], shapes: [{kind: sphere}]}]", SRS_ERROR_SYNTAX, 1, 40, "needs the key 'size'"},
      {"models: [{links: [{name: a}], shapes: [{size: 1}]}]", SRS_ERROR_SYNTAX, 1, 40, "needs the key 'kind'"},
      {"models: [{links: [{name: a}], shapes: [{kind: box, size: 1}]}]", SRS_ERROR_SYNTAX, 1, 58,
       "size of a box must be a list"},
      {"models: [{links: [{name: a}], shapes: [{kind: mesh}]}]", SRS_ERROR_SYNTAX, 1, 40, "needs the key 'file'"},
      {"models: [{links: [{name: a}], shapes: [{kind: sphere, size: 1, file: x}]}]", SRS_ERROR_SYNTAX, 1, 64,
       "'file' is not a key of a shape of kind sphere"},
      {"models: [{links: [{name: a}], shapes: [{kind: sphere, size: -1}]}]", SRS_ERROR_MODEL, 1, -1, "size"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_fault(cases[i].text, cases[i].status, cases[i].line, cases[i].column, cases[i].words);
}

static void a_cycle_of_joints_is_told(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_error error;
  assert_int_equal(
      load_text("models:\n- links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                "  joints: [{name: h, kind: revolute, child: a, parent: b}, {name: k, kind: revolute, child: b, "
                "parent: a}]\n",
                &scene, &error),
      SRS_ERROR_MODEL);
  assert_true(error.file[0] != '\0' && error.line > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_in_models_are_told_with_their_place),
      cmocka_unit_test(mistakes_in_joints_are_told_with_their_place),
      cmocka_unit_test(mistakes_in_links_shapes_and_frames_are_told_with_their_place),
      cmocka_unit_test(a_cycle_of_joints_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
