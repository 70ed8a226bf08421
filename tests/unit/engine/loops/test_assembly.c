// Does assembly close loops by the smallest change, leave what is frozen, and say what it cannot close?

#include "engine/loops/closure.h"
#include "support/linkages.h"

#include <stdlib.h>
#include <string.h>

static srs_workspace *workspace_of(const srs_model *model)
{
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  return w;
}

static void finish(srs_workspace *w)
{
  const srs_model *model = srs_workspace_model(w);
  srs_workspace_destroy(w);
  srs_model_destroy((srs_model *)(uintptr_t)model);
}

static srs_assembly_report assemble(srs_workspace *w, const bool *frozen, double *q)
{
  srs_assembly_options options = srs_default_assembly_options();
  options.frozen = frozen;
  srs_assembly_report report;
  if (srs_assemble(w, &options, q, &report) != SRS_OK) fail_msg("%s", srs_workspace_error(w)->message);
  assert_true(report.after <= 1e-12);
  double gaps[8];
  assert_int_equal(srs_loop_gaps(w, q, 0, gaps), SRS_OK);
  for (int i = 0; i < srs_model_n_loops(w->model); i++) assert_true(gaps[i] <= 1e-12);
  return report;
}

// F48, first input.
static void a_displaced_four_bar_closes_with_its_crank_frozen(void **state)
{
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    srs_workspace *w = workspace_of(testing_build(linkages_four_bar((srs_closure_kind)kind, 1)));
    double q[3] = {0, 0.05, 0};
    const bool frozen[3] = {true, false, false};
    const srs_assembly_report report = assemble(w, frozen, q);
    assert_true(q[0] == 0);
    assert_true(fabs(q[1]) < 1e-11 && fabs(q[2]) < 1e-11); // back to where it closes exactly
    assert_true(fabs(report.before - 0.35 * 2 * sin(0.025)) < 0.01);
    assert_true(fabs(report.change - 0.05) < 1e-10);
    assert_int_equal(report.restarts, 0);
    finish(w);
  }
}

// F48, second input: with a rocker of 0.12 m the links are 0.1 + 0.4 > 0.35 + 0.12, so the crank does not turn fully;
// at -90 degrees the two ends are 0.03 m from meeting.
static void what_is_out_of_reach_is_named_with_its_residual(void **state)
{
  (void)state;
  srs_workspace *w = workspace_of(testing_build(linkages_four_bar_of(SRS_CLOSURE_POINT, 1, 0.12)));
  double q[3] = {-linkages_pi / 2, 0.3, 0.2};
  const bool frozen[3] = {true, false, false};
  srs_assembly_options options = srs_default_assembly_options();
  options.frozen = frozen;
  srs_assembly_report report;
  assert_int_equal(srs_assemble(w, &options, q, &report), SRS_ERROR_UNREACHABLE);
  assert_true(q[0] == -linkages_pi / 2 && q[1] == 0.3 && q[2] == 0.2);
  assert_string_equal(
      srs_workspace_error(w)->message,
      "the loops cannot be closed: loop 'coupler-rocker': residual 0.03 m; 'q1' is frozen: free it, start "
      "elsewhere, or check lengths and poses");
  assert_string_equal(srs_workspace_error(w)->subject, "coupler-rocker");
  assert_true(fabs(report.after - 0.03) < 1e-3 && report.worst == 0);
  finish(w);
}

// Two slides that are pinned together 0.1 m apart, beyond where one of them may go.
static void the_limit_that_forbids_is_named(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_error error;
  srs_link_def link = srs_default_link_def();
  link.name = "slide";
  link.mass = 1;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_PRISMATIC);
  joint.name = "rail";
  joint.child = "slide";
  joint.upper[0] = 0.25;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_POINT);
  def.name = "pin";
  def.frame_b = "slide";
  def.pose_a.position[0] = 0.5; // in the world, along the rail
  srs_builder_set_location(builder, "rail.yaml", 7, 3);
  linkages_close(builder, &def);
  srs_workspace *w = workspace_of(testing_build(builder));
  double q[1] = {0};
  assert_int_equal(srs_assemble(w, NULL, q, NULL), SRS_ERROR_UNREACHABLE);
  const srs_error *said = srs_workspace_error(w);
  assert_string_equal(said->message, "the loops cannot be closed: loop 'pin': residual 0.25 m; they would close with "
                                     "'rail' at 0.5 m, beyond its limit of 0.25");
  assert_string_equal(said->file, "rail.yaml");
  assert_true(said->line == 7 && said->column == 3);
  finish(w);
}

