// MJ 2.4: the 12-link pendulum in minimal and in redundant coordinates (free links, closures in the place of joints).
// Both schemes leave out the change of the rows' directions within a step, each in its own way, so the motions differ
// by O(h), halving with the step.

#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };

static srs_scene *load(const char *text)
{
  srs_scene *scene = scene_of_file(text);
  return scene;
}

// The sample with `coordinates: redundant` put before it.
static srs_scene *load_redundant(void)
{
  static char text[1 << 14];
  FILE *file = fopen(testing_source("samples/pendulum12.yaml"), "r");
  assert_non_null(file);
  size_t n = (size_t)snprintf(text, sizeof text, "coordinates: redundant\n");
  n += fread(text + n, 1, sizeof text - n - 1, file);
  fclose(file);
  text[n] = '\0';
  char path[1024];
  snprintf(path, sizeof path, "%s", testing_source("samples/chain12.urdf"));
  char *at = strstr(text, "chain12.urdf");
  assert_non_null(at);
  static char whole[1 << 15];
  snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - text), text, path, at + strlen("chain12.urdf"));
  return load(testing_write("redundant.yaml", whole));
}

static srs_sim *sim_of(const srs_scene *scene, double dt, bool has_contact, bool projection)
{
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.dt = dt;
  options.contact.enabled = has_contact;
  options.closure.projection = projection;
  return sim_of_scene(scene, &options);
}

// Angles of the links from the world's axes, counted over turns.
static void angles(srs_sim *sim, double phi[N])
{
  for (int k = 0; k < N; k++) {
    char name[32];
    snprintf(name, sizeof name, "link%d", k + 1);
    srs_pose pose;
    const int frame = srs_model_find_frame(srs_sim_model(sim), name);
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), frame, &pose), SRS_OK);
    phi[k] = atan2(pose.rotation[7], pose.rotation[4]);
  }
}

// Largest difference of an angle at 0.15 s; the first impact is at 0.156 s.
static double distance(const srs_scene *minimal, const srs_scene *redundant, double dt, bool has_contact,
                       bool projection)
{
  srs_sim *sim[2] = {sim_of(minimal, dt, has_contact, projection), sim_of(redundant, dt, has_contact, projection)};
  double phi[2][N], most = 0;
  for (int i = 0; i < 2; i++) {
    step(sim[i], lround(0.15 / dt));
    angles(sim[i], phi[i]);
  }
  for (int k = 0; k < N; k++) most = fmax(most, fabs(remainder(phi[1][k] - phi[0][k], 6.283185307179586)));
  if (projection) assert_true(srs_sim_get_statistics(sim[1])->closure_error_max < 1e-11);
  for (int i = 0; i < 2; i++) srs_sim_destroy(sim[i]);
  return most;
}

// Bounds for loops without projection (mathematics: docs/theory.md), which adds an O(h) of its own.
static void redundant_and_minimal_coordinates_differ_by_order_h(void **state)
{
  (void)state;
  srs_scene *minimal = load(testing_source("samples/pendulum12.yaml"));
  srs_scene *redundant = load_redundant();
  assert_int_equal(srs_model_nv(srs_scene_model(redundant)), 6 * N);
  assert_int_equal(srs_model_n_loop_rows(srs_scene_model(redundant)), 5 * N);
  for (int way = 0; way < 4; way++) {
    const bool has_contact = (way & 1) != 0, projection = (way & 2) != 0;
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = distance(minimal, redundant, ldexp(1e-3, -i), has_contact, projection);
    print_message("%s contact, %s projection: %.3g rad at 1 ms, with half the step 1/%.3f, a quarter 1/%.3f\n",
                  has_contact ? "with" : "without", projection ? "with" : "without", d[0], d[0] / d[1], d[1] / d[2]);
    assert_true(d[0] < (projection ? 1e-4 : 2e-5));
    for (int i = 0; i < 2; i++) assert_true(d[i] / d[i + 1] > 1.8 && d[i] / d[i + 1] < 2.4);
  }
  srs_scene_destroy(minimal);
  srs_scene_destroy(redundant);
}

