// Joints: bodies with several, reference positions, what goes with what.
#include "unit/topology/mjcf/mjcf_cases.h"

static const double degree = 0.017453292519943295;

// A body on three slides and a ball at p moves and weighs as one on a free joint.
static void three_slides_and_a_ball_are_a_free_body(void **state)
{
  (void)state;
#define BRICK "<geom type='box' size='0.1 0.2 0.3' pos='0.05 0 0' mass='2'/>"
  srs_model *one = world("", "<body name='b'><freejoint/>" BRICK "</body>");
  srs_model *other =
      world("", "<body name='b'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/>"
                "<joint name='z' type='slide' axis='0 0 1'/><joint name='r' type='ball'/>" BRICK "</body>");
  assert_int_equal(srs_model_nq(other), 7);
  assert_int_equal(srs_model_nv(other), 6);
  const double q[7] = {0.3, -0.2, 0.5, 0.5, 0.1, -0.7, 0.5}, v[6] = {1, -2, 3, 4, -5, 6}, tau[6] = {1, 2, 3, -1, 2, -3};
  double unit[7], a[2][6], bias[2][6], M[2][36];
  memcpy(unit, q, sizeof q);
  assert_true(srs_normalise(one, unit));
  srs_model *models[2] = {one, other};
  for (int i = 0; i < 2; i++) {
    srs_workspace *w;
    assert_int_equal(srs_workspace_create(models[i], &w, NULL), SRS_OK);
    assert_int_equal(srs_forward_dynamics(w, unit, v, tau, NULL, a[i]), SRS_OK);
    assert_int_equal(srs_bias(w, unit, v, bias[i]), SRS_OK);
    assert_int_equal(srs_mass_matrix(w, unit, M[i]), SRS_OK);
    srs_workspace_destroy(w);
  }
  testing_assert_close("mass matrix", M[1], M[0], 36, 1e-13); // roundings
  testing_assert_close("bias", bias[1], bias[0], 6, 1e-12);
  testing_assert_close("acceleration", a[1], a[0], 6, 1e-10); // M's condition is a hundred
  assert_at(other, "b", unit, 0.3, -0.2, 0.5);
  srs_model_destroy(one);
  srs_model_destroy(other);
}

// Three hinges at p turn one after the other, each about the axis that those before have turned.
static void hinges_of_one_body_turn_one_after_the_other(void **state)
{
  (void)state;
  srs_model *model =
      world("", "<body name='b' pos='0 0 1'><joint name='z' axis='0 0 1' pos='0.5 0 0'/>"
                "<joint name='x' axis='1 0 0' pos='0.5 0 0'/><joint name='s' type='slide' axis='0 0 1'/>" BALL
                "<site name='tip' pos='0.5 0 1'/></body>");
  assert_int_equal(srs_model_nv(model), 3);
  const double q[3] = {90 * degree, 90 * degree, 0.25};
  // In the body's frame the tip is at z = 1.25 above the hinges; x takes it to -y, z that to x.
  assert_at(model, "tip", q, 0.5 + 1.25, 0, 1);
  assert_at(model, "b", NULL, 0, 0, 1);
  assert_true(srs_model_find_frame(model, "b@z") >= 0 && srs_model_find_frame(model, "b@s") >= 0);
  srs_model_destroy(model);
}

static void a_joint_starts_at_its_ref_where_the_body_is_as_drawn(void **state)
{
  (void)state;
  srs_model *model =
      world("", "<body name='a'><joint name='h' axis='0 0 1' ref='90'/>" BALL
                "<body name='b' pos='1 0 0'><joint name='s' type='slide' axis='1 0 0' ref='2'/>" BALL "</body></body>");
  assert_at(model, "b", NULL, 1, 0, 0);
  const double q[2] = {0, 3}; // turned back by 90 degrees, moved on by 1
  assert_at(model, "b", q, 0, -2, 0);
  srs_model_destroy(model);
}

static void free_bodies_start_where_they_are_drawn(void **state)
{
  (void)state;
  srs_model *model = world("<default><joint armature='1' damping='3'/></default>",
                           "<body name='b' pos='1 2 3' euler='0 0 90'><freejoint/>" BALL "</body>");
  const double expected[7] = {1, 2, 3, 0.70710678118654757, 0, 0, 0.70710678118654757};
  testing_assert_close("start", srs_model_neutral(model), expected, 7, 1e-15);
  assert_true(srs_model_armature(model)[0] == 0 && srs_model_damping(model)[5] == 0); // no defaults for <freejoint>
  srs_model_destroy(model);
}

