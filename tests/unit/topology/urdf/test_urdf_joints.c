// Joints become joints in file order, and only if they make a tree.
#include "support/urdf_cases.h"

#include <math.h>

static void each_joint_type_becomes_its_joint(void **state) // F02, F08, F09, F10
{
  (void)state;
  static const struct {
    const char *type, *limit;
    srs_joint_kind kind;
    int nq, nv;
  } cases[] = {{"revolute", LIMIT, SRS_JOINT_REVOLUTE, 1, 1},
               {"continuous", "", SRS_JOINT_CONTINUOUS, 1, 1},
               {"prismatic", LIMIT, SRS_JOINT_PRISMATIC, 1, 1},
               {"floating", "", SRS_JOINT_FREE, 7, 6},
               {"planar", "", SRS_JOINT_PLANAR, 3, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char body[256];
    snprintf(body, sizeof body, "<axis xyz='-1 0 0'/>%s", cases[i].limit);
    srs_model *model = loaded(one_joint(cases[i].type, body, BALL));
    const srs_joint *joint = joint_named(model, "h");
    assert_int_equal(joint->kind, cases[i].kind);
    assert_int_equal(srs_model_nq(model), cases[i].nq);
    assert_int_equal(srs_model_nv(model), cases[i].nv);
    if (joint->kind != SRS_JOINT_FREE) assert_true(joint->axis[0] == -1 && joint->axis[1] == 0 && joint->axis[2] == 0);
    srs_model_destroy(model);
  }
  srs_model *model = loaded(one_joint("fixed", "<axis xyz='0 0 0'/>", BALL)); // F07: no axis is wanted there
  assert_int_equal(srs_model_nq(model), 0);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
  const srs_error error = refused(one_joint("spherical", "", BALL), SRS_ERROR_SYNTAX, 3, "'spherical'");
  assert_has(error.message, "revolute, continuous, prismatic, fixed, floating or planar");
  assert_string_equal(error.subject, "h");
}

static void axes_are_normalised_and_default_to_x(void **state) // F07, F09
{
  (void)state;
  srs_model *model = loaded(one_joint("continuous", "<axis xyz='1 1 0'/>", BALL));
  const double oblique[3] = {sqrt(0.5), sqrt(0.5), 0};
  testing_assert_close("axis", joint_named(model, "h")->axis, oblique, 3, 1e-15);
  srs_model_destroy(model);
  model = loaded(one_joint("prismatic", "<axis xyz='0 0 2'/>" LIMIT, BALL));
  assert_true(joint_named(model, "h")->axis[2] == 1);
  srs_model_destroy(model);
  static const char *const without[] = {"planar", "continuous"};
  for (int i = 0; i < 2; i++) {
    model = loaded(one_joint(without[i], i == 0 ? "" : "<axis/>", BALL));
    assert_true(joint_named(model, "h")->axis[0] == 1);
    srs_model_destroy(model);
  }
  refused(one_joint("continuous", "<axis xyz='0 0 0'/>", BALL), SRS_ERROR_MODEL, 3, "'h'");
}

static void origins_limits_and_dynamics_are_read(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint("revolute",
                                      "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                                      "<limit lower='-1.5' upper='2.5' effort='87' velocity='2'/>\n"
                                      "<dynamics damping='0.7' friction='0.2'/>",
                                      BALL));
  const srs_joint *joint = joint_named(model, "h");
  const double position[3] = {1, 2, 3}, rotation[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  testing_assert_close("position", joint->origin.position, position, 3, 0);
  testing_assert_close("rotation", joint->origin.rotation, rotation, 9, 1e-15); // the cosine of a rounded right angle
  assert_true(srs_model_lower(model)[0] == -1.5 && srs_model_upper(model)[0] == 2.5);
  assert_true(srs_model_max_effort(model)[0] == 87 && srs_model_max_velocity(model)[0] == 2);
  assert_true(srs_model_damping(model)[0] == 0.7 && srs_model_friction(model)[0] == 0.2);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);

  model = loaded(one_joint("continuous", "<limit effort='3' velocity='4' lower='1' upper='2'/>", BALL));
  assert_true(isinf(srs_model_lower(model)[0]) && isinf(srs_model_upper(model)[0]));
  assert_true(srs_model_max_effort(model)[0] == 3);
  assert_warns(model, 4, "robot/joint[@name='h']/limit/@lower");
  assert_warns(model, 4, "robot/joint[@name='h']/limit/@upper");
  srs_model_destroy(model);
}

