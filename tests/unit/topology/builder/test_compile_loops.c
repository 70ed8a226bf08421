// Closures and couplings through the builder: copies, rolling back, names, frozen poses, and what cannot be.

#include "support/linkages.h"
#include "topology/builder/builder.h"

#include <string.h>

static srs_builder *two_sliders(void)
{
  srs_builder *builder = srs_builder_create();
  static const char *const names[2] = {"a", "b"};
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = names[i];
    link.mass = 1;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_PRISMATIC);
    joint.name = joint.child = names[i];
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  return builder;
}

static void refuse(srs_builder *builder, const srs_closure_def *closure, const srs_coupling_def *coupling,
                   srs_status status, const char *words)
{
  srs_error error = {0};
  srs_model *model = NULL;
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srs_builder_set_location(builder, "m.c", 7, 3);
  srs_status got = closure != NULL ? srs_builder_add_closure(builder, closure, &error)
                                   : srs_builder_add_coupling(builder, coupling, &error);
  if (got == SRS_OK) got = srs_builder_build(builder, NULL, &model, &error);
  if (got != status || strstr(error.message, words) == NULL)
    fail_msg("%s, '%s', not %s with '%s'", srs_status_string(got), error.message, srs_status_string(status), words);
  assert_int_equal(error.line, 7);
  assert_null(model);
  srs_builder_roll_back(builder, mark);
}

static void what_is_given_is_copied(void **state)
{
  (void)state;
  srs_builder *builder = two_sliders();
  char name[] = "loop", a[] = "a", b[] = "b", gear[] = "gear";
  double times[2] = {0, 1}, values[2] = {0, 2};
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = name;
  closure.frame_a = a;
  closure.frame_b = b;
  closure.motion = (srs_motion){.kind = SRS_MOTION_TABLE, .times = times, .values = values, .n_points = 2};
  linkages_close(builder, &closure);
  srs_coupling_def coupling = srs_default_coupling_def();
  coupling.name = gear;
  coupling.follower = b;
  coupling.leader = a;
  assert_int_equal(srs_builder_add_coupling(builder, &coupling, NULL), SRS_OK);
  name[0] = gear[0] = a[0] = b[0] = 'X';
  values[1] = times[1] = 9;
  srs_model *model = testing_build(builder);
  assert_string_equal(srs_model_closure(model, 0)->name, "loop");
  assert_string_equal(srs_model_coupling(model, 0)->name, "gear");
  assert_true(srs_motion_at(&srs_model_closure(model, 0)->motion, 0.5, NULL) == 1);
  assert_null(srs_model_closure(model, 1));
  assert_null(srs_model_closure(model, -1));
  assert_null(srs_model_coupling(model, 1));
  assert_null(srs_model_loop_name(model, 2));
  assert_int_equal(srs_model_loop_rows(model, 1), 1);
  assert_int_equal(srs_model_loop_rows(model, 2), 0);
  srs_model_destroy(model);
}

static void rolling_back_forgets_loops_and_their_names(void **state)
{
  (void)state;
  srs_builder *builder = two_sliders();
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = "loop";
  closure.frame_a = "a";
  closure.frame_b = "b";
  srs_coupling_def coupling = srs_default_coupling_def();
  coupling.follower = "b";
  coupling.leader = "a";
  for (int i = 0; i < 2; i++) {
    assert_int_equal(srs_builder_add_coupling(builder, &coupling, NULL), SRS_OK);
    linkages_close(builder, &closure);
    assert_int_equal(srs_builder_add_closure(builder, &closure, NULL), SRS_ERROR_NAME);
    if (i == 0) srs_builder_roll_back(builder, mark);
  }
  srs_model *model = testing_build(builder);
  assert_int_equal(srs_model_n_loops(model), 2);
  srs_model_destroy(model);
}

