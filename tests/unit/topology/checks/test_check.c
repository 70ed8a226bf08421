// What is refused of a single definition, and what is cleaned.
#include "support/testing.h"
#include "topology/builder/builder.h"
#include "topology/checks/check.h"

#include <math.h>
#include <string.h>

static const srs_place place = {"arm.urdf", 12, 3};

static srs_link_def good_link(void)
{
  srs_link_def link = srs_default_link_def();
  link.name = "l";
  link.mass = 1;
  return link;
}

static srs_joint_def good_joint(srs_joint_kind kind)
{
  srs_joint_def joint = srs_default_joint_def(kind);
  joint.name = "h";
  joint.child = "l";
  return joint;
}

static void refuse_link(srs_link_def def, srs_status status, const char *words)
{
  srs_error error;
  assert_int_equal(srs_check_link(&def, place, &error), status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.file, "arm.urdf");
  assert_int_equal(error.line, 12);
  if (strstr(error.message, words) == NULL) fail_msg("'%s' does not say '%s'", error.message, words);
  assert_int_equal(srs_check_link(&def, place, NULL), status);
}

static void refuse_joint(srs_joint_def def, srs_status status, const char *words)
{
  srs_error error;
  assert_int_equal(srs_check_joint(&def, place, &error), status);
  if (strstr(error.message, words) == NULL) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void links_need_a_name_and_possible_numbers(void **state)
{
  (void)state;
  srs_link_def def = good_link();
  assert_int_equal(srs_check_link(&def, place, NULL), SRS_OK);
  def.name = "";
  refuse_link(def, SRS_ERROR_ARGUMENT, "no name");
  def = good_link();
  def.mass = -2.5;
  refuse_link(def, SRS_ERROR_MODEL, "link 'l': mass -2.5 kg is negative");
  def.mass = 1e300;
  refuse_link(def, SRS_ERROR_MODEL, "link 'l': a mass of 1e+300 kg is none to compute with: 0, or 1e-40 to 1e+40 kg");
  def.mass = 1e-300;
  refuse_link(def, SRS_ERROR_MODEL, "link 'l': a mass of 1e-300 kg is none to compute with: 0, or 1e-40 to 1e+40 kg");
  def.mass = NAN;
  refuse_link(def, SRS_ERROR_NOT_FINITE, "link 'l': its mass is not finite");
  def = good_link();
  def.com[1] = INFINITY;
  refuse_link(def, SRS_ERROR_NOT_FINITE, "its centre of mass");
  def = good_link();
  def.inertia[5] = NAN;
  refuse_link(def, SRS_ERROR_NOT_FINITE, "its inertia");
  def = good_link();
  def.inertia_rotation[0] = 2;
  refuse_link(def, SRS_ERROR_ARGUMENT, "not a rotation");
  def.inertia_rotation[0] = -1; // a reflection
  refuse_link(def, SRS_ERROR_ARGUMENT, "not a rotation");
  def.inertia_rotation[0] = NAN;
  refuse_link(def, SRS_ERROR_NOT_FINITE, "rotation");
}

// F07: any length will do above 1e-9; the direction is kept.
static void axes_become_unit(void **state)
{
  (void)state;
  const double axes[][3] = {{0, 0, 2}, {0, 0, 0.3}, {0, -1e-8, 0}, {1e200, 0, 0}};
  const double units[][3] = {{0, 0, 1}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}};
  for (int i = 0; i < 4; i++) {
    srs_joint_def def = good_joint(SRS_JOINT_PRISMATIC);
    memcpy(def.axis, axes[i], sizeof def.axis);
    assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
    for (int j = 0; j < 3; j++) assert_true(def.axis[j] == units[i][j]); // exactly
  }
  srs_joint_def def = good_joint(SRS_JOINT_REVOLUTE);
  memcpy(def.axis, (double[3]){1, 1, 0}, sizeof def.axis);
  assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
  testing_assert_close("axis", def.axis, (double[3]){sqrt(0.5), sqrt(0.5), 0}, 3, 2e-16);
}

