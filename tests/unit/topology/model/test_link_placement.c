// Where are links at given coordinates? As the recursions say, for every kind of joint.
#include "support/bodies.h"
#include "topology/model/link_placement.h"

static void links_are_where_the_recursions_place_them(void **state)
{
  (void)state;
  static const srs_joint_kind kinds[] = {SRS_JOINT_FREE,      SRS_JOINT_REVOLUTE,  SRS_JOINT_PRISMATIC,
                                         SRS_JOINT_HELICAL,   SRS_JOINT_UNIVERSAL, SRS_JOINT_CYLINDRICAL,
                                         SRS_JOINT_SPHERICAL, SRS_JOINT_PLANAR,    SRS_JOINT_CONTINUOUS};
  enum { N = sizeof kinds / sizeof *kinds };
  char names[N][8];
  testing_random random = testing_random_start(5);
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int i = 0; i < N; i++) {
    srs_link_def link = srs_default_link_def();
    srs_joint_def joint = srs_default_joint_def(kinds[i]);
    snprintf(names[i], sizeof names[i], "l%d", i);
    link.name = joint.name = joint.child = names[i];
    link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    joint.parent = i > 0 ? names[(i - 1) / 2] : NULL;
    joint.origin = bodies_random_pose(&random, 1);
    joint.pitch = 0.3;
    joint.axis[1] = 0.4, joint.axis2[0] = 0.2; // any direction
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  srs_model *model = bodies_build(builder);
  srs_workspace *workspace = NULL;
  assert_int_equal(srs_workspace_create(model, &workspace, &error), SRS_OK);
  double q[64];
  srs_pose links[N];
  for (int i = 0; i < srs_model_nq(model); i++) q[i] = testing_uniform(&random, -1, 1);
  assert_true(srs_normalise(model, q));
  assert_int_equal(srs_forward_kinematics(workspace, q), SRS_OK);
  srs_pose_links(model, q, links);
  for (int k = 0; k < N; k++) {
    srs_pose expected;
    srs_frame_placement(workspace, srs_model_find_frame(model, srs_model_link(model, k)->name), &expected);
    for (int c = 0; c < 3; c++) // rounding along a chain of lengths of about 1
      assert_true(fabs(links[k].position[c] - expected.position[c]) < 1e-13);
    for (int c = 0; c < 9; c++) assert_true(fabs(links[k].rotation[c] - expected.rotation[c]) < 1e-13);
  }
  srs_workspace_destroy(workspace);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(links_are_where_the_recursions_place_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
