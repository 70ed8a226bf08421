// Shapes in scenes: of models written in place, and of the environment.
#include "support/scene_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BALL "models: [{base: floating, links: [{name: ball, mass: 1, inertia: [1, 1, 1]}]"

static void shape_is(const srs_model *m, int i, srs_shape_kind kind, double x, double y, double z)
{
  const srs_shape *shape = srs_model_shape(m, i);
  assert_int_equal(shape->kind, kind);
  assert_true(shape->size[0] == x && shape->size[1] == y && shape->size[2] == z);
}

static void a_model_s_shapes_have_the_measures_of_their_kind(void **state)
{
  (void)state;
  srs_scene *scene =
      load_good(BALL ", shapes: [\n"
                     " {kind: sphere, link: ball, size: 0.1},\n"
                     " {kind: sphere, link: ball, radius: 0.1, group: 2, mask: 4294967295},\n"
                     " {kind: cylinder, link: ball, radius: 0.1, length: 0.3, mask: 0},\n"
                     " {kind: cone, link: ball, size: [0.1, 0.3], material: rubber},\n"
                     " {kind: capsule, link: ball, length: 0.3, radius: 0.1},\n"
                     " {kind: ellipsoid, link: ball, size: [1, 2, 3]},\n"
                     " {kind: half-space, link: ball, pose: {position: [1, 2, 3]}},\n"
                     " {kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]]},\n"
                     " {kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]},\n"
                     " {kind: heightfield, heights: [[0, 1, 2], [3, 4, 5]], spacing: [0.5, 0.25]},\n"
                     " {kind: heightfield, heights: [[0, 1], [3, 4]], spacing: 0.5},\n"
                     " {kind: superellipsoid, link: ball, size: [1, 2, 3], exponents: [2.5, 4]},\n"
                     " {kind: paraboloid, link: ball, radii: [1, 2], height: 0.5},\n"
                     " {kind: polygon, link: ball, points: [[0, 0], [3, 4], [0, 1]]},\n"
                     " {kind: polygon, link: ball, corners: 6, radius: 2, thickness: 0.5}]}]\n");
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_n_shapes(m), 15);
  shape_is(m, 0, SRS_SHAPE_SPHERE, 0.1, 0, 0);
  shape_is(m, 1, SRS_SHAPE_SPHERE, 0.1, 0, 0);
  assert_true(srs_model_shape(m, 0)->group == 1 && srs_model_shape(m, 0)->mask == 0xffffffffU);
  assert_true(srs_model_shape(m, 1)->group == 2 && srs_model_shape(m, 1)->mask == 0xffffffffU);
  shape_is(m, 2, SRS_SHAPE_CYLINDER, 0.1, 0.3, 0);
  assert_true(srs_model_shape(m, 2)->mask == 0);
  shape_is(m, 3, SRS_SHAPE_CONE, 0.1, 0.3, 0);
  assert_string_equal(srs_model_shape(m, 3)->material, "rubber");
  shape_is(m, 4, SRS_SHAPE_CAPSULE, 0.1, 0.3, 0);
  shape_is(m, 5, SRS_SHAPE_ELLIPSOID, 1, 2, 3);
  shape_is(m, 6, SRS_SHAPE_HALF_SPACE, 0, 0, 0);
  const srs_shape *hull = srs_model_shape(m, 7), *terrain = srs_model_shape(m, 8), *field = srs_model_shape(m, 9);
  assert_true(hull->kind == SRS_SHAPE_HULL && hull->n_points == 4 && hull->points[11] == 1.5);
  assert_true(terrain->kind == SRS_SHAPE_TERRAIN && terrain->n_triangles == 1 && terrain->triangles[2] == 2);
  shape_is(m, 9, SRS_SHAPE_HEIGHTFIELD, 0.5, 0.25, 0);
  assert_true(field->n_rows == 2 && field->n_columns == 3 && field->heights[3] == 3);
  shape_is(m, 10, SRS_SHAPE_HEIGHTFIELD, 0.5, 0.5, 0);
  shape_is(m, 11, SRS_SHAPE_SUPERELLIPSOID, 1, 2, 3);
  assert_true(srs_model_shape(m, 11)->exponent[0] == 2.5 && srs_model_shape(m, 11)->exponent[1] == 4);
  shape_is(m, 12, SRS_SHAPE_PARABOLOID, 1, 2, 0.5);
  shape_is(m, 13, SRS_SHAPE_POLYGON, 5, 0, 0); // as thick as its farthest corner is far
  assert_true(srs_model_shape(m, 13)->n_points == 3 && srs_model_shape(m, 13)->points[4] == 4);
  shape_is(m, 14, SRS_SHAPE_POLYGON, 0.5, 0, 0);
  const double *corners = srs_model_shape(m, 14)->points;
  assert_true(srs_model_shape(m, 14)->n_points == 6 && corners[0] == 2 && corners[1] == 0 && corners[2] == 0);
  assert_true(fabs(corners[3] - 1) < 1e-15 && fabs(corners[4] - sqrt(3)) < 1e-15);
  srs_scene_destroy(scene);
}