static void moving_joints_need_an_axis(void **state)
{
  (void)state;
  for (int kind = 0; kind < SRS_JOINT_KINDS; kind++) {
    srs_joint_def def = good_joint((srs_joint_kind)kind);
    memset(def.axis, 0, sizeof def.axis);
    def.axis[0] = 0.9e-9;
    const bool has_none = kind == SRS_JOINT_FIXED || kind == SRS_JOINT_SPHERICAL || kind == SRS_JOINT_FREE;
    if (has_none)
      assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
    else
      refuse_joint(def, SRS_ERROR_MODEL, "an axis is zero");
    def.axis[0] = NAN;
    if (!has_none) refuse_joint(def, SRS_ERROR_NOT_FINITE, "joint 'h': its axis");
  }
  srs_joint_def def = good_joint(SRS_JOINT_UNIVERSAL);
  memcpy(def.axis2, (double[3]){-3, 0, 0}, sizeof def.axis2);
  refuse_joint(def, SRS_ERROR_MODEL, "parallel");
  memset(def.axis2, 0, sizeof def.axis2);
  refuse_joint(def, SRS_ERROR_MODEL, "an axis is zero");
}

// F88: -50 of damping feeds energy in.
static void negative_coefficients_are_refused_by_name(void **state)
{
  (void)state;
  srs_joint_def def = good_joint(SRS_JOINT_REVOLUTE);
  def.damping[0] = -50;
  refuse_joint(def, SRS_ERROR_MODEL, "joint 'h': damping -50 is negative: it would feed energy in");
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.stiffness[0] = -1;
  refuse_joint(def, SRS_ERROR_MODEL, "stiffness -1");
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.armature[0] = -1e-9;
  refuse_joint(def, SRS_ERROR_MODEL, "armature -1e-09");
  def = good_joint(SRS_JOINT_FREE);
  def.friction[5] = -1;
  refuse_joint(def, SRS_ERROR_MODEL, "friction -1");
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.damping[0] = NAN;
  refuse_joint(def, SRS_ERROR_NOT_FINITE, "damping");
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.damping[1] = -50; // no such coordinate
  assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
}

static void limits_must_be_in_order(void **state)
{
  (void)state;
  srs_joint_def def = good_joint(SRS_JOINT_REVOLUTE);
  assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK); // none: infinities
  def.lower[0] = 1, def.upper[0] = -1;
  refuse_joint(def, SRS_ERROR_MODEL, "lower limit 1 is above upper limit -1");
  def.lower[0] = INFINITY, def.upper[0] = INFINITY;
  refuse_joint(def, SRS_ERROR_MODEL, "a lower limit of inf");
  def.lower[0] = -INFINITY, def.upper[0] = -INFINITY;
  refuse_joint(def, SRS_ERROR_MODEL, "an upper limit of -inf");
  def.upper[0] = NAN;
  refuse_joint(def, SRS_ERROR_NOT_FINITE, "limit");
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.max_effort[0] = -1;
  refuse_joint(def, SRS_ERROR_MODEL, "effort -1");
  def = good_joint(SRS_JOINT_SPHERICAL);
  def.upper[1] = 0.5;
  refuse_joint(def, SRS_ERROR_UNSUPPORTED, "a spherical joint turns a quaternion, which has no lower and upper limit");
}

static void joints_need_names_and_two_links(void **state)
{
  (void)state;
  srs_joint_def def = good_joint(SRS_JOINT_REVOLUTE);
  def.name = NULL;
  refuse_joint(def, SRS_ERROR_ARGUMENT, "the joint that carries link 'l' has no name");
  def.name = "";
  refuse_joint(def, SRS_ERROR_ARGUMENT, "has no name");
  def = good_joint(SRS_JOINT_FIXED);
  def.name = "";
  assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
  assert_null(def.name);
  def = good_joint(SRS_JOINT_REVOLUTE);
  def.child = NULL;
  refuse_joint(def, SRS_ERROR_ARGUMENT, "names no child link");
  def.child = def.parent = "l";
  refuse_joint(def, SRS_ERROR_MODEL, "joint 'h' joins link 'l' to itself");
  def = good_joint((srs_joint_kind)77);
  refuse_joint(def, SRS_ERROR_ARGUMENT, "no kind 77");
}

