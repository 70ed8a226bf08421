// Massless links are legal where something resists every hinge.
#include "support/testing.h"
#include "topology/mobility.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_link(srs_builder *builder, const char *name, double mass, double moment, double com_x)
{
  srs_link_def def = srs_default_link_def();
  def.name = name;
  def.mass = mass;
  def.com[0] = com_x;
  def.inertia[0] = def.inertia[1] = def.inertia[2] = moment;
  assert_int_equal(srs_builder_add_link(builder, &def, NULL), SRS_OK);
}

static void add_hinge(srs_builder *builder, const char *name, srs_hinge_kind kind, const char *parent,
                      const char *child, int axis, double armature)
{
  srs_hinge_def def = srs_default_hinge_def(kind);
  def.name = name;
  def.parent = parent;
  def.child = child;
  for (int i = 0; i < 3; i++) def.axis[i] = i == axis;
  for (int i = 0; i < 6; i++) def.armature[i] = armature;
  assert_int_equal(srs_builder_add_hinge(builder, &def, NULL), SRS_OK);
}

// Builds, destroys; returns whether it is legal, the message in words.
static bool is_legal(srs_builder *builder, char words[512])
{
  srs_model *model = NULL;
  srs_error error = {.message = ""};
  const srs_status status = srs_builder_build(builder, NULL, &model, &error);
  if (status != SRS_OK) assert_int_equal(status, SRS_ERROR_MODEL);
  snprintf(words, 512, "%s", error.message);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
  return status == SRS_OK;
}

static srs_builder *gantry(double tip_mass, double armature)
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "w", 0, 0, 0);
  add_link(builder, "cx", 0, 0, 0);
  add_link(builder, "cy", 0, 0, 0);
  add_link(builder, "tip", tip_mass, tip_mass * 0.005, 0);
  add_hinge(builder, "weld", SRS_HINGE_FIXED, NULL, "w", 0, 0);
  add_hinge(builder, "x", SRS_HINGE_PRISMATIC, "w", "cx", 0, armature);
  add_hinge(builder, "y", SRS_HINGE_PRISMATIC, "cx", "cy", 1, armature);
  add_hinge(builder, "z", SRS_HINGE_PRISMATIC, "cy", "tip", 2, armature);
  return builder;
}

// F03.
static void massless_carriages_are_legal_and_without_the_tip_all_hinges_are_named(void **state)
{
  (void)state;
  char words[512];
  assert_true(is_legal(gantry(2, 0), words));
  assert_true(is_legal(gantry(1e-9, 0), words)); // small is not nothing
  assert_true(is_legal(gantry(0, 1e-6), words));
  assert_false(is_legal(gantry(0, 0), words));
  assert_string_equal(words,
                      "nothing resists hinges 'x', 'y' and 'z': links 'cx', 'cy' and 'tip' and all that they carry "
                      "have no inertia there; give 'tip' a mass, or the hinges an armature");
}

static bool single(srs_hinge_kind kind, int axis, double mass, double moment, double com_x, double armature,
                   char words[512])
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "tip", mass, moment, com_x);
  add_hinge(builder, "z", kind, NULL, "tip", axis, armature);
  return is_legal(builder, words);
}

static void a_point_resists_only_off_the_axis(void **state)
{
  (void)state;
  char words[512];
  assert_true(single(SRS_HINGE_REVOLUTE, 2, 1, 0, 0.3, 0, words));
  assert_false(single(SRS_HINGE_REVOLUTE, 0, 1, 0, 0.3, 0, words));
  assert_string_equal(words,
                      "nothing resists hinge 'z': link 'tip' and all that it carries have no inertia about it; give "
                      "'tip' a mass or the hinge an armature");
  assert_true(single(SRS_HINGE_REVOLUTE, 0, 1, 1e-9, 0.3, 0, words));
  assert_true(single(SRS_HINGE_REVOLUTE, 0, 1, 0, 0.3, 1e-9, words));
  assert_true(single(SRS_HINGE_PRISMATIC, 0, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_HINGE_PLANAR, 2, 1, 1e-6, 0, 0, words));
  assert_false(single(SRS_HINGE_PLANAR, 2, 1, 0, 0, 0, words));
  assert_false(single(SRS_HINGE_SPHERICAL, 2, 1, 0, 0.3, 0, words)); // spins about the line to the point
  assert_false(single(SRS_HINGE_FREE, 2, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_HINGE_FREE, 2, 1, 1e-8, 0.3, 0, words));
  assert_false(single(SRS_HINGE_CYLINDRICAL, 0, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_HINGE_CYLINDRICAL, 1, 1, 0, 0.3, 0, words));
}

