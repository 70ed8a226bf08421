// The solid of a mesh: volumes, centres and inertias are those of closed forms; hulls exceed dented meshes by what
// their dents hold; mirrored meshes keep their outside.
#include "support/testing.h"
#include "topology/mesh/mesh_solid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_box(char *text, size_t size, const double low[3], const double high[3], int *first)
{
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  size_t n = strlen(text);
  for (int i = 0; i < 8; i++)
    n += (size_t)snprintf(text + n, size - n, "v %.17g %.17g %.17g\n", i & 1 ? high[0] : low[0],
                          i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
  for (int f = 0; f < 6; f++)
    n += (size_t)snprintf(text + n, size - n, "f %d %d %d %d\n", *first + faces[f][0], *first + faces[f][1],
                          *first + faces[f][2], *first + faces[f][3]);
  *first += 8;
}

static void read_text(const char *text, srs_mesh *mesh)
{
  srs_error error = {0};
  if (srs_mesh_read(testing_write("a.obj", text), NULL, mesh, &error) != SRS_OK)
    fail_msg("%s\n%s", text, error.message);
}

static void a_box_has_its_closed_forms(void **state)
{
  (void)state;
  char text[2048] = "";
  int first = 1;
  put_box(text, sizeof text, (double[]){1, 2, 3}, (double[]){1.5, 3, 5}, &first);
  srs_mesh m;
  read_text(text, &m);
  srs_solid_mass mass;
  assert_true(srs_mesh_mass(&m, &mass));
  const double com[3] = {1.25, 2.5, 4}, inertia[6] = {5.0 / 12, 4.25 / 12, 1.25 / 12, 0, 0, 0}, volume = 1;
  testing_assert_close("volume", &mass.volume, &volume, 1, 1e-15); // a handful of roundings
  testing_assert_close("centre", mass.com, com, 3, 1e-15);
  testing_assert_close("inertia", mass.inertia, inertia, 6, 1e-15);
  srs_arena arena = {0};
  srs_mesh_hull hull;
  assert_int_equal(srs_mesh_make_hull(&m, &arena, &hull, NULL), SRS_OK);
  assert_true(hull.is_closed && hull.n_points == 8);
  testing_assert_close("hull", &hull.hull.volume, &volume, 1, 1e-15);
  testing_assert_close("inertia of the hull", hull.hull.inertia, inertia, 6, 1e-14);
  srs_arena_release(&arena);
  srs_mesh_release(&m);
}

static void a_mirrored_mesh_keeps_its_outside(void **state)
{
  (void)state;
  char text[2048] = "";
  int first = 1;
  put_box(text, sizeof text, (double[]){0, 0, 0}, (double[]){1, 2, 3}, &first);
  srs_mesh m;
  read_text(text, &m);
  srs_mesh_scale(&m, (double[]){-2, 1, 1});
  double volume = 0; // signed: outward triangles make it positive
  for (int t = 0; t < m.n_triangles; t++) {
    const int *corner = m.triangles + (ptrdiff_t)3 * t;
    const double *a = m.points + (ptrdiff_t)3 * corner[0], *b = m.points + (ptrdiff_t)3 * corner[1],
                 *c = m.points + (ptrdiff_t)3 * corner[2];
    volume +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  const double expected = 12;
  volume /= 6;
  testing_assert_close("volume", &volume, &expected, 1, 1e-14);
  srs_mesh_release(&m);
}

// The U of field case F18: outer 0.1 x 0.1 x 0.05, a slot 0.04 wide through it, 0.03 deep.
static void the_hull_of_a_channel_holds_its_slot_too(void **state)
{
  (void)state;
  char text[4096] = "";
  int first = 1;
  put_box(text, sizeof text, (double[]){-0.05, -0.05, 0}, (double[]){0.05, 0.05, 0.02}, &first);
  put_box(text, sizeof text, (double[]){-0.05, -0.05, 0.02}, (double[]){-0.02, 0.05, 0.05}, &first);
  put_box(text, sizeof text, (double[]){0.02, -0.05, 0.02}, (double[]){0.05, 0.05, 0.05}, &first);
  srs_mesh m;
  read_text(text, &m);
  srs_arena arena = {0};
  srs_mesh_hull hull;
  assert_int_equal(srs_mesh_make_hull(&m, &arena, &hull, NULL), SRS_OK);
  const double slot = 0.04 * 0.1 * 0.03, whole = 0.1 * 0.1 * 0.05, channel = whole - slot;
  assert_true(hull.is_closed);
  testing_assert_close("mesh", &hull.mesh.volume, &channel, 1, 1e-16);
  testing_assert_close("hull", &hull.hull.volume, &whole, 1, 1e-16);
  assert_in_range(hull.n_points, 8, 16); // corners, and perhaps points of its faces
  srs_arena_release(&arena);
  srs_mesh_release(&m);
}

static void open_meshes_have_no_volume_and_flat_ones_no_hull(void **state)
{
  (void)state;
  srs_mesh m;
  srs_arena arena = {0};
  srs_mesh_hull hull;
  srs_error error = {0};
  read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", &m); // a tetrahedron without its lid
  assert_int_equal(srs_mesh_make_hull(&m, &arena, &hull, &error), SRS_OK);
  assert_false(hull.is_closed);
  const double sixth = 1.0 / 6;
  testing_assert_close("hull", &hull.hull.volume, &sixth, 1, 1e-16);
  srs_mesh_release(&m);
  read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 3 2\nf 2 3 4\n", &m);
  assert_int_equal(srs_mesh_make_hull(&m, &arena, &hull, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "flat"));
  srs_mesh_release(&m);
  srs_arena_release(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_has_its_closed_forms),
      cmocka_unit_test(a_mirrored_mesh_keeps_its_outside),
      cmocka_unit_test(the_hull_of_a_channel_holds_its_slot_too),
      cmocka_unit_test(open_meshes_have_no_volume_and_flat_ones_no_hull),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
