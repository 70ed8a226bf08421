// Models that are written to files read back as the same models to the bit, and what a format cannot say is noted.
#include "support/urdf_cases.h"
#include "topology/save/compare.h"
#include "topology/save/save_rotation.h"

#include <dirent.h>
#include <math.h>
#include <sarrus/scene.h>
#include <stdlib.h>
#include <unistd.h>

static char notes[4096];

static void take_note(void *context, const char *text)
{
  (void)context;
  const size_t n = strlen(notes);
  snprintf(notes + n, sizeof notes - n, "%s\n", text);
}

static const char *place_of(const char *name)
{
  static char path[600];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return path;
}

static const char *saved(const srs_model *model, const char *name)
{
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  options.note = take_note;
  notes[0] = '\0';
  const char *path = place_of(name);
  srs_error error;
  if (srs_model_save(model, path, &options, &error) != SRS_OK) fail_msg("%s: %s", name, error.message);
  return path;
}

static void assert_equal_models(const char *what, const srs_model *a, const srs_model *b)
{
  char where[160];
  if (!srs_model_equals(a, b, where)) fail_msg("%s reads back as another model: %s", what, where);
}

static srs_scene *scene_at(const char *path, const srs_load_options *load)
{
  srs_scene_options options = srs_default_scene_options();
  if (load != NULL) options.load = *load;
  srs_scene *scene = NULL;
  srs_error error;
  char text[1024];
  if (srs_scene_load(path, &options, &scene, &error) != SRS_OK)
    fail_msg("%s", srs_error_format(&error, text, sizeof text));
  return scene;
}

