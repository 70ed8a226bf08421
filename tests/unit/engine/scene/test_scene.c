// Scene files: what they mean, and how each mistake is told.
#include "engine/scene/state_file.h"
#include "support/scene_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE_JOINT                                                                                                      \
  "models:\n"                                                                                                          \
  "  - links: [{name: rod, mass: 2, com: [0, 0, -1], inertia: [0.1, 0.1, 0.02]}]\n"                                    \
  "    joints: [{name: h, kind: revolute, child: rod, axis: [1, 0, 0]}]\n"

#define TWO_ROBOTS                                                                                                     \
  "models:\n"                                                                                                          \
  "  - {file: one.urdf, name: left, position: [0, 1, 0]}\n"                                                            \
  "  - {file: one.urdf, name: right, base: floating, position: [1, 2, 3], rotation: {rpy: [0, 0, "                     \
  "1.5707963267948966]}}\n"

// ---------------------------------------------------------------------------------------------------------------------
// What scenes mean
// ---------------------------------------------------------------------------------------------------------------------

static void settings_left_out_have_their_documented_values(void **state)
{
  (void)state;
  srs_scene *scene = load_good(ONE_JOINT);
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  assert_true(s->sim.dt == 0.001 && s->duration == 10 && s->output_every == 1);
  assert_int_equal(s->sim.integrator, SRS_SEMI_IMPLICIT_EULER);
  assert_true(s->sim.gravity[0] == 0 && s->sim.gravity[1] == 0 && s->sim.gravity[2] == -9.81);
  assert_null(s->output_file);
  assert_false(s->output.torques || s->output.energies);
  assert_true(s->q[0] == 0 && s->v[0] == 0);
  assert_string_equal(s->text, ONE_JOINT);
  srs_scene_destroy(scene);
}

static void solvers_and_their_polyhedra_are_read(void **state)
{
  (void)state;
  srs_scene *scene = load_good(ONE_JOINT);
  const srs_contact_settings *c = &srs_scene_get_settings(scene)->sim.contact;
  assert_int_equal(c->solver.method, SRS_METHOD_MNCP_RLM);
  assert_true(c->solver.n_directions == 4 && c->alignment == SRS_ALIGNMENT_SLIP);
  srs_scene_destroy(scene);
  scene = load_good(
      ONE_JOINT "solver: {name: mlcp-pfb-plm, tolerance: 1e-10, most_work: 2e9, max_iterations: 30, directions: 8,\n"
                "  alignment: fixed, direction_angle: 0.1, penalty_weight: 0.5}\n");
  c = &srs_scene_get_settings(scene)->sim.contact;
  assert_int_equal(c->solver.method, SRS_METHOD_MLCP_PFB_PLM);
  assert_true(c->solver.tolerance == 1e-10 && c->solver.max_iterations == 30 && c->solver.most_work == 2e9 &&
              c->solver.n_directions == 8);
  assert_true(c->alignment == SRS_ALIGNMENT_FIXED && c->solver.direction_angle == 0.1 &&
              c->solver.penalty_weight == 0.5);
  srs_scene_destroy(scene);
}