static void the_environment_is_shapes_on_the_world(void **state)
{
  (void)state;
  srs_scene *scene = load_good("environment:\n"
                               "- {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0.1}\n"
                               "- {name: wall, shape: half-space, normal: [0, -1, 0], offset: -4, material: ice}\n"
                               "- {name: crate, shape: box, size: [1, 2, 3], position: [4, 5, 6],\n"
                               "   rotation: {rpy: [0, 0, 1.5707963267948966]}, group: 4}\n"
                               "- {name: far, shape: half-space, normal: [0, 0, 2], offset: 1}\n"
                               "- {name: picture, shape: mesh, file: a.stl, visual: true}\n" BALL
                               ", position: [7, 8, 9], rotation: {rpy: [1, 0, 0]}, name: some}]\n");
  const srs_model *m = srs_scene_model(scene);
  assert_int_equal(srs_model_n_shapes(m), 5);
  for (int i = 0; i < 5; i++) assert_int_equal(srs_model_shape(m, i)->frame, -1);
  const srs_shape *floor = srs_model_shape(m, 0), *wall = srs_model_shape(m, 1), *crate = srs_model_shape(m, 2);
  assert_string_equal(floor->name, "floor"); // as it stands: no model's prefix
  const srs_pose level = srs_identity_pose();
  assert_memory_equal(floor->pose.rotation, level.rotation, sizeof level.rotation);
  assert_true(floor->pose.position[0] == 0 && floor->pose.position[2] == 0.1);
  // z of the wall's frame is its normal (the third column), its surface is at y = 4: exact, as -1 and 4 are.
  assert_true(wall->pose.rotation[5] == -1 && wall->pose.rotation[2] == 0 && wall->pose.rotation[8] == 0);
  assert_true(wall->pose.position[0] == 0 && wall->pose.position[1] == 4 && wall->pose.position[2] == 0);
  assert_string_equal(wall->material, "ice");
  shape_is(m, 2, SRS_SHAPE_BOX, 1, 2, 3);
  assert_true(crate->pose.position[1] == 5 && crate->group == 4);
  assert_true(fabs(crate->pose.rotation[3] - 1) < 1e-15); // rounding of the sine
  assert_true(srs_model_shape(m, 3)->pose.position[2] == 0.5);
  srs_scene_destroy(scene);
}

static void a_slanted_half_space_is_its_inequality(void **state)
{
  (void)state;
  srs_scene *scene = load_good(BALL ", position: [1, 2, 3], rotation: {rpy: [0.3, 0.2, 0.1]},\n"
                                    " shapes: [{kind: half-space, normal: [1, -2, 3], offset: 5}]}]\n");
  const srs_pose *pose = &srs_model_shape(srs_scene_model(scene), 0)->pose;
  double rotation[9];
  srs_rotation_from_rpy((double[3]){0.3, 0.2, 0.1}, rotation);
  // The frame's origin, seen from the model, fulfils n . x = 5; its z is n / |n|; its axes are a rotation.
  double at[3] = {0}, z[3] = {0}, square = 0;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) {
      at[c] += rotation[(size_t)(3 * r + c)] * (pose->position[r] - (r + 1));
      z[c] += rotation[3 * r + c] * pose->rotation[3 * r + 2];
    }
  for (int r = 0; r < 3; r++) square += pose->rotation[(size_t)(3 * r)] * pose->rotation[(size_t)(3 * r + 1)];
  const double n[3] = {1, -2, 3}, length = sqrt(14.0);
  assert_true(fabs(at[0] - 2 * at[1] + 3 * at[2] - 5) < 1e-14); // a few roundings of numbers up to 10
  for (int c = 0; c < 3; c++) assert_true(fabs(z[c] - n[c] / length) < 4e-16);
  assert_true(fabs(square) < 1e-15);
  srs_scene_destroy(scene);
}