// Normal impulse of the first contact, which must come in the same step in both forms.
static double first_impulse(srs_sim *sim, long *at)
{
  int n = 0;
  const srs_sim_contact *contact = NULL;
  while (n == 0) {
    step(sim, 1);
    contact = srs_sim_contacts(sim, &n);
  }
  assert_int_equal(n, 1);
  *at = srs_sim_steps(sim);
  return fabs(contact->impulse[2]);
}

// The first impact strikes in the same step, as hard but for O(h): a quarter of the difference at a quarter of the
// step.
static void the_first_impact_is_the_same(void **state)
{
  (void)state;
  srs_scene *scene[2] = {load(testing_source("samples/pendulum12.yaml")), load_redundant()};
  double off[2];
  for (int fine = 0; fine < 2; fine++) {
    double impulse[2];
    long at[2];
    for (int i = 0; i < 2; i++) {
      srs_sim *sim = sim_of(scene[i], fine ? 2.5e-4 : 1e-3, true, false);
      impulse[i] = first_impulse(sim, &at[i]);
      step(sim, 50);
      assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
      srs_sim_destroy(sim);
    }
    assert_int_equal(at[0], at[1]);
    off[fine] = fabs(impulse[1] / impulse[0] - 1);
    print_message("normal impulse %.9g N s, in redundant coordinates %.9g\n", impulse[0], impulse[1]);
  }
  assert_true(off[0] < 0.01 && off[1] < 0.4 * off[0]);
  for (int i = 0; i < 2; i++) srs_scene_destroy(scene[i]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Every kind of joint
// ---------------------------------------------------------------------------------------------------------------------

static srs_builder *one_joint(srs_joint_kind kind)
{
  srs_builder *builder = srs_builder_create();
  const char *const names[2] = {"base", "arm"};
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = names[i];
    link.mass = 2 - i;
    link.com[0] = 0.1, link.com[1] = -0.2, link.com[2] = 0.3;
    link.inertia[0] = 0.02, link.inertia[1] = 0.03, link.inertia[2] = 0.04;
    srs_joint_def joint = srs_default_joint_def(i == 0 ? SRS_JOINT_FREE : kind);
    joint.name = i == 0 ? "root" : "joint";
    joint.parent = i == 0 ? NULL : "base";
    joint.child = names[i];
    if (i == 1) {
      joint.origin = (srs_pose){{0.3, 0.1, -0.2}, {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}};
      joint.axis[0] = 0.36, joint.axis[1] = 0.48, joint.axis[2] = 0.8;
      joint.axis2[0] = 0.8, joint.axis2[1] = -0.6, joint.axis2[2] = 0;
    }
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  return builder;
}

// Random motions of each kind: loops are closed at the mapped state, and in 0.1 s the arm goes where the tree goes.
static double kind_distance(const srs_model *model[2], testing_random random, double dt)
{
  double q[16], v[12], mapped_q[16], mapped_v[12], at[2][3];
  srs_sim_options options = srs_default_sim_options();
  options.dt = dt;
  options.keep_momentum = false; // the scheme alone: the tree of one and the body of the other have different roots
  testing_random_q(&random, model[0], q);
  testing_random_v(&random, model[0], 2, v);
  assert_int_equal(srs_redundant_state(model[0], model[1], q, v, mapped_q, mapped_v, NULL), SRS_OK);
  for (int i = 0; i < 2; i++) {
    srs_sim *sim = NULL;
    assert_int_equal(srs_sim_create(model[i], &options, &sim, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_state(sim, 0, i == 0 ? q : mapped_q, i == 0 ? v : mapped_v, NULL), SRS_OK);
    double gap = 0;
    if (srs_model_n_loops(model[i]) > 0)
      assert_int_equal(srs_loop_gaps(srs_sim_workspace(sim), srs_sim_q(sim), 0, &gap), SRS_OK);
    assert_true(gap < 1e-14);
    step(sim, lround(0.1 / dt));
    srs_pose pose;
    srs_frame_placement(srs_sim_workspace(sim), srs_model_find_frame(model[i], "arm"), &pose);
    for (int j = 0; j < 3; j++) at[i][j] = pose.position[j] + pose.rotation[3 * (size_t)j];
    srs_sim_destroy(sim);
  }
  return hypot(hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]), at[1][2] - at[0][2]);
}

static void every_kind_of_joint_becomes_a_closure(void **state)
{
  (void)state;
  testing_random random = testing_random_start(20240607);
  static const int rows[SRS_JOINT_KINDS] = {
      [SRS_JOINT_REVOLUTE] = 5,  [SRS_JOINT_CONTINUOUS] = 5, [SRS_JOINT_PRISMATIC] = 5, [SRS_JOINT_CYLINDRICAL] = 4,
      [SRS_JOINT_UNIVERSAL] = 4, [SRS_JOINT_SPHERICAL] = 3,  [SRS_JOINT_PLANAR] = 3};
  for (int kind = SRS_JOINT_FIXED; kind < SRS_JOINT_KINDS; kind++) {
    if (kind == SRS_JOINT_HELICAL) continue;
    srs_builder *builder = one_joint((srs_joint_kind)kind);
    srs_model *minimal = NULL, *redundant = NULL;
    srs_error error;
    assert_int_equal(srs_builder_build(builder, NULL, &minimal, NULL), SRS_OK);
    if (srs_build_redundant(builder, NULL, &redundant, &error) != SRS_OK) fail_msg("%s", error.message);
    assert_int_equal(srs_model_nv(redundant), kind == SRS_JOINT_FIXED ? 6 : 12);
    assert_int_equal(srs_model_n_loop_rows(redundant), rows[kind]);
    const srs_model *models[2] = {minimal, redundant};
    const double coarse = kind_distance(models, random, 1e-3), fine = kind_distance(models, random, 5e-4);
    print_message("%s: %.3g m at 1 ms, %.3g at half\n", srs_joint_kind_name((srs_joint_kind)kind), coarse, fine);
    assert_true(fine < 0.6 * coarse + 1e-11); // order 1; what no rows hold moves alike
    srs_model_destroy(minimal);
    srs_model_destroy(redundant);
    srs_builder_destroy(builder);
  }
}

static void what_no_closure_does_is_refused_by_name(void **state)
{
  (void)state;
  for (int what = 0; what < 8; what++) {
    const srs_joint_kind kind = what == 0 ? SRS_JOINT_HELICAL : what == 1 ? SRS_JOINT_UNIVERSAL : SRS_JOINT_PRISMATIC;
    srs_builder *builder = one_joint(SRS_JOINT_FIXED);
    srs_link_def link = srs_default_link_def();
    link.name = "tool", link.mass = 1;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.01;
    srs_joint_def joint = srs_default_joint_def(kind);
    joint.name = "odd", joint.parent = "arm", joint.child = "tool";
    joint.axis2[0] = 1;
    if (what == 2) joint.armature[0] = 1;
    if (what == 3) joint.damping[0] = 1;
    if (what == 4) joint.stiffness[0] = 1;
    if (what == 5) joint.friction[0] = 1;
    if (what == 6) joint.upper[0] = 1;
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    srs_coupling_def coupling = srs_default_coupling_def();
    coupling.name = coupling.follower = "odd";
    coupling.leader = "root.x";
    if (what == 7) assert_int_equal(srs_builder_add_coupling(builder, &coupling, NULL), SRS_OK);
    srs_model *model = NULL;
    srs_error error;
    assert_int_equal(srs_build_redundant(builder, NULL, &model, &error), SRS_ERROR_UNSUPPORTED);
    assert_null(model);
    assert_string_equal(error.subject, "odd");
    srs_builder_destroy(builder);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(redundant_and_minimal_coordinates_differ_by_order_h),
      cmocka_unit_test(the_first_impact_is_the_same),
      cmocka_unit_test(every_kind_of_joint_becomes_a_closure),
      cmocka_unit_test(what_no_closure_does_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
