// The tree over a hull's faces gives what a plain loop over them gives: of hulls that are drawn, round, flat and long,
// with few faces and with thousands.
#include "collision/shapes/hull.h"
#include "support/testing.h"

#include <stdlib.h>

enum { MOST_WAYS = 6 };

static vec3 draw(testing_random *random, double reach)
{
  return (vec3){testing_uniform(random, -reach, reach), testing_uniform(random, -reach, reach),
                testing_uniform(random, -reach, reach)};
}

// Points on an ellipsoid, in a box, or a box's corners alone, whose faces tie.
static srs_hull *draw_hull(testing_random *random, int kind)
{
  const int n = kind == 2 ? 8 : 4 + testing_below(random, kind == 0 ? 1500 : 200);
  const vec3 size = {pow(10, testing_uniform(random, -2, 0)), pow(10, testing_uniform(random, -2, 0)), 1};
  double *points = malloc((size_t)n * 3 * sizeof *points);
  srs_hull *hull = NULL;
  assert_non_null(points);
  for (int i = 0; i < n; i++) {
    vec3 p = draw(random, 1);
    if (kind == 0) p = scale3(1 / norm3(p), p);
    if (kind == 2) p = (vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    vec3_store(points + 3 * (size_t)i, (vec3){size.x * p.x, size.y * p.y, size.z * p.z});
  }
  assert_int_equal(srs_hull_create(points, n, &hull, NULL), SRS_OK);
  free(points);
  return hull;
}

static void check_highest(const srs_hull *hull, vec3 p)
{
  double highest = -INFINITY;
  int top = 0, face;
  for (int i = 0; i < hull->n_faces; i++)
    if (srs_face_height(&hull->tree, i, p) > highest) highest = srs_face_height(&hull->tree, i, p), top = i;
  assert_true(srs_face_tree_highest(&hull->tree, p, INFINITY, &face) == highest);
  assert_int_equal(face, top);
  const double enough = highest - 0.01;
  assert_true(srs_face_tree_highest(&hull->tree, p, enough, &face) > enough);
}

static bool has_all(const srs_hull *hull, int face, const vec3 *ways, const double *least, int n)
{
  for (int i = 0; i < n; i++)
    if (dot3(hull->normals[face], ways[i]) < least[i]) return false;
  return true;
}

static void check_walk(testing_random *random, const srs_hull *hull, vec3 p)
{
  vec3 ways[MOST_WAYS];
  double least[MOST_WAYS], best = -INFINITY, found = -INFINITY;
  const int n = testing_below(random, MOST_WAYS + 1);
  for (int i = 0; i < n; i++) ways[i] = draw(random, 1), least[i] = testing_uniform(random, -1, 0.1);
  for (int i = 0; i < hull->n_faces; i++)
    if (has_all(hull, i, ways, least, n)) best = fmax(best, srs_face_height(&hull->tree, i, p));
  srs_face_walk walk;
  srs_face_walk_start(&hull->tree, p, ways, least, n, &walk);
  int n_met = 0;
  for (int i = srs_face_walk_next(&walk); i >= 0; i = srs_face_walk_next(&walk), n_met++) {
    assert_true(i < hull->n_faces && n_met < hull->n_faces);
    if (has_all(hull, i, ways, least, n)) found = walk.deepest = fmax(found, srs_face_height(&hull->tree, i, p));
  }
  assert_true(found == best);
}

static void the_tree_finds_what_a_loop_finds(void **state)
{
  (void)state;
  testing_random random = testing_random_start(73);
  for (int trial = 0; trial < 120; trial++) {
    srs_hull *hull = draw_hull(&random, trial % 3);
    for (int k = 0; k < 60; k++) {
      const vec3 p = k == 0 ? vec3_zero : draw(&random, k % 3 == 0 ? 2 : 0.3);
      check_highest(hull, p);
      check_walk(&random, hull, p);
    }
    free(hull);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tree_finds_what_a_loop_finds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
