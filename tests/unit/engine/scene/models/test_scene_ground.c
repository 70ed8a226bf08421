// Ground from files: the same as ground written in the scene, and mistakes are told with their place.
#include "support/scene_cases.h"

#include <math.h>

#define BALL                                                                                                           \
  "models:\n- {name: b, base: floating, position: [0.3, 0.2, 0.7], links: [{name: b, mass: 1, inertia: [0.01, 0.01, "  \
  "0.01]}], shapes: [{link: b, kind: box, size: [0.2, 0.3, 0.2]}]}\n"
#define ENVIRONMENT(shape) BALL "environment:\n- {name: ground, " shape "}\n"

// A roof: two slopes that meet in a ridge, with a dent beside it, so that it is not convex.
static const char roof_obj[] = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 -1 0.5\nv 0 1 0.25\nv 0.5 0 0.125\n"
                               "f 1 5 6 4\nf 5 2 7\nf 2 3 7\nf 3 6 7\nf 6 5 7\n";
#define ROOF                                                                                                           \
  "shape: terrain, points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, -1, 0.5], [0, 1, 0.25], "              \
  "[0.5, 0, 0.125]], triangles: [[0, 4, 5], [0, 5, 3], [4, 1, 6], [1, 2, 6], [2, 5, 6], [5, 4, 6]]"