static void settings_are_read(void **state)
{
  (void)state;
  srs_scene *scene = load_good(ONE_JOINT "gravity: [1, 2, 3]\nintegrator: moreau-midpoint\ndt: 2e-3\nduration: 0\n"
                                         "output: {file: out.csv, every: 5, torques: true, energies: true}\n"
                                         "initial: {q: {h: -0.5}, v: [2]}\n");
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  assert_true(s->sim.gravity[0] == 1 && s->sim.gravity[1] == 2 && s->sim.gravity[2] == 3);
  assert_int_equal(s->sim.integrator, SRS_MOREAU_MIDPOINT);
  assert_true(s->sim.dt == 2e-3 && s->duration == 0 && s->output_every == 5);
  assert_string_equal(s->output_file, "out.csv");
  assert_true(s->output.torques && s->output.energies);
  assert_true(s->q[0] == -0.5 && s->v[0] == 2);
  srs_sim *sim;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
  assert_true(srs_sim_q(sim)[0] == -0.5 && srs_sim_v(sim)[0] == 2 && srs_sim_time(sim) == 0);
  assert_true(srs_sim_get_options(sim)->dt == 2e-3);
  srs_sim_destroy(sim);
  srs_sim_options options = s->sim;
  options.dt = 1;
  assert_int_equal(srs_scene_create_sim(scene, &options, &sim, NULL), SRS_OK);
  assert_true(srs_sim_get_options(sim)->dt == 1);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

#define WITH_TABLE ONE_JOINT "environment: [{name: table, shape: box, size: [1, 1, 1]}]\n"

static void measures_of_distance_are_read(void **state)
{
  (void)state;
  srs_scene *scene = load_good(WITH_TABLE "contact: {distance: ratio-metric}\n"
                                          "collision: {euclidean: [[table, rod]]}\n");
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  assert_int_equal(s->collider.distance, SRS_DISTANCE_RATIO_METRIC);
  assert_int_equal(s->sim.contact.collider.distance, SRS_DISTANCE_RATIO_METRIC);
  assert_string_equal(s->collider.euclidean[0], "table");
  assert_true(s->sim.contact.distance == 0 && s->collider.ratio_metric == NULL);
  srs_scene_destroy(scene);
  scene = load_good(WITH_TABLE "contact: {distance: 0.25, activation: distance}\n"
                               "collision: {distance: ratio-metric, ratio-metric: [[rod, table]]}\n");
  s = srs_scene_get_settings(scene);
  assert_true(s->sim.contact.distance == 0.25 && s->collider.distance == SRS_DISTANCE_RATIO_METRIC);
  assert_string_equal(s->sim.contact.collider.ratio_metric[1], "table");
  srs_scene_destroy(scene);
  scene = load_good(WITH_TABLE "contact: {distance: .5}\n");
  s = srs_scene_get_settings(scene);
  assert_true(s->sim.contact.distance == 0.5 && s->collider.distance == SRS_DISTANCE_EUCLIDEAN);
  srs_scene_destroy(scene);
  expect_fault(WITH_TABLE "contact: {distance: ratio-metrics}\n", SRS_ERROR_NAME, 5, -1,
               "there are euclidean, ratio-metric");
  expect_fault(WITH_TABLE "collision: {distance: 1}\n", SRS_ERROR_NAME, 5, -1, "there are euclidean, ratio-metric");
  expect_fault(WITH_TABLE "collision: {ratio-metric: [[rod, k]]}\n", SRS_ERROR_NAME, 5, -1, "'k'");
}

// Every kind of joint with everything that it can have.
static const char every_joint[] =
    "models:\n"
    "  - name: zoo\n"
    "    position: [1, 2, 3]\n"
    "    rotation: {quaternion_wxyz: [0.7071067811865476, 0, 0, 0.7071067811865476]}\n"
    "    links:\n"
    "      - {name: a, mass: 1, com: [0.1, 0.2, 0.3], inertia: [2, 2.1, 2.2, 0.1, 0.2, 0.3]}\n"
    "      - {name: b, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: c, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: d, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: e, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: f, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: g, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: h, mass: 1, inertia: [1, 2, 3], inertia_rotation: {rpy: [0, 0, 1.5707963267948966]}}\n"
    "      - {name: i, mass: 1, inertia: [1, 1, 1]}\n"
    "      - {name: lump, mass: 1, inertia: [1, 1, 1]}\n"
    "    joints:\n"
    "      - {name: ha, kind: revolute, child: a, axis: [0, 0, 2], origin: {position: [1, 0, 0]}, armature: 0.1, "
    "damping: 0.2,\n"
    "         stiffness: 0.3, reference: 0.4, friction: 0.5, lower: -1, upper: 2, max_effort: 3, max_velocity: 4}\n"
    "      - {name: hb, kind: continuous, parent: a, child: b}\n"
    "      - {name: hc, kind: prismatic, parent: b, child: c, axis: [0, 1, 0], lower: -.inf, upper: .inf}\n"
    "      - {name: hd, kind: helical, parent: c, child: d, pitch: 0.25}\n"
    "      - {name: he, kind: cylindrical, parent: d, child: e, damping: [1, 2]}\n"
    "      - {name: hf, kind: universal, parent: e, child: f, axis: [1, 0, 0], axis2: [0, 1, 0], lower: [-1, -2]}\n"
    "      - {name: hg, kind: planar, parent: f, child: g, axis: [0, 0, 1], stiffness: [1, 2, 3], reference: [4, 5, "
    "6]}\n"
    "      - {name: hh, kind: spherical, parent: g, child: h, reference: [0, 1, 0, 0], armature: [1, 2, 3]}\n"
    "      - {name: hi, kind: free, child: i}\n"
    "      - {kind: fixed, parent: i, child: lump, origin: {position: [0, 0, 1]}}\n"
    "    shapes:\n"
    "      - {kind: sphere, name: ball, link: a, size: 0.5, pose: {position: [0, 0, 1]}}\n"
    "      - {kind: box, size: [1, 2, 3], visual: true}\n"
    "      - {kind: cylinder, link: lump, size: [1, 2]}\n"
    "      - {kind: capsule, link: b, size: [1, 2]}\n"
    "      - {kind: mesh, link: b, file: hull.stl}\n"
    "    frames:\n"
    "      - {name: tip, link: a, pose: {position: [0, 0, 5]}}\n"
    "      - {name: mark, pose: {position: [1, 0, 0]}}\n"
    "initial:\n"
    "  q: {ha: 0.1, hf: [0.2, 0.3], hg.angle: 0.5, hh: [0, 0, 0, 1.0000005], hi.x: 9}\n"
    "  v: {hi: [1, 2, 3, 4, 5, 6], he.z: 7}\n";

static void models_written_in_the_scene_have_everything_a_builder_takes(void **state)
{
  (void)state;
  srs_scene *scene = load_good(every_joint);
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_n_links(m), 9);
  assert_int_equal(srs_model_nv(m), 4 + 2 + 2 + 3 + 3 + 6);
  assert_int_equal(srs_model_n_shapes(m), 5);
  const int a = srs_model_find_v(m, "ha");
  assert_true(srs_model_armature(m)[a] == 0.1 && srs_model_damping(m)[a] == 0.2 && srs_model_stiffness(m)[a] == 0.3);
  assert_true(srs_model_reference(m)[srs_model_find_q(m, "ha")] == 0.4 && srs_model_friction(m)[a] == 0.5);
  assert_true(srs_model_lower(m)[a] == -1 && srs_model_upper(m)[a] == 2);
  assert_true(srs_model_max_effort(m)[a] == 3 && srs_model_max_velocity(m)[a] == 4);
  assert_true(srs_model_lower(m)[srs_model_find_v(m, "hc")] == -INFINITY);
  assert_true(srs_model_damping(m)[srs_model_find_v(m, "he.z")] == 2);
  assert_true(srs_model_lower(m)[srs_model_find_v(m, "hf.angle2")] == -2);
  assert_true(srs_model_reference(m)[srs_model_find_q(m, "hg.y")] == 5);
  assert_true(srs_model_reference(m)[srs_model_find_q(m, "hh.qx")] == 1);
  assert_true(srs_model_joint(m, srs_model_find_joint(m, "hd"))->pitch == 0.25);

  // On the world means: in the model's placement, turned by a quarter about z.
  const srs_joint *ha = srs_model_joint(m, srs_model_find_joint(m, "ha"));
  testing_assert_close("origin of ha", ha->origin.position, (const double[]){1, 3, 3}, 3, 1e-15); // one rounding
  const srs_frame *mark = srs_model_frame(m, srs_model_find_frame(m, "mark"));
  assert_int_equal(mark->link, -1);
  testing_assert_close("mark", mark->pose.position, (const double[]){1, 3, 3}, 3, 1e-15);
  const srs_link *turned = srs_model_link(m, srs_model_find_link(m, "h"));
  testing_assert_close("turned inertia", turned->inertia, (const double[]){2, 1, 3, 0, 0, 0}, 6, 1e-15);
  const srs_shape *mesh = srs_model_shape(m, 4);
  assert_non_null(strstr(mesh->file, "/hull.stl"));
  assert_int_equal(strncmp(mesh->file, testing_folder(), strlen(testing_folder())), 0);

  const srs_scene_settings *s = srs_scene_get_settings(scene);
  assert_true(s->q[srs_model_find_q(m, "ha")] == 0.1 && s->q[srs_model_find_q(m, "hf.angle2")] == 0.3);
  assert_true(s->q[srs_model_find_q(m, "hg.angle")] == 0.5 && s->q[srs_model_find_q(m, "hg.x")] == 0);
  assert_true(s->q[srs_model_find_q(m, "hh.qz")] == 1); // normalised
  assert_true(s->q[srs_model_find_q(m, "hi.x")] == 9 && s->q[srs_model_find_q(m, "hi.qw")] == 1);
  assert_true(s->v[srs_model_find_v(m, "hi.wz")] == 6 && s->v[srs_model_find_v(m, "he.z")] == 7);
  srs_scene_destroy(scene);
}

