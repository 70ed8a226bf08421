// Are a closure's rows the derivative of its gap, equal and opposite on both links, and zero where it is closed?
//
// Against central differences, extrapolated: (4 D(h/2) - D(h)) / 3 with h = 2e-3 leaves h^4 of the fifth derivative,
// some 1e-10 here, and 1e-13 of rounding.

#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure.h"
#include "engine/simulation/fingerprint.h"
#include "support/linkages.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 16, LINKS = 6 };

static srs_pose random_pose(testing_random *random)
{
  srs_pose pose;
  double quaternion[4];
  for (int i = 0; i < 3; i++) pose.position[i] = testing_uniform(random, -0.4, 0.4);
  for (int i = 0; i < 4; i++) quaternion[i] = testing_uniform(random, -1, 1);
  srs_rotation_from_quaternion(quaternion, pose.rotation);
  return pose;
}

static srs_closure_def random_closure(testing_random *random, srs_closure_kind kind, unsigned rows, const char *b)
{
  srs_closure_def def = srs_default_closure_def(kind);
  def.name = "loop";
  def.frame_a = "link5";
  def.frame_b = b;
  def.pose_a = random_pose(random);
  def.pose_b = random_pose(random);
  for (int i = 0; i < 3; i++) {
    def.axis[i] = testing_uniform(random, -1, 1);
    def.axis2[i] = testing_uniform(random, -1, 1);
  }
  def.length = 0.3;
  def.rows = rows;
  return def;
}

static void gaps_at(srs_workspace *w, const double *q0, const double *v, double h, double *gaps)
{
  srs_closure_row rows[MOST_ROWS];
  double *q = calloc((size_t)w->model->nq, sizeof *q);
  assert_non_null(q);
  srs_integrate(w->model, q0, v, h, q);
  srs_place_links(w, q);
  const int n = srs_closure_rows(w, q, 0.25, rows);
  for (int i = 0; i < n; i++) gaps[i] = rows[i].gap;
  free(q);
}

static void check_rows(testing_random *random, const srs_model *model)
{
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double *q = calloc((size_t)model->nq, sizeof *q), *v = calloc((size_t)model->nv, sizeof *v);
  assert_true(q != NULL && v != NULL);
  const double h = 2e-3;
  for (int run = 0; run < 20; run++) {
    testing_random_q(random, model, q);
    testing_random_v(random, model, 0.5, v);
    double gap[4][MOST_ROWS], found[MOST_ROWS], rate[MOST_ROWS];
    const double steps[4] = {h, -h, h / 2, -h / 2};
    for (int s = 0; s < 4; s++) gaps_at(w, q, v, steps[s], gap[s]);
    srs_closure_row rows[MOST_ROWS];
    srs_place_links(w, q);
    srs_move_links(w, v);
    const int n = srs_closure_rows(w, q, 0.25, rows);
    assert_int_equal(n, srs_model_n_loop_rows(model));
    for (int i = 0; i < n; i++) {
      rate[i] = srs_row_velocity(&rows[i].row, w->velocity, v);
      found[i] = (4 * (gap[2][i] - gap[3][i]) / h - (gap[0][i] - gap[1][i]) / (2 * h)) / 3;
    }
    testing_assert_close("rates of gaps", rate, found, n, 1e-8);
  }
  free(q);
  free(v);
  srs_workspace_destroy(w);
}

static void rows_are_the_derivative_of_the_gap(void **state)
{
  (void)state;
  testing_random random = testing_random_start(601);
  for (int kind = 0; kind < SRS_CLOSURE_TENDON; kind++) // those that hold frames
    for (int end = 0; end < 2; end++) {
      srs_builder *builder = testing_random_builder(&random, LINKS, NULL, 0, 0.5);
      const srs_closure_def def = random_closure(&random, (srs_closure_kind)kind, 0x2d, end == 0 ? "link2" : NULL);
      linkages_close(builder, &def);
      srs_model *model = testing_build(builder);
      check_rows(&random, model);
      srs_model_destroy(model);
    }
}

static void every_mask_of_rows_is_the_derivative_of_the_gap(void **state)
{
  (void)state;
  testing_random random = testing_random_start(602);
  for (unsigned mask = 1; mask < 64; mask++) {
    srs_builder *builder = testing_random_builder(&random, LINKS, NULL, 0, 0.5);
    const srs_closure_def def = random_closure(&random, SRS_CLOSURE_ROWS, mask, "link2");
    linkages_close(builder, &def);
    srs_model *model = testing_build(builder);
    check_rows(&random, model);
    srs_model_destroy(model);
  }
}

static void couplings_and_motions_are_the_derivative_of_the_gap(void **state)
{
  (void)state;
  testing_random random = testing_random_start(603);
  const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC, SRS_JOINT_HELICAL, SRS_JOINT_CONTINUOUS};
  srs_builder *builder = testing_random_builder(&random, LINKS, kinds, 4, 0.5);
  for (int i = 1; i < LINKS; i++) {
    char follower[16], leader[16];
    snprintf(follower, sizeof follower, "joint%d", i);
    snprintf(leader, sizeof leader, "joint%d", i - 1);
    srs_coupling_def def = srs_default_coupling_def();
    def.follower = follower;
    def.leader = leader;
    for (int k = 0; k < SRS_COUPLING_TERMS; k++) def.coefficients[k] = testing_uniform(&random, -1, 1);
    assert_int_equal(srs_builder_add_coupling(builder, &def, NULL), SRS_OK);
  }
  srs_model *model = testing_build(builder);
  check_rows(&random, model);
  srs_model_destroy(model);
}

