// Massless links are legal where something resists every joint.
#include "support/testing.h"
#include "topology/checks/mobility.h"

#include <sarrus/engine.h>

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

static void add_joint(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent,
                      const char *child, int axis, double armature)
{
  srs_joint_def def = srs_default_joint_def(kind);
  def.name = name;
  def.parent = parent;
  def.child = child;
  for (int i = 0; i < 3; i++) def.axis[i] = i == axis;
  for (int i = 0; i < 6; i++) def.armature[i] = armature;
  assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
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
  add_joint(builder, "weld", SRS_JOINT_FIXED, NULL, "w", 0, 0);
  add_joint(builder, "x", SRS_JOINT_PRISMATIC, "w", "cx", 0, armature);
  add_joint(builder, "y", SRS_JOINT_PRISMATIC, "cx", "cy", 1, armature);
  add_joint(builder, "z", SRS_JOINT_PRISMATIC, "cy", "tip", 2, armature);
  return builder;
}

// F03.
static void massless_carriages_are_legal_and_without_the_tip_all_joints_are_named(void **state)
{
  (void)state;
  char words[512];
  assert_true(is_legal(gantry(2, 0), words));
  assert_true(is_legal(gantry(1e-9, 0), words)); // small is not nothing
  assert_true(is_legal(gantry(0, 1e-6), words));
  assert_false(is_legal(gantry(0, 0), words));
  assert_string_equal(words,
                      "nothing resists joints 'x', 'y' and 'z': links 'cx', 'cy' and 'tip' and all that they carry "
                      "have no inertia there; give 'tip' a mass, or the joints an armature");
}

static bool single(srs_joint_kind kind, int axis, double mass, double moment, double com_x, double armature,
                   char words[512])
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "tip", mass, moment, com_x);
  add_joint(builder, "z", kind, NULL, "tip", axis, armature);
  return is_legal(builder, words);
}

static void a_point_resists_only_off_the_axis(void **state)
{
  (void)state;
  char words[512];
  assert_true(single(SRS_JOINT_REVOLUTE, 2, 1, 0, 0.3, 0, words));
  assert_false(single(SRS_JOINT_REVOLUTE, 0, 1, 0, 0.3, 0, words));
  assert_string_equal(words,
                      "nothing resists joint 'z': link 'tip' and all that it carries have no inertia about it; 'tip' "
                      "has a mass but lacks 'inertia' there: give it that, or the joint an armature");
  assert_false(single(SRS_JOINT_REVOLUTE, 0, 0, 0, 0, 0, words));
  assert_string_equal(words,
                      "nothing resists joint 'z': link 'tip' and all that it carries have no inertia about it; give "
                      "'tip' a mass or the joint an armature");
  assert_true(single(SRS_JOINT_REVOLUTE, 0, 1, 1e-9, 0.3, 0, words));
  assert_true(single(SRS_JOINT_REVOLUTE, 0, 1, 0, 0.3, 1e-9, words));
  assert_true(single(SRS_JOINT_PRISMATIC, 0, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_JOINT_PLANAR, 2, 1, 1e-6, 0, 0, words));
  assert_false(single(SRS_JOINT_PLANAR, 2, 1, 0, 0, 0, words));
  assert_false(single(SRS_JOINT_SPHERICAL, 2, 1, 0, 0.3, 0, words)); // spins about the line to the point
  assert_false(single(SRS_JOINT_FREE, 2, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_JOINT_FREE, 2, 1, 1e-8, 0.3, 0, words));
  assert_false(single(SRS_JOINT_CYLINDRICAL, 0, 1, 0, 0.3, 0, words));
  assert_true(single(SRS_JOINT_CYLINDRICAL, 1, 1, 0, 0.3, 0, words));
}

static void two_parallel_slides_need_a_mass_between(void **state)
{
  (void)state;
  char words[512];
  for (int axis = 0; axis < 3; axis++) {
    srs_builder *builder = srs_builder_create();
    add_link(builder, "middle", 0, 0, 0);
    add_link(builder, "tip", 3, 0.1, 0.5);
    add_joint(builder, "a", SRS_JOINT_PRISMATIC, NULL, "middle", 0, 0);
    add_joint(builder, "b", SRS_JOINT_PRISMATIC, "middle", "tip", axis, 0);
    assert_int_equal(is_legal(builder, words), axis != 0);
    if (axis == 0) assert_non_null(strstr(words, "joint 'a': link 'middle'"));
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
      add_joint(builder, names[i], SRS_JOINT_REVOLUTE, i > 0 ? names[i - 1] : NULL, names[i], i % 3, 0);
    assert_int_equal(is_legal(builder, words), n <= 3);
  }
  // The same three axes aligned by chance at zero: only there, so legal.
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 0, 0, 0);
  add_link(builder, "b", 0, 0, 0);
  add_link(builder, "c", 1, 0.1, 0);
  add_joint(builder, "a", SRS_JOINT_REVOLUTE, NULL, "a", 2, 0);
  add_joint(builder, "b", SRS_JOINT_REVOLUTE, "a", "b", 0, 0);
  add_joint(builder, "c", SRS_JOINT_REVOLUTE, "b", "c", 2, 0);
  assert_true(is_legal(builder, words));
}

