// Which bodies may exist: checked for all that fixed joints join.
#include "support/testing.h"

#include <string.h>

static void add_link(srs_builder *builder, int line, const char *name, double mass, double ixx, double iyy, double izz)
{
  srs_link_def def = srs_default_link_def();
  def.name = name;
  def.mass = mass;
  def.inertia[0] = ixx, def.inertia[1] = iyy, def.inertia[2] = izz;
  srs_builder_set_location(builder, "b.urdf", line, 0);
  assert_int_equal(srs_builder_add_link(builder, &def, NULL), SRS_OK);
}

static void add_joint(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent,
                      const char *child)
{
  srs_joint_def def = srs_default_joint_def(kind);
  def.name = name;
  def.parent = parent;
  def.child = child;
  assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
}

static void refuse(srs_builder *builder, const srs_build_options *options, int line, const char *message)
{
  srs_model *model = NULL;
  srs_error error;
  assert_int_equal(srs_builder_build(builder, options, &model, &error), SRS_ERROR_MODEL);
  if (strstr(error.message, message) == NULL) fail_msg("'%s' does not say '%s'", error.message, message);
  assert_string_equal(error.file, "b.urdf");
  assert_int_equal(error.line, line);
}

// F04, each on a moving joint, floating and welded to the world.
static void impossible_bodies_are_refused_with_their_numbers(void **state)
{
  (void)state;
  const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_FREE, SRS_JOINT_FIXED};
  const struct {
    double mass, moments[3];
    const char *message;
  } cases[] = {
      {1, {1.0, 0.2, 0.3}, "link 'lump': principal moments 1.0 > 0.2 + 0.3"},
      {1, {-0.001, 0.002, 0.002}, "link 'lump': principal moments -0.001, 0.002, 0.002 kg m^2, but none can be"},
      {0, {0.1, 0, 0}, "link 'lump': principal moments 0.0, 0.0, 0.1 kg m^2 but no mass"}};
  for (size_t i = 0; i < 9; i++) {
    srs_builder *builder = srs_builder_create();
    const double *moments = cases[i / 3].moments;
    add_link(builder, 5, "lump", cases[i / 3].mass, moments[0], moments[1], moments[2]);
    add_joint(builder, "h", kinds[i % 3], NULL, "lump");
    const srs_build_options keep = {.keep_fixed_joints = true};
    refuse(builder, NULL, 5, cases[i / 3].message);
    refuse(builder, &keep, 5, cases[i / 3].message);
    srs_builder_destroy(builder);
  }
}

// A marker with made-up inertia on a real part, as robots from the field have them.
static srs_builder *marked(double marker_moment)
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, 1, "trunk", 10, 0.5, 0.6, 0.7);
  add_link(builder, 2, "marker", 1e-6, marker_moment, 0, 0);
  add_joint(builder, "root", SRS_JOINT_FREE, NULL, "trunk");
  add_joint(builder, NULL, SRS_JOINT_FIXED, "trunk", "marker");
  return builder;
}

static void an_impossible_part_of_a_possible_body_is_a_warning(void **state)
{
  (void)state;
  srs_builder *builder = marked(3e-6);
  for (int keep = 0; keep <= 1; keep++) {
    const srs_build_options options = {.keep_fixed_joints = keep == 1};
    srs_model *model = NULL;
    assert_int_equal(srs_builder_build(builder, &options, &model, NULL), SRS_OK);
    assert_int_equal(srs_model_n_warnings(model), 1);
    assert_non_null(
        strstr(srs_model_warning(model, 0), "b.urdf:2: link 'marker': principal moments 3e-06 > 0.0 + 0.0"));
    assert_true(srs_model_mass(model) == 10 + 1e-6); // taken as it is
    srs_model_destroy(model);
  }
  const srs_build_options strict = {.strict = true};
  refuse(builder, &strict, 2, "3e-06 > 0.0 + 0.0");
  srs_builder_destroy(builder);
}

static void a_part_too_wrong_for_its_body_is_refused(void **state)
{
  (void)state;
  srs_builder *builder = marked(5);
  refuse(builder, NULL, 2, "link 'marker': principal moments 5.0 > 0.0 + 0.0");
  srs_builder_destroy(builder);
}

// What is allowed moves as its numbers say; whatever else is wrong stays refused.
static void moments_above_the_sum_of_the_others_can_be_allowed(void **state)
{
  (void)state;
  const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_FREE, SRS_JOINT_FIXED};
  const srs_build_options allow = {.allow_impossible_inertia = true},
                          strictly = {.allow_impossible_inertia = true, .strict = true};
  for (int i = 0; i < 3; i++) {
    srs_builder *builder = srs_builder_create();
    add_link(builder, 5, "lump", 1, 1.0, 0.2, 0.3);
    add_joint(builder, "h", kinds[i], NULL, "lump");
    refuse(builder, NULL, 5,
           "(here by 0.5): check the moments and their order, or allow it (allow_impossible_inertia)");
    refuse(builder, &strictly, 5, "principal moments 1.0 > 0.2 + 0.3");
    srs_model *model = NULL;
    assert_int_equal(srs_builder_build(builder, &allow, &model, NULL), SRS_OK);
    assert_int_equal(srs_model_n_warnings(model), 1);
    assert_string_equal(
        srs_model_warning(model, 0),
        "b.urdf:5: link 'lump': principal moments 1.0 > 0.2 + 0.3 kg m^2, but no body has one above the "
        "sum of the others (here by 0.5): check the moments and their order; taken as it is, allowed");
    if (kinds[i] != SRS_JOINT_FIXED)
      testing_assert_close("inertia", srs_model_link(model, 0)->inertia, (double[6]){1.0, 0.2, 0.3}, 6, 0);
    srs_model_destroy(model);
    srs_builder_destroy(builder);
  }
}