static void rotations_with_printed_digits_are_cleaned(void **state)
{
  (void)state;
  srs_pose pose = srs_identity_pose(), exact = pose;
  srs_rotation_from_rpy((double[3]){0.1, 0.2, 0.3}, exact.rotation);
  for (int i = 0; i < 9; i++) pose.rotation[i] = round(exact.rotation[i] * 1e7) / 1e7;
  assert_int_equal(srs_check_pose(&pose, "frame", "f", place, NULL), SRS_OK);
  testing_assert_close("rotation", pose.rotation, exact.rotation, 9, 1e-7); // the digits given
  double square = 0;
  for (int i = 0; i < 3; i++) square += pose.rotation[i] * pose.rotation[i];
  assert_true(fabs(square - 1) < 1e-15);
  srs_pose same = exact;
  assert_int_equal(srs_check_pose(&same, "frame", "f", place, NULL), SRS_OK);
  assert_memory_equal(&same, &exact, sizeof same);
  same.position[2] = NAN;
  srs_error error;
  assert_int_equal(srs_check_pose(&same, "frame", "f", place, &error), SRS_ERROR_NOT_FINITE);
  assert_string_equal(error.message, "frame 'f': its position is not finite");
}

static void spring_references_are_unit_quaternions(void **state)
{
  (void)state;
  srs_joint_def def = good_joint(SRS_JOINT_FREE);
  def.reference[3] = 0, def.reference[5] = 4;
  assert_int_equal(srs_check_joint(&def, place, NULL), SRS_OK);
  assert_true(def.reference[5] == 1);
  def.reference[5] = 0;
  refuse_joint(def, SRS_ERROR_ARGUMENT, "quaternion");
  def.reference[0] = NAN;
  refuse_joint(def, SRS_ERROR_NOT_FINITE, "reference");
}

static void shapes_need_sizes_and_meshes_files(void **state)
{
  (void)state;
  srs_error error;
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  memcpy(def.size, (double[3]){0.1, NAN, NAN}, sizeof def.size);
  def.link = "l";
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_OK); // a sphere has one size
  def.kind = SRS_SHAPE_BOX;
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_ERROR_NOT_FINITE);
  assert_string_equal(error.message, "shape 'l': its size is not finite");
  memcpy(def.size, (double[3]){1, -1, 1}, sizeof def.size);
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_ERROR_MODEL);
  def.link = NULL;
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_ERROR_MODEL);
  assert_string_equal(error.message, "a shape of the world: size -1 m is negative");
  def.link = "l";
  def.kind = SRS_SHAPE_MESH;
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "file"));
  def.file = "b.stl";
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_OK); // mirrored
  def.kind = (srs_shape_kind)SRS_SHAPE_KINDS;
  assert_int_equal(srs_check_shape(&def, place, &error), SRS_ERROR_ARGUMENT);
}

static void refuse_shape(srs_shape_def def, srs_status status, const char *words)
{
  srs_error error = {0};
  assert_int_equal(srs_check_shape(&def, place, &error), status);
  if (strstr(error.message, words) == NULL) fail_msg("'%s' is not in: %s", words, error.message);
}

static void a_shape_by_default_is_of_group_1_and_meets_all(void **state)
{
  (void)state;
  for (int kind = 0; kind < SRS_SHAPE_KINDS; kind++) {
    const srs_shape_def def = srs_default_shape_def((srs_shape_kind)kind);
    assert_int_equal(def.kind, kind);
    assert_true(def.group == 1 && def.mask == ~0U && !def.is_visual);
    assert_true(def.pose.rotation[0] == 1 && def.pose.rotation[4] == 1 && def.pose.rotation[8] == 1);
    assert_null(def.name);
    assert_null(def.material);
  }
}