static void assert_scene_gives_back(const char *what, const srs_model *model)
{
  srs_scene *scene = scene_at(saved(model, "saved.yaml"), NULL);
  assert_equal_models(what, model, srs_scene_model(scene));
  assert_string_equal(notes, "");
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rotations
// ---------------------------------------------------------------------------------------------------------------------

// Angles as files have them: decimals of few digits, right angles to many digits, and turns beyond half a turn.
static void angles_of_files_are_found_again(void **state)
{
  (void)state;
  static const double common[] = {0,      1.5707963267948966, 1.5708, -1.57079632679, 3.14159,
                                  3.1416, -3.14159265359,     4.7124};
  testing_random random = testing_random_start(20);
  for (int i = 0; i < 3000; i++) {
    double rpy[3], found[3], rotation[9], again[9];
    for (int k = 0; k < 3; k++) {
      const int digits = testing_below(&random, 8);
      const double scale = pow(10, digits), angle = testing_uniform(&random, -3.2, 3.2);
      rpy[k] = testing_below(&random, 3) == 0 ? common[testing_below(&random, 8)] : round(angle * scale) / scale;
    }
    srs_rotation_from_rpy(rpy, rotation);
    if (!srs_save_rpy(rotation, found)) fail_msg("%.17g %.17g %.17g", rpy[0], rpy[1], rpy[2]);
    srs_rotation_from_rpy(found, again);
    assert_memory_equal(rotation, again, sizeof again);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Builders and scenes
// ---------------------------------------------------------------------------------------------------------------------

static void random_trees_of_all_joints_come_back_from_scenes(void **state)
{
  (void)state;
  srs_joint_kind kinds[SRS_JOINT_KINDS];
  for (int i = 0; i < SRS_JOINT_KINDS; i++) kinds[i] = (srs_joint_kind)i;
  testing_random random = testing_random_start(21);
  for (int i = 0; i < 20; i++) {
    srs_model *model = testing_random_model(&random, 12, kinds, SRS_JOINT_KINDS, 1);
    assert_scene_gives_back("a random tree", model);
    srs_model_destroy(model);
  }
}

// Each with ground, closures, couplings, materials, hulls, polygons: whatever a scene can hold.
static void the_samples_come_back_from_scenes(void **state)
{
  (void)state;
  DIR *entries = opendir(testing_source("samples"));
  assert_non_null(entries);
  int n = 0;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
    char name[300];
    if (strstr(entry->d_name, ".yaml") == NULL) continue;
    snprintf(name, sizeof name, "samples/%s", entry->d_name);
    srs_scene *scene = scene_at(testing_source(name), NULL);
    assert_scene_gives_back(name, srs_scene_model(scene));
    srs_scene_destroy(scene);
    n++;
  }
  closedir(entries);
  assert_true(n >= 25);
}

static void all_that_a_scene_says_comes_back(void **state)
{
  (void)state;
  const char *path = testing_write(
      "all.yaml",
      "models:\n"
      "  - links: [{name: \"true\", mass: 1, inertia: [1, 1, 1]}, {name: 'a \"b\" #c', mass: 2, inertia: [1, 1, 1]},\n"
      "            {name: c, mass: 1, com: [0.1, 0, 0], inertia: [1, 2, 2, 0.1, 0.2, 0.3],\n"
      "             inertia_rotation: {quaternion_wxyz: [0.5, 0.5, 0.5, 0.5]}}]\n"
      "    joints:\n"
      "      - {name: ball, kind: spherical, child: \"true\", max_swing: 1, min_twist: -0.5, max_twist: 0.6,\n"
      "         axis: [1, 2, 3], reference: [0.6, 0.8, 0, 0], stiffness: [1, 1, 1], neutral: [0.8, 0, 0.6, 0]}\n"
      "      - {name: slide, kind: prismatic, parent: \"true\", child: 'a \"b\" #c', lower: -.inf, upper: 3,\n"
      "         neutral: 0.25, armature: 0.1, damping: 0.2, friction: 0.3, max_effort: 9,\n"
      "         origin: {rotation: {quaternion_wxyz: [0.18257418583505536, 0.3651483716701107, 0.5477225575051661,\n"
      "                                               0.7302967433402214]}}}\n"
      "      - {name: turn, kind: revolute, parent: \"true\", child: c, axis: [1, 1, 1]}\n"
      "    shapes:\n"
      "      - {kind: hull, link: c, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], group: 2, mask: 5}\n"
      "      - {kind: polygon, link: c, corners: 5, radius: 0.3, material: wet}\n"
      "      - {kind: superellipsoid, link: c, size: [1, 2, 3], exponents: [2.5, 4]}\n"
      "      - {kind: paraboloid, link: c, radii: [0.1, 0.2], height: 0.3}\n"
      "    closures:\n"
      "      - {name: k, kind: rows, rows: [wx, z], frame_a: c, motion: {start: 1, sine: {amplitude: 1, frequency: "
      "2}},\n"
      "         motion_row: 1}\n"
      "    couplings: [{follower: slide, leader: turn, coefficients: [1, 2, 3]}]\n"
      "environment:\n"
      "  - {name: hills, shape: heightfield, spacing: [0.5, 1], heights: [[0, 1], [2, 3]]}\n"
      "  - {name: slope, shape: half-space, normal: [1, 2, 3], offset: 0.1}\n");
  srs_scene *scene = scene_at(path, NULL);
  assert_scene_gives_back("all.yaml", srs_scene_model(scene));
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// URDF
// ---------------------------------------------------------------------------------------------------------------------

static void compare_robot(const char *path, srs_base_kind base)
{
  srs_load_options options = srs_default_load_options();
  options.base = base;
  options.build.allow_impossible_inertia = true;
  srs_model *model = NULL, *again = NULL;
  srs_error error;
  if (srs_model_load(path, &options, &model, &error) != SRS_OK) return; // refused: another test's
  assert_scene_gives_back(path, model);
  if (srs_model_load(saved(model, "saved.urdf"), &options, &again, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_equal_models(path, model, again);
  if (base == SRS_BASE_FIXED && strstr(notes, "mesh was not found") == NULL) assert_string_equal(notes, "");
  srs_model_destroy(again);
  srs_model_destroy(model);
}

#define BODY(MOMENTS) "<inertial><mass value='1'/><inertia " MOMENTS " ixy='0' ixz='0' iyz='0'/></inertial>"
#define ROUND         BODY("ixx='1' iyy='1' izz='1'")
#define ROBOT(A, B, JOINT)                                                                                             \
  "<robot name='r'><link name='a'>" A "</link><link name='b'>" B "</link><joint name='j' type='revolute'>"             \
  "<parent link='a'/><child link='b'/><limit lower='-1' upper='1' effort='1' velocity='1'/>" JOINT "</joint></robot>"

// A scene says so where a robot's moments are none that a body has, so that it loads as the robot file does.
static void robots_of_any_moments_come_back_from_scenes(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool is_odd;
  } cases[] = {
      {ROBOT("", BODY("ixx='1' iyy='1' izz='3'"), ""), true},
      {ROBOT("", BODY("ixx='-1' iyy='1' izz='1'"), ""), true},
      {ROBOT("", "", ""), true},
      {ROBOT("", ROUND, ""), false},
      {ROBOT(BODY("ixx='1' iyy='1' izz='3'"), ROUND, ""), true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_model *model = NULL;
    srs_error error;
    if (srs_model_load(testing_write("odd.urdf", cases[i].text), NULL, &model, &error) != SRS_OK)
      fail_msg("%s", error.message);
    assert_scene_gives_back(cases[i].text, model);
    char *text = testing_read(place_of("saved.yaml"), NULL);
    assert_int_equal(strstr(text, "allow_impossible_inertia: true") != NULL, cases[i].is_odd);
    free(text);
    srs_model_destroy(model);
  }
}

// What is only drawn collides with nothing, and a -0 is a 0.
static void drawn_shapes_and_signs_of_zero_make_no_difference(void **state)
{
  (void)state;
#define BOX "<visual><geometry><box size='1 1 1'/></geometry></visual>"
  static const char *const cases[] = {
      ROBOT(BOX, ROUND BOX, ""), ROBOT("", ROUND, "<dynamics damping='-0' friction='-0'/><origin xyz='-0 0 -0'/>"),
      "<robot name='r'><link name='a'/><link name='b'>" ROUND "</link><link name='c'>" ROUND "</link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint><joint name='k' type='continuous'>"
      "<parent link='b'/><child link='c'/><mimic joint='j' offset='-0'/></joint></robot>"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int drawn = 0; drawn < 2; drawn++) {
      srs_load_options options = srs_default_load_options();
      options.no_collision = drawn == 1;
      srs_model *model = NULL, *again = NULL;
      srs_error error;
      const char *path = testing_write("plain.urdf", cases[i]);
      if (srs_model_load(path, &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
      assert_scene_gives_back(cases[i], model);
      path = saved(model, "plain2.urdf");
      if (srs_model_load(path, &options, &again, &error) != SRS_OK) fail_msg("%s", error.message);
      assert_equal_models(cases[i], model, again);
      srs_model_destroy(again);
      srs_model_destroy(model);
    }
  }
}

// Values that are not the same remain a difference, whichever list they are in.
static void a_number_that_differs_is_found(void **state)
{
  (void)state;
  srs_model *models[2] = {NULL, NULL};
  srs_error error;
  static const char *const joints[] = {"<dynamics damping='0.1'/>", "<dynamics damping='0.10000000000000002'/>"};
  char text[2000], where[160];
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, ROBOT("", ROUND, "%s"), joints[i]);
    if (srs_model_load(testing_write("d.urdf", text), NULL, &models[i], &error) != SRS_OK)
      fail_msg("%s", error.message);
  }
  assert_false(srs_model_equals(models[0], models[1], where));
  assert_string_equal(where, "damping, entry 0");
  for (int i = 0; i < 2; i++) srs_model_destroy(models[i]);
}

static void robots_come_back_from_urdf_and_scene(void **state)
{
  (void)state;
  static const char *const folders[] = {"robots", "robots/more"};
  if (!testing_has_data("robots")) return;
  for (int f = 0; f < 2; f++) {
    char folder[400];
    snprintf(folder, sizeof folder, "%s", testing_data(folders[f]));
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
      char path[700];
      if (strstr(entry->d_name, ".urdf") == NULL) continue;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      compare_robot(path, SRS_BASE_FIXED);
      compare_robot(path, SRS_BASE_FLOATING);
    }
    closedir(entries);
  }
}

static void what_urdf_cannot_say_is_noted(void **state)
{
  (void)state;
  srs_scene *scene = scene_at(
      testing_write("odd.yaml", "models:\n"
                                "  - links: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                                "    joints: [{name: j, kind: revolute, child: a, armature: 1, stiffness: 2}]\n"
                                "    shapes: [{kind: ellipsoid, link: a, size: [1, 2, 3]}]\n"
                                "    frames: [{name: tip, link: a, pose: {position: [1, 0, 0]}}]\n"),
      NULL);
  srs_model *model = NULL;
  assert_int_equal(srs_model_load(saved(srs_scene_model(scene), "odd.urdf"), NULL, &model, NULL), SRS_OK);
  assert_has(notes, "'j': armature and spring of a joint are in <sarrus>, which other programs pass over\n");
  assert_true(srs_model_armature(model)[0] == 1 && srs_model_stiffness(model)[0] == 2);
  assert_has(notes, "'a': URDF has no shape of this kind; left out\n");
  assert_has(notes, "'tip': URDF has no frames; written as a link without mass on a fixed joint\n");
  assert_has(notes, "'world': a link that stands for the world is added, since joints hang on it\n");
  assert_int_equal(srs_model_nv(model), 1);
  assert_true(srs_model_find_frame(model, "tip") >= 0);
  srs_model_destroy(model);
  srs_scene_destroy(scene);
}

// Meshes that collide as their triangles, hull, parts, surface; and what the format has no words for. The files of the
// meshes stay those of the model, in a scene too.
static void meshes_and_words_of_our_own_come_back(void **state)
{
  (void)state;
  testing_write("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                            "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
  testing_write("two.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                           "o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n");
#define MESH(file, more) "<collision><geometry><mesh filename='" file "'/></geometry>" more "</collision>"
  const char *path = testing_write(
      "meshes.urdf",
      "<robot name='m'><link name='base'>" MESH("cube.obj", "") MESH("cube.obj", "<sarrus collide='hull'/>")        //
      "</link><link name='plate'>" MESH("cube.obj' scale='2 3 -4", "") MESH("two.obj", "<sarrus collide='parts'/>") //
      "</link><link name='arm'>" BALL MESH("cube.obj", "") MESH("two.obj' scale='0.5 0.5 0.5",
                                                                "<sarrus collide='parts' group='2' material='wet'/>")
          MESH("cube.obj", "<sarrus collide='surface' mask='5'/>") MESH(
              "cube.obj",
              "<sarrus collide='none'/>") "<visual><geometry><box size='1 2 3'/></geometry></visual>"
                                          "</link><joint name='f' type='fixed'><parent link='base'/><child "
                                          "link='plate'/></joint>"
                                          "<joint name='j' type='revolute'><parent link='plate'/><child "
                                          "link='arm'/><limit lower='-1' upper='1'/>"
                                          "<sarrus armature='0.25' stiffness='7' reference='0.125'/></joint></robot>");
  srs_model *model = NULL, *again = NULL;
  srs_error error;
  if (srs_model_load(path, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  static const srs_shape_kind kinds[] = {SRS_SHAPE_TERRAIN, SRS_SHAPE_HULL, SRS_SHAPE_TERRAIN, SRS_SHAPE_HULL,
                                         SRS_SHAPE_HULL,    SRS_SHAPE_HULL, SRS_SHAPE_HULL,    SRS_SHAPE_HULL,
                                         SRS_SHAPE_SURFACE, SRS_SHAPE_MESH, SRS_SHAPE_BOX};
  assert_int_equal(srs_model_n_shapes(model), 11);
  for (int i = 0; i < 11; i++) assert_int_equal(srs_model_shape(model, i)->kind, kinds[i]);
  assert_int_equal(srs_model_shape(model, 7)->part, 2);
  if (srs_model_load(saved(model, "m.urdf"), NULL, &again, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_equal_models("meshes.urdf by URDF", model, again);
  srs_model_destroy(again);
  srs_scene *scene = scene_at(saved(model, "m.yaml"), NULL);
  assert_string_equal(notes, "");
  assert_equal_models("meshes.urdf by a scene", model, srs_scene_model(scene));
  if (srs_model_load(saved(srs_scene_model(scene), "m2.urdf"), NULL, &again, &error) != SRS_OK)
    fail_msg("%s", error.message);
  assert_equal_models("meshes.urdf by a scene and a URDF", model, again);
  srs_scene_destroy(scene);
  srs_model_destroy(again);
  srs_model_destroy(model);
}

// What an SRDF file says stands in a scene's `collision`, and is noted for a URDF.
static void pairs_that_do_not_collide_are_kept_or_noted(void **state)
{
  (void)state;
  const char *links = "<link name='a'>" BALL "</link><link name='b'>" BALL "</link><link name='c'>" BALL "</link>";
  char urdf[2048];
  snprintf(urdf, sizeof urdf,
           "<robot name='m'>%s<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
           "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint></robot>",
           links);
  srs_load_options options = srs_default_load_options();
  options.srdf = testing_write("m.srdf", "<robot name='m'><disable_collisions link1='a' link2='c'/></robot>");
  srs_model *model = NULL;
  assert_int_equal(srs_model_load(testing_write("srdf.urdf", urdf), &options, &model, NULL), SRS_OK);
  size_t length = 0;
  char *text = testing_read(saved(model, "srdf.yaml"), &length);
  assert_has(text, "collision:\n  exclude:\n    - [a, c]\n");
  srs_scene_destroy(scene_at(place_of("srdf.yaml"), NULL));
  saved(model, "srdf2.urdf");
  assert_has(notes, "'a': URDF has no pairs of links that do not collide, an SRDF file has; left out\n");
  free(text);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Refusals
// ---------------------------------------------------------------------------------------------------------------------

static srs_model *helix(void)
{
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "nut", link.mass = 1, link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_HELICAL);
  joint.name = "thread", joint.child = "nut", joint.pitch = 0.1;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  return testing_build(builder);
}

static void what_cannot_be_written_is_refused(void **state)
{
  (void)state;
  srs_model *model = helix();
  srs_error error;
  assert_int_equal(srs_model_save(NULL, "x.urdf", NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_model_save(model, "x.txt", NULL, &error), SRS_ERROR_UNSUPPORTED);
  assert_has(error.message, ".urdf or as a scene, .yaml");
  assert_int_equal(srs_model_save(model, place_of("helix.urdf"), NULL, &error), SRS_ERROR_UNSUPPORTED);
  assert_has(error.message, "joint 'thread' is helical, which URDF does not have; write a scene (.yaml) instead");
  assert_int_equal(access(place_of("helix.urdf"), F_OK), -1);
  assert_scene_gives_back("a helix", model);
  srs_model_destroy(model);
}

static void nothing_is_overwritten_unless_asked(void **state)
{
  (void)state;
  srs_model *model = helix();
  srs_error error;
  const char *path = testing_write("there.yaml", "mine");
  assert_int_equal(srs_model_save(model, path, NULL, &error), SRS_ERROR_FILE);
  size_t length = 0;
  char *text = testing_read(path, &length);
  assert_string_equal(text, "mine");
  free(text);
  saved(model, "there.yaml");
  srs_scene_destroy(scene_at(path, NULL));
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_of_files_are_found_again),
      cmocka_unit_test(random_trees_of_all_joints_come_back_from_scenes),
      cmocka_unit_test(the_samples_come_back_from_scenes),
      cmocka_unit_test(all_that_a_scene_says_comes_back),
      cmocka_unit_test(robots_of_any_moments_come_back_from_scenes),
      cmocka_unit_test(drawn_shapes_and_signs_of_zero_make_no_difference),
      cmocka_unit_test(a_number_that_differs_is_found),
      cmocka_unit_test(robots_come_back_from_urdf_and_scene),
      cmocka_unit_test(what_urdf_cannot_say_is_noted),
      cmocka_unit_test(meshes_and_words_of_our_own_come_back),
      cmocka_unit_test(pairs_that_do_not_collide_are_kept_or_noted),
      cmocka_unit_test(what_cannot_be_written_is_refused),
      cmocka_unit_test(nothing_is_overwritten_unless_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
