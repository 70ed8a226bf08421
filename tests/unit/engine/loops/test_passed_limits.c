// Are limits of cones, twists and loop joints rows where they are passed, by as much as they are, and nowhere else?
// Gaps against angles put in, rows against differences.

#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure.h"
#include "engine/loops/passed_limits.h"
#include "support/linkages.h"

#include <string.h>

enum { NQ = 5, NV = 4 };

// A ball joint about z with cone and twist, and on its link a slide whose end a prismatic closure holds to the world.
static srs_model *rig(void)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  const char *const names[2] = {"rod", "slide"};
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = names[i], link.mass = 1;
    for (int c = 0; c < 3; c++) link.inertia[c] = 0.1;
    srs_joint_def joint = srs_default_joint_def(i == 0 ? SRS_JOINT_SPHERICAL : SRS_JOINT_PRISMATIC);
    joint.name = i == 0 ? "ball" : "rail", joint.child = names[i], joint.parent = i == 0 ? NULL : "rod";
    joint.axis[0] = 0, joint.axis[2] = 1;
    if (i == 0) joint.max_swing = 0.5, joint.min_twist = -0.4, joint.max_twist = 0.3;
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  srs_closure_def slider = srs_default_closure_def(SRS_CLOSURE_PRISMATIC);
  slider.name = "post", slider.frame_b = "slide";
  slider.joint.lower = 0.1, slider.joint.upper = 0.2;
  linkages_close(builder, &slider);
  return testing_build(builder);
}

// Swing about x at `swing`, after the twist; the slide at z.
static void bend(double swing, double twist, double z, double q[NQ])
{
  q[0] = cos(swing / 2) * cos(twist / 2), q[1] = sin(swing / 2) * cos(twist / 2);
  q[2] = -sin(swing / 2) * sin(twist / 2), q[3] = cos(swing / 2) * sin(twist / 2);
  q[4] = z;
}

static void gaps_are_by_how_far_limits_are_passed(void **state)
{
  (void)state;
  srs_model *model = rig();
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_count_further_limits(model), 3);
  // Travel along the world's z: z cos(swing).
  static const struct {
    double swing, twist, z, gap[3]; // by how far; 0 inside
  } cases[] = {{0.4, 0.2, 0.15, {0, 0, 0}},        {0.6, 0.2, 0.19, {0.1, 0, 0}}, {0, 0.35, 0.1, {0, 0.05, 0}},
               {0.3, -0.5, 0.15, {0, -0.1, 0}},    {0, 0, 0.25, {0, 0, 0.05}},    {0, 0, 0, {0, 0, -0.1}},
               {0.5 + 1, 0.3 + 1, 5, {1, 1, 0.15}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double q[NQ];
    srs_closure_row rows[3];
    bend(cases[i].swing, cases[i].twist, cases[i].z, q);
    srs_place_links(w, q);
    double found[3] = {0};
    const int n = srs_passed_limits(w, q, NULL, rows);
    for (int k = 0; k < n; k++) {
      const int limit = srs_further_limit(&rows[k]);
      assert_true(limit == 0 || limit == 1 || limit == 4); // swing, twist of the first of two links; the closure
      found[limit == 4 ? 2 : limit] = rows[k].gap;
      assert_string_equal(srs_further_limit_name(model, limit), limit == 4 ? "post" : "ball");
      assert_true(rows[k].is_angular == (limit != 4) && rows[k].closure < 0);
    }
    const double travel = cases[i].z * cos(cases[i].swing) - 0.2;
    for (int k = 0; k < 3; k++) assert_true(fabs(found[k] - (i == 6 && k == 2 ? travel : cases[i].gap[k])) < 1e-14);
    const bool ignored[5] = {true, true, false, false, true};
    assert_int_equal(srs_passed_limits(w, q, ignored, rows), 0);
  }
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

// Gap ahead less gap behind against the row's velocity. (A slider's row is that where its loop is closed.)
static void rows_are_the_derivatives_of_gaps(void **state)
{
  (void)state;
  srs_model *model = rig();
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  testing_random random = testing_random_start(671);
  for (int run = 0; run < 200; run++) {
    double q[NQ], v[NV], at[NQ];
    srs_closure_row rows[3], beside[2][3];
    bend(testing_uniform(&random, 0.6, 1.5), testing_uniform(&random, 0.5, 1.5), testing_uniform(&random, 5, 9), q);
    for (int i = 0; i < NV; i++) v[i] = testing_uniform(&random, -1, 1);
    for (int side = 0; side < 2; side++) {
      srs_integrate(model, q, v, side == 0 ? -1e-5 : 1e-5, at);
      srs_place_links(w, at);
      assert_int_equal(srs_passed_limits(w, at, NULL, beside[side]), 3);
    }
    srs_place_links(w, q);
    srs_move_links(w, v);
    assert_int_equal(srs_passed_limits(w, q, NULL, rows), 3);
    for (int k = 0; k < 2; k++) {
      const double rate = (beside[1][k].gap - beside[0][k].gap) / 2e-5;
      assert_true(fabs(rate - srs_row_velocity(&rows[k].row, w->velocity, v)) < 1e-7);
    }
  }
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_are_by_how_far_limits_are_passed),
      cmocka_unit_test(rows_are_the_derivatives_of_gaps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
