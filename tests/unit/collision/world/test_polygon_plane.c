// Planes of members: joints that keep to one and joints that leave it, wherever the mechanism hangs.
#include "collision/world/polygon_plane.h"
#include "support/bodies.h"

static const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static srs_shape_def polygon(const char *name, const char *link, double thickness)
{
  srs_shape_def def = bodies_shape(SRS_SHAPE_POLYGON, name, link, thickness, 0, 0);
  def.points = triangle;
  def.n_points = 3;
  return def;
}

static void add_jointd(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent,
                       const double rpy[3], double x, double y, double z)
{
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  srs_joint_def joint = srs_default_joint_def(kind);
  joint.name = name, joint.parent = parent, joint.child = name;
  srs_rotation_from_rpy(rpy, joint.origin.rotation);
  joint.origin.position[2] = 0.5;
  joint.axis[0] = x, joint.axis[1] = y, joint.axis[2] = z;
  srs_error error;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
}

static void joints_in_the_plane_keep_to_it_and_others_do_not(void **state)
{
  (void)state;
  static const struct {
    srs_joint_kind kind;
    double axis[3];
    bool keeps;
  } cases[] = {{SRS_JOINT_PLANAR, {0, 0, 1}, true},       {SRS_JOINT_PLANAR, {0, 1, 0}, false},
               {SRS_JOINT_REVOLUTE, {0, 0, -2}, true},    {SRS_JOINT_REVOLUTE, {0, 1e-6, 1}, false},
               {SRS_JOINT_CONTINUOUS, {0, 0, 1}, true},   {SRS_JOINT_PRISMATIC, {1, 2, 0}, true},
               {SRS_JOINT_PRISMATIC, {0, 0, 1}, false},   {SRS_JOINT_FREE, {0, 0, 1}, false},
               {SRS_JOINT_CYLINDRICAL, {0, 0, 1}, false}, {SRS_JOINT_SPHERICAL, {0, 0, 1}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_builder *builder = srs_builder_create();
    const double level[3] = {0, 0, 0}, upright[3] = {acos(0), 0, 0}; // z of what it carries goes along -y
    add_jointd(builder, "base", SRS_JOINT_REVOLUTE, NULL, upright, 0, 0, 1);
    add_jointd(builder, "arm", cases[i].kind, "base", level, cases[i].axis[0], cases[i].axis[1], cases[i].axis[2]);
    srs_shape_def def = polygon("p", "arm", 0.1);
    def.pose.position[2] = 0.25;
    bodies_add_shape(builder, &def);
    srs_model *model = bodies_build(builder);
    srs_geometries members;
    assert_int_equal(srs_geometries_make(model, &members, NULL), SRS_OK);
    const srs_plane plane = srs_plane_of_geometry(&members, 0);
    if (cases[i].keeps) {
      assert_int_equal(plane.joint, -1);
      assert_true(norm3(sub3(plane.normal, (vec3){0, -1, 0})) < 1e-15 && fabs(plane.level - 0.75) < 1e-15);
    } else {
      assert_int_equal(plane.joint, srs_model_find_joint(model, "arm"));
    }
    srs_geometries_release(&members);
    srs_model_destroy(model);
  }
}

static void planes_are_one_from_either_side(void **state)
{
  (void)state;
  const srs_plane one = {{0, 0, 1}, 0.5, -1}, back = {{0, 0, -1}, -0.5, -1}, other = {{0, 0, 1}, 0.6, -1};
  const srs_plane turned = {{0, 1, 0}, 0.5, -1};
  assert_true(srs_planes_are_one(&one, &back, 1) && srs_planes_are_one(&one, &one, 1));
  assert_false(srs_planes_are_one(&one, &other, 1) || srs_planes_are_one(&one, &turned, 1));
}

static srs_status collide(srs_joint_kind first, double height, const srs_collider_options *options, srs_error *error)
{
  srs_builder *builder = srs_builder_create();
  const double level[3] = {0, 0, 0};
  add_jointd(builder, "left", first, NULL, level, 0, 0, 1);
  add_jointd(builder, "right", SRS_JOINT_PLANAR, NULL, level, 0, 0, 1);
  const srs_shape_def a = polygon("a", "left", 0.1);
  srs_shape_def b = polygon("b", "right", 0.1);
  b.pose.position[2] = height;
  bodies_add_shape(builder, &a);
  bodies_add_shape(builder, &b);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = NULL;
  *error = (srs_error){0};
  const srs_status status = srs_collider_create(model, options, &collider, error);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
  return status;
}

static void polygons_that_leave_their_plane_are_refused_by_the_metric_alone(void **state)
{
  (void)state;
  const srs_collider_options by_ratio = {.distance = SRS_DISTANCE_RATIO_METRIC};
  srs_error error;
  assert_int_equal(collide(SRS_JOINT_PLANAR, 0, &by_ratio, &error), SRS_OK);
  assert_int_equal(collide(SRS_JOINT_FREE, 0, &by_ratio, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "the free joint 'left' moves 'a' out of it: use planar"));
  assert_int_equal(collide(SRS_JOINT_PLANAR, 0.01, &by_ratio, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "'a' and 'b' lie in different planes"));
  assert_int_equal(collide(SRS_JOINT_FREE, 0.01, NULL, &error), SRS_OK); // prisms
  static const char *const apart[] = {"a", "b", NULL};
  const srs_collider_options excluded = {.distance = SRS_DISTANCE_RATIO_METRIC, .excluded = apart};
  assert_int_equal(collide(SRS_JOINT_FREE, 0, &excluded, &error), SRS_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_in_the_plane_keep_to_it_and_others_do_not),
      cmocka_unit_test(planes_are_one_from_either_side),
      cmocka_unit_test(polygons_that_leave_their_plane_are_refused_by_the_metric_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