static void mistakes_in_shapes_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *shape;
    srs_status status;
    int column;
    const char *words;
  } cases[] = {
      {"{kind: half-spase}", SRS_ERROR_NAME, 8, "did you mean 'half-space'?"},
      {"{kind: sphere, size: 1, radius: 1}", SRS_ERROR_SYNTAX, 16, "either 'size' or 'radius'"},
      {"{kind: sphere, radius: 1, length: 1}", SRS_ERROR_SYNTAX, 27, "'length' is not a key of a shape of kind sphere"},
      {"{kind: box, radius: 1}", SRS_ERROR_SYNTAX, 13, "'radius' is not a key of a shape of kind box"},
      {"{kind: cone}", SRS_ERROR_SYNTAX, 1, "'size', or 'radius' and 'length'"},
      {"{kind: cone, radius: 1}", SRS_ERROR_SYNTAX, 1, "a cone needs the key 'length'"},
      {"{kind: ellipsoid, size: [1, 2]}", SRS_ERROR_SYNTAX, 25, "size of an ellipsoid has 2 entries"},
      {"{kind: half-space, offset: 1}", SRS_ERROR_SYNTAX, 1, "a half-space needs the key 'normal'"},
      {"{kind: half-space, normal: [0, 0, 0]}", SRS_ERROR_SYNTAX, 28, "needs a direction"},
      {"{kind: half-space, normal: [0, 0, 1], pose: {}}", SRS_ERROR_SYNTAX, 20, "either by 'normal'"},
      {"{kind: hull}", SRS_ERROR_SYNTAX, 1, "a hull needs the key 'points'"},
      {"{kind: hull, points: [[0, 0, 0], [1, 0, 0]]}", SRS_ERROR_ARGUMENT, -1, "4 points or more"},
      {"{kind: hull, points: [[0, 0, 0], [1, 0]]}", SRS_ERROR_SYNTAX, 34, "a point has 2 entries"},
      {"{kind: hull, points: [[0, 0, 0], 1]}", SRS_ERROR_SYNTAX, 34, "a point must be a list"},
      {"{kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}", SRS_ERROR_SYNTAX, 1, "'triangles'"},
      {"{kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1]]}", SRS_ERROR_SYNTAX, 72,
       "a triangle has 2 corners"},
      {"{kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 0.5]]}", SRS_ERROR_SYNTAX, 79,
       "a corner must be a whole number"},
      {"{kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]}", SRS_ERROR_ARGUMENT, -1,
       "corner 3"},
      {"{kind: heightfield, heights: [[1, 2], [1, 2]]}", SRS_ERROR_SYNTAX, 1, "'spacing'"},
      {"{kind: heightfield, heights: [[1, 2], [1]], spacing: 1}", SRS_ERROR_SYNTAX, 39, "a row of heights has 1 entry"},
      {"{kind: heightfield, heights: [1, 2], spacing: 1}", SRS_ERROR_SYNTAX, 31, "a row of heights must be a list"},
      {"{kind: heightfield, heights: [], spacing: 1}", SRS_ERROR_ARGUMENT, -1, "2 rows"},
      {"{kind: heightfield, heights: [[1, 2], [1, 2]], spacing: 0}", SRS_ERROR_MODEL, -1, "spacing"},
      {"{kind: sphere, radius: 1, group: -1}", SRS_ERROR_SYNTAX, 34, "group must be a whole number from 0"},
      {"{kind: sphere, radius: 1, mask: 0.5}", SRS_ERROR_SYNTAX, 33, "mask must be a whole number from 0"},
      {"{kind: sphere, radius: 1, mask: 4294967296}", SRS_ERROR_SYNTAX, 33, "to 4294967295"},
      {"{kind: sphere, radius: 1, material: 5}", SRS_OK, 0, ""},
      {"{kind: sphere, radius: 1, material: []}", SRS_ERROR_SYNTAX, 37, "material must be text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, BALL ", shapes: [\n %s]}]\n", cases[i].shape);
    if (cases[i].status == SRS_OK)
      srs_scene_destroy(load_good(text));
    else
      expect_fault(text, cases[i].status, 2, cases[i].column < 0 ? -1 : cases[i].column + 1, cases[i].words);
  }
}

