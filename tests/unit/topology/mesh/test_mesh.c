// Mesh files: what OBJ and STL say is read, and what they should not say is told with its line.
#include "support/testing.h"
#include "topology/mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_text(const char *name, const char *text, srs_mesh *mesh)
{
  srs_error error = {0};
  if (srs_mesh_read(testing_write(name, text), NULL, mesh, &error) != SRS_OK) fail_msg("%s\n%s", text, error.message);
}

static void faces_of_obj_are_fans_of_corners_counted_either_way(void **state)
{
  (void)state;
  srs_mesh m;
  read_text("a.obj",
            "# corners\nv 0.1 0 0\r\nv 1 0 0 1\nvn 0 0 1\nv 1 1 0\nv 0 1 0\n\nf 1/1/1 2//2 3 4\n"
            "o second part\ng side\nf -4 -3 -1\no\ng left\nf 1 2 3\no second part\nf 1 2 4\n",
            &m);
  assert_int_equal(m.n_points, 4);
  assert_int_equal(m.n_triangles, 5);
  static const int triangles[15] = {0, 1, 2, 0, 2, 3, 0, 1, 3, 0, 1, 2, 0, 1, 3}, lines[5] = {8, 8, 11, 14, 16};
  assert_memory_equal(m.triangles, triangles, sizeof triangles);
  assert_memory_equal(m.line, lines, sizeof lines);
  assert_true(m.points[0] == 0.1); // as a double
  static const int groups[5] = {0, 0, 1, 0, 1};
  assert_memory_equal(m.group, groups, sizeof groups);
  assert_string_equal(m.groups[1], "second part");
  srs_mesh_release(&m);
  read_text("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 1 3 2\n", &m);
  assert_int_equal(m.group[0] + 1, m.group[1]);
  srs_mesh_release(&m);
}