static bool warns(const srs_model *model, const char *words)
{
  for (int i = 0; i < srs_model_n_warnings(model); i++)
    if (strstr(srs_model_warning(model, i), words) != NULL) return true;
  return false;
}

// As those of robot files do.
static void joints_and_meshes_written_in_a_scene_tell_what_does_not_act(void **state)
{
  (void)state;
  srs_scene *scene = load_good(every_joint);
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_n_warnings(m), 1);
  assert_true(warns(m, "mesh 'hull.stl' does not collide (not found; looked for "));
  srs_scene_destroy(scene);

  testing_write("there.stl", "solid");
  scene = load_good("models: [{links: [{name: a}], shapes: [{kind: mesh, file: there.stl, visual: true}]}]\n");
  m = srs_scene_model(scene);
  assert_int_equal(srs_model_n_warnings(m), 1);
  assert_true(warns(m, "mesh 'there.stl' does not collide (found at "));
  assert_non_null(strstr(srs_model_shape(m, 0)->file, "/there.stl"));
  srs_scene_destroy(scene);
}

static void a_base_link_is_welded_or_floats_from_its_placement(void **state)
{
  (void)state;
  const char *fixed =
      "models:\n  - links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "    joints: [{name: root, kind: revolute, parent: a, child: b}]\n    position: [1, 2, 3]\n";
  srs_scene *scene = load_good(fixed);
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_nv(m), 1);
  const srs_frame *a = srs_model_frame(m, srs_model_find_frame(m, "a"));
  assert_int_equal(a->link, -1);
  testing_assert_close("a", a->pose.position, (const double[]){1, 2, 3}, 3, 0);
  srs_scene_destroy(scene);

  char text[1024];
  snprintf(text, sizeof text, "%s    base: floating\n    rotation: {rpy: [0, 0, 3.141592653589793]}\n", fixed);
  scene = load_good(text);
  m = srs_scene_model(scene);
  assert_int_equal(srs_model_nv(m), 7);
  assert_int_equal(srs_model_find_joint(m, "root_1"), 0);
  testing_assert_close("start", srs_scene_get_settings(scene)->q, (const double[]){1, 2, 3, 0, 0, 0, 1, 0}, 8, 1e-15);
  srs_scene_destroy(scene);
}

