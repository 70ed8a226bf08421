// Settings of the compiler, and classes of defaults.
#include "unit/topology/mjcf/mjcf_cases.h"

// F22
static void explicit_classes_replace_those_around_and_bring_their_ancestors(void **state)
{
  (void)state;
  srs_model *model =
      loaded("<mujoco><default><geom friction='0.9 0.005 0.0001' density='500'/>"
             "<default class='soft'><geom friction='0.3 0.005 0.0001'/></default>"
             "<default class='rod'><geom type='capsule' size='0.02'/><joint type='slide' axis='0 0 -1' damping='4'/>"
             "<default class='rod_long'><joint range='0 0.04'/></default></default></default><worldbody>"
             "<body name='a' childclass='soft'><joint name='ja' class='rod_long'/><geom name='g1' class='rod' "
             "fromto='0 0 0 0 0 0.2'/><body name='b' pos='0 0 0.3'><joint name='jb'/><geom name='g2' type='sphere' "
             "size='0.05'/></body></body></worldbody></mujoco>");
  const srs_joint *ja = joint_named(model, "ja"), *jb = joint_named(model, "jb");
  assert_int_equal(ja->kind, SRS_JOINT_PRISMATIC);
  assert_true(ja->axis[2] == -1);
  assert_true(srs_model_damping(model)[ja->v_index] == 4);
  assert_true(srs_model_lower(model)[ja->v_index] == 0 && srs_model_upper(model)[ja->v_index] == 0.04);
  const srs_shape *g1 = shape_named(model, "g1"), *g2 = shape_named(model, "g2");
  assert_int_equal(g1->kind, SRS_SHAPE_CAPSULE);
  assert_true(g1->size[0] == 0.02 && g1->size[1] == 0.2);
  assert_int_equal(g2->kind, SRS_SHAPE_SPHERE);
  assert_int_equal(jb->kind, SRS_JOINT_CONTINUOUS);
  assert_true(jb->axis[2] == 1 && srs_model_damping(model)[jb->v_index] == 0);
  const double pi = acos(-1);
  assert_number(srs_model_link(model, 1)->mass, 500 * 4.0 / 3 * pi * 0.05 * 0.05 * 0.05, 1e-15);
  srs_model_destroy(model);
}

static void classes_that_do_not_exist_or_exist_twice_are_refused(void **state)
{
  (void)state;
  refused("<mujoco><default><default class='rod'/></default>\n<worldbody><body>\n<geom class='rot' size='1'/></body>"
          "</worldbody></mujoco>",
          SRS_ERROR_NAME, 3, "there is no such default class, did you mean 'rod'?");
  refused("<mujoco><default><default class='rod'/>\n<default class='rod'/></default></mujoco>", SRS_ERROR_NAME, 2,
          "two default classes are named 'rod'");
  refused("<mujoco><default>\n<default><geom size='1'/></default></default></mujoco>", SRS_ERROR_SYNTAX, 2,
          "needs the attribute class");
}

// F23
#define ARM                                                                                                            \
  "<default><default class='c'><joint range='-45 45'/></default></default><worldbody><body><joint name='h' class='c' " \
  "stiffness='2' damping='0.5'/>" BALL "<body pos='0 0 0.3'><joint name='s' type='slide' axis='1 0 0' "                \
  "range='-0.1 0.1' ref='0.05'/>" BALL                                                                                 \
  "<body pos='0 0 0.3'><joint name='free_h' axis='0 1 0' ref='90' springref='30'/>" BALL                               \
  "</body></body></body></worldbody>"
static void degrees_are_for_angles_alone(void **state)
{
  (void)state;
  srs_model *model = loaded("<mujoco><compiler angle='degree'/>" ARM "</mujoco>");
  const double degree = acos(-1) / 180;
  assert_number(srs_model_upper(model)[0], 45 * degree, 1e-15);
  assert_number(srs_model_lower(model)[0], -45 * degree, 1e-15);
  assert_true(srs_model_damping(model)[0] == 0.5 && srs_model_stiffness(model)[0] == 2);
  assert_true(srs_model_lower(model)[1] == -0.1 && srs_model_upper(model)[1] == 0.1);
  assert_true(srs_model_neutral(model)[1] == 0.05);
  assert_true(isinf(srs_model_upper(model)[2]));
  assert_number(srs_model_neutral(model)[2], 90 * degree, 1e-15);
  assert_number(srs_model_reference(model)[2], 30 * degree, 1e-15);
  srs_model_destroy(model);
  model = loaded("<mujoco>" ARM "<compiler angle='radian'/></mujoco>"); // wherever it stands
  assert_true(srs_model_upper(model)[0] == 45 && srs_model_lower(model)[0] == -45);
  assert_true(srs_model_neutral(model)[2] == 90);
  srs_model_destroy(model);
}

// F24
#define RANGE(WORDS) "<worldbody><body>\n<joint name='h' " WORDS "/>" BALL "</body></worldbody></mujoco>"
static void ranges_limit_by_themselves_unless_that_is_off(void **state)
{
  (void)state;
  srs_model *model = loaded("<mujoco>" RANGE("range='-10 10'"));
  assert_true(srs_model_upper(model)[0] > 0.17 && srs_model_upper(model)[0] < 0.18);
  srs_model_destroy(model);
  refused("<mujoco><compiler autolimits='false'/>" RANGE("range='-10 10'"), SRS_ERROR_SYNTAX, 2, "autolimits is off");
  model = loaded("<mujoco>" RANGE("limited='false' range='-10 10'"));
  assert_true(isinf(srs_model_upper(model)[0]));
  srs_model_destroy(model);
  model = loaded("<mujoco><compiler autolimits='false'/>" RANGE("limited='true' range='-10 10'"));
  assert_true(isfinite(srs_model_upper(model)[0]));
  srs_model_destroy(model);
  model = loaded("<mujoco><compiler autolimits='false'/>" RANGE("range='0 0'"));
  assert_true(isinf(srs_model_upper(model)[0]));
  srs_model_destroy(model);
  refused("<mujoco>" RANGE("limited='true'"), SRS_ERROR_SYNTAX, 2, "but no range");
  refused("<mujoco>" RANGE("limited='true' range='0 0'"), SRS_ERROR_MODEL, 2, "the first number must be the smaller");
  refused("<mujoco>" RANGE("range='10 -10'"), SRS_ERROR_MODEL, 2, "the first number must be the smaller");
}

static void settings_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  refused("<mujoco>\n<compiler coordinate='global'/></mujoco>", SRS_ERROR_UNSUPPORTED, 2, "only local coordinates");
  refused("<mujoco>\n<compiler angle='gon'/></mujoco>", SRS_ERROR_SYNTAX, 2, "expected one of radian, degree");
  refused("<mujoco>\n<compiler eulerseq='xyw'/></mujoco>", SRS_ERROR_SYNTAX, 2, "three letters");
  refused("<mujoco>\n<compiler boundmass='1kg'/></mujoco>", SRS_ERROR_SYNTAX, 2, "expected 1 finite number");
  srs_model_destroy(world("<compiler coordinate='local'/>", ""));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(explicit_classes_replace_those_around_and_bring_their_ancestors),
      cmocka_unit_test(classes_that_do_not_exist_or_exist_twice_are_refused),
      cmocka_unit_test(degrees_are_for_angles_alone),
      cmocka_unit_test(ranges_limit_by_themselves_unless_that_is_off),
      cmocka_unit_test(settings_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
