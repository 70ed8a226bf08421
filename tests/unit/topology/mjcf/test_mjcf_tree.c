// Bodies, frames, copies, sites.
#include "unit/topology/mjcf/mjcf_cases.h"

// F26
static void sites_are_frames_of_their_bodies(void **state)
{
  (void)state;
  srs_model *model = world(
      "", "<body name='post' pos='0.2 0 1' quat='0.7071067811865476 0 0 0.7071067811865476'><geom type='box' "
          "size='0.05 0.05 0.05'/><site name='s0' pos='0.1 0 0'/><body name='arm' pos='0.3 0 0'><joint name='h' "
          "axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.02'/><site name='tip' pos='0.4 0 0'/>"
          "</body></body>");
  assert_int_equal(srs_model_nq(model), 1);
  assert_at(model, "s0", NULL, 0.2, 0.1, 1);
  assert_at(model, "tip", NULL, 0.2, 0.7, 1);
  srs_model_destroy(model);
}

static void frames_move_all_that_they_hold(void **state)
{
  (void)state;
  srs_model *model = world("", "<frame pos='0 0 1' euler='0 0 90'><frame pos='1 0 0'><body name='b' pos='1 0 0'>"
                               "<frame pos='0 0 0.5' euler='0 90 0'><joint name='j' pos='0 0 0.2' axis='0 0 1'/>" BALL
                               "<site name='s' pos='0 0 1'/></frame></body></frame></frame>");
  assert_at(model, "b", NULL, 0, 2, 1);
  assert_at(model, "s", NULL, 0, 3, 1.5);
  // The joint: at (0.2, 0, 0.5) in the body, about its x axis. A quarter turn takes -z to y there, and y is -x outside.
  const double q[1] = {acos(-1) / 2};
  assert_at(model, "b", q, -0.5, 2, 1.5);
  srs_model_destroy(model);
}

static void copies_are_named_and_placed_one_after_the_other(void **state)
{
  (void)state;
  srs_model *model = world("", "<replicate count='3' offset='0 0 1' euler='0 0 90' sep='-'><body name='b' pos='1 0 0'>"
                               "<joint name='j'/>" BALL "</body></replicate>"
                               "<replicate count='12'><site name='s'/></replicate>");
  assert_int_equal(srs_model_nv(model), 3);
  assert_at(model, "b-0", NULL, 1, 0, 0);
  assert_at(model, "b-1", NULL, 0, 1, 1);
  assert_at(model, "b-2", NULL, -1, 0, 2);
  joint_named(model, "j-2");
  assert_true(srs_model_find_frame(model, "s00") >= 0 && srs_model_find_frame(model, "s11") >= 0);
  srs_model_destroy(model);
}

static void bodies_without_names_are_numbered_and_sites_called_like_bodies_renamed(void **state)
{
  (void)state;
  srs_model *model = world("", "<body name='a'><freejoint/>" BALL "<site name='a' pos='0 0 1'/>\n<body><joint/>" BALL
                               "</body></body>");
  assert_true(srs_model_find_frame(model, "body2") >= 0);
  assert_at(model, "a_site", NULL, 0, 0, 1);
  assert_warns(model, 1, "site 'a' is called like a body: its frame is 'a_site'");
  joint_named(model, "a"); // the only joint of body a
  joint_named(model, "body2");
  srs_model_destroy(model);
}

static void names_that_stand_twice_are_refused(void **state)
{
  (void)state;
  refused("<mujoco><worldbody><body name='a'/>\n<body name='a'/></worldbody></mujoco>", SRS_ERROR_NAME, 2,
          "the name 'a' is that of two elements (body)");
  refused("<mujoco><worldbody><geom name='a' size='1'/>\n<geom name='a' size='1'/></worldbody></mujoco>",
          SRS_ERROR_NAME, 2, "(geom)");
}

static void copies_without_end_are_refused_at_once(void **state)
{
  (void)state;
  refused("<mujoco><worldbody><replicate count='90000'><replicate count='90000'>\n<replicate count='90000'><body/>"
          "</replicate></replicate></replicate></worldbody></mujoco>",
          SRS_ERROR_CAPACITY, 2, "copies counted");
  refused("<mujoco><worldbody><replicate count='100000'>\n<replicate count='100000'/></replicate></worldbody></mujoco>",
          SRS_ERROR_CAPACITY, 2, "copies counted"); // of nothing
  refused("<mujoco><worldbody>\n<replicate count='1e9'/></worldbody></mujoco>", SRS_ERROR_SYNTAX, 2, "expected 1 to");
}

static void prefix_and_placement_apply_to_all(void **state)
{
  (void)state;
  srs_load_options options = srs_default_load_options();
  options.prefix = "left/";
  options.placement.position[0] = 5;
  srs_model *model = loaded_with("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -1'/>"
                                 "<site name='s'/><body name='b' pos='0 1 0'><freejoint name='f'/>" BALL
                                 "</body></worldbody></mujoco>",
                                 &options);
  assert_at(model, "left/b", NULL, 5, 1, 0);
  assert_at(model, "left/s", NULL, 5, 0, 0);
  joint_named(model, "left/f");
  assert_true(srs_model_neutral(model)[0] == 5 && srs_model_neutral(model)[1] == 1);
  const srs_shape *floor = shape_named(model, "left/floor");
  assert_int_equal(floor->kind, SRS_SHAPE_HALF_SPACE);
  assert_true(floor->pose.position[0] == 5 && floor->pose.position[2] == -1);
  srs_model_destroy(model);
  options.base = SRS_BASE_FLOATING;
  srs_error error;
  assert_int_equal(srs_model_load(testing_write("model.xml", "<mujoco/>"), &options, &model, &error),
                   SRS_ERROR_ARGUMENT);
  assert_has(error.message, "<freejoint/>");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sites_are_frames_of_their_bodies),
      cmocka_unit_test(frames_move_all_that_they_hold),
      cmocka_unit_test(copies_are_named_and_placed_one_after_the_other),
      cmocka_unit_test(bodies_without_names_are_numbered_and_sites_called_like_bodies_renamed),
      cmocka_unit_test(names_that_stand_twice_are_refused),
      cmocka_unit_test(copies_without_end_are_refused_at_once),
      cmocka_unit_test(prefix_and_placement_apply_to_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
