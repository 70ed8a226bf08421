// Building as a whole: the builder is left as it was, and options do what they say.
#include "support/testing.h"

#include <string.h>

static srs_builder *pendulum(void)
{
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "bob";
  link.mass = 1;
  link.com[2] = -1;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "h";
  joint.child = "bob";
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  return builder;
}

static void a_builder_builds_again_and_again(void **state)
{
  (void)state;
  srs_builder *builder = pendulum();
  srs_model *first = NULL, *second = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &first, NULL), SRS_OK);
  srs_link_def link = srs_default_link_def();
  link.name = "second";
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  srs_error error;
  assert_int_equal(srs_builder_build(builder, NULL, &second, &error), SRS_ERROR_MODEL);
  assert_null(second);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FIXED);
  joint.parent = "bob";
  joint.child = "second";
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &second, NULL), SRS_OK);
  srs_builder_destroy(builder);
  assert_int_equal(srs_model_n_frames(first), 1);
  assert_int_equal(srs_model_n_frames(second), 2);
  srs_model_destroy(first);
  srs_model_destroy(second);
}

static void the_default_lumps_and_forgives(void **state)
{
  (void)state;
  const srs_build_options options = srs_default_build_options();
  assert_false(options.keep_fixed_joints);
  assert_false(options.strict);
}

static void a_bare_joint_is_reported_at_its_place(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "tip";
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "z";
  joint.child = "tip";
  srs_builder_set_location(builder, "arm.urdf", 17, 0);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  srs_model *model = NULL;
  srs_error error;
  char text[1024];
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_ERROR_MODEL);
  assert_string_equal(error.subject, "z");
  assert_non_null(
      strstr(srs_error_format(&error, text, sizeof text), "arm.urdf:17: nothing resists joint 'z': link 'tip'"));
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_ERROR_MODEL); // nobody has to listen
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_builder_builds_again_and_again),
      cmocka_unit_test(the_default_lumps_and_forgives),
      cmocka_unit_test(a_bare_joint_is_reported_at_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
