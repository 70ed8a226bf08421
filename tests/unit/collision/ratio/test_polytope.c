// Polyhedra and polygons about their centres: facets hold all corners, centroids, refusals, an order of their own.
#include "support/ratio_check.h"

static void check_facets(const srs_polytope *p)
{
  for (int f = 0; f < p->n_facets; f++) {
    assert_true(p->offsets[f] > 0 && fabs(norm3(p->normals[f]) - 1) < 4e-16);
    for (int i = 0; i < p->n_corners; i++)
      assert_true(dot3(p->normals[f], p->corners[i]) <= p->offsets[f] + 2.1e-7 * p->reach); // as a hull's faces
    for (int i = p->facet_begin[f]; i < p->facet_begin[f + 1]; i++)
      assert_true(dot3(p->normals[f], p->corners[p->facet_corners[i]]) >= p->offsets[f] - 2.1e-7 * p->reach);
    const vec3 gauge = {p->gauge[0][f], p->gauge[1][f], p->gauge[2][f]};
    assert_true(norm3(sub3(scale3(p->offsets[f], gauge), p->normals[f])) < 1e-15);
  }
}

static void facets_hold_all_corners(void **state)
{
  (void)state;
  testing_random random = testing_random_start(711);
  for (int i = 0; i < 100; i++) {
    srs_polytope *ball = random_ball(&random, 4 + i, 0.3), *polygon = random_polygon(&random, 3 + i % 40);
    check_facets(ball);
    check_facets(polygon);
    assert_int_equal(ball->n_corners - ball->n_edges + ball->n_facets, 2);
    assert_int_equal(polygon->n_corners, polygon->n_facets);
    srs_polytope_destroy(ball);
    srs_polytope_destroy(polygon);
  }
}

static void the_centre_is_the_centroid_unless_it_is_given(void **state)
{
  (void)state;
  double centre[3], inradius, normal[3], offset;
  // The simplex of the axes: a quarter of the way; and a triangle: a third.
  srs_polytope *p = polytope_of((const double[]){5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6}, 4, 3, NULL);
  srs_polytope_centre(p, centre, &inradius);
  for (int k = 0; k < 3; k++) assert_true(fabs(centre[k] - 5.25) < 1e-14);
  assert_true(fabs(inradius - 0.25 / sqrt(3)) < 1e-14);
  assert_int_equal(srs_polytope_n_facets(p), 4);
  for (int f = 0; f < 4; f++) {
    srs_polytope_facet(p, f, normal, &offset);
    const bool slopes = normal[0] > 0;
    assert_true(fabs(offset - (slopes ? 16 / sqrt(3) : -5)) < 1e-13);
  }
  srs_polytope_destroy(p);
  p = polytope_of((const double[]){0, 0, 3, 0, 0, 3, 1, 1, 1.5, 1.5, 0, 0}, 6, 2, NULL);
  srs_polytope_centre(p, centre, &inradius);
  assert_true(fabs(centre[0] - 1) < 1e-15 && fabs(centre[1] - 1) < 1e-15 && centre[2] == 0);
  assert_int_equal(p->n_facets, 3); // points inside and on a side are no corners
  srs_polytope_destroy(p);
  p = polytope_of((const double[]){0, 0, 3, 0, 0, 3}, 3, 2, (const double[]){0.5, 1});
  srs_polytope_centre(p, centre, &inradius);
  assert_true(centre[0] == 0.5 && centre[1] == 1 && inradius == 0.5);
  srs_polytope_destroy(p);
}

static void the_same_points_give_the_same_facets_in_any_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(712);
  double points[90], turned[90];
  for (int i = 0; i < 90; i++) points[i] = testing_uniform(&random, -1, 1);
  for (int i = 0; i < 30; i++) memcpy(turned + 3 * (size_t)i, points + 3 * (size_t)(29 - i), 3 * sizeof *points);
  srs_polytope *one = polytope_of(points, 30, 3, NULL), *two = polytope_of(turned, 30, 3, NULL);
  assert_int_equal(one->n_facets, two->n_facets);
  assert_memory_equal(one->normals, two->normals, (size_t)one->n_facets * sizeof *one->normals);
  assert_memory_equal(one->offsets, two->offsets, (size_t)one->n_facets * sizeof *one->offsets);
  srs_polytope_destroy(one);
  srs_polytope_destroy(two);
}

static void assert_refused(const double *points, int n, int dimension, const double *centre, srs_status expected,
                           const char *says)
{
  srs_polytope *polytope = (srs_polytope *)points;
  srs_error error = {0};
  assert_int_equal(srs_polytope_create(points, n, dimension, centre, &polytope, &error), expected);
  assert_null(polytope);
  if (strstr(error.message, says) == NULL) fail_msg("'%s' does not say '%s'", error.message, says);
}

static void bodies_without_inside_are_refused(void **state)
{
  (void)state;
  const double flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, line[] = {0, 0, 1, 1, 2, 2, 3, 3}, same[8] = {1};
  const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[] = {0, 0, NAN, 0, 0, 1};
  assert_refused(flat, 4, 3, NULL, SRS_ERROR_MODEL, "volume");
  assert_refused(line, 4, 2, NULL, SRS_ERROR_MODEL, "area");
  assert_refused(same, 4, 2, NULL, SRS_ERROR_MODEL, "area");
  assert_refused(corner, 3, 3, NULL, SRS_ERROR_MODEL, "4 or more");
  assert_refused(corner, 4, 3, (const double[]){1, 1, 1}, SRS_ERROR_MODEL, "not inside");
  assert_refused(corner, 4, 3, (const double[]){0, 0, 0}, SRS_ERROR_MODEL, "not inside");
  assert_refused(corner, 4, 3, (const double[]){0, NAN, 0}, SRS_ERROR_NOT_FINITE, "centre");
  assert_refused(bad, 3, 2, NULL, SRS_ERROR_NOT_FINITE, "point 1");
  assert_refused(corner, 4, 4, NULL, SRS_ERROR_ARGUMENT, "dimensions");
  assert_int_equal(srs_polytope_create(NULL, 4, 3, NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facets_hold_all_corners),
      cmocka_unit_test(the_centre_is_the_centroid_unless_it_is_given),
      cmocka_unit_test(the_same_points_give_the_same_facets_in_any_order),
      cmocka_unit_test(bodies_without_inside_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
