// What users run into (data/field-cases.md), as far as it shows in motion. Loading is tested in
// tests/unit/topology/urdf/test_urdf.c, the command in tests/unit/engine/cli/test_command*.c. The numbers of the cases
// are kept in the names.

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

#define INERTIAL(mass, xx, yy, zz, origin)                                                                             \
  "<inertial>" origin "<mass value=\"" mass "\"/><inertia ixx=\"" xx "\" iyy=\"" yy "\" izz=\"" zz                     \
  "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"

// F08's joint: COM 0.3 m off a revolute joint of the given type about the given axis.
#define ONE_JOINT(type, axis, dynamics)                                                                                \
  "<robot name=\"neg\"><link name=\"w\"/><link name=\"p\">" INERTIAL(                                                  \
      "1", "0.01", "0.01", "0.01",                                                                                     \
      "<origin xyz=\"0 0.3 0\"/>") "</link><joint name=\"h\" type=\"" type                                             \
                                   "\"><parent link=\"w\"/><child link=\"p\"/><axis xyz=\"" axis "\"/>"                \
                                   "<limit lower=\"-3\" upper=\"3\" effort=\"10\" velocity=\"50\"/>" dynamics          \
                                   "</joint></robot>"

static srs_model *load(const char *text, const srs_load_options *options)
{
  srs_model *model;
  srs_error error;
  if (srs_model_load(testing_write("case.urdf", text), options, &model, &error) != SRS_OK)
    fail_msg("%s", error.message);
  return model;
}

static void F02_a_continuous_joint_has_one_coordinate_that_is_never_wrapped(void **state)
{
  (void)state;
  srs_model *model = load(ONE_JOINT("continuous", "-1 0 0", ""), NULL);
  assert_int_equal(srs_model_nq(model), 1);
  assert_int_equal(srs_model_nv(model), 1);
  srs_sim_options options = srs_default_sim_options();
  options.gravity[2] = 0;
  srs_sim *sim = sim_of_model(model, &options);
  const double q[1] = {12.9}, v[1] = {0};
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 1000, NULL), SRS_OK);
  assert_true(srs_sim_q(sim)[0] == 12.9);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static const char gantry[] =
    "<robot name=\"gantry\"><link name=\"w\"/><link name=\"cx\"/><link name=\"cy\"/><link name=\"tip\">" //
    INERTIAL("2", "0.01", "0.01", "0.01",
             "") "</link>"
                 "<joint name=\"x\" type=\"prismatic\"><parent link=\"w\"/><child link=\"cx\"/><axis xyz=\"1 0 0\"/>"
                 "<limit lower=\"-1\" upper=\"1\" effort=\"100\" velocity=\"9\"/></joint>"
                 "<joint name=\"y\" type=\"prismatic\"><parent link=\"cx\"/><child link=\"cy\"/><axis xyz=\"0 1 0\"/>"
                 "<limit lower=\"-1\" upper=\"1\" effort=\"100\" velocity=\"9\"/></joint>"
                 "<joint name=\"z\" type=\"prismatic\"><parent link=\"cy\"/><child link=\"tip\"/><axis xyz=\"0 0 2\"/>"
                 "<limit lower=\"-9\" upper=\"9\" effort=\"100\" velocity=\"9\"/></joint></robot>";

