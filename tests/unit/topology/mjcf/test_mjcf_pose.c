// All ways to write a rotation, and segments.
#include "unit/topology/mjcf/mjcf_cases.h"

static const double h = 0.70710678118654752440; // sqrt(1/2)

// The rotation of a site with these attributes, rows first.
static srs_pose site(const char *settings, const char *words)
{
  char text[512];
  snprintf(text, sizeof text, "<site name='s' %s/>", words);
  srs_model *model = world(settings, text);
  const srs_pose pose = frame_at(model, "s", NULL);
  srs_model_destroy(model);
  return pose;
}

static void assert_turn(const srs_pose pose, const double expected[9])
{
  testing_assert_close("rotation", pose.rotation, expected, 9, 1e-15 * 4); // a few roundings
}

static void five_ways_say_the_same_rotation(void **state)
{
  (void)state;
  const double about_z[9] = {h, -h, 0, h, h, 0, 0, 0, 1}; // 45 degrees
  const double z_to_x[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
  assert_turn(site("", "quat='1.8477590650225735 0 0 0.7653668647301796'"), about_z); // of length 2
  assert_turn(site("", "axisangle='0 0 3 45'"), about_z);
  assert_turn(site("", "xyaxes='1 1 0 0 5 0'"), about_z); // y is made orthogonal
  assert_turn(site("", "euler='0 0 45'"), about_z);
  assert_turn(site("<compiler angle='radian'/>", "euler='0 0 0.78539816339744831'"), about_z);
  assert_turn(site("", "zaxis='2 0 0'"), z_to_x);
  const double over[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1}; // half a turn about x
  assert_turn(site("", "zaxis='0 0 -1'"), over);
}

// Small letters turn with the frame, capitals about fixed axes: the order is the reverse.
static void euler_angles_follow_their_sequence(void **state)
{
  (void)state;
  const double turning[9] = {0, -1, 0, 0, 0, -1, 1, 0, 0}; // Rx(90) Rz(90), worked out by hand
  const double fixed[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};     // Rz(90) Rx(90)
  assert_turn(site("", "euler='90 0 90'"), turning);
  assert_turn(site("<compiler eulerseq='XYZ'/>", "euler='90 0 90'"), fixed);
  assert_turn(site("<compiler eulerseq='zyx'/>", "euler='90 0 90'"), fixed);
}

static void segments_give_middle_direction_and_length(void **state)
{
  (void)state;
  srs_model *model = world("", "<geom name='g' type='capsule' size='0.1' fromto='1 0 0 1 0 0.5'/>"
                               "<geom name='b' type='box' size='0.1' fromto='0 0 0 0.4 0 0'/>");
  const srs_shape *g = shape_named(model, "g"), *b = shape_named(model, "b");
  const double middle[3] = {1, 0, 0.25}, size[3] = {0.2, 0.2, 0.4};
  testing_assert_close("middle", g->pose.position, middle, 3, 0);
  assert_true(g->size[0] == 0.1 && g->size[1] == 0.5);
  testing_assert_close("box", b->size, size, 3, 1e-15);
  const double along[3] = {b->pose.rotation[2], b->pose.rotation[5], b->pose.rotation[8]};
  const double back[3] = {-1, 0, 0}; // z runs from the second point to the first
  testing_assert_close("z", along, back, 3, 1e-15);
  srs_model_destroy(model);
}

static void rotations_that_make_no_sense_are_refused(void **state)
{
  (void)state;
#define SITE(WORDS) "<mujoco><worldbody>\n<site " WORDS "/></worldbody></mujoco>"
  refused(SITE("quat='0 0 0 0'"), SRS_ERROR_SYNTAX, 2, "a direction is zero");
  refused(SITE("axisangle='0 0 0 1'"), SRS_ERROR_SYNTAX, 2, "a direction is zero");
  refused(SITE("xyaxes='1 0 0 2 0 0'"), SRS_ERROR_SYNTAX, 2, "a direction is zero");
  refused(SITE("zaxis='0 0 0'"), SRS_ERROR_SYNTAX, 2, "a direction is zero");
  refused(SITE("fromto='1 2 3 1 2 3'"), SRS_ERROR_SYNTAX, 2, "a direction is zero");
  refused(SITE("quat='1 0 0 0' euler='0 0 1'"), SRS_ERROR_SYNTAX, 2, "says its rotation twice, by quat and by euler");
  refused(SITE("quat='1 0 0'"), SRS_ERROR_SYNTAX, 2, "expected 4 finite numbers");
  refused(SITE("pos='1 0 nan'"), SRS_ERROR_SYNTAX, 2, "expected 3 finite numbers");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(five_ways_say_the_same_rotation),
      cmocka_unit_test(euler_angles_follow_their_sequence),
      cmocka_unit_test(segments_give_middle_direction_and_length),
      cmocka_unit_test(rotations_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