static void light_fingers_on_heavy_machines_are_legal(void **state)
{
  (void)state;
  char words[512];
  srs_builder *builder = srs_builder_create();
  add_link(builder, "crane", 1e6, 1e7, 3);
  add_link(builder, "needle", 1e-6, 1e-15, 0);
  add_joint(builder, "a", SRS_JOINT_FREE, NULL, "crane", 2, 0);
  add_joint(builder, "b", SRS_JOINT_REVOLUTE, "crane", "needle", 2, 0);
  assert_true(is_legal(builder, words));
}

// An axis that carries a coaxial one, with everything behind: its own moment is all that resists, however large the
// rest.
static srs_builder *ring_under_crane(double ring_mass, double crane_mass)
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "ring", ring_mass, ring_mass * 1e-4, 0);
  add_link(builder, "crane", crane_mass, crane_mass * 100, 10);
  add_joint(builder, "a", SRS_JOINT_REVOLUTE, NULL, "ring", 2, 0);
  add_joint(builder, "b", SRS_JOINT_REVOLUTE, "ring", "crane", 2, 0);
  return builder;
}

static void light_rings_under_heavy_machines_are_legal_and_massless_ones_are_not(void **state)
{
  (void)state;
  char words[512];
  assert_true(is_legal(ring_under_crane(0.1, 1e5), words)); // D is 1e-12 of the crane's moment
  assert_true(is_legal(ring_under_crane(0.1, 1e3), words));
  assert_false(is_legal(ring_under_crane(0, 1e5), words));
  assert_non_null(strstr(words, "nothing resists joint 'a'"));
  assert_false(
      is_legal(ring_under_crane(1e-12, 1e9), words)); // below rounding of the crane's: no difference to nothing
}

// What building takes, moving takes.
static void a_light_ring_under_a_heavy_machine_turns_by_its_own_moment(void **state)
{
  (void)state;
  srs_model *model = NULL;
  srs_workspace *workspace = NULL;
  srs_builder *builder = ring_under_crane(0.1, 1e5);
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  assert_int_equal(srs_workspace_create(model, &workspace, NULL), SRS_OK);
  const double q[2] = {0.3, -0.7}, v[2] = {0}, tau[2] = {1, 0};
  double a[2];
  assert_int_equal(srs_forward_dynamics(workspace, q, v, tau, NULL, a), SRS_OK);
  // 1 N m / 1e-5 kg m^2, and the crane stays; one rounding of the crane's 2e7 kg m^2 is 4e-4 of the ring's moment.
  assert_true(fabs(a[0] - 1e5) < 200);
  assert_true(fabs(a[0] + a[1]) < 200);
  srs_workspace_destroy(workspace);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

static void long_chains_of_equal_links_are_legal(void **state)
{
  (void)state;
  enum { N = 50000 };
  for (int crossed = 0; crossed < 2; crossed++) {
    char words[512], name[32], parent[32] = "";
    srs_builder *builder = srs_builder_create();
    for (int i = 0; i < N; i++) {
      snprintf(name, sizeof name, "l%d", i);
      add_link(builder, name, 1, 0.1, 0.5);
      srs_joint_def def = srs_default_joint_def(SRS_JOINT_REVOLUTE);
      def.name = def.child = name;
      def.parent = i > 0 ? parent : NULL;
      def.origin.position[0] = i > 0;
      for (int e = 0; e < 3; e++) def.axis[e] = e == (crossed && i % 2 == 1 ? 0 : 2);
      assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
      snprintf(parent, sizeof parent, "%s", name);
    }
    assert_true(is_legal(builder, words));
  }
}

static void numbers_that_overflow_are_called_too_large(void **state)
{
  (void)state;
  char words[512];
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 1, 1, 0);
  add_link(builder, "b", 1e40, 1e40, 1e150);
  add_link(builder, "c", 1e40, 1e40, 1e150);
  add_joint(builder, "a", SRS_JOINT_REVOLUTE, NULL, "a", 2, 0);
  add_joint(builder, "b", SRS_JOINT_REVOLUTE, "a", "b", 0, 0);
  add_joint(builder, "c", SRS_JOINT_REVOLUTE, "b", "c", 1, 0);
  assert_false(is_legal(builder, words));
  assert_non_null(strstr(words, "too large"));
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
      cmocka_unit_test(massless_carriages_are_legal_and_without_the_tip_all_joints_are_named),
      cmocka_unit_test(a_point_resists_only_off_the_axis),
      cmocka_unit_test(two_parallel_slides_need_a_mass_between),
      cmocka_unit_test(massless_wrists_are_legal_until_an_axis_is_too_many),
      cmocka_unit_test(light_fingers_on_heavy_machines_are_legal),
      cmocka_unit_test(light_rings_under_heavy_machines_are_legal_and_massless_ones_are_not),
      cmocka_unit_test(a_light_ring_under_a_heavy_machine_turns_by_its_own_moment),
      cmocka_unit_test(long_chains_of_equal_links_are_legal),
      cmocka_unit_test(numbers_that_overflow_are_called_too_large),
      cmocka_unit_test(every_random_mechanism_can_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