// F34, F41
static void values_of_joints_reach_the_model(void **state)
{
  (void)state;
  srs_model *model = world("", "<body><joint name='h' axis='0 1 0' frictionloss='0.2' stiffness='1' springref='10' "
                               "armature='0.05'/><geom type='sphere' size='0.1' mass='5'/></body>"
                               "<body><joint name='b' type='ball' damping='2'/>" BALL "</body>");
  assert_true(srs_model_friction(model)[0] == 0.2 && srs_model_stiffness(model)[0] == 1);
  assert_number(srs_model_reference(model)[0], 10 * degree, 1e-16);
  assert_true(srs_model_armature(model)[0] == 0.05);
  for (int i = 1; i < 4; i++) assert_true(srs_model_damping(model)[i] == 2);
  // 2/5 m r^2 = 0.02: with the armature torque 1 gives 1 / 0.07
  srs_workspace *w;
  const double gravity[3] = {0, 0, 0}, tau[4] = {1, 0, 0, 0}, v[4] = {0};
  double a[4];
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  srs_workspace_set_gravity(w, gravity);
  assert_int_equal(srs_forward_dynamics(w, srs_model_neutral(model), v, tau, NULL, a), SRS_OK);
  assert_number(a[0], 1 / 0.07, 1e-14);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void joints_that_do_not_go_together_are_refused(void **state)
{
  (void)state;
#define BODY(JOINTS) "<mujoco><worldbody><body name='b'>" BALL JOINTS "</body></worldbody></mujoco>"
  refused(BODY("<freejoint/>\n<joint/>"), SRS_ERROR_MODEL, 2, "must be the only joint");
  refused(BODY("<joint type='ball'/>\n<joint/>"), SRS_ERROR_MODEL, 2, "a rotation follows a ball");
  refused(BODY("<body>\n<freejoint/></body>"), SRS_ERROR_MODEL, 2, "belongs to a body of the world");
  refused(BODY("\n<joint axis='0 0 0'/>"), SRS_ERROR_MODEL, 2, "axis is zero");
  refused("<mujoco><worldbody>\n<joint/></worldbody></mujoco>", SRS_ERROR_MODEL, 2, "stands in the world");
}

// A pendulum on a ball joint swings out to 40 degrees about any axis, and spins no farther either.
static void a_range_of_a_ball_bounds_the_whole_rotation(void **state)
{
  (void)state;
  srs_model *model = world(
      "",
      "<body><joint name='b' type='ball' range='0 40'/><geom type='box' size='0.1 0.02 0.03' pos='0.1 0 0'/></body>");
  const srs_joint *joint = joint_named(model, "b");
  assert_number(joint->max_swing, 40 * 3.14159265358979323846 / 180, 1e-15);
  srs_sim_options options = srs_default_sim_options();
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_sim_create(model, &options, &sim, &error), SRS_OK);
  double largest = 0;
  const double v[3] = {3, 0, 1};
  assert_int_equal(srs_sim_set_state(sim, 0, srs_model_neutral(model), v, &error), SRS_OK);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
    const double *q = srs_sim_q(sim);
    largest = fmax(largest, 2 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0])));
  }
  assert_number(largest, joint->max_swing, 1e-2); // a curved limit is passed by less than what two steps turn
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  refused("<mujoco><worldbody><body>\n<joint type='ball' range='-10 10'/><geom size='1'/></body></worldbody></mujoco>",
          SRS_ERROR_MODEL, 2, "it is 0 and the largest angle");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_slides_and_a_ball_are_a_free_body),
      cmocka_unit_test(hinges_of_one_body_turn_one_after_the_other),
      cmocka_unit_test(a_joint_starts_at_its_ref_where_the_body_is_as_drawn),
      cmocka_unit_test(free_bodies_start_where_they_are_drawn),
      cmocka_unit_test(values_of_joints_reach_the_model),
      cmocka_unit_test(joints_that_do_not_go_together_are_refused),
      cmocka_unit_test(a_range_of_a_ball_bounds_the_whole_rotation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
