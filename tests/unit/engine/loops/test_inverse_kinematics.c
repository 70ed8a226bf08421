// Does inverse kinematics reach what can be reached, within limits and with loops closed, and say what it cannot?

#include "support/linkages.h"
#include "topology/model/model.h"

#include <stdlib.h>
#include <string.h>

static srs_ik *ik_of(const srs_model *model, int targets)
{
  srs_ik *ik = NULL;
  srs_error error;
  if (srs_ik_create(model, targets, &ik, &error) != SRS_OK) fail_msg("%s", error.message);
  return ik;
}

static srs_pose pose_at(const srs_model *model, int frame, const double *q)
{
  srs_workspace *w = NULL;
  srs_pose pose;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  assert_int_equal(srs_frame_placement(w, frame, &pose), SRS_OK);
  srs_workspace_destroy(w);
  return pose;
}

// How far apart two placements are: m, and the sine of half the angle, doubled.
static void assert_same(const srs_pose *a, const srs_pose *b, double tolerance)
{
  double distance = 0, turn = 0;
  for (int i = 0; i < 3; i++) distance += pow(a->position[i] - b->position[i], 2);
  for (int i = 0; i < 9; i++) turn += pow(a->rotation[i] - b->rotation[i], 2) / 2;
  if (!(sqrt(distance) <= tolerance && sqrt(turn) <= tolerance))
    fail_msg("%g m and %g rad apart", sqrt(distance), sqrt(turn));
}

static void within_limits(const srs_model *model, double *q, testing_random *random)
{
  for (int i = 0; i < srs_model_nq(model); i++)
    q[i] = testing_uniform(random, srs_model_lower(model)[i], srs_model_upper(model)[i]);
}

static void a_seven_joint_arm_reaches_1000_poses_from_1000_starts(void **state)
{
  (void)state;
  testing_random random = testing_random_start(651);
  srs_model *model = NULL;
  srs_error error;
  if (srs_model_load(testing_data("robots/panda.urdf"), NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  const int frame = srs_model_find_frame(model, "panda_link8"), nq = srs_model_nq(model);
  assert_true(frame >= 0 && nq <= 16);
  srs_ik *ik = ik_of(model, 1);
  int restarts = 0, most = 0;
  long iterations = 0;
  for (int run = 0; run < 1000; run++) {
    double wanted[16] = {0}, q[16] = {0};
    within_limits(model, wanted, &random);
    within_limits(model, q, &random);
    const srs_pose pose = pose_at(model, frame, wanted);
    const srs_ik_target target = srs_default_ik_target(frame, &pose);
    srs_ik_report report;
    if (srs_inverse_kinematics(ik, &target, 1, NULL, q, &report) != SRS_OK)
      fail_msg("run %d: %s", run, srs_ik_error(ik)->message);
    const srs_pose reached = pose_at(model, frame, q);
    assert_same(&reached, &pose, 2e-10); // 1e-10 each, and rounding of entries
    assert_true(report.position_error <= 1e-10 && report.orientation_error <= 1e-10);
    for (int i = 0; i < nq; i++) assert_true(q[i] >= srs_model_lower(model)[i] && q[i] <= srs_model_upper(model)[i]);
    restarts += report.restarts;
    most = report.restarts > most ? report.restarts : most;
    iterations += report.iterations;
  }
  print_message("1000 poses: %d restarts, at most %d; %.1f iterations each\n", restarts, most,
                (double)iterations / 1000);
  srs_ik_destroy(ik);
  srs_model_destroy(model);
}

static void what_is_out_of_reach_is_said_with_what_is_left(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "h1", "l1", NULL, srs_identity_pose(), 0, 0, 1);
  linkages_add(builder, "h2", "l2", "l1", linkages_pose(1, 0, 0, 0), 0, 0, 1);
  const srs_pose tip = linkages_pose(1, 0, 0, 0);
  assert_int_equal(srs_builder_add_frame(builder, "tip", "l2", &tip, NULL), SRS_OK);
  srs_model *model = testing_build(builder);
  srs_ik *ik = ik_of(model, 1);
  const srs_pose pose = linkages_pose(0, 2.5, 0, 0);
  srs_ik_target target = srs_default_ik_target(srs_model_find_frame(model, "tip"), &pose);
  target.rows = SRS_ROWS_POINT;
  double q[2] = {0.3, 0.4};
  srs_ik_report report;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, &report), SRS_ERROR_UNREACHABLE);
  assert_true(q[0] == 0.3 && q[1] == 0.4);
  assert_true(fabs(report.position_error - 0.5) < 1e-6 && report.target == 0); // two metres of arm
  assert_true(fabs(sin(srs_ik_best(ik)[0]) - 1) < 1e-4); // stretched out along y, whole turns aside
  assert_non_null(strstr(srs_ik_error(ik)->message, "the best came within 0.5 m"));
  srs_ik_destroy(ik);
  srs_model_destroy(model);
}