static void several_models_have_prefixed_names_and_one_has_none(void **state)
{
  (void)state;
  srs_scene *scene = load_good(TWO_ROBOTS "initial: {q: {left/h: 1, right/root.z: 7}}\n");
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_nv(m), 1 + 6 + 1);
  assert_true(srs_model_find_joint(m, "left/h") >= 0 && srs_model_find_joint(m, "right/root") >= 0);
  assert_true(srs_model_find_frame(m, "left/b") >= 0 && srs_model_find_link(m, "right/b") >= 0);
  assert_int_equal(srs_model_find_joint(m, "h"), -1);
  const double *q = srs_scene_get_settings(scene)->q;
  assert_true(q[srs_model_find_q(m, "left/h")] == 1 && q[srs_model_find_q(m, "right/root.z")] == 7);
  assert_true(q[srs_model_find_q(m, "right/root.y")] == 2);
  srs_scene_destroy(scene);

  scene = load_good("models: [{file: one.urdf, name: left}]\n");
  assert_int_equal(srs_model_find_joint(srs_scene_model(scene), "h"), 0);
  srs_scene_destroy(scene);

  scene = load_good(
      "models:\n  - {file: one.urdf, name: a}\n  - name: b\n    links: [{name: l, mass: 1, inertia: [1, 1, 1]}]\n"
      "    base: floating\n    frames: [{name: b, link: l}]\n");
  m = srs_scene_model(scene);
  assert_true(srs_model_find_joint(m, "a/h") >= 0 && srs_model_find_joint(m, "b/root") >= 0);
  assert_true(srs_model_find_frame(m, "b/b") >= 0 && srs_model_find_link(m, "b/l") >= 0);
  srs_scene_destroy(scene);
}