// Against the least of all closed configurations, found by trying: every crank angle, closed with the crank frozen.
static void the_change_is_the_smallest(void **state)
{
  (void)state;
  srs_workspace *w = workspace_of(testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1)));
  const double start[3] = {0.1, -0.25, 0.2};
  double q[3] = {0.1, -0.25, 0.2}, least = INFINITY;
  const srs_assembly_report report = assemble(w, NULL, q);
  const bool frozen[3] = {true, false, false};
  for (int i = -4000; i <= 4000; i++) {
    double trial[3] = {0.1 + 1e-4 * i, -0.25, 0.2}, square = 0;
    assemble(w, frozen, trial);
    for (int j = 0; j < 3; j++) square += (trial[j] - start[j]) * (trial[j] - start[j]);
    least = fmin(least, sqrt(square));
  }
  assert_true(fabs(report.change - least) < 1e-7 * least + 1e-8); // the grid's 1e-4, squared
  finish(w);
}

static void redundant_linkages_assemble(void **state)
{
  (void)state;
  testing_random random = testing_random_start(631);
  for (int which = 0; which < 5; which++) {
    srs_builder *builder = which == 0   ? linkages_bennett(false)
                           : which == 1 ? linkages_bennett(true)
                           : which == 2 ? linkages_sarrus()
                                        : linkages_four_bar(SRS_CLOSURE_REVOLUTE, which - 2);
    srs_workspace *w = workspace_of(testing_build(builder));
    const int nv = w->model->nv;
    for (int run = 0; run < 50; run++) {
      double q[5] = {0}, bent[4];
      linkages_bennett_q(testing_uniform(&random, 0.6, 2.5), bent);
      for (int i = 0; i < nv; i++) q[i] = (which < 2 ? bent[i] : 0) + testing_uniform(&random, -0.15, 0.15);
      assemble(w, NULL, q);
      if (which < 2) assert_true(fabs(tan(q[0] / 2) * tan(q[1] / 2) - (1 + sqrt(3))) < 1e-9);
    }
    finish(w);
  }
}

// F45, input B, as geometry: ten turns of the first joint, each configuration assembled from the one before.
static void bennett_keeps_its_product_over_ten_turns(void **state)
{
  (void)state;
  for (int is_welded = 0; is_welded < 2; is_welded++) {
    srs_workspace *w = workspace_of(testing_build(linkages_bennett(is_welded != 0)));
    const bool frozen[4] = {true, false, false, false};
    double q[4];
    linkages_bennett_q(100 * linkages_pi / 180, q);
    for (int i = 0; i < 2000; i++) {
      q[0] += 10 * 2 * linkages_pi / 2000;
      assemble(w, frozen, q);
      const double off = sin(q[0] / 2) * sin(q[1] / 2) - (1 + sqrt(3)) * cos(q[0] / 2) * cos(q[1] / 2);
      assert_true(fabs(off) < 1e-11); // the gap's 1e-12 over links of 0.2 m; tan tan = 1 + sqrt 3 without its poles
    }
    assert_true(fabs(fabs(q[1] - 2 * atan((1 + sqrt(3)) / tan(q[0] / 2))) - 20 * linkages_pi) < 1e-9);
    finish(w);
  }
}

// F01: the driver is declared after what follows it; then a chain of three.
static const char jaw[] =
    "<robot name='jaw'><link name='palm'/>\n"
    "<link name='fb'><inertial><mass value='0.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/>"
    "</inertial></link>\n"
    "<link name='fa'><inertial><mass value='0.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/>"
    "</inertial></link>\n"
    "<joint name='jb' type='%s'><parent link='palm'/><child link='fb'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.1' upper='0.1' effort='20' velocity='1'/><mimic joint='ja' multiplier='-0.5' offset='0.015'/>"
    "</joint>\n"
    "<joint name='ja' type='%s'><parent link='palm'/><child link='fa'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.1' upper='0.1' effort='20' velocity='1'/></joint></robot>";