static void other_impossible_bodies_cannot_be_allowed(void **state)
{
  (void)state;
  const srs_build_options allow = {.allow_impossible_inertia = true};
  srs_builder *builder = srs_builder_create();
  add_link(builder, 5, "lump", 1, -0.001, 0.002, 0.002);
  add_joint(builder, "h", SRS_JOINT_REVOLUTE, NULL, "lump");
  refuse(builder, &allow, 5, "-0.001, 0.002, 0.002 kg m^2, but none can be negative: check the products of inertia");
  srs_builder_destroy(builder);

  builder = srs_builder_create();
  add_link(builder, 5, "lump", 0, 0.1, 0.1, 0.1);
  add_joint(builder, "h", SRS_JOINT_REVOLUTE, NULL, "lump");
  refuse(builder, &allow, 5, "but no mass");
  srs_builder_destroy(builder);

  // A whole that may be allowed, but not for the sake of this part.
  builder = marked(5);
  add_link(builder, 7, "thing", 1, -0.001, 0.002, 0.002);
  add_joint(builder, NULL, SRS_JOINT_FIXED, "trunk", "thing");
  refuse(builder, &allow, 7, "link 'thing': principal moments -0.001, 0.002, 0.002 kg m^2, but none can be");
  srs_builder_destroy(builder);
}

static void a_first_warning_stops_a_strict_build(void **state)
{
  (void)state;
  srs_builder *builder = marked(0);
  srs_builder_set_location(builder, "b.urdf", 30, 0);
  srs_builder_warn(builder, "mimic is ignored");
  srs_builder_warn(builder, "so is this");
  const srs_build_options strict = {.strict = true};
  refuse(builder, &strict, 30, "a warning, refused as strict: mimic is ignored");
  srs_builder_destroy(builder);
}

static void notes_do_not_stop_a_strict_build(void **state)
{
  (void)state;
  srs_builder *builder = marked(0);
  srs_builder_set_location(builder, "b.urdf", 30, 0);
  assert_int_equal(srs_builder_note(builder, "limits of '%s' are kept", "h"), SRS_OK);
  assert_int_equal(srs_builder_note(builder, NULL), SRS_ERROR_ARGUMENT);
  const srs_build_options strict = {.strict = true};
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, &strict, &model, NULL), SRS_OK);
  assert_int_equal(srs_model_n_warnings(model), 1);
  assert_string_equal(srs_model_warning(model, 0), "b.urdf:30: limits of 'h' are kept");
  srs_model_destroy(model);
  srs_builder_set_location(builder, "b.urdf", 31, 0);
  srs_builder_warn(builder, "mimic is ignored");
  refuse(builder, &strict, 31, "a warning, refused as strict: mimic is ignored");
  srs_builder_destroy(builder);
}

static void colliding_shapes_without_mass_are_pointed_out(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  add_link(builder, 1, "base", 0, 0, 0, 0); // welded to the world: never mind
  add_link(builder, 2, "cart", 0, 0, 0, 0);
  add_link(builder, 3, "pole", 1, 0.1, 0.1, 0.1);
  add_joint(builder, NULL, SRS_JOINT_FIXED, NULL, "base");
  add_joint(builder, "slide", SRS_JOINT_PRISMATIC, "base", "cart");
  add_joint(builder, "turn", SRS_JOINT_REVOLUTE, "cart", "pole");
  const char *links[] = {NULL, "base", "cart", "cart", "pole"};
  for (int i = 0; i < 10; i++) {
    srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_SPHERE);
    shape.link = links[i / 2];
    shape.size[0] = 0.1;
    shape.is_visual = i % 2 == 0;
    srs_builder_set_location(builder, "b.urdf", 10 + i, 0);
    assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  }
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  assert_int_equal(srs_model_n_warnings(model), 1);
  assert_string_equal(srs_model_warning(model, 0), "b.urdf:15: link 'cart' has a shape to collide with but no mass");
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impossible_bodies_are_refused_with_their_numbers),
      cmocka_unit_test(an_impossible_part_of_a_possible_body_is_a_warning),
      cmocka_unit_test(a_part_too_wrong_for_its_body_is_refused),
      cmocka_unit_test(moments_above_the_sum_of_the_others_can_be_allowed),
      cmocka_unit_test(other_impossible_bodies_cannot_be_allowed),
      cmocka_unit_test(a_first_warning_stops_a_strict_build),
      cmocka_unit_test(notes_do_not_stop_a_strict_build),
      cmocka_unit_test(colliding_shapes_without_mass_are_pointed_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