static void a_robot_file_is_a_scene(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_error error;
  const char *path = testing_write("one.urdf", one_urdf);
  srs_scene_options options = srs_default_scene_options();
  options.load.base = SRS_BASE_FLOATING;
  options.load.placement.position[1] = 4;
  assert_int_equal(srs_scene_load(path, &options, &scene, &error), SRS_OK);
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  assert_int_equal(srs_model_nv(srs_scene_model(scene)), 7);
  assert_true(s->duration == 10 && s->sim.dt == 0.001 && s->output_file == NULL && s->q[1] == 4 && s->q[3] == 1);
  assert_string_equal(s->text, one_urdf);
  srs_scene_destroy(scene);
  assert_int_equal(srs_scene_load("/nowhere/arm.urdf", NULL, &scene, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/nowhere/arm.urdf");
  assert_null(scene);
}

static void the_samples_load(void **state)
{
  (void)state;
  srs_scene *scene;
  assert_int_equal(srs_scene_load(testing_source("samples/double_pendulum.yaml"), NULL, &scene, NULL), SRS_OK);
  assert_int_equal(srs_model_nq(srs_scene_model(scene)), 2);
  srs_scene_destroy(scene);
  assert_int_equal(srs_scene_load(testing_source("samples/chain12.yaml"), NULL, &scene, NULL), SRS_OK);
  assert_int_equal(srs_model_n_warnings(srs_scene_model(scene)), 0);
  assert_int_equal(srs_model_nq(srs_scene_model(scene)), 12);
  assert_true(srs_model_mass(srs_scene_model(scene)) == 12);
  srs_scene_destroy(scene);
}

static void the_sample_chain_is_the_one_that_the_reference_figures_are_of(void **state)
{
  (void)state;
  const char *reference = testing_data("robots/chain12.urdf");
  srs_scene *ours, *theirs;
  assert_int_equal(srs_scene_load(testing_source("samples/chain12.yaml"), NULL, &ours, NULL), SRS_OK);
  assert_int_equal(srs_scene_load(reference, NULL, &theirs, NULL), SRS_OK);
  const srs_model *m = srs_scene_model(ours), *n = srs_scene_model(theirs);
  assert_int_equal(srs_model_nq(n), 12);
  for (int k = 0; k < 12; k++) {
    const srs_link *a = srs_model_link(m, k), *b = srs_model_link(n, k);
    const srs_joint *h = srs_model_joint(m, k), *i = srs_model_joint(n, k);
    assert_string_equal(h->name, i->name);
    assert_true(a->mass == b->mass);
    testing_assert_close("com", a->com, b->com, 3, 0);
    testing_assert_close("inertia", a->inertia, b->inertia, 6, 0);
    testing_assert_close("axis", h->axis, i->axis, 3, 0);
    testing_assert_close("origin", h->origin.position, i->origin.position, 3, 0);
  }
  const srs_frame *a = srs_model_frame(m, srs_model_find_frame(m, "tip"));
  const srs_frame *b = srs_model_frame(n, srs_model_find_frame(n, "tip"));
  testing_assert_close("tip", a->pose.position, b->pose.position, 3, 0);
  srs_scene_destroy(theirs);
  srs_scene_destroy(ours);
}

// ---------------------------------------------------------------------------------------------------------------------
// How mistakes are told
// ---------------------------------------------------------------------------------------------------------------------

static void mistakes_at_the_top_are_told_with_their_place(void **state)
{
  (void)state;
  expect_fault(ONE_JOINT "intgrator: rk4\n", SRS_ERROR_NAME, 4, 1,
               "unknown key 'intgrator' in a scene, did you mean 'integrator'?");
  expect_fault(ONE_JOINT "integrator: rk5\n", SRS_ERROR_NAME, 4, 13, "did you mean 'rk4'?");
  expect_fault(ONE_JOINT "integrator: [rk4]\n", SRS_ERROR_SYNTAX, 4, 13, "here is a list");
  expect_fault(ONE_JOINT "dt: 0\n", SRS_ERROR_SYNTAX, 4, 5, "dt must be greater than 0, here is 0");
  expect_fault(ONE_JOINT "dt: -1e-3\n", SRS_ERROR_SYNTAX, 4, 5, "dt must be greater than 0, here is -1e-3");
  expect_fault(ONE_JOINT "dt: 1,5\n", SRS_ERROR_SYNTAX, 4, 5, "'1,5' is not a finite number");
  expect_fault(ONE_JOINT "dt: 1ms\n", SRS_ERROR_SYNTAX, 4, 5, "'1ms' is not a finite number");
  expect_fault(ONE_JOINT "dt: .nan\n", SRS_ERROR_SYNTAX, 4, 5, "'.nan' is not a finite number");
  expect_fault(ONE_JOINT "dt: 1e-300\n", SRS_ERROR_SYNTAX, 4, 5, "more than 1e15 steps");
  expect_fault(ONE_JOINT "duration: -1\n", SRS_ERROR_SYNTAX, 4, 11, "duration must not be negative, here is -1");
  expect_fault(ONE_JOINT "dt: 1\ndt: 2\n", SRS_ERROR_NAME, 5, 1, "key 'dt' is given twice");
  expect_fault(ONE_JOINT "gravity: -9.81\n", SRS_ERROR_SYNTAX, 4, 10, "gravity must be a list, here is a number");
  expect_fault(ONE_JOINT "gravity: [0, -9.81]\n", SRS_ERROR_SYNTAX, 4, 10, "gravity has 2 entries, 3 are needed");
  expect_fault(ONE_JOINT "gravity: [0, 0, x]\n", SRS_ERROR_SYNTAX, 4, 17, "'x' is not a finite number");
  expect_fault(ONE_JOINT "output: a.csv\n", SRS_ERROR_SYNTAX, 4, 9, "output must be a map");
  expect_fault(ONE_JOINT "output: {file: a.csv, evry: 2}\n", SRS_ERROR_NAME, 4, 23, "did you mean 'every'?");
  expect_fault(ONE_JOINT "output: {every: 0}\n", SRS_ERROR_SYNTAX, 4, 17, "every must be 1 step or more, here is 0");
  expect_fault(ONE_JOINT "output: {every: 1.5}\n", SRS_ERROR_SYNTAX, 4, 17, "every must be a whole number");
  expect_fault(ONE_JOINT "allow_impossible_inertia: 1\n", SRS_ERROR_SYNTAX, 4, 27, "must be true or false");
  expect_fault(ONE_JOINT "output: {torques: yes}\n", SRS_ERROR_SYNTAX, 4, 19, "torques must be true or false");
  expect_fault(ONE_JOINT "output: {contacts: 1}\n", SRS_ERROR_SYNTAX, 4, 20, "contacts must be true or false");
  expect_fault(ONE_JOINT "contact: {friction: -1}\n", SRS_ERROR_SYNTAX, 4, 21, "friction must be between 0 and");
  expect_fault(ONE_JOINT "contact: {restitution: 1.1}\n", SRS_ERROR_SYNTAX, 4, 24, "must be between 0 and 1");
  expect_fault(ONE_JOINT "contact: {normal: gep}\n", SRS_ERROR_NAME, 4, 19, "did you mean 'gap'?");
  expect_fault(ONE_JOINT "contact: {error_reductoin: 0}\n", SRS_ERROR_NAME, 4, 11, "did you mean 'error_reduction'?");
  expect_fault(ONE_JOINT "contact: {capacity: -1}\n", SRS_ERROR_SYNTAX, 4, 21,
               "capacity must be 0 or more, here is -1");
  expect_fault(ONE_JOINT "contact: {materials: [{friction: 1}]}\n", SRS_ERROR_SYNTAX, 4, 23, "a material needs a name");
  expect_fault(ONE_JOINT "contact:\n  materials:\n    - {name: x}\n    - {name: y}\n    - {name: x}\n", SRS_ERROR_NAME,
               8, 14, "two materials are named 'x', the first in line 6: rename one, or leave it out");
  expect_fault(ONE_JOINT "contact: {pairs: [{between: [a]}]}\n", SRS_ERROR_SYNTAX, 4, 19, "a list of two names");
  expect_fault("environment: {}\n" ONE_JOINT, SRS_ERROR_SYNTAX, 1, 14, "environment must be a list");
  expect_fault("collision: []\n" ONE_JOINT, SRS_ERROR_SYNTAX, 1, 12, "collision must be a map");
  expect_fault(ONE_JOINT "solver: {name: x}\n", SRS_ERROR_NAME, 4, 16, "no contact solver is named 'x'");
  expect_fault(ONE_JOINT "solver: {directions: 5}\n", SRS_ERROR_SYNTAX, 4, 22, "an even number from 4 to 64");
  expect_fault(ONE_JOINT "solver: {alignment: slipp}\n", SRS_ERROR_NAME, 4, 21, "slip");
  expect_fault(ONE_JOINT "solver: {penalty_weight: 0}\n", SRS_ERROR_SYNTAX, 4, 26, "penalty_weight must be between");
  expect_fault(ONE_JOINT "solver: {tolerance: 0}\n", SRS_ERROR_SYNTAX, 4, 21, "tolerance must be between");
  expect_fault("dt: 1\n", SRS_ERROR_SYNTAX, 1, -1, "a scene needs 'models'");
  expect_fault("- 1\n", SRS_ERROR_SYNTAX, 1, 1, "a scene must be a map");
  expect_fault("hello\n", SRS_ERROR_SYNTAX, 1, 1, "a scene must be a map");
  expect_fault("", SRS_ERROR_SYNTAX, 0, 0, "the file is empty");
}

static void mistakes_in_the_initial_state_are_told_with_their_place(void **state)
{
  (void)state;
#define BODY                                                                                                           \
  "models:\n"                                                                                                          \
  "- links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"                        \
  "  joints: [{name: elbow, kind: revolute, parent: a, child: b}]\n"                                                   \
  "  base: floating\n"
  expect_fault(BODY "initial: {q: [1, 2, 3]}\n", SRS_ERROR_SYNTAX, 5, 14, "q has 3 entries, the model needs 8");
  expect_fault(BODY "initial: {v: [1, 2, 3]}\n", SRS_ERROR_SYNTAX, 5, 14, "v has 3 entries, the model needs 7");
  expect_fault(BODY "initial: {q: 1}\n", SRS_ERROR_SYNTAX, 5, 14, "q must be a list of 8 numbers or a map by joint");
  expect_fault(BODY "initial: {p: [1]}\n", SRS_ERROR_NAME, 5, 11, "unknown key 'p' in initial");
  expect_fault(BODY "initial: [1]\n", SRS_ERROR_SYNTAX, 5, 10, "initial must be a map");
  expect_fault(BODY "initial: {q: {elbw: 1}}\n", SRS_ERROR_NAME, 5, 15, "'elbw', did you mean 'elbow'?");
  expect_fault(BODY "initial: {q: {root.qv: 1}}\n", SRS_ERROR_NAME, 5, 15, "did you mean 'root.q");
  expect_fault(BODY "initial: {q: {elbow: x}}\n", SRS_ERROR_SYNTAX, 5, 22, "q of 'elbow': 'x' is not a finite number");
  expect_fault(BODY "initial: {q: {elbow: [1, 2]}}\n", SRS_ERROR_SYNTAX, 5, 22, "has 2 entries, it needs 1");
  expect_fault(BODY "initial: {v: {root: 1}}\n", SRS_ERROR_SYNTAX, 5, 21,
               "joint 'root' (free) has 6 coordinates, give a list");
  expect_fault(BODY "initial: {v: {root: [1, 2]}}\n", SRS_ERROR_SYNTAX, 5, 21, "has 2 entries, it needs 6");
  expect_fault(BODY "initial: {q: {root: [0, 0, 0, 2, 0, 0, 0]}}\n", SRS_ERROR_SYNTAX, 5, 31,
               "joint 'root' has length 2, it must be 1");
  expect_fault(BODY "initial: {q: {root.qw: 0}}\n", SRS_ERROR_SYNTAX, 5, 24, "has length 0, it must be 1");
  expect_fault(BODY "initial: {q: [0, 0, 0, 1.001, 0, 0, 0, 0]}\n", SRS_ERROR_SYNTAX, 5, 24,
               "has length 1.001, it must be 1");
  expect_fault(BODY "initial: {v: {root.vx: 1, root: [1, 2, 3, 4, 5, 6]}}\n", SRS_ERROR_NAME, 5, -1,
               "'root.vx' is given twice");
  expect_fault(BODY "initial: {v: {root.vx: [1]}}\n", SRS_ERROR_SYNTAX, 5, 24, "must be a number, here is a list");
}

static void files_that_cannot_be_read_are_told(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_error error;
  assert_int_equal(srs_scene_load("/nowhere/x.yaml", NULL, &scene, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/nowhere/x.yaml");
  assert_int_equal(srs_scene_load(testing_folder(), NULL, &scene, &error), SRS_ERROR_FILE);
  assert_int_equal(srs_scene_load(NULL, NULL, &scene, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_scene_load("/nowhere/x.yaml", NULL, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_scene_load("/nowhere/x.yaml", NULL, &scene, NULL), SRS_ERROR_FILE);
  srs_scene_destroy(NULL);
}

// ---------------------------------------------------------------------------------------------------------------------
// State files
// ---------------------------------------------------------------------------------------------------------------------

static void state_files_are_read_by_name_and_as_lists(void **state)
{
  (void)state;
  srs_scene *scene = load_good(TWO_ROBOTS);
  const srs_model *m = srs_scene_model(scene);
  double q[9], v[8] = {0}, a[8] = {0}, tau[8] = {0};
  memcpy(q, srs_model_neutral(m), sizeof q);
  srs_state_given given;
  srs_error error;
  const char *path = testing_write("state.json", "{\"q\": {\"left/h\": 0.5, \"right/root\": [1, 2, 3, 0, 1, 0, 0]},\n"
                                                 " \"tau\": [1, 2, 3, 4, 5, 6, 7, 8]}\n");
  assert_int_equal(srs_state_load(path, m, q, v, a, tau, &given, &error), SRS_OK);
  assert_true(given.q && !given.v && !given.a && given.tau);
  assert_true(q[srs_model_find_q(m, "left/h")] == 0.5 && q[srs_model_find_q(m, "right/root.qx")] == 1);
  assert_true(tau[0] == 1 && tau[7] == 8);

  static const struct {
    const char *text, *words;
    srs_status status;
  } cases[] = {
      {"{\"q\": {\"left/g\": 0.5}}", "did you mean 'left/h'?", SRS_ERROR_NAME},
      {"{\"p\": {\"left/h\": 0.5}}", "unknown key 'p' in a state", SRS_ERROR_NAME},
      {"{\"a\": [1]}", "a has 1 entry, the model needs 8", SRS_ERROR_SYNTAX},
      {"{\"v\": {\"left/h\": \"1\"}}", "a number without quotes", SRS_ERROR_SYNTAX},
      {"{\"v\": {\"left/h\": 1}", "not well-formed", SRS_ERROR_SYNTAX},
      {"[1]", "a state must be a map", SRS_ERROR_SYNTAX},
      {"", "empty", SRS_ERROR_SYNTAX},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const srs_status status =
        srs_state_load(testing_write("state.json", cases[i].text), m, q, v, a, tau, &given, &error);
    if (status != cases[i].status || strstr(error.message, cases[i].words) == NULL)
      fail_msg("%s: %d '%s'", cases[i].text, status, error.message);
  }
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Mutations
// ---------------------------------------------------------------------------------------------------------------------

static void mutated_scenes_load_or_are_refused_in_one_line(void **state)
{
  (void)state;
  static const char *const pieces[] = {"[",  "]",    "{",  "}",    ":", ",", "\n",    " ",   "- ",    "'",
                                       "\"", "&a",   "*a", "#",    "|", ">", "?",     "!!x", "1e400", "-",
                                       "~",  ".inf", "\t", "\xff", "%", "@", "---\n", "0",   "name: "};
  testing_random random = testing_random_start(20240611);
  char text[sizeof every_joint + 64];
  int n_good = 0;
  for (int round = 0; round < 4000; round++) {
    strcpy(text, every_joint);
    size_t length = sizeof every_joint - 1;
    for (int change = 1 + testing_below(&random, 3); change > 0; change--) {
      const size_t at = (size_t)testing_below(&random, (int)length);
      const char *piece = pieces[testing_below(&random, sizeof pieces / sizeof pieces[0])];
      const size_t n = strlen(piece), cut = (size_t)testing_below(&random, 12);
      switch (testing_below(&random, 3)) {
      case 0: // a piece is put in
        memmove(text + at + n, text + at, length - at + 1);
        for (size_t i = 0; i < n; i++) text[at + i] = piece[i];
        length += n;
        break;
      case 1: // some characters are lost
        if (at + cut > length) break;
        memmove(text + at, text + at + cut, length - at - cut + 1);
        length -= cut;
        break;
      default: text[at] = (char)testing_below(&random, 128); break;
      }
    }
    srs_yaml yaml;
    srs_scene *scene = NULL;
    srs_error error = {0};
    if (round % 8 == 0) { // through the file as users do; else the reader alone, in memory
      const srs_status status = srs_scene_load(testing_write("mutant.yaml", text), NULL, &scene, &error);
      n_good += status == SRS_OK;
      assert_true((status == SRS_OK) == (scene != NULL));
      assert_true(status == SRS_OK || (error.message[0] != '\0' && strchr(error.message, '\n') == NULL));
      srs_scene_destroy(scene);
    } else if (srs_yaml_parse("mutant.yaml", text, length, &yaml, &error) == SRS_OK)
      srs_yaml_free(&yaml);
  }
  assert_true(n_good > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settings_left_out_have_their_documented_values),
      cmocka_unit_test(settings_are_read),
      cmocka_unit_test(solvers_and_their_polyhedra_are_read),
      cmocka_unit_test(measures_of_distance_are_read),
      cmocka_unit_test(models_written_in_the_scene_have_everything_a_builder_takes),
      cmocka_unit_test(joints_and_meshes_written_in_a_scene_tell_what_does_not_act),
      cmocka_unit_test(a_base_link_is_welded_or_floats_from_its_placement),
      cmocka_unit_test(several_models_have_prefixed_names_and_one_has_none),
      cmocka_unit_test(a_robot_file_is_a_scene),
      cmocka_unit_test(the_samples_load),
      cmocka_unit_test(the_sample_chain_is_the_one_that_the_reference_figures_are_of),
      cmocka_unit_test(mistakes_at_the_top_are_told_with_their_place),
      cmocka_unit_test(mistakes_in_the_initial_state_are_told_with_their_place),
      cmocka_unit_test(files_that_cannot_be_read_are_told),
      cmocka_unit_test(state_files_are_read_by_name_and_as_lists),
      cmocka_unit_test(mutated_scenes_load_or_are_refused_in_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