static void F03_F07_massless_carriages_fall_and_axes_are_normalised(void **state)
{
  (void)state;
  srs_model *model = load(gantry, NULL);
  assert_true(srs_model_mass(model) == 2);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  const double q[3] = {0, 0, 0.1}, zero[3] = {0, 0, 0}, expected[3] = {0, 0, -9.81};
  double a[3];
  assert_int_equal(srs_forward_dynamics(w, q, zero, zero, NULL, a), SRS_OK);
  testing_assert_close("acceleration", a, expected, 3, 1e-15);
  srs_pose pose;
  assert_int_equal(srs_frame_placement(w, srs_model_find_frame(model, "tip"), &pose), SRS_OK);
  assert_true(pose.position[2] == 0.1); // not 0.2: the axis was 0 0 2
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void check_turned_inertia(const char *yaw, const double expected[3])
{
  char text[1024];
  snprintf(text, sizeof text,
           "<robot name=\"b\"><link name=\"b\"><inertial><origin xyz=\"0 0 0\" rpy=\"0 0 %s\"/><mass value=\"3\"/>"
           "<inertia ixx=\"0.4\" iyy=\"0.9\" izz=\"1.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>",
           yaw);
  srs_load_options options = srs_default_load_options();
  options.base = SRS_BASE_FLOATING;
  srs_model *model = load(text, &options);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  const double gravity[3] = {0, 0, 0}, v[6] = {0}, a[6] = {0, 0, 0, 1, 0, 0};
  assert_int_equal(srs_workspace_set_gravity(w, gravity), SRS_OK);
  double tau[6];
  assert_int_equal(srs_inverse_dynamics(w, srs_model_neutral(model), v, a, NULL, tau), SRS_OK);
  testing_assert_close("torque", tau + 3, expected, 3, 1e-15);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void F05_the_inertial_frame_turns_the_inertia(void **state)
{
  (void)state;
  check_turned_inertia("0.7853981633974483", (const double[3]){0.65, -0.25, 0});
  check_turned_inertia("1.5707963267948966", (const double[3]){0.9, 0, 0});
}

static const char lump[] = "<robot name=\"lump\"><link name=\"w\"/><link name=\"arm\">" INERTIAL(
    "1", "0.12", "0.2", "0.3",
    "") "</link>"
        "<link name=\"bracket\">" INERTIAL(
            "2", "0.03", "0.02", "0.04",
            "") "</link><link name=\"probe\"/>"
                "<joint name=\"h\" type=\"continuous\"><parent link=\"w\"/><child link=\"arm\"/><axis xyz=\"0 0 "
                "1\"/></joint>"
                "<joint name=\"f1\" type=\"fixed\"><parent link=\"arm\"/><child link=\"bracket\"/>"
                "<origin xyz=\"0.5 0 0\" rpy=\"1.5707963267948966 0 0\"/></joint>"
                "<joint name=\"f2\" type=\"fixed\"><parent link=\"bracket\"/><child link=\"probe\"/><origin xyz=\"0 0 "
                "0.1\"/></joint></robot>";

static void F06_lumping_is_exact_and_keeps_frames_and_wrenches(void **state)
{
  (void)state;
  srs_load_options keep = srs_default_load_options();
  keep.build.keep_fixed_joints = true;
  srs_model *lumped = load(lump, NULL), *kept = load(lump, &keep);
  srs_workspace *w, *wk;
  assert_int_equal(srs_workspace_create(lumped, &w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_create(kept, &wk, NULL), SRS_OK);
  const double q[1] = {0}, v[1] = {0}, tau[1] = {0.82}, expected = 1;
  double a, b;
  assert_int_equal(srs_forward_dynamics(w, q, v, tau, NULL, &a), SRS_OK);
  testing_assert_close("lumped", &a, &expected, 1, 1e-12);
  assert_int_equal(srs_forward_dynamics(wk, q, v, tau, NULL, &b), SRS_OK);
  testing_assert_close("kept", &b, &expected, 1, 1e-12);

  srs_pose pose;
  const double place[3] = {0.5, -0.1, 0};
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  assert_int_equal(srs_frame_placement(w, srs_model_find_frame(lumped, "probe"), &pose), SRS_OK);
  testing_assert_close("probe", pose.position, place, 3, 1e-15);

  // At rest the wrench across f1 is the bracket's weight, 2 kg, upwards.
  const double zero[1] = {0}, weight[6] = {0, 0, 0, 0, 0, 2 * 9.81};
  double wrench[6];
  assert_int_equal(srs_inverse_dynamics(wk, q, v, zero, NULL, &b), SRS_OK);
  assert_int_equal(srs_joint_wrench(wk, srs_model_find_link(kept, "bracket"), wrench), SRS_OK);
  testing_assert_close("wrench", wrench, weight, 6, 1e-15);

  srs_sim *one = sim_of_model(lumped, NULL), *other = sim_of_model(kept, NULL);
  assert_int_equal(srs_sim_set_torque(one, tau, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_torque(other, tau, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(one, 1000, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(other, 1000, NULL), SRS_OK);
  testing_assert_close("q", srs_sim_q(one), srs_sim_q(other), 1, 1e-12);
  srs_sim_destroy(one), srs_sim_destroy(other);
  srs_workspace_destroy(w), srs_workspace_destroy(wk);
  srs_model_destroy(lumped), srs_model_destroy(kept);
}

static void F08_a_negative_axis_mirrors_the_motion(void **state)
{
  (void)state;
  srs_model *minus = load(ONE_JOINT("revolute", "-1 0 0", ""), NULL);
  srs_model *plus = load(ONE_JOINT("revolute", "1 0 0", ""), NULL);
  srs_sim *a = sim_of_model(minus, NULL), *b = sim_of_model(plus, NULL);
  for (int i = 0; i < 2000; i++) {
    assert_int_equal(srs_sim_step(a, 1, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(b, 1, NULL), SRS_OK);
    const double mirrored = -srs_sim_q(a)[0];
    testing_assert_close("q", &mirrored, srs_sim_q(b), 1, 1e-14);
    srs_center_of_mass com;
    assert_int_equal(srs_com(srs_sim_workspace(a), srs_sim_q(a), NULL, &com), SRS_OK);
    assert_true(com.position[0] == 0);
  }
  srs_sim_destroy(a), srs_sim_destroy(b);
  srs_model_destroy(minus), srs_model_destroy(plus);
}

static void check_planar(const char *axis, const char *origin)
{
  char text[1024];
  snprintf(text, sizeof text,
           "<robot name=\"pl\"><link name=\"w\"/><link name=\"b\">" INERTIAL("1", "0.1", "0.1", "0.1", "") //
           "</link><joint name=\"p\" type=\"planar\"><parent link=\"w\"/><child link=\"b\"/>%s%s</joint></robot>",
           origin, axis);
  srs_model *model = load(text, NULL);
  srs_sim *sim = sim_of_model(model, NULL);
  const int frame = srs_model_find_frame(model, "b");
  double a[3], acceleration[6];
  assert_int_equal(srs_sim_acceleration(sim, a, NULL), SRS_OK);
  srs_workspace *w = srs_sim_workspace(sim);
  assert_int_equal(srs_forward_acceleration(w, srs_sim_q(sim), srs_sim_v(sim), a), SRS_OK);
  assert_int_equal(srs_frame_acceleration(w, frame, SRS_AXES_WORLD, acceleration), SRS_OK);
  const double fall[6] = {0, 0, 0, 0, 0, -9.81};
  testing_assert_close("acceleration", acceleration, fall, 6, 1e-14);
  assert_int_equal(srs_sim_step(sim, 1000, NULL), SRS_OK);
  srs_pose pose;
  assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), frame, &pose), SRS_OK);
  assert_true(fabs(pose.position[0]) < 1e-15);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void F09_a_planar_joint_moves_in_the_plane_of_its_axis(void **state)
{
  (void)state;
  check_planar("<axis xyz=\"1 0 0\"/>", "");
  check_planar("", "");
  check_planar("<axis xyz=\"1 0 0\"/>", "<origin xyz=\"0 0 0\" rpy=\"0.3 0 0\"/>");
}

static void F10_a_floating_body_falls(void **state)
{
  (void)state;
  srs_model *model =
      load("<robot name=\"d\"><link name=\"world\"/><link name=\"base_link\">" //
           INERTIAL("2", "0.1", "0.1", "0.1", "") "</link><joint name=\"base_link\" type=\"floating\">"
                                                  "<parent link=\"world\"/><child link=\"base_link\"/></joint></robot>",
           NULL);
  srs_sim *sim = sim_of_model(model, NULL);
  assert_int_equal(srs_sim_step(sim, 1000, NULL), SRS_OK);
  assert_true(fabs(srs_sim_v(sim)[2] + 9.81) < 1e-11);
  assert_int_equal(srs_model_find_v(model, "base_link.vz"), 2);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void F41_armature_counts_once_everywhere(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "rotor";
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.02;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "h";
  joint.child = "rotor";
  joint.armature[0] = 0.05;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  srs_model *model;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  const double q[1] = {0.3}, v[1] = {2}, one[1] = {1};
  double out;
  srs_energies energy;
  assert_int_equal(srs_forward_dynamics(w, q, v, one, NULL, &out), SRS_OK);
  testing_assert_close("acceleration", &out, (const double[1]){1 / 0.07}, 1, 1e-14);
  assert_int_equal(srs_mass_matrix(w, q, &out), SRS_OK);
  testing_assert_close("M", &out, (const double[1]){0.07}, 1, 1e-15);
  assert_int_equal(srs_inverse_dynamics(w, q, v, one, NULL, &out), SRS_OK);
  testing_assert_close("torque", &out, (const double[1]){0.07}, 1, 1e-15);
  assert_int_equal(srs_energy(w, q, v, &energy), SRS_OK);
  testing_assert_close("energy", &energy.kinetic, (const double[1]){0.5 * 0.07 * 4}, 1, 1e-15);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static const char rod[] = "<robot name=\"rod\"><link name=\"w\"/><link name=\"rod\">" INERTIAL(
    "1", "0.08333333333333333", "0.08333333333333333", "0",
    "<origin xyz=\"0 0 -0.5\"/>") "</link><joint name=\"h\" type=\"continuous\"><parent link=\"w\"/><child "
                                  "link=\"rod\"/><axis xyz=\"1 0 0\"/></joint></robot>";

static void F74_a_small_swing_has_its_period(void **state)
{
  (void)state;
  srs_model *model = load(rod, NULL);
  srs_sim_options options = srs_default_sim_options();
  options.integrator = SRS_RK4;
  srs_sim *sim = sim_of_model(model, &options);
  const double q[1] = {1e-3}, v[1] = {0};
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  // Ten periods, timed by upward passages of zero, interpolated linearly.
  double first = 0, last = 0, before = 1e-3;
  for (int passages = 0; passages < 11;) {
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
    const double now = srs_sim_q(sim)[0], t = srs_sim_time(sim);
    if (before < 0 && now >= 0) {
      last = t - options.dt * now / (now - before);
      if (passages++ == 0) first = last;
    }
    before = now;
  }
  const double period = (last - first) / 10, expected = 2 * PI * sqrt(2.0 / (3 * 9.81)); // 1.63795 s
  print_message("period %.8f s, closed form %.8f s\n", period, expected);
  assert_true(fabs(period - expected) < 1e-6);
  assert_true(fabs(expected - 1.63795) < 5e-6);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// No damping unless asked: the rod from 90 degrees for 100 s. Drift falls with dt as the scheme's order says.
static void F74_energy_drift_falls_with_the_step(void **state)
{
  (void)state;
  srs_model *model = load(rod, NULL);
  const double orders[SRS_INTEGRATORS] = {1, 2, 4, 1, 2, 1};
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    if (integrator == SRS_IMPLICIT_EULER) continue; // which takes energy away
    double drift[2];
    for (int halving = 0; halving < 2; halving++) {
      srs_sim_options options = srs_default_sim_options();
      options.integrator = (srs_integrator)integrator;
      options.dt = (integrator == SRS_RK4 ? 8e-3 : 2e-3) / (1 << halving);
      srs_sim *sim = sim_of_model(model, &options);
      const double q[1] = {PI / 2}, v[1] = {0};
      assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
      const double start = total_energy(sim);
      drift[halving] = 0;
      for (long i = 0; i < lround(100 / options.dt); i += 5) {
        assert_int_equal(srs_sim_step(sim, 5, NULL), SRS_OK);
        drift[halving] = fmax(drift[halving], fabs(total_energy(sim) - start));
      }
      print_message("%-20s dt %.0e s: |E - E0| <= %.3g J over 100 s\n", srs_integrator_name(options.integrator),
                    options.dt, drift[halving]);
      assert_true(drift[halving] < 0.05);
      srs_sim_destroy(sim);
    }
    assert_true(log2(drift[0] / drift[1]) > orders[integrator] - 0.3);
  }
  srs_model_destroy(model);
}

static void F81_getters_show_the_state_of_now(void **state)
{
  (void)state;
  srs_load_options floating = srs_default_load_options();
  floating.base = SRS_BASE_FLOATING;
  srs_model *model =
      load("<robot name=\"d\"><link name=\"b\">" INERTIAL("2", "0.1", "0.1", "0.1", "") "</link></robot>", &floating);
  srs_sim_options options = srs_default_sim_options();
  options.dt = 0.01;
  options.gravity[2] = 0;
  srs_sim *sim = sim_of_model(model, &options);
  const double v[6] = {2, 0, 0, 0, 0, 0};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  for (int i = 1; i <= 100; i++) {
    srs_pose pose;
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), 0, &pose), SRS_OK);
    assert_true(fabs(pose.position[0] - srs_sim_q(sim)[0]) < 1e-15);
    assert_true(fabs(pose.position[0] - 0.02 * i) < 1e-14);
  }
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void F88_a_motion_that_leaves_the_numbers_is_named_and_the_state_kept(void **state)
{
  (void)state;
  srs_model *model = load(ONE_JOINT("revolute", "1 0 0", ""), NULL);
  srs_sim_options options = srs_default_sim_options();
  options.joint.limits = options.joint.actuator_limits = false; // with them it would stay within 3 rad and 10 N m
  srs_sim *sim = sim_of_model(model, &options);
  const double tau[1] = {1e306};
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  srs_error error = {0};
  assert_int_equal(srs_sim_step(sim, 1000000, &error), SRS_ERROR_DIVERGED);
  assert_non_null(strstr(error.message, "'h'"));
  assert_non_null(strstr(error.message, "t = "));
  assert_non_null(strstr(error.message, "step"));
  assert_true(isfinite(srs_sim_v(sim)[0]) && isfinite(srs_sim_q(sim)[0]));
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F02_a_continuous_joint_has_one_coordinate_that_is_never_wrapped),
      cmocka_unit_test(F03_F07_massless_carriages_fall_and_axes_are_normalised),
      cmocka_unit_test(F05_the_inertial_frame_turns_the_inertia),
      cmocka_unit_test(F06_lumping_is_exact_and_keeps_frames_and_wrenches),
      cmocka_unit_test(F08_a_negative_axis_mirrors_the_motion),
      cmocka_unit_test(F09_a_planar_joint_moves_in_the_plane_of_its_axis),
      cmocka_unit_test(F10_a_floating_body_falls),
      cmocka_unit_test(F41_armature_counts_once_everywhere),
      cmocka_unit_test(F74_a_small_swing_has_its_period),
      cmocka_unit_test(F74_energy_drift_falls_with_the_step),
      cmocka_unit_test(F81_getters_show_the_state_of_now),
      cmocka_unit_test(F88_a_motion_that_leaves_the_numbers_is_named_and_the_state_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