static void run(const char *text, double q[7], int *n_triangles)
{
  srs_scene *scene = load_good(text);
  srs_sim *sim = NULL;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  if (srs_sim_step(sim, 600, &error) != SRS_OK) fail_msg("%s", error.message);
  memcpy(q, srs_sim_q(sim), 7 * sizeof *q);
  *n_triangles = 0;
  for (int i = 0; i < srs_model_n_shapes(srs_scene_model(scene)); i++)
    *n_triangles += srs_model_shape(srs_scene_model(scene), i)->n_triangles;
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void terrain_of_a_file_is_that_of_the_scene(void **state)
{
  (void)state;
  double by_file[7], in_place[7];
  int of_file, of_scene;
  testing_write("roof.obj", roof_obj);
  run(ENVIRONMENT("shape: terrain, file: roof.obj"), by_file, &of_file);
  run(ENVIRONMENT(ROOF), in_place, &of_scene);
  assert_int_equal(of_file, of_scene);
  assert_memory_equal(by_file, in_place, sizeof by_file);
  assert_true(in_place[2] < 0.6 && in_place[2] > 0); // it lies on the roof
  run(ENVIRONMENT("shape: terrain, file: roof.obj, size: [1, 1, 0.5]"), by_file, &of_file);
  assert_true(by_file[2] < in_place[2]); // half as high
}

static void heights_of_a_file_are_those_of_the_scene(void **state)
{
  (void)state;
  double by_file[7], in_place[7];
  int unused;
  testing_write("hills.csv", "# rows along y\n0, 0.1, 0.05\r\n\n0.2\t0.25 0,\n0.1 ,0, 0.3");
  run(ENVIRONMENT("shape: heightfield, file: hills.csv, spacing: [0.5, 0.75]"), by_file, &unused);
  run(ENVIRONMENT("shape: heightfield, heights: [[0, 0.1, 0.05], [0.2, 0.25, 0], [0.1, 0, 0.3]], spacing: [0.5, 0.75]"),
      in_place, &unused);
  assert_memory_equal(by_file, in_place, sizeof by_file);
}

static void a_picture_is_a_map_from_above(void **state)
{
  (void)state;
  // 3 x 2, grey levels 0 128 255 above 10 20 30, put together byte by byte as the PNG specification says.
  static const unsigned char picture[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
      0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xb8, 0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49,
      0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x68, 0xf8, 0xcf, 0xc0, 0x25, 0x22, 0x07, 0x00, 0x08, 0x67, 0x01, 0xbc,
      0x74, 0x66, 0x9a, 0x2f, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  char path[512];
  snprintf(path, sizeof path, "%s/map.png", testing_folder());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(picture, 1, sizeof picture, file), sizeof picture);
  fclose(file);
  srs_scene *scene = load_good(ENVIRONMENT("shape: heightfield, file: map.png, range: [-1, 1.55], spacing: 1"));
  const srs_shape *shape = srs_model_shape(srs_scene_model(scene), 1);
  const double levels[6] = {10, 20, 30, 0, 128, 255}; // the lower row first
  assert_true(shape->n_rows == 2 && shape->n_columns == 3);
  for (int i = 0; i < 6; i++) assert_true(fabs(shape->heights[i] - (-1 + 0.01 * levels[i])) < 1e-15);
  srs_scene_destroy(scene);
  expect_fault(ENVIRONMENT("shape: heightfield, file: map.png, spacing: 1"), SRS_ERROR_SYNTAX, 4, -1,
               "needs the key 'range'");
  testing_write("hills.csv", "1, 2\n3, 4\n");
  expect_fault(ENVIRONMENT("shape: heightfield, file: hills.csv, range: [0, 1], spacing: 1"), SRS_ERROR_SYNTAX, 4, -1,
               "belongs to pictures");
  expect_fault(ENVIRONMENT("shape: heightfield, heights: [[1, 2], [1, 2]], range: [0, 1], spacing: 1"),
               SRS_ERROR_SYNTAX, 4, -1, "belongs to a picture");
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  testing_write("roof.obj", roof_obj);
  expect_fault(ENVIRONMENT("shape: terrain, file: none.obj"), SRS_ERROR_FILE, 4, 40, "'none.obj' was not found");
  expect_fault(ENVIRONMENT("shape: terrain, file: roof.obj, points: []"), SRS_ERROR_SYNTAX, 4, 50, "either 'file' or");
  expect_fault(ENVIRONMENT("shape: terrain, file: roof.obj, size: [1, 1, -1]"), SRS_ERROR_SYNTAX, 4, 56,
               "must be positive");
  expect_fault(ENVIRONMENT(ROOF ", size: [1, 1, 1]"), SRS_ERROR_SYNTAX, 4, -1, "scales its 'file'");
  expect_fault(ENVIRONMENT("shape: terrain"), SRS_ERROR_SYNTAX, 4, -1, "needs the key 'points'");
  expect_fault(ENVIRONMENT("shape: heightfield, file: roof.obj, heights: [[1, 2], [1, 2]], spacing: 1"),
               SRS_ERROR_SYNTAX, 4, -1, "either 'file' or 'heights'");
  expect_fault(ENVIRONMENT("shape: heightfield, spacing: 1"), SRS_ERROR_SYNTAX, 4, -1, "needs the key 'heights'");
  static const struct {
    const char *text, *words;
    int line, column;
  } tables[] = {{"1, 2\n3\n", "a row of 1 heights, where the first has 2", 2, 0},
                {"1, 2\n\n3, 1x\n", "'1x' is not a finite number", 3, 0},
                {"1, 2\n3, nan\n", "'nan' is not a finite number", 2, 0},
                {"0,1,2\n0,,2\n", "cell 2 of the row is empty", 2, 3},
                {"0,1,2\n , 1, 2\n", "cell 1 of the row is empty", 2, 2},
                {"0 1 , ,\n0,1,2\n", "cell 3 of the row is empty", 1, 7},
                {",\n", "cell 1 of the row is empty", 1, 1},
                {"1, 2\n", "two rows and columns or more", 1, 0},
                {"", "two rows and columns or more", 0, 0}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    srs_scene *scene = NULL;
    srs_error error;
    testing_write("hills.csv", tables[i].text);
    const srs_status status = load_text(ENVIRONMENT("shape: heightfield, file: hills.csv, spacing: 1"), &scene, &error);
    if (status != SRS_ERROR_SYNTAX || error.line != tables[i].line || error.column != tables[i].column ||
        strstr(error.message, tables[i].words) == NULL)
      fail_msg("table %zu: line %d, column %d, %s", i, error.line, error.column, error.message);
    assert_non_null(strstr(error.file, "hills.csv"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terrain_of_a_file_is_that_of_the_scene),
      cmocka_unit_test(heights_of_a_file_are_those_of_the_scene),
      cmocka_unit_test(a_picture_is_a_map_from_above),
      cmocka_unit_test(mistakes_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
