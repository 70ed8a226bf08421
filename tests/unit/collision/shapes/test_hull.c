// The convex hull of points, against what a hull is: all points inside, corners among the points, faces whole.
#include "collision/shapes/solid.h"
#include "support/testing.h"
#include "topology/mesh/orient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

// Points may stand out by 2e-7 of the longest side of their bounds, and by rounding.
static const double SLACK = 2.1e-7;

static vec3 point_at(const double *points, int i) { return vec3_load(points + 3 * (size_t)i); }
static void put_point(double *points, int i, vec3 p) { vec3_store(points + 3 * (size_t)i, p); }

static double extent_of(const double *points, int n)
{
  double extent = 0;
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {
      low = fmin(low, points[3 * i + k]);
      high = fmax(high, points[3 * i + k]);
    }
    extent = fmax(extent, high - low);
  }
  return extent;
}

static bool is_given(vec3 corner, const double *points, int n)
{
  for (int i = 0; i < n; i++) {
    const vec3 p = point_at(points, i);
    if (corner.x == p.x && corner.y == p.y && corner.z == p.z) return true;
  }
  return false;
}

static void check_faces(const srs_hull *hull, double extent)
{
  double area = 0, volume = 0;
  vec3 sum = vec3_zero;
  for (int f = 0; f < hull->n_faces; f++) {
    const int begin = hull->face_begin[f], n = hull->face_begin[f + 1] - begin;
    const vec3 normal = hull->normals[f], *x = hull->corners;
    assert_true(n >= 3);
    assert_true(fabs(norm3(normal) - 1) < 4e-16);
    vec3 twice = vec3_zero;
    for (int i = 0; i < n; i++) {
      const vec3 a = x[hull->face_corners[begin + i]], b = x[hull->face_corners[begin + (i + 1) % n]];
      assert_true(fabs(dot3(normal, a) - hull->offsets[f]) <= 2 * SLACK * extent); // supported by all its corners
      twice = add3(twice, cross3(sub3(a, x[0]), sub3(b, x[0])));
    }
    assert_true(dot3(twice, normal) > 0);
    sum = add3(sum, twice);
    area += norm3(twice);
    volume += dot3(twice, sub3(x[hull->face_corners[begin]], x[0]));
  }
  assert_true(norm3(sum) <= 1e-13 * area); // a closed surface
  assert_true(volume > 0);
}

static void check_edges(const srs_hull *hull)
{
  assert_int_equal(hull->n_corners - hull->n_edges + hull->n_faces, 2);
  assert_int_equal(hull->face_begin[hull->n_faces], 2 * hull->n_edges);
  for (int e = 0; e < hull->n_edges; e++) {
    const int *edge = hull->edges + 4 * (size_t)e;
    assert_true(edge[2] != edge[3]);
    for (int side = 0; side < 2; side++) { // the first face has it forwards, the second backwards
      const int f = edge[2 + side], from = edge[side], to = edge[1 - side];
      const int begin = hull->face_begin[f], n = hull->face_begin[f + 1] - begin;
      bool is_there = false;
      for (int i = 0; i < n; i++)
        is_there = is_there || (hull->face_corners[begin + i] == from && hull->face_corners[begin + (i + 1) % n] == to);
      assert_true(is_there);
    }
  }
}

static srs_hull *check_hull(const double *points, int n)
{
  srs_hull *hull = NULL;
  srs_error error = {0};
  assert_int_equal(srs_hull_create(points, n, &hull, &error), SRS_OK);
  const double extent = extent_of(points, n);
  for (int i = 0; i < n; i++)
    for (int f = 0; f < hull->n_faces; f++)
      assert_true(dot3(hull->normals[f], point_at(points, i)) - hull->offsets[f] <= 2 * SLACK * extent);
  for (int i = 0; i < hull->n_corners; i++) assert_true(is_given(hull->corners[i], points, n));
  check_faces(hull, extent);
  check_edges(hull);
  return hull;
}

static void turn(const double *points, int n, testing_random *random, double shift, double *turned)
{
  double q[4], rows[9];
  for (int i = 0; i < 4; i++) q[i] = testing_uniform(random, -1, 1);
  srs_rotation_from_quaternion(q, rows);
  const double x = testing_uniform(random, -shift, shift);
  const vec3 origin = {x, testing_uniform(random, -shift, shift), 0};
  for (int i = 0; i < n; i++) put_point(turned, i, add3(origin, rotate(mat3_from_rows(rows), point_at(points, i))));
}