static void a_follower_takes_its_place_and_leaves_the_leader(void **state)
{
  (void)state;
  const char *const types[2] = {"prismatic", "continuous"};
  for (int i = 0; i < 2; i++) {
    char text[2048];
    snprintf(text, sizeof text, jaw, types[i], types[i]);
    srs_model *model = NULL;
    srs_error error;
    if (srs_model_load(testing_write("jaw.urdf", text), NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
    assert_int_equal(srs_model_n_couplings(model), 1);
    srs_workspace *w = workspace_of(model);
    double q[2] = {0, 0}, v[2] = {0, 1};
    const int a = srs_model_find_q(model, "ja"), b = srs_model_find_q(model, "jb");
    int rank;
    assert_int_equal(srs_loop_ranks(w, q, 0, NULL, &rank), SRS_OK);
    assert_int_equal(srs_model_nv(model) - rank, 1); // 2 joints, 1 independent DoF
    assemble(w, NULL, q);
    assert_true(q[a] == 0 && q[b] == 0.015);
    q[a] = 0.02;
    assemble(w, NULL, q);
    assert_true(q[a] == 0.02 && fabs(q[b] - 0.005) < 1e-17);
    bool frozen[2] = {false, false};
    frozen[a] = true;
    srs_assembly_options options = srs_default_assembly_options();
    options.frozen = frozen;
    v[a] = 1, v[b] = 0;
    assert_int_equal(srs_assemble_velocity(w, &options, q, v, NULL), SRS_OK);
    assert_true(v[a] == 1 && fabs(v[b] + 0.5) < 1e-15);
    finish(w);
  }
}

static void velocities_keep_loops_closed_and_what_is_frozen(void **state)
{
  (void)state;
  srs_workspace *w = workspace_of(testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 2)));
  const double q[3] = {0, 0, 0};
  const bool frozen[3] = {true, false, false};
  double v[3] = {5, 0, 0};
  srs_assembly_options options = srs_default_assembly_options();
  options.frozen = frozen;
  srs_assembly_report report;
  assert_int_equal(srs_assemble_velocity(w, &options, q, v, &report), SRS_OK);
  assert_true(v[0] == 5 && report.after < 1e-13);
  // At q = 0 the crank stands upright: its pin moves along x at 0.5 m/s, and the rocker's angle follows from the angle
  // of transmission: the coupler's direction c and the rocker's r have v_pin . c = v_rocker . c.
  const double c[2] = {0.2987218950531729 / 0.35, 0.1823875802126918 / 0.35};
  const double rocker[2] = {0.2823875802126918, 0.1012781049468271}; // velocity of its pin for 1 rad/s
  assert_true(fabs(v[2] - 0.5 * c[0] / (rocker[0] * c[0] + rocker[1] * c[1])) < 1e-12);

  const bool all[3] = {true, true, true};
  options.frozen = all;
  double stuck[3] = {5, 0, 0};
  assert_int_equal(srs_assemble_velocity(w, &options, q, stuck, &report), SRS_ERROR_UNREACHABLE);
  assert_true(stuck[0] == 5);
  assert_non_null(
      strstr(srs_workspace_error(w)->message, "with the velocities that are frozen: loop 'coupler-rocker'"));
  assert_non_null(strstr(srs_workspace_error(w)->message, "m/s"));
  finish(w);
}

// F44 closed by a joint whose angle, the rocker's against the coupler's, may not fall below some value.
static srs_model *four_bar_with_a_limit(double lower, double upper)
{
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "q1", "crank", NULL, linkages_pose(0, 0, 0, 0), 0, 1, 0);
  linkages_add(builder, "q2", "coupler", "crank", linkages_pose(0, 0, 0.1, 0), 0, 1, 0);
  linkages_add(builder, "q3", "rocker", NULL, linkages_pose(0.4, 0, 0, 0), 0, 1, 0);
  srs_closure_def pin = srs_default_closure_def(SRS_CLOSURE_REVOLUTE);
  pin.name = "pin";
  pin.frame_a = "coupler", pin.frame_b = "rocker";
  pin.pose_a.position[0] = 0.2987218950531729, pin.pose_a.position[2] = 0.1823875802126918;
  pin.pose_b.position[0] = -0.1012781049468271, pin.pose_b.position[2] = 0.2823875802126918;
  pin.axis[1] = 1, pin.axis[2] = 0;
  pin.joint.lower = lower, pin.joint.upper = upper;
  linkages_close(builder, &pin);
  return testing_build(builder);
}