static void mistakes_in_the_environment_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *shape;
    srs_status status;
    int column;
    const char *words;
  } cases[] = {
      {"- 5", SRS_ERROR_SYNTAX, 3, "a shape of the environment must be a map"},
      {"- {shape: sphere, radius: 1}", SRS_ERROR_SYNTAX, 3, "a shape of the environment needs the key 'name'"},
      {"- {name: a}", SRS_ERROR_SYNTAX, 3, "a shape needs the key 'shape'"},
      {"- {name: a, kind: sphere}", SRS_ERROR_NAME, 13, "unknown key 'kind'"},
      {"- {name: a, shape: cube}", SRS_ERROR_NAME, 20, "there are sphere, box"},
      {"- {name: a, shape: half-space, normal: [0, 0, 1], position: [0, 0, 0]}", SRS_ERROR_SYNTAX, 32, "either by"},
      {"- {name: a, shape: mesh, file: a.stl}", SRS_ERROR_UNSUPPORTED, 3, "meshes do not collide"},
      {"- {name: a, shape: sphere, radius: -1}", SRS_ERROR_MODEL, -1, "negative"},
      {"- {name: a, shape: sphere, radius: 1, source: {file: a.stl}}", SRS_ERROR_SYNTAX, 39,
       "'source' is not a key of"},
      {"- {name: a, shape: hull, source: {size: [1, 1, 1]}, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
       SRS_ERROR_SYNTAX, 34, "needs the key 'file'"},
      {"- {name: a, shape: hull, source: {file: a, part: -1}, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
       SRS_ERROR_SYNTAX, 50, "parts of a mesh count from 1"},
      {"- {name: a, shape: superellipsoid, size: [1, 1, 1]}", SRS_ERROR_SYNTAX, 3,
       "a superellipsoid needs the key 'exp"},
      {"- {name: a, shape: superellipsoid, size: [1, 1, 1], exponents: [2, 1]}", SRS_ERROR_MODEL, -1, "2 or more"},
      {"- {name: a, shape: paraboloid, radii: [1, 1]}", SRS_ERROR_SYNTAX, 3, "a paraboloid needs the key 'height'"},
      {"- {name: a, shape: polygon}", SRS_ERROR_SYNTAX, 3, "needs the key 'points', or 'corners' and 'radius'"},
      {"- {name: a, shape: polygon, corners: 5}", SRS_ERROR_SYNTAX, 3, "a polygon needs the key 'radius'"},
      {"- {name: a, shape: polygon, corners: 2, radius: 1}", SRS_ERROR_SYNTAX, 38, "3 to 1000 corners, not 2"},
      {"- {name: a, shape: polygon, corners: 3, radius: -1}", SRS_ERROR_SYNTAX, 49, "radius of a polygon is -1 m"},
      {"- {name: a, shape: polygon, points: [[0, 0], [1, 0], [0, 1]], corners: 3}", SRS_ERROR_SYNTAX, 63, "either"},
      {"- {name: a, shape: polygon, points: [[0, 0], [1, 0], [0, 1, 2]]}", SRS_ERROR_SYNTAX, 54, "2"},
      {"- {name: a, shape: polygon, points: [[0, 0], [1, 0]]}", SRS_ERROR_ARGUMENT, -1, "a polygon needs 3 points"},
      {"- {name: a, shape: polygon, corners: 3, radius: 1, thickness: 0}", SRS_ERROR_MODEL, -1, "thickness is zero"},
      {"- {name: a, shape: polygn, corners: 3, radius: 1}", SRS_ERROR_NAME, 20, "did you mean 'polygon'"},
      {"- {name: a, shape: box, size: [1, 1, 1], height: 2}", SRS_ERROR_SYNTAX, 42, "is not a key of a shape"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, BALL "}]\nenvironment:\n%s\n", cases[i].shape);
    expect_fault(text, cases[i].status, 3, cases[i].column, cases[i].words);
  }
  expect_fault(BALL "}]\nenvironment:\n- {name: a, shape: half-space}\n- {name: a, shape: half-space}\n",
               SRS_ERROR_NAME, 4, 10, "two shapes of the environment are named 'a'");
}