static void shuffle(double *points, int n, testing_random *random)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = testing_below(random, i + 1);
    const vec3 kept = point_at(points, i);
    put_point(points, i, point_at(points, j));
    put_point(points, j, kept);
  }
}

static void orientation_is_exact_where_rounding_fails(void **state)
{
  (void)state;
  // The plane x = y; d lies within 20 ulps of it.
  const vec3 a = {12, 12, 0}, b = {24, 24, 0}, c = {12, 12, 1};
  for (int i = -20; i <= 20; i++)
    for (int k = -20; k <= 20; k++) {
      const vec3 d = {0.5 + i * 0x1p-53, 0.5 + k * 0x1p-53, 0.25};
      assert_int_equal(srs_orient(a, b, c, d), d.x > d.y ? 1 : -(d.x < d.y));
      assert_int_equal(srs_orient(b, a, c, d), -(d.x > d.y ? 1 : -(d.x < d.y)));
    }
  assert_int_equal(srs_orient((vec3){0, 0, 0}, (vec3){1, 0, 0}, (vec3){0, 1, 0}, (vec3){7, -3, 1e-80}), 1);
  assert_int_equal(srs_orient((vec3){0, 0, 0}, (vec3){1, 0, 0}, (vec3){0, 1, 0}, (vec3){7, -3, 0}), 0);
}

static void random_clouds_are_enclosed(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  double points[3 * 120];
  for (int trial = 0; trial < 2000; trial++) {
    const int n = 4 + testing_below(&random, 117);
    const double scale = pow(10, testing_uniform(&random, -6, 6)), flat = trial % 3 == 0 ? 1e-3 : 1;
    for (int i = 0; i < 3 * n; i++) points[i] = scale * testing_uniform(&random, -1, 1) * (i % 3 == 2 ? flat : 1);
    if (trial % 2 == 0) turn(points, n, &random, scale, points);
    free(check_hull(points, n));
  }
}

static void boxes_have_six_faces_wherever_they_are(void **state)
{
  (void)state;
  testing_random random = testing_random_start(32);
  for (int trial = 0; trial < 2000; trial++) {
    double points[24];
    const double width = pow(10, testing_uniform(&random, -2, 1));
    const double half[3] = {width, pow(10, testing_uniform(&random, -2, 1)), 0.5};
    for (int i = 0; i < 24; i++) points[i] = ((i / 3) >> (i % 3) & 1 ? 1 : -1) * half[i % 3];
    if (trial > 0) turn(points, 8, &random, trial % 2 == 0 ? 100 : 0, points);
    srs_hull *hull = check_hull(points, 8);
    assert_int_equal(hull->n_corners, 8);
    assert_int_equal(hull->n_faces, 6);
    assert_int_equal(hull->n_edges, 12);
    for (int f = 0; trial == 0 && f < 6; f++) { // nothing is rounded
      const vec3 n = hull->normals[f];
      assert_true(fabs(n.x) + fabs(n.y) + fabs(n.z) == 1);
      assert_true(hull->offsets[f] == dot3((vec3){fabs(n.x), fabs(n.y), fabs(n.z)}, vec3_load(half)));
    }
    free(hull);
  }
}

// A cube's grid of points: most lie inside, on faces or on edges, and each is there twice.
static int fill_grid(double *points, int side)
{
  int n = 0;
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < side * side * side; i++) {
      const int at[3] = {i % side, i / side % side, i / side / side};
      for (int k = 0; k < 3; k++) points[3 * n + k] = 2.0 * at[k] / (side - 1) - 1;
      n++;
    }
  return n;
}

static void points_inside_faces_and_edges_are_no_corners(void **state)
{
  (void)state;
  testing_random random = testing_random_start(33);
  static double grid[3 * 2 * 1000], points[3 * 2 * 1000];
  for (int trial = 0; trial < 300; trial++) {
    const int n = fill_grid(grid, 2 + trial % 7);
    memcpy(points, grid, sizeof grid);
    if (trial % 3 > 0) turn(grid, n, &random, trial % 2, points);
    for (int i = 0; trial % 3 == 2 && i < 3 * n; i++) points[i] = (double)(float)points[i];
    shuffle(points, n, &random);
    srs_hull *hull = check_hull(points, n);
    assert_int_equal(hull->n_corners, 8);
    assert_int_equal(hull->n_faces, 6);
    assert_int_equal(hull->n_edges, 12);
    free(hull);
  }
}