// The angle of the pin is q3 - q1 - q2. Beyond what the smallest change would make it, the change is the smallest at
// the limit; what no configuration keeps is named; and a start that has passed a limit may stay beyond where it must.
static void limits_of_a_loop_joint_are_kept(void **state)
{
  (void)state;
  const double start[3] = {0.1, 0.05, 0.2};
  double q[3], least[3], scan[3];
  srs_workspace *w = workspace_of(four_bar_with_a_limit(-INFINITY, INFINITY));
  memcpy(least, start, sizeof least);
  assemble(w, NULL, least);
  const double upper = least[2] - least[1] - least[0] - 0.05;
  double smallest = INFINITY; // of the configurations of every crank angle within the limit
  const bool crank[3] = {true, false, false};
  for (int i = -2000; i <= 2000; i++) {
    memcpy(scan, least, sizeof scan);
    scan[0] += 2e-4 * i;
    assemble(w, crank, scan);
    if (scan[2] - scan[1] - scan[0] > upper) continue;
    double sum = 0;
    for (int c = 0; c < 3; c++) sum += pow(scan[c] - start[c], 2);
    smallest = fmin(smallest, sqrt(sum));
  }
  finish(w);

  w = workspace_of(four_bar_with_a_limit(-INFINITY, upper));
  memcpy(q, start, sizeof q);
  const srs_assembly_report report = assemble(w, NULL, q);
  assert_true(fabs(q[2] - q[1] - q[0] - upper) < 1e-9);
  assert_true(report.change < smallest + 1e-9 && report.change > smallest - 2e-4);
  finish(w);

  w = workspace_of(four_bar_with_a_limit(1.2, 1.5)); // the pin turns by -0.42 to 0.38 or, mirrored, 2.31 to 3.12
  memcpy(q, start, sizeof q);
  q[2] = q[0] + q[1] + 1.35; // within
  assert_int_equal(srs_assemble(w, NULL, q, NULL), SRS_ERROR_UNREACHABLE);
  assert_non_null(strstr(srs_workspace_error(w)->message, "they would close beyond the limits of 'pin'"));
  memcpy(q, start, sizeof q); // beyond them already
  assemble(w, NULL, q);
  for (int c = 0; c < 3; c++) assert_true(fabs(q[c] - least[c]) < 1e-9);
  finish(w);
}

static void limits_are_kept(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = i == 0 ? "a" : "b";
    link.mass = 1;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_PRISMATIC);
    joint.name = link.name;
    joint.child = link.name;
    if (i == 0) joint.upper[0] = 0.1;
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  }
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_POINT);
  def.name = "pin";
  def.frame_a = "a";
  def.frame_b = "b";
  linkages_close(builder, &def);
  srs_workspace *w = workspace_of(testing_build(builder));
  double q[2] = {0, 1};
  assemble(w, NULL, q);
  assert_true(fabs(q[0] - 0.1) < 1e-12 && fabs(q[1] - 0.1) < 1e-12); // 0.5 each without the limit
  finish(w);
}

static void a_loop_reports_its_rank(void **state)
{
  (void)state;
  const struct {
    srs_builder *builder;
    int rows, rank, mobility;
  } cases[] = {{linkages_four_bar(SRS_CLOSURE_POINT, 1), 3, 2, 1},    // F44: planar
               {linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1), 5, 2, 1}, // F45, input A
               {linkages_four_bar(SRS_CLOSURE_REVOLUTE, 2), 10, 2, 1},
               {linkages_bennett(false), 5, 2, 1}, // the count says -2
               {linkages_bennett(true), 6, 3, 1},
               {linkages_sarrus(), 5, 4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_workspace *w = workspace_of(testing_build(cases[i].builder));
    double q[5] = {0};
    if (i == 3 || i == 4) linkages_bennett_q(1.2, q);
    int rank = 0, ranks[2];
    assert_int_equal(srs_loop_ranks(w, q, 0, ranks, &rank), SRS_OK);
    assert_int_equal(srs_model_n_loop_rows(w->model), cases[i].rows);
    assert_int_equal(rank, cases[i].rank);
    assert_int_equal(ranks[0], cases[i].rank);
    assert_int_equal(w->model->nv - rank, cases[i].mobility);
    finish(w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_displaced_four_bar_closes_with_its_crank_frozen),
      cmocka_unit_test(what_is_out_of_reach_is_named_with_its_residual),
      cmocka_unit_test(the_limit_that_forbids_is_named),
      cmocka_unit_test(the_change_is_the_smallest),
      cmocka_unit_test(redundant_linkages_assemble),
      cmocka_unit_test(bennett_keeps_its_product_over_ten_turns),
      cmocka_unit_test(a_follower_takes_its_place_and_leaves_the_leader),
      cmocka_unit_test(velocities_keep_loops_closed_and_what_is_frozen),
      cmocka_unit_test(limits_of_a_loop_joint_are_kept),
      cmocka_unit_test(limits_are_kept),
      cmocka_unit_test(a_loop_reports_its_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