static void half_spaces_cones_and_ellipsoids_have_their_own_sizes(void **state)
{
  (void)state;
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  def.size[0] = -1; // has none: not looked at
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  def = srs_default_shape_def(SRS_SHAPE_CONE);
  memcpy(def.size, (double[3]){1, 2, NAN}, sizeof def.size);
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  def.size[1] = -2;
  refuse_shape(def, SRS_ERROR_MODEL, "size -2 m is negative");
  def = srs_default_shape_def(SRS_SHAPE_ELLIPSOID);
  memcpy(def.size, (double[3]){1, 2, NAN}, sizeof def.size);
  refuse_shape(def, SRS_ERROR_NOT_FINITE, "its size is not finite");
  def = srs_default_shape_def(SRS_SHAPE_SUPERELLIPSOID);
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  def.exponent[1] = 1.5;
  refuse_shape(def, SRS_ERROR_MODEL, "exponent 1.5 of a superellipsoid must be 2 or more");
  def = srs_default_shape_def(SRS_SHAPE_PARABOLOID);
  def.size[2] = -1;
  refuse_shape(def, SRS_ERROR_MODEL, "size -1 m is negative");
}

static void hulls_and_terrain_need_points_and_triangles(void **state)
{
  (void)state;
  double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int triangles[6] = {0, 1, 2, 1, 2, 3};
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_HULL);
  refuse_shape(def, SRS_ERROR_ARGUMENT, "a hull needs 4 points");
  def.points = points;
  def.n_points = 3;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "a hull needs 4 points");
  def.n_points = 4;
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  def.kind = SRS_SHAPE_TERRAIN;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "needs triangles");
  def.triangles = triangles;
  def.n_triangles = 2;
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  triangles[5] = 4;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "triangle 1 has corner 4, but the points are 0 to 3");
  triangles[5] = -1;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "corner -1");
  triangles[5] = 1;
  refuse_shape(def, SRS_ERROR_MODEL, "same corner twice");
  points[7] = INFINITY;
  refuse_shape(def, SRS_ERROR_NOT_FINITE, "a point");
}

static void heightfields_need_a_grid_with_spacing(void **state)
{
  (void)state;
  double heights[6] = {0};
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_HEIGHTFIELD);
  def.size[0] = def.size[1] = 0.5;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "2 rows and 2 columns");
  def.heights = heights;
  def.n_rows = 1;
  def.n_columns = 6;
  refuse_shape(def, SRS_ERROR_ARGUMENT, "2 rows and 2 columns");
  def.n_rows = 2;
  def.n_columns = 3;
  assert_int_equal(srs_check_shape(&def, place, NULL), SRS_OK);
  def.size[1] = 0;
  refuse_shape(def, SRS_ERROR_MODEL, "spacing");
  def.size[1] = 0.5;
  heights[5] = NAN;
  refuse_shape(def, SRS_ERROR_NOT_FINITE, "a height");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_need_a_name_and_possible_numbers),
      cmocka_unit_test(axes_become_unit),
      cmocka_unit_test(moving_joints_need_an_axis),
      cmocka_unit_test(negative_coefficients_are_refused_by_name),
      cmocka_unit_test(limits_must_be_in_order),
      cmocka_unit_test(joints_need_names_and_two_links),
      cmocka_unit_test(rotations_with_printed_digits_are_cleaned),
      cmocka_unit_test(spring_references_are_unit_quaternions),
      cmocka_unit_test(shapes_need_sizes_and_meshes_files),
      cmocka_unit_test(a_shape_by_default_is_of_group_1_and_meets_all),
      cmocka_unit_test(half_spaces_cones_and_ellipsoids_have_their_own_sizes),
      cmocka_unit_test(hulls_and_terrain_need_points_and_triangles),
      cmocka_unit_test(heightfields_need_a_grid_with_spacing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