static void wrenches_on_both_links_are_equal_and_opposite(void **state)
{
  (void)state;
  testing_random random = testing_random_start(604);
  for (int kind = 0; kind < SRS_CLOSURE_TENDON; kind++) // those that hold frames
  {
    srs_builder *builder = testing_random_builder(&random, LINKS, NULL, 0, 0.5);
    const srs_closure_def def = random_closure(&random, (srs_closure_kind)kind, 0x2d, "link2");
    linkages_close(builder, &def);
    srs_model *model = testing_build(builder);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
    double *q = calloc((size_t)model->nq, sizeof *q);
    assert_non_null(q);
    testing_random_q(&random, model, q);
    srs_place_links(w, q);
    srs_closure_row rows[MOST_ROWS];
    const int n = srs_closure_rows(w, q, 0, rows);
    for (int i = 0; i < n; i++) {
      v6 sum = v6_zero;
      assert_int_equal(rows[i].row.n_sides, 2);
      for (int s = 0; s < 2; s++)
        sum = v6_add(sum, carry_force(rows[i].row.wrench[s], w->place[rows[i].row.link[s]].origin));
      double numbers[6], zero[6] = {0};
      v6_store(numbers, sum);
      testing_assert_close("sum of wrenches about the world's origin", numbers, zero, 6, 1e-13);
    }
    free(q);
    srs_workspace_destroy(w);
    srs_model_destroy(model);
  }
}

// A turn of any size about any axis is measured by its rotation vector, whose length is the angle.
static void a_weld_measures_any_turn_up_to_half_a_circle(void **state)
{
  (void)state;
  testing_random random = testing_random_start(605);
  const srs_joint_kind kinds[] = {SRS_JOINT_SPHERICAL};
  srs_builder *builder = testing_random_builder(&random, 1, kinds, 1, 1);
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_ROWS);
  def.name = "held";
  def.frame_b = "link0";
  def.rows = 0x7;
  linkages_close(builder, &def);
  srs_model *model = testing_build(builder);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double closed[4], back[9];
  const double *origin = srs_model_joint(model, 0)->origin.rotation;
  for (int i = 0; i < 9; i++) back[i] = origin[3 * (i % 3) + i / 3];
  srs_quaternion_from_rotation(back, closed);
  for (int run = 0; run < 200; run++) {
    double u[3], q[4];
    for (int i = 0; i < 3; i++) u[i] = testing_uniform(&random, -1, 1);
    const double size =
        (run % 10 == 0 ? 3.1415926 : testing_uniform(&random, 0, 3.14)) / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; i++) u[i] *= size;
    srs_integrate(model, closed, u, 1, q);
    srs_place_links(w, q);
    srs_closure_row rows[3];
    assert_int_equal(srs_closure_rows(w, q, 0, rows), 3);
    const double gap[3] = {rows[0].gap, rows[1].gap, rows[2].gap}; // about the axis both frames share
    testing_assert_close("rotation vector", gap, u, 3, 1e-9);      // a hair from half a circle: sqrt of rounding
  }
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static double gap_at(const srs_model *model, const double *q)
{
  srs_workspace *w = NULL;
  srs_closure_row rows[MOST_ROWS];
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  srs_place_links(w, q);
  const double gap = srs_largest_gap(rows, srs_closure_rows(w, q, 0, rows));
  srs_workspace_destroy(w);
  return gap;
}

static void linkages_close_where_geometry_says(void **state)
{
  (void)state;
  const double zero[5] = {0};
  for (int kind = 0; kind < 2; kind++) { // point, joint
    srs_model *model = testing_build(linkages_four_bar((srs_closure_kind)kind, 1));
    assert_true(gap_at(model, zero) < 1e-15); // F44: exactly at q = 0
    srs_model_destroy(model);
  }
  for (int is_welded = 0; is_welded < 2; is_welded++) {
    srs_model *model = testing_build(linkages_bennett(is_welded != 0));
    double q[4];
    linkages_bennett_q(100 * linkages_pi / 180, q);
    assert_true(fabs(q[1] * 180 / linkages_pi - 132.865177) < 1e-6);
    assert_true(gap_at(model, q) < 1e-15); // F45: 3e-16, give or take the roundings of our own order
    srs_model_destroy(model);
  }
  srs_model *model = testing_build(linkages_sarrus());
  assert_true(gap_at(model, zero) < 1e-15);
  for (int i = 1; i < 8; i++) { // 45 degrees and a from there
    const double a = 0.1 * i - 0.5;
    const double q[5] = {-a, 2 * a, -a, a, -2 * a};
    assert_true(gap_at(model, q) < 1e-15);
  }
  srs_model_destroy(model);
}

