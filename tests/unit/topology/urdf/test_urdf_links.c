// Links, their inertia, and the shapes that they carry are read exactly.
#include "support/urdf_cases.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// Links and inertia
// ---------------------------------------------------------------------------------------------------------------------

static void a_rotated_inertial_keeps_its_orientation(void **state) // F05
{
  (void)state;
  const struct {
    const char *inertial;
    double inertia[6];
  } cases[] = {
      {"<origin xyz='0 0 0' rpy='0 0 0.7853981633974483'/><mass value='3'/>"
       "<inertia ixx='0.4' iyy='0.9' izz='1.1' ixy='0' ixz='0' iyz='0'/>",
       {0.65, 0.65, 1.1, -0.25, 0, 0}},
      {"<origin rpy='0 0 1.5707963267948966'/><mass value='3'/>"
       "<inertia ixx='0.4' iyy='0.9' izz='1.1' ixy='0' ixz='0' iyz='0'/>",
       {0.9, 0.4, 1.1, 0, 0, 0}},
      {"<origin xyz='0.1 -0.2 0.3' rpy='0 0 0.7853981633974483'/><mass value='3'/>"
       "<inertia ixx='0.4' iyy='0.9' izz='1.1' ixy='0' ixz='0' iyz='0'/>",
       {0.65, 0.65, 1.1, -0.25, 0, 0}},
      // With ixy = 0.1 turned by a quarter about z the product changes its sign.
      {"<origin xyz='0.1 -0.2 0.3' rpy='0 0 1.5707963267948966'/><mass value='3'/>"
       "<inertia ixx='0.4' iyy='0.9' izz='1.1' ixy='0.1' ixz='0.02' iyz='0.03'/>",
       {0.9, 0.4, 1.1, -0.1, -0.03, 0.02}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char link[1024];
    snprintf(link, sizeof link, "<inertial>%s</inertial>", cases[i].inertial);
    srs_model *model = loaded(one_joint("floating", "", link));
    const srs_link *body = srs_model_link(model, 0);
    testing_assert_close("inertia", body->inertia, cases[i].inertia, 6, 1e-15); // a handful of roundings
    assert_true(body->mass == 3);
    const double com[3] = {0.1, -0.2, 0.3}, origin[3] = {0, 0, 0};
    testing_assert_close("com", body->com, i < 2 ? origin : com, 3, 1e-15);
    srs_model_destroy(model);
  }
}

static void links_without_inertial_have_no_mass(void **state) // F03
{
  (void)state;
#define GANTRY(TIP)                                                                                                    \
  "<robot name='gantry'><link name='w'/><link name='cx'/><link name='cy'/>\n<link name='tip'>" TIP "</link>\n"         \
  "<joint name='x' type='prismatic'><parent link='w'/><child link='cx'/><axis xyz='1 0 0'/>" LIMIT "</joint>\n"        \
  "<joint name='y' type='prismatic'><parent link='cx'/><child link='cy'/><axis xyz='0 1 0'/>" LIMIT "</joint>\n"       \
  "<joint name='z' type='prismatic'><parent link='cy'/><child link='tip'/><axis xyz='0 0 1'/>" LIMIT                   \
  "</joint></robot>"
  srs_model *model = loaded(GANTRY("<inertial><mass value='2'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' "
                                   "ixz='0' iyz='0'/></inertial>"));
  assert_true(srs_model_mass(model) == 2);
  assert_int_equal(srs_model_nv(model), 3);
  srs_model_destroy(model);

  // Without a mass at its tip it serves for kinematics; what needs inertia names the joints.
  srs_error error;
  srs_sim *sim;
  model = loaded(GANTRY(""));
  assert_warns(model, 5, "joints 'x', 'y' and 'z'");
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_ERROR_MODEL);
  assert_has(error.message, "'z'");
  assert_null(sim);
  srs_model_destroy(model);
  srs_load_options strict = srs_default_load_options();
  strict.build.strict = true;
  refused_with(GANTRY(""), &strict, SRS_ERROR_MODEL, 5, "'z'");
#undef GANTRY
}

static const char *body_of(const char *mass, const char *inertia)
{
  static char link[512];
  snprintf(link, sizeof link, "<inertial><mass value='%s'/><inertia %s/></inertial>", mass, inertia);
  return link;
}

// Moments that no body has are warned of, with their numbers and the nearest that a body has; strictly they are
// refused.
static void impossible_moments_are_told_with_the_nearest_possible_ones(void **state) // F04
{
  (void)state;
  static const struct {
    const char *inertia, *numbers, *nearest;
  } cases[] = {// 1.0 exceeds 0.5 by 0.5, of which each moment takes a third.
               {"ixx='1.0' iyy='0.2' izz='0.3' ixy='0' ixz='0' iyz='0'", "1.0 > 0.2 + 0.3",
                "nearest possible one is ixx=0.833333 iyy=0.366667 izz=0.466667 ixy=0 ixz=0 iyz=0"},
               // A rod along x: the moments of y and z are equal, that of x is none.
               {"ixx='-0.001' iyy='0.002' izz='0.002' ixy='0' ixz='0' iyz='0'", "-0.001, 0.002, 0.002",
                "nearest possible one is ixx=0 iyy=0.002 izz=0.002 ixy=0 ixz=0 iyz=0"}};
  srs_load_options strict = srs_default_load_options();
  strict.build.strict = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int k = 0; k < 3; k++) {
      static const char *const types[] = {"continuous", "floating", "fixed"};
      const char *text = one_joint(types[k], "<axis xyz='0 0 1'/>", body_of("1", cases[i].inertia));
      srs_model *model = loaded(text);
      assert_warns(model, 2, cases[i].numbers);
      assert_warns(model, 2, cases[i].nearest);
      srs_model_destroy(model);
      refused_with(text, &strict, SRS_ERROR_MODEL, 2, "'p'");
    }
}