static void prisms_have_one_face_for_each_side(void **state)
{
  (void)state;
  testing_random random = testing_random_start(34);
  for (int sides = 3; sides <= 200; sides++) {
    double points[3 * 400];
    for (int i = 0; i < 2 * sides; i++) {
      const double angle = 6.283185307179586 * (i % sides) / sides;
      put_point(points, i, (vec3){cos(angle), sin(angle), i < sides ? 1 : -1});
    }
    turn(points, 2 * sides, &random, 1, points);
    srs_hull *hull = check_hull(points, 2 * sides);
    assert_int_equal(hull->n_corners, 2 * sides);
    assert_int_equal(hull->n_faces, sides + 2);
    free(hull);
  }
}

static void spheres_of_two_thousand_points_keep_them_all(void **state)
{
  (void)state;
  testing_random random = testing_random_start(35);
  static double points[3 * 2000];
  for (int i = 0; i < 2000; i++) {
    const double z = testing_uniform(&random, -1, 1), angle = testing_uniform(&random, 0, 6.283185307179586);
    put_point(points, i, (vec3){sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z});
  }
  srs_hull *hull = check_hull(points, 2000);
  // Two random points may be so near that neither stands out of the others: few in 2000 for 2e-7.
  assert_true(hull->n_corners >= 1990);
  free(hull);
}

// All points on three planes through one another, many of them on common lines.
static void lattices_with_few_coordinates_are_enclosed(void **state)
{
  (void)state;
  testing_random random = testing_random_start(36);
  double points[3 * 200];
  int n_hulls = 0;
  for (int trial = 0; trial < 3000; trial++) {
    const int n = 4 + testing_below(&random, trial % 2 == 0 ? 197 : 12), steps = 2 + testing_below(&random, 5);
    for (int i = 0; i < 3 * n; i++) points[i] = 0.1 * testing_below(&random, steps);
    srs_hull *hull = NULL;
    const srs_status status = srs_hull_create(points, n, &hull, NULL);
    assert_true(status == SRS_OK || status == SRS_ERROR_MODEL);
    free(hull);
    if (status == SRS_OK) free(check_hull(points, n)), n_hulls++;
  }
  assert_true(n_hulls > 2000);
}

static void order_of_points_does_not_matter(void **state)
{
  (void)state;
  testing_random random = testing_random_start(37);
  double points[3 * 60];
  for (int trial = 0; trial < 200; trial++) {
    for (int i = 0; i < 180; i++) points[i] = testing_uniform(&random, -1, 1);
    srs_hull *first = check_hull(points, 60);
    shuffle(points, 60, &random);
    srs_hull *second = check_hull(points, 60);
    assert_int_equal(first->n_corners, second->n_corners);
    assert_int_equal(first->n_faces, second->n_faces);
    assert_memory_equal(first->corners, second->corners, (size_t)first->n_corners * sizeof(vec3));
    assert_memory_equal(first->normals, second->normals, (size_t)first->n_faces * sizeof(vec3));
    assert_memory_equal(first->edges, second->edges, (size_t)first->n_edges * 4 * sizeof(int));
    free(first);
    free(second);
  }
}

static void points_without_volume_are_refused(void **state)
{
  (void)state;
  testing_random random = testing_random_start(38);
  double points[90];
  srs_hull *hull = NULL;
  srs_error error = {0};
  for (int trial = 0; trial < 300; trial++) {
    for (int i = 0; i < 90; i++) points[i] = i % 3 < trial % 3 ? testing_uniform(&random, -1, 1) : 0.25;
    turn(points, 30, &random, 1, points);
    assert_int_equal(srs_hull_create(points, 30, &hull, &error), SRS_ERROR_MODEL);
    assert_null(hull);
    assert_non_null(strstr(error.message, "no volume"));
  }
  assert_int_equal(srs_hull_create(points, 3, &hull, &error), SRS_ERROR_MODEL);
  points[17] = NAN;
  assert_int_equal(srs_hull_create(points, 30, &hull, &error), SRS_ERROR_NOT_FINITE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orientation_is_exact_where_rounding_fails),
      cmocka_unit_test(random_clouds_are_enclosed),
      cmocka_unit_test(boxes_have_six_faces_wherever_they_are),
      cmocka_unit_test(points_inside_faces_and_edges_are_no_corners),
      cmocka_unit_test(prisms_have_one_face_for_each_side),
      cmocka_unit_test(spheres_of_two_thousand_points_keep_them_all),
      cmocka_unit_test(lattices_with_few_coordinates_are_enclosed),
      cmocka_unit_test(order_of_points_does_not_matter),
      cmocka_unit_test(points_without_volume_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
