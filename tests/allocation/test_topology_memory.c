// Out of memory: wherever the allocator gives up, the call says so, nothing leaks, and the builder works on.
//
// The allocator is interposed: while armed, the n-th request fails and all after it.
#include "allocation/counted_allocator.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

// A closure on each link and, where its joint has one coordinate, a coupling of it to that of ten before.
static srs_status gather_loops(srs_builder *builder, int i)
{
  static const double times[2] = {0, 1}, values[2] = {2, 3};
  char name[24], link[24], leader[24], follower[24];
  snprintf(name, sizeof name, "closure%d", i);
  snprintf(link, sizeof link, "link%d", i);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = name;
  closure.frame_b = link;
  closure.motion = (srs_motion){.kind = SRS_MOTION_TABLE, .times = times, .values = values, .n_points = 2};
  if (i % SRS_JOINT_KINDS != SRS_JOINT_FIXED) { // not what does not move
    const srs_status status = srs_builder_add_closure(builder, &closure, NULL);
    if (status != SRS_OK) return status;
  }
  if (i < SRS_JOINT_KINDS || i % SRS_JOINT_KINDS != SRS_JOINT_PRISMATIC) return SRS_OK;
  snprintf(leader, sizeof leader, "joint%d", i - SRS_JOINT_KINDS);
  snprintf(follower, sizeof follower, "joint%d", i);
  srs_coupling_def coupling = srs_default_coupling_def();
  coupling.follower = follower;
  coupling.leader = leader;
  return srs_builder_add_coupling(builder, &coupling, NULL);
}

// Twenty of each, so that lists have to grow. The first failure is returned.
static srs_status gather(srs_builder *builder, int from, int to)
{
  const srs_pose pose = srs_identity_pose();
  for (int i = from; i < to; i++) {
    char link[24], joint[24], frame[24];
    snprintf(link, sizeof link, "link%d", i);
    snprintf(joint, sizeof joint, "joint%d", i);
    snprintf(frame, sizeof frame, "frame%d", i);
    srs_link_def body = srs_default_link_def();
    body.name = link;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    srs_joint_def def = srs_default_joint_def((srs_joint_kind)(i % SRS_JOINT_KINDS));
    def.name = joint;
    def.child = link;
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_HULL);
    shape.name = shape.link = shape.material = link;
    shape.points = corners;
    shape.n_points = 4;
    srs_builder_set_location(builder, "a.urdf", i + 1, 0);
    srs_status status = srs_builder_add_link(builder, &body, NULL);
    if (status == SRS_OK) status = srs_builder_add_joint(builder, &def, NULL);
    if (status == SRS_OK) status = srs_builder_add_shape(builder, &shape, NULL);
    if (status == SRS_OK) status = srs_builder_add_frame(builder, frame, link, &pose, NULL);
    if (status == SRS_OK) status = gather_loops(builder, i);
    if (status == SRS_OK) status = srs_builder_warn(builder, "link %d", i);
    if (status == SRS_OK) status = srs_builder_note(builder, "link %d is kept", i);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static void gathering_reports_and_frees(void **state)
{
  (void)state;
  srs_status status = SRS_ERROR_MEMORY;
  int n = 0;
  for (; status != SRS_OK; n++) {
    left = n, live = 0, armed = true;
    srs_builder *builder = srs_builder_create();
    status = builder != NULL ? gather(builder, 0, 20) : SRS_ERROR_MEMORY;
    srs_builder_destroy(builder);
    armed = false;
    assert_int_equal(live, 0);
    if (status != SRS_OK) assert_int_equal(status, SRS_ERROR_MEMORY);
  }
  assert_in_range(n, 20, 200); // it did fail at every one of its requests
}

static void building_reports_frees_and_can_be_repeated(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  assert_int_equal(gather(builder, 0, 40), SRS_OK);
  srs_status status = SRS_ERROR_MEMORY;
  int n = 0;
  for (; status != SRS_OK; n++) {
    srs_model *model = NULL;
    srs_error error;
    left = n, live = 0, armed = true;
    status = srs_builder_build(builder, NULL, &model, &error);
    srs_model_destroy(model);
    armed = false;
    assert_int_equal(live, 0);
    if (status == SRS_OK) continue;
    assert_null(model);
    assert_int_equal(status, SRS_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "out of memory"));
  }
  assert_in_range(n, 8, 200);
  srs_builder_destroy(builder);
}

static void a_failed_addition_can_be_repeated(void **state)
{
  (void)state;
  for (int n = 0; n < 40; n++) {
    srs_builder *builder = srs_builder_create();
    assert_int_equal(gather(builder, 0, 15), SRS_OK);
    srs_link_def body = srs_default_link_def();
    srs_status status = SRS_OK;
    char name[16];
    left = n, armed = true;
    for (int i = 0; i < 40 && status == SRS_OK; i++) { // over the edge where lists grow
      snprintf(name, sizeof name, "more%d", i);
      body.name = name;
      status = srs_builder_add_link(builder, &body, NULL);
    }
    armed = false;
    if (status != SRS_OK) assert_int_equal(srs_builder_add_link(builder, &body, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_link(builder, &body, NULL), SRS_ERROR_NAME);
    srs_builder_destroy(builder);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathering_reports_and_frees),
      cmocka_unit_test(building_reports_frees_and_can_be_repeated),
      cmocka_unit_test(a_failed_addition_can_be_repeated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
