// From coordinates to the placements that collision asks for.
#include "engine/dynamics/kinematics.h"
#include "support/bodies.h"

static void link_poses_are_those_of_the_links_frames(void **state)
{
  (void)state;
  testing_random random = testing_random_start(61);
  for (int round = 0; round < 20; round++) {
    srs_model *model = testing_random_model(&random, 10, NULL, 0, 0.6); // every kind of joint
    srs_workspace *workspace = NULL;
    assert_int_equal(srs_workspace_create(model, &workspace, NULL), SRS_OK);
    double q[70];
    testing_random_q(&random, model, q);
    assert_int_equal(srs_forward_kinematics(workspace, q), SRS_OK);
    srs_pose links[10], frame;
    srs_link_poses(workspace, links);
    for (int k = 0; k < 10; k++) {
      const int index = srs_model_find_frame(model, srs_model_link(model, k)->name);
      assert_int_equal(srs_frame_placement(workspace, index, &frame), SRS_OK);
      testing_assert_close("position", links[k].position, frame.position, 3, 0); // the frame lies at the link's origin
      testing_assert_close("rotation", links[k].rotation, frame.rotation, 9, 1e-15); // one product in either case
    }
    srs_workspace_destroy(workspace);
    srs_model_destroy(model);
  }
}

// A pendulum of 1 m about x, a ball of 0.1 m at its end, lumped from a link on a fixed joint; a wall at y = 0.5.
static void a_swinging_ball_touches_a_wall_where_it_should(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "rod", SRS_JOINT_REVOLUTE, NULL);
  srs_link_def tip = srs_default_link_def();
  tip.name = "tip";
  assert_int_equal(srs_builder_add_link(builder, &tip, NULL), SRS_OK);
  srs_joint_def weld = srs_default_joint_def(SRS_JOINT_FIXED);
  weld.parent = "rod";
  weld.child = "tip";
  weld.origin = bodies_at(0, 0, -1);
  assert_int_equal(srs_builder_add_joint(builder, &weld, NULL), SRS_OK);
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "tip", 0.1, 0, 0);
  srs_shape_def wall = bodies_shape(SRS_SHAPE_HALF_SPACE, "wall", NULL, 0, 0, 0);
  wall.pose = bodies_at(0, 0.5, 0);
  srs_rotation_from_rpy((double[3]){M_PI / 2, 0, 0}, wall.pose.rotation); // z of its frame is -y
  bodies_add_shape(builder, &ball);
  bodies_add_shape(builder, &wall);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  srs_workspace *workspace = NULL;
  assert_int_equal(srs_workspace_create(model, &workspace, NULL), SRS_OK);
  for (int k = -10; k <= 10; k++) {
    const double q = 0.1 * k;
    assert_int_equal(srs_forward_kinematics(workspace, &q), SRS_OK);
    srs_pose links[1];
    srs_link_poses(workspace, links);
    srs_contact_point contact;
    int n;
    assert_int_equal(srs_collider_contacts(collider, links, 10, &contact, 1, &n, NULL), SRS_OK);
    assert_int_equal(n, 1);
    assert_true(contact.link_a == 0 && contact.link_b == -1);
    assert_true(fabs(contact.gap - (0.4 - sin(q))) < 1e-15); // few roundings of numbers below 1
    const double expected[3] = {0, sin(q) + 0.1, -cos(q)};
    testing_assert_close("point", contact.point_a, expected, 3, 1e-15);
  }
  srs_workspace_destroy(workspace);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(link_poses_are_those_of_the_links_frames),
      cmocka_unit_test(a_swinging_ball_touches_a_wall_where_it_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