// Far from the origin, and in digits that single precision does not have: the corners of an OBJ and of an STL file are
// what is written there, and two that are less than a float apart stay two.
static void numbers_in_text_are_doubles(void **state)
{
  (void)state;
  static const double x[5][3] = {{1000000.0012345678, -0.123456789012345, 3.5e-7},
                                 {1000001.0012345679, -0.123456789012346, 3.6e-7},
                                 {1000001.0012345680, 1.000000000000001, 0.30000000000000004},
                                 {1000000.0012345681, 0.99999999999999989, 1e-300},
                                 {1000000.0012345682, 7, -1e-17}};
  static const int faces[3][3] = {{0, 1, 2}, {0, 2, 3}, {1, 3, 4}};
  char obj[2000], stl[3000];
  size_t n = 0, m = 0;
  for (int i = 0; i < 5; i++)
    n += (size_t)snprintf(obj + n, sizeof obj - n, "v %.17g %.17g %.17g 0.5 0.5 0.5\n", x[i][0], x[i][1], x[i][2]);
  (void)snprintf(obj + n, sizeof obj - n, "g quad\nf 1 2 3 4\ng rest\nf 2 4 5\n");
  m = (size_t)snprintf(stl, sizeof stl, "solid far\n");
  for (int f = 0; f < 3; f++) {
    m += (size_t)snprintf(stl + m, sizeof stl - m, "facet normal 0 0 1\nouter loop\n");
    for (int k = 0; k < 3; k++) {
      const double *p = x[faces[f][k]];
      m += (size_t)snprintf(stl + m, sizeof stl - m, "vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    m += (size_t)snprintf(stl + m, sizeof stl - m, "endloop\nendfacet\n");
  }
  (void)snprintf(stl + m, sizeof stl - m, "endsolid\n");
  for (int k = 0; k < 2; k++) {
    srs_mesh mesh;
    read_text(k == 0 ? "far.obj" : "far.stl", k == 0 ? obj : stl, &mesh);
    assert_int_equal(mesh.n_points, 5);
    assert_int_equal(mesh.n_triangles, 3);
    for (int i = 0; i < 5; i++) {
      bool is_there = false;
      for (int p = 0; p < 5; p++) {
        const double *y = mesh.points + 3 * (size_t)p;
        is_there = is_there || (y[0] == x[i][0] && y[1] == x[i][1] && y[2] == x[i][2]);
      }
      assert_true(is_there);
    }
    srs_mesh_release(&mesh);
  }
}

static void a_byte_order_mark_and_remarks_are_passed_over(void **state)
{
  (void)state;
  srs_mesh m;
  read_text("a.obj", "\xEF\xBB\xBFv 0 0 0 # first\nv 1 0 0\nv 0 1 0\nf 1 2 3 # all of them\nf 1 2 3\n", &m);
  assert_int_equal(m.n_points, 3);
  assert_int_equal(m.n_triangles, 2);
  srs_mesh_release(&m);
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
  FILE *file = fopen(testing_write(name, ""), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void bytes_that_are_neither_text_nor_a_whole_stl_are_refused(void **state)
{
  (void)state;
  static const char *const names[] = {"cut.stl", "cut.obj"};
  const unsigned char cut[84 + 30] = "solid, but its only triangle lacks 20 bytes";
  for (int i = 0; i < 2; i++) {
    srs_mesh m;
    srs_error error = {0};
    char path[512];
    write_bytes(names[i], cut, sizeof cut);
    snprintf(path, sizeof path, "%s/%s", testing_folder(), names[i]);
    assert_int_equal(srs_mesh_read(path, NULL, &m, &error), SRS_ERROR_FILE);
    assert_non_null(strstr(error.message, "neither text nor"));
    srs_mesh_release(&m);
  }
}

static void stl_is_read_from_text_and_from_bytes(void **state)
{
  (void)state;
  srs_mesh m;
  read_text("a.stl",
            "solid thing\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0\n"
            "  endloop\n endfacet\nendsolid thing\n",
            &m);
  assert_int_equal(m.n_points, 3);
  assert_int_equal(m.n_triangles, 1);
  assert_true(m.points[3] == 1 && m.points[7] == 1 && m.line[0] == 6);
  srs_mesh_release(&m);

  unsigned char bytes[84 + 50] = "solid, says many a binary file";
  const float numbers[12] = {0, 0, 1, 0.5F, 0, 0, 1, 2, 3, 0, 1, 0};
  bytes[80] = 1;
  memcpy(bytes + 84, numbers, sizeof numbers); // the machines that this runs on are little-endian
  write_bytes("b.STL", bytes, sizeof bytes);
  char path[512];
  snprintf(path, sizeof path, "%s/b.STL", testing_folder());
  assert_int_equal(srs_mesh_read(path, NULL, &m, NULL), SRS_OK);
  assert_int_equal(m.n_triangles, 1);
  assert_true(m.points[0] == 0.5 && m.points[5] == 3);
  srs_mesh_release(&m);
}

static void mistakes_are_told_with_their_line(void **state)
{
  (void)state;
  static const struct {
    const char *name, *text;
    srs_status status;
    int line;
    const char *words;
  } cases[] = {
      {"a.obj", "v 0 0\n", SRS_ERROR_SYNTAX, 1, "three finite numbers"},
      {"a.obj", "\nv 0 0 x\n", SRS_ERROR_SYNTAX, 2, "not 'x'"},
      {"a.obj", "v 0 0 nan\n", SRS_ERROR_SYNTAX, 1, "not 'nan'"},
      {"a.obj", "v 0 0 0\nf 1 1\n", SRS_ERROR_SYNTAX, 2, "three corners or more"},
      {"a.obj", "v 0 0 0\nf 1 1 2\n", SRS_ERROR_MODEL, 2, "corner 2, but 1 corner is above"},
      {"a.obj", "v 0 0 0\nf 1 1 -2\n", SRS_ERROR_MODEL, 2, "corner -2"},
      {"a.obj", "v 0 0 0\nf 1 0 1\n", SRS_ERROR_SYNTAX, 2, "not '0'"},
      {"a.obj", "v 0 0 0\nf 1 1.5 1\n", SRS_ERROR_SYNTAX, 2, "whole numbers"},
      {"a.obj", "v 0 0 0\nf a b c\n", SRS_ERROR_SYNTAX, 2, "not 'a'"},
      {"a.obj", "", SRS_ERROR_MODEL, 0, "has no faces"},
      {"a.stl", "solid x\nvertex 0 0\n", SRS_ERROR_SYNTAX, 2, "three finite numbers"},
      {"a.stl", "solid x\nendsolid\n", SRS_ERROR_MODEL, 0, "has no faces"},
      {"a.stl", "solid x\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", SRS_ERROR_FILE, 0, "cut short"},
      {"a.stl", "solid x\nendsolid\nsolid y\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", SRS_ERROR_FILE, 0,
       "cut short"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4 # there are 3\n", SRS_ERROR_MODEL, 4, "corner -4"},
      {"a.stl", "ISO-10303-21;\n", SRS_ERROR_FILE, 0, "no STL file"},
      {"a.dae", "\n<x/>", SRS_ERROR_SYNTAX, 2, "<COLLADA> was expected"},
      {"a.ply", "ply\n", SRS_ERROR_UNSUPPORTED, 0, "convert the file"},
      {"mesh", "", SRS_ERROR_UNSUPPORTED, 0, "convert the file"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_mesh m;
    srs_error error = {0};
    const srs_status status = srs_mesh_read(testing_write(cases[i].name, cases[i].text), NULL, &m, &error);
    srs_mesh_release(&m);
    if (status != cases[i].status || error.line != cases[i].line || strstr(error.message, cases[i].words) == NULL)
      fail_msg("%s: %d, line %d: %s", cases[i].text, status, error.line, error.message);
    assert_non_null(strstr(error.file, cases[i].name));
  }
  srs_mesh m;
  srs_error error = {0};
  assert_int_equal(srs_mesh_read("/nowhere/a.obj", NULL, &m, &error), SRS_ERROR_FILE);
  srs_mesh_release(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_of_obj_are_fans_of_corners_counted_either_way),
      cmocka_unit_test(numbers_in_text_are_doubles),
      cmocka_unit_test(a_byte_order_mark_and_remarks_are_passed_over),
      cmocka_unit_test(bytes_that_are_neither_text_nor_a_whole_stl_are_refused),
      cmocka_unit_test(stl_is_read_from_text_and_from_bytes),
      cmocka_unit_test(mistakes_are_told_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