#define TWO_BALLS                                                                                                      \
  "models:\n"                                                                                                          \
  "- {name: l, base: floating, links: [{name: ball, mass: 1, inertia: [1, 1, 1]}], shapes: [{kind: sphere, radius: "   \
  "1, link: ball, name: skin}]}\n"                                                                                     \
  "- {name: r, base: floating, links: [{name: ball, mass: 1, inertia: [1, 1, 1]}], shapes: [{kind: sphere, radius: "   \
  "1, link: ball}]}\n"                                                                                                 \
  "environment: [{name: floor, shape: half-space}]\n"

static void filters_are_kept_with_the_settings(void **state)
{
  (void)state;
  srs_scene *scene = load_good(TWO_BALLS);
  const srs_collider_options *options = &srs_scene_get_settings(scene)->collider;
  assert_true(!options->parent_child && options->excluded == NULL && options->included == NULL);
  srs_scene_destroy(scene);
  scene = load_good(TWO_BALLS "collision: {parent_child: true, exclude: [[l/skin, r/ball], [floor, l/ball]], include: "
                              "[[floor, r/ball]]}\n");
  options = &srs_scene_get_settings(scene)->collider;
  assert_true(options->parent_child);
  const char *const excluded[] = {"l/skin", "r/ball", "floor", "l/ball"};
  for (int i = 0; i < 4; i++) assert_string_equal(options->excluded[i], excluded[i]);
  assert_null(options->excluded[4]);
  assert_string_equal(options->included[0], "floor");
  assert_null(options->included[2]);
  srs_scene_destroy(scene);
}

static void mistakes_in_filters_are_told_with_their_place(void **state)
{
  (void)state;
  expect_fault(TWO_BALLS "collision: {paren_child: true}\n", SRS_ERROR_NAME, 5, 13, "did you mean 'parent_child'?");
  expect_fault(TWO_BALLS "collision: {parent_child: 1}\n", SRS_ERROR_SYNTAX, 5, 27, "true or false");
  expect_fault(TWO_BALLS "collision: {exclude: l/skin}\n", SRS_ERROR_SYNTAX, 5, 22, "exclude must be a list");
  expect_fault(TWO_BALLS "collision: {exclude: [l/skin]}\n", SRS_ERROR_SYNTAX, 5, 23, "a pair of names must be a list");
  expect_fault(TWO_BALLS "collision: {exclude: [[l/skin]]}\n", SRS_ERROR_SYNTAX, 5, 23, "a pair has 1 name");
  expect_fault(TWO_BALLS "collision: {include: [[l/skin, flor]]}\n", SRS_ERROR_NAME, 5, 32,
               "no shape and no link is named 'flor', did you mean 'floor'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_s_shapes_have_the_measures_of_their_kind),
      cmocka_unit_test(the_environment_is_shapes_on_the_world),
      cmocka_unit_test(a_slanted_half_space_is_its_inequality),
      cmocka_unit_test(mistakes_in_shapes_are_told_with_their_place),
      cmocka_unit_test(mistakes_in_the_environment_are_told_with_their_place),
      cmocka_unit_test(filters_are_kept_with_the_settings),
      cmocka_unit_test(mistakes_in_filters_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