static void rounding_is_no_impossible_inertia(void **state)
{
  (void)state;
  srs_model *model = loaded_file(testing_data("cases/tiny_inertia.urdf"), NULL);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
}

static void impossible_inertia_is_refused(void **state) // F04
{
  (void)state;
  static const char *const cases[][2] = {{"0", "ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'"},
                                         {"-1", "ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char link[512];
    snprintf(link, sizeof link, "<inertial><mass value='%s'/><inertia %s/></inertial>", cases[i][0], cases[i][1]);
    refused(one_joint("continuous", "", link), SRS_ERROR_MODEL, 2, "'p'");
  }
}

static void fixed_joints_are_lumped_and_their_links_stay_frames(void **state) // F06
{
  (void)state;
  srs_model *model = loaded(
      "<robot name='lump'><link name='w'/><link name='arm'><inertial><mass value='1'/><inertia ixx='0.12' iyy='0.2' "
      "izz='0.3' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='bracket'><inertial><mass value='2'/><inertia "
      "ixx='0.03' iyy='0.02' izz='0.04' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='probe'/>"
      "<joint name='h' type='continuous'><parent link='w'/><child link='arm'/><axis xyz='0 0 1'/></joint>"
      "<joint name='f1' type='fixed'><parent link='arm'/><child link='bracket'/>"
      "<origin xyz='0.5 0 0' rpy='1.5707963267948966 0 0'/></joint>"
      "<joint name='f2' type='fixed'><parent link='bracket'/><child link='probe'/><origin xyz='0 0 "
      "0.1'/></joint></robot>");
  assert_int_equal(srs_model_n_links(model), 1);
  const srs_link *arm = srs_model_link(model, 0);
  assert_true(fabs(arm->mass - 3) < 1e-15);
  assert_true(fabs(arm->com[0] - 1.0 / 3) < 1e-15);
  // About the joint: 0.3 + 0.02 + 2 * 0.5^2, 0.2 + 0.04 + 2 * 0.5^2, 0.12 + 0.03; about the centre 3 (1/3)^2 less.
  const double inertia[6] = {0.15, 0.74 - 1.0 / 3, 0.82 - 1.0 / 3, 0, 0, 0};
  testing_assert_close("inertia", arm->inertia, inertia, 6, 1e-15);
  const srs_frame *probe = srs_model_frame(model, srs_model_find_frame(model, "probe"));
  const double position[3] = {0.5, -0.1, 0};
  testing_assert_close("probe", probe->pose.position, position, 3, 1e-15);
  assert_true(srs_model_find_frame(model, "bracket") >= 0 && srs_model_find_frame(model, "w") >= 0);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes and meshes
// ---------------------------------------------------------------------------------------------------------------------

static void primitive_shapes_are_kept_with_their_links(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint(
      "continuous", "",
      BALL "<visual name='v'><origin xyz='1 2 3' rpy='1.5707963267948966 0 0'/><geometry><box size='1 2 3'/></geometry>"
           "<material name='blue'><color rgba='0 0 1 1'/><texture filename='t'/></material></visual>"
           "<collision><geometry><cylinder radius='0.1' length='0.4'/></geometry></collision>"
           "<collision><geometry><sphere radius='0.2'/></geometry></collision>"
           "<collision><geometry><capsule radius='0.3' length='0.5'/></geometry></collision>"));
  assert_int_equal(srs_model_n_shapes(model), 4);
  static const srs_shape_kind kinds[] = {SRS_SHAPE_BOX, SRS_SHAPE_CYLINDER, SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE};
  static const double sizes[4][3] = {{1, 2, 3}, {0.1, 0.4}, {0.2}, {0.3, 0.5}};
  static const int n_sizes[4] = {3, 2, 1, 2};
  for (int i = 0; i < 4; i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    assert_int_equal(shape->kind, kinds[i]);
    assert_int_equal(shape->is_visual, i == 0);
    assert_string_equal(srs_model_frame(model, shape->frame)->name, "p");
    testing_assert_close("size", shape->size, sizes[i], n_sizes[i], 0);
  }
  const double position[3] = {1, 2, 3}, rotation[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  testing_assert_close("position", srs_model_shape(model, 0)->pose.position, position, 3, 0);
  testing_assert_close("rotation", srs_model_shape(model, 0)->pose.rotation, rotation, 9, 1e-15);
  assert_string_equal(srs_model_shape(model, 0)->name, "v");
  assert_int_equal(srs_model_n_warnings(model), 0); // a colour is nothing to warn of
  srs_model_destroy(model);
}

static void unknown_geometry_is_named_and_left_out(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint("continuous", "", BALL "<visual><geometry>\n<plane/></geometry></visual>"));
  assert_int_equal(srs_model_n_shapes(model), 0);
  assert_warns(model, 2, "robot/link[@name='p']/visual/geometry holds no box, cylinder");
  assert_warns(model, 3, "robot/link[@name='p']/visual/geometry/plane");
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rotated_inertial_keeps_its_orientation),
      cmocka_unit_test(links_without_inertial_have_no_mass),
      cmocka_unit_test(impossible_moments_are_told_with_the_nearest_possible_ones),
      cmocka_unit_test(rounding_is_no_impossible_inertia),
      cmocka_unit_test(impossible_inertia_is_refused),
      cmocka_unit_test(fixed_joints_are_lumped_and_their_links_stay_frames),
      cmocka_unit_test(primitive_shapes_are_kept_with_their_links),
      cmocka_unit_test(unknown_geometry_is_named_and_left_out),
  };
  return cmocka_run_group_tests_name("urdf_links", tests, NULL, NULL);
}
