// Pieces of meshes: what hangs together is one, convex ones are taken, and others are told with how deep their dents
// are.
#include "support/testing.h"
#include "topology/mesh/mesh_pieces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double as_it_is[3] = {1, 1, 1};

// A box of six faces from corner (x, y, z), its corners numbered from `first`.
static int put_box(char *text, size_t size, int first, double x, double y, double z, double a, double b, double c)
{
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  int n = 0;
  for (int i = 0; i < 8; i++)
    n += snprintf(text + n, size - (size_t)n, "v %.17g %.17g %.17g\n", x + (i & 1) * a, y + (i >> 1 & 1) * b,
                  z + (i >> 2) * c);
  for (int f = 0; f < 6; f++)
    n += snprintf(text + n, size - (size_t)n, "f %d %d %d %d\n", first + faces[f][0], first + faces[f][1],
                  first + faces[f][2], first + faces[f][3]);
  return n;
}

static srs_status part(const char *text, const double scale[3], srs_arena *arena, const srs_mesh_piece **pieces, int *n,
                       srs_error *error)
{
  srs_mesh m;
  *error = (srs_error){0};
  srs_status status = srs_mesh_read(testing_write("a.obj", text), NULL, &m, error);
  if (status == SRS_OK) status = srs_mesh_convex_pieces(&m, scale, arena, pieces, n, error);
  srs_mesh_release(&m);
  return status;
}

static void boxes_apart_are_pieces_and_so_are_objects_that_touch(void **state)
{
  (void)state;
  char text[4096];
  for (int touching = 0; touching < 2; touching++) {
    int n = touching ? snprintf(text, sizeof text, "o one\n") : 0, n_pieces = 0;
    n += put_box(text + n, sizeof text - (size_t)n, 1, 0, 0, 0, 1, 2, 3);
    if (touching) n += snprintf(text + n, sizeof text - (size_t)n, "o two\n");
    put_box(text + n, sizeof text - (size_t)n, 9, touching ? 1 : 1.5, 0, 0, 1, 2, 3);
    srs_arena arena = {0};
    const srs_mesh_piece *pieces;
    srs_error error;
    if (part(text, as_it_is, &arena, &pieces, &n_pieces, &error) != SRS_OK) fail_msg("%s", error.message);
    assert_int_equal(n_pieces, 2);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(pieces[i].n_points, 8);
      assert_int_equal(pieces[i].group, touching ? i + 1 : 0);
    }
    assert_true(pieces[0].points[0] == 0 && pieces[1].points[0] == (touching ? 1 : 1.5));
    srs_arena_release(&arena);
  }
}

static void corners_written_for_each_face_are_one(void **state)
{
  (void)state;
  srs_arena arena = {0};
  const srs_mesh_piece *pieces;
  srs_error error;
  int n = 0;
  const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 4 5 6\n"
                     "v 0 0 -0\nv 0 1 0\nv 0 0 1\nf 7 8 9\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 10 11 12\n";
  if (part(text, (const double[]){2, 2, -1}, &arena, &pieces, &n, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(n, 1);
  assert_int_equal(pieces[0].n_points, 4);
  static const double expected[12] = {0, 0, -1, 0, 0, 0, 0, 2, 0, 2, 0, 0}; // a mirrored one too
  assert_memory_equal(pieces[0].points, expected, sizeof expected);
  srs_arena_release(&arena);
}

// A prism over the L of legs 2 and thickness 0.5 whose inner corner is 1.5 from the outer faces.
static const char *const l_shape = "v 0 0 0\nv 2 0 0\nv 2 0.5 0\nv 0.5 0.5 0\nv 0.5 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv "
                                   "2 0.5 1\nv 0.5 0.5 1\nv 0.5 2 1\n"
                                   "v 0 2 1\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\nf "
                                   "1 4 3 2\nf 1 6 5 4\nf 7 8 9 10\n"
                                   "f 7 10 11 12\n";

static void what_is_dented_or_flat_is_refused_with_its_cure(void **state)
{
  (void)state;
  char text[4096];
  srs_arena arena = {0};
  const srs_mesh_piece *pieces;
  srs_error error;
  int n = 0;
  assert_int_equal(part(l_shape, as_it_is, &arena, &pieces, &n, &error), SRS_ERROR_MODEL);
  assert_int_equal(error.line, 15); // the first face with corners 0.5 m below and 1.5 m above
  assert_non_null(strstr(error.message, "piece 1 of 1 is not convex, its deepest dent is 0.5 m: split it into"));
  assert_null(strchr(error.message, '\n'));
  n = snprintf(text, sizeof text, "%s", l_shape);
  snprintf(text + n, sizeof text - (size_t)n, "o sheet\nv 9 0 0\nv 9 1 0\nv 9 1 1\nf 13 14 15\n");
  assert_int_equal(part(text, (const double[]){1, 1, 1e-3}, &arena, &pieces, &n, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "piece 1 of 2"));
  n = put_box(text, sizeof text, 1, 0, 0, 0, 1, 1, 1);
  snprintf(text + n, sizeof text - (size_t)n, "o sheet\nv 9 0 0\nv 9 1 0\nv 9 1 1\nf -1 -2 -3\n");
  assert_int_equal(part(text, as_it_is, &arena, &pieces, &n, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "piece 2 of 2 (in 'sheet') is flat: give it"));
  assert_int_equal(error.line, 19);
  srs_arena_release(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_apart_are_pieces_and_so_are_objects_that_touch),
      cmocka_unit_test(corners_written_for_each_face_are_one),
      cmocka_unit_test(what_is_dented_or_flat_is_refused_with_its_cure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