static void limits_that_say_too_little_or_too_much_are_named(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint("revolute", "", BALL));
  assert_true(isinf(srs_model_upper(model)[0]));
  assert_warns(model, 3, "joint 'h' has no <limit>");
  srs_model_destroy(model);
  model = loaded(one_joint("revolute", "<limit lower='-1' upper='1'/>", BALL));
  assert_true(isinf(srs_model_max_effort(model)[0]) && isinf(srs_model_max_velocity(model)[0]));
  assert_warns(model, 4, "without effort");
  assert_warns(model, 4, "without velocity");
  srs_model_destroy(model);
  model = loaded(one_joint("revolute", "<limit lower='-1' upper='1' effort='0' velocity='0.0'/>", BALL));
  assert_true(isinf(srs_model_max_effort(model)[0]) && isinf(srs_model_max_velocity(model)[0]));
  assert_warns(model, 4, "effort limit of 0 of joint 'h': taken as not given");
  assert_warns(model, 4, "velocity limit of 0 of joint 'h': taken as not given");
  assert_int_equal(srs_model_n_warnings(model), 2);
  srs_model_destroy(model);
  model = loaded(one_joint("prismatic", "<limit effort='1' velocity='1'/>", BALL));
  assert_warns(model, 4, "without lower and upper");
  assert_true(srs_model_lower(model)[0] == 0 && srs_model_upper(model)[0] == 0);
  srs_model_destroy(model);
  model = loaded(one_joint("planar", "<limit effort='1' velocity='1'/>", BALL));
  assert_warns(model, 4, "robot/joint[@name='h']/limit");
  srs_model_destroy(model);
  refused(one_joint("planar", LIMIT, BALL), SRS_ERROR_UNSUPPORTED, 4, "several coordinates"); // F09
  refused(one_joint("floating", LIMIT, BALL), SRS_ERROR_UNSUPPORTED, 4, "several coordinates");
  refused(one_joint("revolute", "<limit lower='inf' upper='inf' effort='1' velocity='1'/>", BALL), SRS_ERROR_MODEL, 4,
          "no coordinate keeps a lower limit of inf; -inf is none");
  refused(one_joint("prismatic", "<limit lower='-inf' upper='-inf' effort='1' velocity='1'/>", BALL), SRS_ERROR_MODEL,
          4, "no coordinate keeps an upper limit of -inf; inf is none");
  refused(one_joint("revolute", "<limit lower='2' upper='1' effort='1' velocity='1'/>", BALL), SRS_ERROR_MODEL, 4,
          "lower limit 2 lies above");
  refused(one_joint("revolute", "<limit lower='0' upper='1' effort='-1' velocity='1'/>", BALL), SRS_ERROR_MODEL, 4,
          "negative");
  refused(one_joint("continuous", "<dynamics damping='-50'/>", BALL), SRS_ERROR_MODEL, 3, "'h'");
}

static void order_is_depth_first_in_file_order(void **state) // F19
{
  (void)state;
#define LEG(NAME, PARENT)                                                                                              \
  "<joint name='" NAME "' type='continuous'><parent link='" PARENT "'/><child link='l" NAME "'/></joint>"
  srs_model *model = loaded("<robot name='star'>" LEG("z", "w") LEG("a", "w") LEG("m", "w") LEG("k", "lz")
                                LEG("b", "la") "<link name='lb'>" BALL "</link><link name='lk'>" BALL
                                               "</link><link name='lm'>" BALL "</link><link name='la'>" BALL
                                               "</link><link name='lz'>" BALL "</link><link name='w'/></robot>");
  static const char *const order[] = {"z", "k", "a", "b", "m"};
  assert_int_equal(srs_model_n_links(model), 5);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(srs_model_joint(model, i)->name, order[i]);
    assert_string_equal(srs_model_q_name(model, i), order[i]);
  }
  srs_model_destroy(model);
#undef LEG
}

static void links_and_joints_may_share_a_name_and_none_is_reserved(void **state) // F10
{
  (void)state;
  srs_model *model =
      loaded("<robot name='r'><link name='world'/><link name='base_link'>" BALL "</link><joint name='base_link' "
             "type='floating'><parent link='world'/><child link='base_link'/></joint></robot>");
  assert_int_equal(srs_model_nv(model), 6);
  assert_string_equal(srs_model_q_name(model, 0), "base_link.x");
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_joint_type_becomes_its_joint),
      cmocka_unit_test(axes_are_normalised_and_default_to_x),
      cmocka_unit_test(origins_limits_and_dynamics_are_read),
      cmocka_unit_test(limits_that_say_too_little_or_too_much_are_named),
      cmocka_unit_test(order_is_depth_first_in_file_order),
      cmocka_unit_test(links_and_joints_may_share_a_name_and_none_is_reserved),
  };
  return cmocka_run_group_tests_name("urdf_joints", tests, NULL, NULL);
}
