// What has no effect is named with its line and path, once for what is meant for others.
#include "support/urdf_cases.h"

#include <stdlib.h>

static void what_is_not_read_is_named_with_line_and_path(void **state) // F13
{
  (void)state;
  srs_model *model =
      loaded(one_joint("continuous", "<dynamics>\n<damping>5</damping></dynamics>\n<extra a='1'><b/></extra>",
                       BALL "<self_collision/>"));
  assert_warns(model, 5, "robot/joint[@name='h']/dynamics/damping");
  assert_warns(model, 6, "robot/joint[@name='h']/extra");
  assert_warns(model, 2, "robot/link[@name='p']/self_collision");
  assert_int_equal(srs_model_n_warnings(model), 3);
  assert_true(srs_model_damping(model)[0] == 0);
  srs_model_destroy(model);

  srs_load_options options = srs_default_load_options();
  options.build.strict = true;
  srs_error error;
  assert_int_not_equal(
      srs_model_load(testing_write("bad.urdf", one_joint("continuous", "<extra/>", BALL)), &options, &model, &error),
      SRS_OK);
  assert_has(error.message, "robot/joint[@name='h']/extra");
}

static void second_elements_and_stray_text_are_named(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint("continuous", "<origin xyz='1 0 0'/>\n<origin xyz='2 0 0'/>stray", BALL));
  assert_true(joint_named(model, "h")->origin.position[0] == 1);
  assert_warns(model, 5, "robot/joint[@name='h']/origin[2]");
  assert_warns(model, 5, "robot/joint[@name='h']/text()");
  srs_model_destroy(model);
}

static void foreign_blocks_are_named_once_for_each_kind(void **state)
{
  (void)state;
  srs_model *model = loaded(
      "<robot name='r' version='1.0' xmlns:xacro='x'><link name='a'>" BALL "</link>\n<gazebo><x>${a}</x></gazebo>\n"
      "<gazebo reference='a'/>\n<transmission name='t'/>\n<gazebo/><ros2_control/><material name='m'/></robot>");
  assert_warns(model, 2, "3 <gazebo> blocks");
  assert_warns(model, 4, "<transmission> is meant for other programs");
  assert_warns(model, 5, "<ros2_control>");
  assert_int_equal(srs_model_n_warnings(model), 3);
  srs_model_destroy(model);
}

static void mimic_that_cannot_be_is_named_with_both_joints(void **state)
{
  (void)state;
#define JAW(A, B, MIMIC)                                                                                               \
  "<robot name='jaw'><link name='palm'/><link name='fb'>" BALL "</link><link name='fa'>" BALL "</link>\n"              \
  "<joint name='jb' type='" B "'><parent link='palm'/><child link='fb'/>\n" MIMIC "</joint>\n"                         \
  "<joint name='ja' type='" A "'><parent link='palm'/><child link='fa'/></joint></robot>"
  srs_model *model = loaded(JAW("continuous", "continuous", "<mimic joint='nope'/>"));
  assert_warns(model, 3, "joint 'jb' does not follow joint 'nope'");
  assert_warns(model, 3, "there is no joint of the second name");
  assert_int_equal(srs_model_n_couplings(model), 0);
  srs_model_destroy(model);
  model = loaded(JAW("fixed", "continuous", "<mimic joint='ja'/>"));
  assert_warns(model, 3, "a fixed joint neither leads nor follows");
  srs_model_destroy(model);
  model = loaded(JAW("floating", "continuous", "<mimic joint='ja'/>"));
  assert_warns(model, 3, "a joint of several coordinates neither leads nor follows");
  srs_model_destroy(model);
  model = loaded(JAW("continuous", "continuous", "<mimic joint='jb'/>"));
  assert_warns(model, 3, "a joint does not follow itself");
  srs_model_destroy(model);
  refused(JAW("continuous", "continuous", "<mimic multiplier='1'/>"), SRS_ERROR_SYNTAX, 3, "joint");
  refused(JAW("continuous", "continuous", "<mimic joint='ja' offset='1,5'/>"), SRS_ERROR_SYNTAX, 3, "offset=\"1,5\"");
#undef JAW
}

static void safety_controller_and_calibration_are_known_and_named(void **state)
{
  (void)state;
  srs_model *model =
      loaded(one_joint("continuous", "<safety_controller k_velocity='1'/>\n<calibration rising='0'/>", BALL));
  assert_warns(model, 4, "<safety_controller> of joint 'h' is known but has no effect");
  assert_warns(model, 5, "<calibration> of joint 'h' is known but has no effect");
  assert_int_equal(srs_model_n_warnings(model), 2);
  srs_model_destroy(model);
}

static void warnings_come_in_the_order_of_their_lines(void **state)
{
  (void)state;
  srs_model *model =
      loaded("<robot name='r'>\n<odd1/>\n<joint name='h' type='revolute'><parent link='a'/><child link='b'/>"
             "</joint>\n<link name='a'/>\n<odd2/><link name='b'>" BALL "</link>\n<gazebo/></robot>");
  int before = 0;
  assert_int_equal(srs_model_n_warnings(model), 4);
  for (int i = 0; i < 4; i++) {
    const char *place = strstr(srs_model_warning(model, i), ".urdf:");
    assert_non_null(place);
    const int line = atoi(place + 6); // NOLINT(cert-err34-c): our own digits
    assert_true(line >= before);
    before = line;
  }
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_read_is_named_with_line_and_path),
      cmocka_unit_test(second_elements_and_stray_text_are_named),
      cmocka_unit_test(foreign_blocks_are_named_once_for_each_kind),
      cmocka_unit_test(mimic_that_cannot_be_is_named_with_both_joints),
      cmocka_unit_test(safety_controller_and_calibration_are_known_and_named),
      cmocka_unit_test(warnings_come_in_the_order_of_their_lines),
  };
  return cmocka_run_group_tests_name("urdf_unread", tests, NULL, NULL);
}