// A universal closure's first axis is y of a, its second z of b: see srs_closure.
static void axes_are_turned_into_place(void **state)
{
  (void)state;
  testing_random random = testing_random_start(641);
  for (int kind = 0; kind < SRS_CLOSURE_TENDON; kind++) // those that hold frames
  {
    srs_builder *builder = testing_random_builder(&random, 2, NULL, 0, 1);
    srs_closure_def def = srs_default_closure_def((srs_closure_kind)kind);
    def.name = "loop";
    def.frame_a = "link0";
    def.frame_b = "link1";
    def.length = 1;
    def.rows = 1;
    double axes[2][3];
    for (int i = 0; i < 3; i++) {
      axes[0][i] = def.axis[i] = testing_uniform(&random, -1, 1);
      axes[1][i] = def.axis2[i] = testing_uniform(&random, -1, 1);
    }
    linkages_close(builder, &def);
    srs_model *model = testing_build(builder);
    const srs_closure *closure = srs_model_closure(model, 0);
    const bool has_axis = kind == SRS_CLOSURE_REVOLUTE || kind == SRS_CLOSURE_PRISMATIC || kind == SRS_CLOSURE_PLANAR;
    for (int end = 0; end < 2; end++) {
      const double *rotation = closure->pose[end].rotation;
      const bool is_universal = kind == SRS_CLOSURE_UNIVERSAL;
      const double *axis = axes[is_universal ? end : 0];
      const int column = is_universal && end == 0 ? 1 : 2;
      const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      for (int i = 0; i < 3 && (has_axis || is_universal); i++)
        assert_true(fabs(rotation[3 * i + column] - axis[i] / length) < 1e-15);
      for (int i = 0; i < 9 && !has_axis && !is_universal; i++) assert_true(rotation[i] == (i % 4 == 0));
    }
    srs_model_destroy(model);
  }
}

static void lumped_links_and_frames_are_ends_where_they_are(void **state)
{
  (void)state;
  srs_builder *builder = two_sliders();
  srs_link_def link = srs_default_link_def();
  link.name = "tool";
  srs_joint_def weld = srs_default_joint_def(SRS_JOINT_FIXED);
  weld.parent = "b";
  weld.child = "tool";
  weld.origin.position[0] = 0.5;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &weld, NULL), SRS_OK);
  const srs_pose pose = linkages_pose(0, 0.25, 0, linkages_pi / 2);
  assert_int_equal(srs_builder_add_frame(builder, "tip", "tool", &pose, NULL), SRS_OK);
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_WELD);
  def.name = "loop";
  def.frame_a = "tip";
  def.frame_b = "a";
  def.pose_a.position[1] = 1; // along y of the tip: z of b
  linkages_close(builder, &def);
  def.name = "same";
  def.frame_b = "b";
  refuse(builder, &def, NULL, SRS_ERROR_MODEL, "which are one body"); // tip and b
  srs_model *model = testing_build(builder);
  const srs_closure *closure = srs_model_closure(model, 0);
  assert_string_equal(srs_model_link(model, closure->link[0])->name, "b");
  const double at[3] = {0.5, 0.25, 1};
  testing_assert_close("end a", closure->pose[0].position, at, 3, 1e-15);
  srs_model_destroy(model);
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  srs_builder *builder = two_sliders();
  srs_link_def link = srs_default_link_def();
  link.name = "pad";
  srs_joint_def weld = srs_default_joint_def(SRS_JOINT_FIXED);
  weld.name = "glue";
  weld.parent = "b";
  weld.child = "pad";
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &weld, NULL), SRS_OK);
  link.name = "ball";
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  srs_joint_def free_joint = srs_default_joint_def(SRS_JOINT_FREE);
  free_joint.name = free_joint.child = "ball";
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &free_joint, NULL), SRS_OK);

  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.frame_a = "a";
  closure.frame_b = "b";
  refuse(builder, &closure, NULL, SRS_ERROR_ARGUMENT, "a closure has no name");
  closure.name = "c";
  closure.pose_a.position[0] = NAN;
  refuse(builder, &closure, NULL, SRS_ERROR_NOT_FINITE, "closure 'c'");
  closure.pose_a = srs_identity_pose();
  closure.pose_b.rotation[0] = 2;
  refuse(builder, &closure, NULL, SRS_ERROR_ARGUMENT, "is not a rotation");
  closure.pose_b = srs_identity_pose();
  closure.kind = (srs_closure_kind)77;
  refuse(builder, &closure, NULL, SRS_ERROR_ARGUMENT, "there is no kind 77");
  closure.kind = SRS_CLOSURE_REVOLUTE;
  closure.axis[0] = INFINITY;
  refuse(builder, &closure, NULL, SRS_ERROR_NOT_FINITE, "an axis is not finite");
  closure.axis[0] = 1;
  closure.joint.lower = closure.joint.upper = INFINITY;
  refuse(builder, &closure, NULL, SRS_ERROR_MODEL, "closure 'c': a lower limit of inf");
  closure.joint.lower = closure.joint.upper = -INFINITY;
  refuse(builder, &closure, NULL, SRS_ERROR_MODEL, "closure 'c': an upper limit of -inf");
  closure.joint.lower = -INFINITY, closure.joint.upper = INFINITY;
  closure.kind = SRS_CLOSURE_POINT;
  closure.motion = (srs_motion){.kind = SRS_MOTION_FUNCTION};
  refuse(builder, &closure, NULL, SRS_ERROR_ARGUMENT, "function of its motion is NULL");
  closure.motion = (srs_motion){.kind = SRS_MOTION_RATE, .rate = NAN};
  refuse(builder, &closure, NULL, SRS_ERROR_NOT_FINITE, "motion is not finite");

  srs_coupling_def coupling = srs_default_coupling_def();
  refuse(builder, NULL, &coupling, SRS_ERROR_ARGUMENT, "no coordinate that follows");
  coupling.follower = "a";
  coupling.leader = "glue";
  refuse(builder, NULL, &coupling, SRS_ERROR_NAME, "a fixed joint has no coordinate");
  coupling.leader = "ball";
  refuse(builder, NULL, &coupling, SRS_ERROR_NAME, "several coordinates");
  coupling.leader = "ball.qx";
  refuse(builder, NULL, &coupling, SRS_ERROR_MODEL, "part of a quaternion");
  coupling.leader = "b";
  coupling.coefficients[3] = NAN;
  refuse(builder, NULL, &coupling, SRS_ERROR_NOT_FINITE, "coefficient 3");
  coupling.coefficients[3] = 0;
  coupling.leader = "ball.x"; // a free joint's x, y, z are numbers
  assert_int_equal(srs_builder_add_coupling(builder, &coupling, NULL), SRS_OK);
  srs_model *model = testing_build(builder);
  assert_string_equal(srs_model_q_name(model, srs_model_coupling(model, 0)->leader_q), "ball.x");
  assert_string_equal(srs_model_v_name(model, srs_model_coupling(model, 0)->leader_v), "ball.vx");
  srs_model_destroy(model);
}