// Random trees of all joints, two frames at once: a whole pose and a point.
static void several_targets_are_reached_at_once(void **state)
{
  (void)state;
  testing_random random = testing_random_start(652);
  for (int run = 0; run < 20; run++) {
    srs_model *model = testing_random_model(&random, 14, NULL, 0, 0.8);
    srs_ik *ik = ik_of(model, 2);
    double *wanted = calloc((size_t)model->nq, sizeof *wanted), *q = calloc((size_t)model->nq, sizeof *q);
    assert_true(wanted != NULL && q != NULL);
    testing_random_q(&random, model, wanted);
    testing_random_q(&random, model, q);
    const int frames[2] = {srs_model_find_frame(model, "link13"), srs_model_find_frame(model, "link7")};
    srs_ik_target targets[2];
    for (int i = 0; i < 2; i++) {
      const srs_pose pose = pose_at(model, frames[i], wanted);
      targets[i] = srs_default_ik_target(frames[i], &pose);
    }
    targets[1].rows = SRS_ROWS_POINT;
    targets[1].weight = 10;
    srs_ik_report report;
    if (srs_inverse_kinematics(ik, targets, 2, NULL, q, &report) != SRS_OK) fail_msg("%s", srs_ik_error(ik)->message);
    const srs_pose first = pose_at(model, frames[0], q), second = pose_at(model, frames[1], q);
    assert_same(&first, &targets[0].pose, 2e-10);
    for (int i = 0; i < 3; i++) assert_true(fabs(second.position[i] - targets[1].pose.position[i]) < 2e-10);
    free(wanted);
    free(q);
    srs_ik_destroy(ik);
    srs_model_destroy(model);
  }
}

