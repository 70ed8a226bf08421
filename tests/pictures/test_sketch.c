// Views, hulls of points in the plane, and polyhedra by their faces.
#include "pictures/drawing.h"
#include "tools/pictures/sketch.h"

#include <math.h>
#include <string.h>

static void assert_row(const sketch_view *view, int row, double x, double y, double z)
{
  const double wanted[3] = {x, y, z};
  testing_assert_close("row", &view->axes[(size_t)row * 3], wanted, 3, 1e-15);
}

static void named_views_look_along_the_axes(void **state)
{
  (void)state;
  const sketch_view front = sketch_look(0, 0), side = sketch_look(90, 0), top = sketch_look(0, 90);
  assert_row(&front, 0, 1, 0, 0); // x to the right
  assert_row(&front, 1, 0, 0, 1); // z up
  assert_row(&front, 2, 0, -1, 0);
  assert_row(&side, 0, 0, 1, 0);
  assert_row(&side, 1, 0, 0, 1);
  assert_row(&side, 2, 1, 0, 0);
  assert_row(&top, 0, 1, 0, 0);
  assert_row(&top, 1, 0, 1, 0);
  assert_row(&top, 2, 0, 0, 1);
  assert_true(side.axes[0] == 0); // exactly: planes seen edge-on are
}

static void views_are_rotations(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5);
  for (int k = 0; k < 100; k++) {
    const sketch_view view = sketch_look(testing_uniform(&random, -400, 400), testing_uniform(&random, -90, 90));
    const double *r = view.axes;
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++) {
        const double dot = r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
        assert_true(fabs(dot - (i == j ? 1 : 0)) < 1e-14);
      }
    const double cross_z = r[0] * r[4] - r[1] * r[3];
    assert_true(fabs(cross_z - r[8]) < 1e-14);
    assert_true(fabs(r[2]) < 1e-14); // the horizon is level
  }
}