static void a_cycle_of_many_is_found_and_a_long_chain_is_ordered(void **state)
{
  (void)state;
  enum { N = 200 };
  for (int is_circle = 0; is_circle < 2; is_circle++) {
    srs_builder *builder = srs_builder_create();
    for (int i = 0; i < N; i++) {
      char name[16];
      snprintf(name, sizeof name, "h%d", i);
      srs_link_def link = srs_default_link_def();
      link.name = name;
      link.mass = 1;
      srs_joint_def joint = srs_default_joint_def(SRS_JOINT_PRISMATIC);
      joint.name = joint.child = name;
      assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
      assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    }
    for (int i = N - 1; i >= 1 - is_circle; i--) { // followers before their leaders
      char follower[16], leader[16];
      snprintf(follower, sizeof follower, "h%d", i);
      snprintf(leader, sizeof leader, "h%d", (i + N - 1) % N);
      srs_coupling_def def = srs_default_coupling_def();
      def.follower = follower;
      def.leader = leader;
      assert_int_equal(srs_builder_add_coupling(builder, &def, NULL), SRS_OK);
    }
    srs_model *model = NULL;
    srs_error error;
    if (is_circle) {
      assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_ERROR_MODEL);
      assert_non_null(strstr(error.message, "form a cycle"));
      srs_builder_destroy(builder);
      continue;
    }
    model = testing_build(builder);
    for (int i = 0; i < N - 1; i++) assert_int_equal(srs_model_coupling(model, i)->follower_q, i + 1);
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_given_is_copied),
      cmocka_unit_test(rolling_back_forgets_loops_and_their_names),
      cmocka_unit_test(axes_are_turned_into_place),
      cmocka_unit_test(lumped_links_and_frames_are_ends_where_they_are),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(a_cycle_of_many_is_found_and_a_long_chain_is_ordered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