// A rod of 1 m on a ball joint with a cone about z, and its tip: within the cone it is reached, beyond it or
// twisted by more than the limit it is not.
static void cones_and_twists_are_kept(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_error error;
  srs_link_def link = srs_default_link_def();
  link.name = "rod", link.mass = 1, link.com[2] = 0.5;
  for (int i = 0; i < 3; i++) link.inertia[i] = 0.1;
  srs_joint_def ball = srs_default_joint_def(SRS_JOINT_SPHERICAL);
  ball.name = "ball", ball.child = "rod", ball.axis[0] = 0, ball.axis[2] = 1;
  ball.max_swing = 0.5, ball.min_twist = -0.4, ball.max_twist = 0.3;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  if (srs_builder_add_joint(builder, &ball, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_model *model = testing_build(builder);
  srs_ik *ik = ik_of(model, 1);
  testing_random random = testing_random_start(653);
  for (int run = 0; run < 200; run++) {
    const double swing = testing_uniform(&random, 0, 0.7), way = testing_uniform(&random, -3.2, 3.2);
    const double twist = testing_uniform(&random, -0.6, 0.5), c = cos(swing / 2), s = sin(swing / 2);
    // The swing, about an axis at right angles to z, after the twist.
    const double wanted[4] = {c * cos(twist / 2), s * cos(way - twist / 2), s * sin(way - twist / 2),
                              c * sin(twist / 2)};
    double q[4] = {1, 0, 0, 0};
    const srs_pose pose = pose_at(model, srs_model_find_frame(model, "rod"), wanted);
    srs_ik_target target = srs_default_ik_target(srs_model_find_frame(model, "rod"), &pose);
    srs_ik_options options = srs_default_ik_options();
    options.max_restarts = 3;
    const bool is_within = swing <= 0.5 && twist >= -0.4 && twist <= 0.3;
    const srs_status status = srs_inverse_kinematics(ik, &target, 1, &options, q, NULL);
    if (status != (is_within ? SRS_OK : SRS_ERROR_UNREACHABLE))
      fail_msg("run %d: swing %g, twist %g", run, swing, twist);
    double by = 0;
    if (is_within) (void)srs_outside_limits(model, q, &by);
    assert_true(by <= 1e-10);
    options.respect_limits = false;
    assert_int_equal(srs_inverse_kinematics(ik, &target, 1, &options, q, NULL), SRS_OK);
  }
  srs_ik_destroy(ik);
  srs_model_destroy(model);
}

// The rocker's pin where the crank at 1 rad would have it: two cranks do that, loops closed in both.
static void loops_stay_closed(void **state)
{
  (void)state;
  srs_model *model = testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1));
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  const bool frozen[3] = {true, false, false};
  srs_assembly_options assembly = srs_default_assembly_options();
  assembly.frozen = frozen;
  double wanted[3] = {1, -0.5, 0.2}, q[3] = {0, 0, 0}, gap;
  assert_int_equal(srs_assemble(w, &assembly, wanted, NULL), SRS_OK);
  const int rocker = srs_model_find_frame(model, "rocker");
  const srs_pose pose = pose_at(model, rocker, wanted);
  const srs_ik_target target = srs_default_ik_target(rocker, &pose);
  srs_ik *ik = ik_of(model, 1);
  srs_ik_report report;
  if (srs_inverse_kinematics(ik, &target, 1, NULL, q, &report) != SRS_OK) fail_msg("%s", srs_ik_error(ik)->message);
  const srs_pose reached = pose_at(model, rocker, q);
  assert_same(&reached, &pose, 2e-10);
  assert_int_equal(srs_loop_gaps(w, q, 0, &gap), SRS_OK);
  assert_true(gap <= 1e-10 && report.loop_error <= 1e-10);
  srs_ik_destroy(ik);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void what_makes_no_sense_is_refused(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "h1", "l1", NULL, srs_identity_pose(), 0, 0, 1);
  srs_model *model = testing_build(builder);
  srs_ik *ik = NULL;
  srs_error error;
  assert_int_equal(srs_ik_create(model, 0, &ik, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_ik_create(NULL, 1, &ik, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_ik_create(model, 1431655766, &ik, &error), SRS_ERROR_ARGUMENT); // six times that overflow
  assert_int_equal(srs_ik_create(model, 2147483647, &ik, &error), SRS_ERROR_ARGUMENT);
  assert_null(ik);
  ik = ik_of(model, 1);
  const srs_pose identity = srs_identity_pose();
  double q[1] = {0};
  srs_ik_target target = srs_default_ik_target(0, &identity);
  target.frame = 5;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  target = srs_default_ik_target(0, &identity);
  target.rows = 0x40;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  target = srs_default_ik_target(0, &identity);
  target.weight = 0;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  target = srs_default_ik_target(0, &identity);
  target.pose.position[1] = NAN;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_NOT_FINITE);
  target = srs_default_ik_target(0, &identity);
  target.pose.rotation[0] = 2;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  target = srs_default_ik_target(0, &identity);
  assert_int_equal(srs_inverse_kinematics(ik, &target, 2, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  q[0] = NAN;
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_inverse_kinematics(NULL, &target, 1, NULL, q, NULL), SRS_ERROR_ARGUMENT);
  srs_ik_destroy(ik);
  srs_ik_destroy(NULL);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_seven_joint_arm_reaches_1000_poses_from_1000_starts),
      cmocka_unit_test(what_is_out_of_reach_is_said_with_what_is_left),
      cmocka_unit_test(several_targets_are_reached_at_once),
      cmocka_unit_test(cones_and_twists_are_kept),
      cmocka_unit_test(loops_stay_closed),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
