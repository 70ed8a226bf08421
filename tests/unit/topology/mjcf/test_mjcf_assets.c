// Height fields: in place, from pictures, from MuJoCo's own binary files; what of them is refused.
#include "unit/topology/mjcf/mjcf_cases.h"

#include <stdint.h>

// A picture of 2 x 3 grey levels of 8 bits (tests/unit/topology/mesh/test_grey_image.c says where it is from).
static const unsigned char picture[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xb8, 0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x68, 0xf8, 0xcf, 0xc0, 0x25, 0x22, 0x07, 0x00, 0x08, 0x67, 0x01, 0xbc,
    0x74, 0x66, 0x9a, 0x2f, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static void write_bytes(const char *name, const void *bytes, size_t n)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static srs_model *field(const char *attributes)
{
  static char text[2048];
  snprintf(text, sizeof text,
           "<mujoco><asset><hfield name='h' size='1 2 0.5 0.1' %s/></asset><worldbody><geom name='h' type='hfield' "
           "hfield='h'/><body><joint/><geom size='0.1'/></body></worldbody></mujoco>",
           attributes);
  return loaded(text);
}

static void assert_heights(srs_model *model, int rows, int columns, const double *heights)
{
  const srs_shape *shape = shape_named(model, "h");
  assert_int_equal(shape->kind, SRS_SHAPE_HEIGHTFIELD);
  assert_int_equal(shape->n_rows, rows);
  assert_int_equal(shape->n_columns, columns);
  testing_assert_close("heights", shape->heights, heights, rows * columns, 1e-15);
  const double spacing[2] = {2.0 / (columns - 1), 4.0 / (rows - 1)};
  testing_assert_close("spacing", shape->size, spacing, 2, 1e-15);
  srs_model_destroy(model);
}

// As seen from above, so that the last row stands first; from 0 to the third size.
static void elevations_in_place_are_scaled(void **state)
{
  (void)state;
  const double heights[6] = {0.3, 0.4, 0.5, 0, 0.1, 0.2};
  assert_heights(field("nrow='2' ncol='3' elevation='-2 -1 0 1 2 3'"), 2, 3, heights);
  const double flat[4] = {0, 0, 0, 0};
  assert_heights(field("nrow='2' ncol='2'"), 2, 2, flat);
}

static void a_picture_is_black_at_the_bottom(void **state)
{
  (void)state;
  write_bytes("hills.png", picture, sizeof picture);
  srs_model *model = field("file='hills.png'");
  const srs_shape *shape = shape_named(model, "h");
  assert_int_equal(shape->n_rows, 2);
  assert_int_equal(shape->n_columns, 3);
  double low = 1, high = 0;
  for (int i = 0; i < 6; i++) low = fmin(low, shape->heights[i]), high = fmax(high, shape->heights[i]);
  assert_true(low == 0);
  assert_number(high, 0.5, 1e-15);
  assert_true(shape->heights[3] == 0); // the picture's first level is black, its upper row is the last here
  srs_model_destroy(model);
}

static void a_binary_file_has_its_first_row_first(void **state)
{
  (void)state;
  struct {
    int32_t rows, columns;
    float heights[6];
  } file = {3, 2, {4, 5, 6, 7, 8, 4}};
  write_bytes("hills.bin", &file, sizeof file);
  const double heights[6] = {0, 0.125, 0.25, 0.375, 0.5, 0};
  assert_heights(field("file='hills.bin'"), 3, 2, heights);
}

// An OBJ file of corners alone is the hull of them, as in MuJoCo: here a box of 2 x 4 x 6 m with a point inside.
static void meshes_of_points_are_their_hulls(void **state)
{
  (void)state;
  testing_write("points.obj",
                "# corners\r\nv -1 -2 -3\r\nv 1 -2 -3 1.0\nv -1 2 -3\nv 1 2 -3\nvn 0 0 1\nv\t-1 -2 3\nv 1 "
                "-2 3\nv -1 2 3\nv 1 2 3\nv 0.1 0.2 0.3");
  static const char text[] =
      "<mujoco><asset><mesh name='m' file='points.obj' inertia='exact'/></asset><worldbody>"
      "<body name='b'><joint/><geom type='mesh' mesh='m' density='10'/></body></worldbody></mujoco>";
  srs_model *model = loaded(text);
  assert_int_equal(srs_model_shape(model, 0)->kind, SRS_SHAPE_HULL);
  const srs_link *link = srs_model_link(model, 0);
  assert_float_equal(link->mass, 480, 1e-9);
  assert_float_equal(link->inertia[0], 480 * (16 + 36) / 12.0, 1e-8);
  assert_float_equal(link->inertia[2], 480 * (4 + 16) / 12.0, 1e-8);
  srs_model_destroy(model);
  testing_write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  refused(text, SRS_ERROR_MODEL, 1, "3 points");
  testing_write("points.obj", "v 0 0 0\nv 1 0 x\nv 0 1 0\nv 0 0 1\n");
  srs_error error;
  assert_int_equal(srs_model_load(testing_write("bad.xml", text), NULL, &model, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 2);
  refused("<mujoco><asset><mesh name='m' builtin='sphere' params='1'/></asset><worldbody><geom type='mesh' mesh='m'/>"
          "</worldbody></mujoco>",
          SRS_ERROR_UNSUPPORTED, 1, "builtin=\"sphere\"");
}

static void what_is_no_field_is_refused(void **state)
{
  (void)state;
#define FIELD(attributes) "<mujoco><asset>\n<hfield name='h' size='1 1 1 1' " attributes "/></asset></mujoco>"
  const int32_t large[2] = {2000000, 2}, negative[2] = {-1, 2}, few[4] = {2, 2, 0, 0};
  write_bytes("large.bin", large, sizeof large);
  write_bytes("negative.bin", negative, sizeof negative);
  write_bytes("few.bin", few, sizeof few);
  refused(FIELD("file='none.bin'"), SRS_ERROR_FILE, 2, "there is no file");
  refused(FIELD("file='large.bin'"), SRS_ERROR_SYNTAX, 2, "nrow and ncol are 2 to 10000");
  refused(FIELD("file='negative.bin'"), SRS_ERROR_SYNTAX, 2, "nrow and ncol are 2 to 10000");
  srs_model *model;
  srs_error error;
  assert_int_equal(srs_model_load(testing_write("few.xml", FIELD("file='few.bin'")), NULL, &model, &error),
                   SRS_ERROR_SYNTAX);
  assert_has(error.message, "is no file of 2 x 2 heights");
  refused(FIELD("nrow='2' ncol='2' elevation='1 2 3'"), SRS_ERROR_SYNTAX, 2, "holds 3 numbers");
}

// On a flat field, one semi-axis above it.
static void ellipsoids_rest_on_fields(void **state)
{
  (void)state;
  srs_model *model =
      loaded("<mujoco><asset><hfield name='h' size='1 2 0.5 0.1' nrow='2' ncol='2'/></asset><worldbody><geom name='h' "
             "type='hfield' hfield='h'/>\n<body pos='0 0 0.1'><freejoint/><geom type='ellipsoid' size='0.2 0.2 "
             "0.1'/></body></worldbody></mujoco>");
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 300, &error), SRS_OK);
  assert_true(fabs(srs_sim_q(sim)[2] - 0.1) < 1e-6);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elevations_in_place_are_scaled),        cmocka_unit_test(a_picture_is_black_at_the_bottom),
      cmocka_unit_test(a_binary_file_has_its_first_row_first), cmocka_unit_test(meshes_of_points_are_their_hulls),
      cmocka_unit_test(what_is_no_field_is_refused),           cmocka_unit_test(ellipsoids_rest_on_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