static void a_prescribed_motion_moves_its_row(void **state)
{
  (void)state;
  testing_random random = testing_random_start(606);
  srs_builder *builder = testing_random_builder(&random, LINKS, NULL, 0, 0.5);
  srs_closure_def def = random_closure(&random, SRS_CLOSURE_ROD, 0, "link2");
  linkages_close(builder, &def);
  def.name = "driven";
  def.motion = (srs_motion){.kind = SRS_MOTION_RATE, .start = 0.1, .rate = -2};
  linkages_close(builder, &def);
  srs_model *model = testing_build(builder);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double *q = calloc((size_t)model->nq, sizeof *q);
  assert_non_null(q);
  testing_random_q(&random, model, q);
  srs_place_links(w, q);
  srs_closure_row rows[2];
  assert_int_equal(srs_closure_rows(w, q, 0.5, rows), 2);
  assert_true(fabs(rows[1].gap - (rows[0].gap - (0.1 - 2 * 0.5))) < 1e-15);
  assert_true(rows[0].rate == 0 && rows[1].rate == -2);
  assert_int_equal(rows[1].closure, 1);
  free(q);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

// The angle of the four-bar's loop joint is that of the rocker less that of the coupler, over many turns of both.
static void a_loop_joint_has_a_coordinate_that_counts_turns(void **state)
{
  (void)state;
  srs_model *model = testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1));
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double angle = 0, rate = 0;
  for (int i = 0; i <= 200; i++) { // turned with the coupler fixed: the origins stay apart, which the angle ignores
    const double q[3] = {0, 0, 0.1 * i}, v[3] = {0.5, 0.25, 2};
    assert_int_equal(srs_forward_velocity(w, q, v), SRS_OK);
    assert_int_equal(srs_closure_coordinate(w, 0, angle, &angle, &rate), SRS_OK);
    assert_true(fabs(angle - 0.1 * i) < 1e-12);
    assert_true(fabs(rate - (2 - 0.75)) < 1e-14);
  }
  assert_int_equal(srs_closure_coordinate(w, 1, 0, &angle, &rate), SRS_ERROR_ARGUMENT);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

// Two slides along z: the travel between them.
static srs_model *two_slides(double length)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = i == 0 ? "a" : "b";
    link.mass = 1;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_PRISMATIC);
    joint.name = joint.child = link.name;
    joint.axis[0] = 0, joint.axis[2] = 1;
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_PRISMATIC);
  def.name = "slide";
  def.frame_a = "a";
  def.frame_b = "b";
  linkages_close(builder, &def);
  def.name = "rod";
  def.kind = SRS_CLOSURE_ROD;
  def.length = length;
  linkages_close(builder, &def);
  return testing_build(builder);
}

static void a_cut_slider_has_a_coordinate(void **state)
{
  (void)state;
  srs_model *model = two_slides(1);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  const double q[2] = {0.1, 0.4}, v[2] = {1, -1};
  double travel, rate;
  assert_int_equal(srs_closure_coordinate(w, 0, 0, &travel, NULL), SRS_ERROR_ARGUMENT); // nothing computed yet
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  assert_int_equal(srs_closure_coordinate(w, 0, 0, &travel, NULL), SRS_OK);
  assert_int_equal(srs_closure_coordinate(w, 0, 0, &travel, &rate), SRS_ERROR_ARGUMENT); // no velocities
  assert_int_equal(srs_forward_velocity(w, q, v), SRS_OK);
  assert_int_equal(srs_closure_coordinate(w, 0, 0, &travel, &rate), SRS_OK);
  assert_true(fabs(travel - 0.3) < 1e-15 && rate == -2);
  assert_int_equal(srs_closure_coordinate(w, 1, 0, &travel, &rate), SRS_ERROR_ARGUMENT); // a rod leaves many free
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void loops_are_part_of_the_model_s_fingerprint(void **state)
{
  (void)state;
  srs_model *one = two_slides(1), *same = two_slides(1), *other = two_slides(1.001);
  assert_true(srs_model_fingerprint(one, NULL) == srs_model_fingerprint(same, NULL));
  assert_true(srs_model_fingerprint(one, NULL) != srs_model_fingerprint(other, NULL));
  srs_model_destroy(one);
  srs_model_destroy(same);
  srs_model_destroy(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_the_derivative_of_the_gap),
      cmocka_unit_test(every_mask_of_rows_is_the_derivative_of_the_gap),
      cmocka_unit_test(couplings_and_motions_are_the_derivative_of_the_gap),
      cmocka_unit_test(wrenches_on_both_links_are_equal_and_opposite),
      cmocka_unit_test(a_weld_measures_any_turn_up_to_half_a_circle),
      cmocka_unit_test(linkages_close_where_geometry_says),
      cmocka_unit_test(a_prescribed_motion_moves_its_row),
      cmocka_unit_test(a_loop_joint_has_a_coordinate_that_counts_turns),
      cmocka_unit_test(a_cut_slider_has_a_coordinate),
      cmocka_unit_test(loops_are_part_of_the_model_s_fingerprint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