static void a_hull_holds_all_points_and_turns_left(void **state)
{
  (void)state;
  enum { N = 60 };
  testing_random random = testing_random_start(7);
  for (int round = 0; round < 50; round++) {
    double points[3 * N];
    int corners[N];
    for (int i = 0; i < 3 * N; i++) points[i] = nearbyint(testing_uniform(&random, -6, 6)); // many on one line
    const int n = sketch_hull(points, N, corners);
    assert_in_range(n, 3, N);
    for (int i = 0; i < n; i++) {
      const double *a = &points[3 * (size_t)corners[i]], *b = &points[3 * (size_t)corners[(i + 1) % n]];
      for (int k = 0; k < N; k++) {
        const double *p = &points[3 * (size_t)k];
        assert_true((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0);
      }
      const double *c = &points[3 * (size_t)corners[(i + 2) % n]];
      assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
    }
  }
}

static void a_box_shows_the_faces_that_look_at_the_viewer(void **state)
{
  (void)state;
  const srs_shape box = shape_of(SRS_SHAPE_BOX, 2, 3, 4);
  const srs_pose world = srs_identity_pose();
  const double angles[2][2] = {{0, 0}, {30, 20}};
  for (int k = 0; k < 2; k++) {
    sketch s = {0};
    const sketch_view view = sketch_look(angles[k][0], angles[k][1]);
    const srs_pose pose = sketch_pose(&view, &world);
    assert_true(sketch_shape(&s, &box, &pose, 5));
    assert_int_equal(s.n_solids, 1);
    assert_int_equal(s.solids[0].owner, 5);
    assert_int_equal(paths_of(&s, SKETCH_FACE), k == 0 ? 1 : 3);
    assert_int_equal(paths_of(&s, SKETCH_OUTLINE), 1);
    assert_int_equal(s.n_normals, 6);
    // What is seen of the faces makes the whole outline.
    double faces = 0, outline = 0;
    for (int i = 0; i < s.n_paths; i++)
      *(s.paths[i].kind == SKETCH_FACE ? &faces : &outline) += area_of(&s, &s.paths[i]);
    assert_true(fabs(faces - outline) < 1e-12);
    const double sa = sin(angles[k][0] * acos(-1) / 180), ca = sqrt(1 - sa * sa),
                 se = sin(angles[k][1] * acos(-1) / 180);
    const double shadow = 2 * 3 * se + (2 * ca + 3 * sa) * 4 * sqrt(1 - se * se); // each face by its normal's share
    assert_true(fabs(outline - shadow) < 1e-12);
    sketch_destroy(&s);
  }
}

static void a_hull_shows_polygons_of_all_its_corners(void **state)
{
  (void)state;
  double points[36]; // a prism on a hexagon
  for (int i = 0; i < 12; i++) {
    points[(size_t)i * 3] = cos(i % 6 * acos(-1) / 3);
    points[(size_t)i * 3 + 1] = sin(i % 6 * acos(-1) / 3);
    points[(size_t)i * 3 + 2] = i < 6 ? 0 : 1;
  }
  srs_shape hull = shape_of(SRS_SHAPE_HULL, 1, 1, 1);
  hull.points = points;
  hull.n_points = 12;
  sketch s = {0};
  const srs_pose pose = srs_identity_pose(); // seen from above
  assert_true(sketch_shape(&s, &hull, &pose, 0));
  assert_int_equal(paths_of(&s, SKETCH_FACE), 1);
  assert_int_equal(s.paths[0].n, 6);
  assert_true(fabs(area_of(&s, &s.paths[0]) - 1.5 * sqrt(3)) < 1e-12);
  assert_true(s.solids[0].low[2] == 0 && s.solids[0].high[2] == 1);
  sketch_destroy(&s);
}

static void a_polygon_shows_its_prism(void **state)
{
  (void)state;
  const double points[9] = {0, 0, 0, 2, 0, 0, 0, 1, 0};
  srs_shape polygon = shape_of(SRS_SHAPE_POLYGON, 0.5, 0, 0);
  polygon.points = points;
  polygon.n_points = 3;
  sketch s = {0};
  const srs_pose pose = srs_identity_pose(); // seen from above
  assert_true(sketch_shape(&s, &polygon, &pose, 0));
  assert_int_equal(paths_of(&s, SKETCH_FACE), 1);
  assert_int_equal(s.paths[0].n, 3);
  assert_true(fabs(area_of(&s, &s.paths[0]) - 1) < 1e-12);
  assert_true(s.solids[0].low[2] == -0.25 && s.solids[0].high[2] == 0.25);
  sketch_destroy(&s);
}

static void what_is_no_solid_is_left_out(void **state)
{
  (void)state;
  const srs_pose pose = srs_identity_pose();
  sketch s = {0};
  const srs_shape plane = shape_of(SRS_SHAPE_HALF_SPACE, 0, 0, 0), mesh = shape_of(SRS_SHAPE_MESH, 1, 1, 1);
  assert_false(sketch_shape(&s, &plane, &pose, 0));
  assert_false(sketch_shape(&s, &mesh, &pose, 0));
  assert_int_equal(s.n_solids + s.n_paths + s.n_points, 0);
  const double a[3] = {0, 1, 2}, b[3] = {3, -4, 5};
  sketch_line(&s, SKETCH_ROD, a, b, -2);
  assert_int_equal(s.n_solids, 1);
  assert_true(s.solids[0].low[1] == -4 && s.solids[0].high[0] == 3);
  sketch_destroy(&s);
}

static void faces_toward_the_light_are_brighter(void **state)
{
  (void)state;
  const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0}, toward[3] = {0, 0, 1}, left[3] = {-1, 0, 0},
               right[3] = {1, 0, 0};
  assert_true(sketch_brightness(up) > sketch_brightness(down));
  assert_true(sketch_brightness(left) > sketch_brightness(right));
  assert_true(sketch_brightness(toward) > sketch_brightness(left));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(named_views_look_along_the_axes),
      cmocka_unit_test(views_are_rotations),
      cmocka_unit_test(a_hull_holds_all_points_and_turns_left),
      cmocka_unit_test(a_box_shows_the_faces_that_look_at_the_viewer),
      cmocka_unit_test(a_hull_shows_polygons_of_all_its_corners),
      cmocka_unit_test(a_polygon_shows_its_prism),
      cmocka_unit_test(what_is_no_solid_is_left_out),
      cmocka_unit_test(faces_toward_the_light_are_brighter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