static void two_parallel_slides_need_a_mass_between(void **state)
{
  (void)state;
  char words[512];
  for (int axis = 0; axis < 3; axis++) {
    srs_builder *builder = srs_builder_create();
    add_link(builder, "middle", 0, 0, 0);
    add_link(builder, "tip", 3, 0.1, 0.5);
    add_hinge(builder, "a", SRS_HINGE_PRISMATIC, NULL, "middle", 0, 0);
    add_hinge(builder, "b", SRS_HINGE_PRISMATIC, "middle", "tip", axis, 0);
    assert_int_equal(is_legal(builder, words), axis != 0);
    if (axis == 0) assert_non_null(strstr(words, "hinge 'a': link 'middle'"));
  }
}

// Universal joint out of massless crosses, a body behind: legal. Four axes through one point for a body that turns:
// not.
static void massless_wrists_are_legal_until_an_axis_is_too_many(void **state)
{
  (void)state;
  char words[512];
  for (int n = 2; n <= 4; n++) {
    srs_builder *builder = srs_builder_create();
    const char *names[] = {"l0", "l1", "l2", "l3"};
    for (int i = 0; i < n; i++) add_link(builder, names[i], i == n - 1 ? 1 : 0, i == n - 1 ? 0.1 : 0, 0);
    for (int i = 0; i < n; i++)
      add_hinge(builder, names[i], SRS_HINGE_REVOLUTE, i > 0 ? names[i - 1] : NULL, names[i], i % 3, 0);
    assert_int_equal(is_legal(builder, words), n <= 3);
  }
  // The same three axes aligned by chance at zero: only there, so legal.
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 0, 0, 0);
  add_link(builder, "b", 0, 0, 0);
  add_link(builder, "c", 1, 0.1, 0);
  add_hinge(builder, "a", SRS_HINGE_REVOLUTE, NULL, "a", 2, 0);
  add_hinge(builder, "b", SRS_HINGE_REVOLUTE, "a", "b", 0, 0);
  add_hinge(builder, "c", SRS_HINGE_REVOLUTE, "b", "c", 2, 0);
  assert_true(is_legal(builder, words));
}

static void light_fingers_on_heavy_machines_are_legal(void **state)
{
  (void)state;
  char words[512];
  srs_builder *builder = srs_builder_create();
  add_link(builder, "crane", 1e6, 1e7, 3);
  add_link(builder, "needle", 1e-6, 1e-15, 0);
  add_hinge(builder, "a", SRS_HINGE_FREE, NULL, "crane", 2, 0);
  add_hinge(builder, "b", SRS_HINGE_REVOLUTE, "crane", "needle", 2, 0);
  assert_true(is_legal(builder, words));
}

static void every_random_mechanism_can_move(void **state)
{
  (void)state;
  testing_random random = testing_random_start(61);
  for (int trial = 0; trial < 20; trial++) {
    srs_model *model = testing_random_model(&random, 100, NULL, 0, 0.8); // fails if refused
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(massless_carriages_are_legal_and_without_the_tip_all_hinges_are_named),
      cmocka_unit_test(a_point_resists_only_off_the_axis),
      cmocka_unit_test(two_parallel_slides_need_a_mass_between),
      cmocka_unit_test(massless_wrists_are_legal_until_an_axis_is_too_many),
      cmocka_unit_test(light_fingers_on_heavy_machines_are_legal),
      cmocka_unit_test(every_random_mechanism_can_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
