// Farthest corners of hulls against a plain loop over all: the same corner, bit for bit, also where several are as far.
#include "collision/shapes/hull_support.h"
#include "collision/shapes/solid.h"
#include "support/testing.h"

#include <stdlib.h>

static srs_hull *hull_of(const double *points, int n)
{
  srs_hull *hull = NULL;
  assert_int_equal(srs_hull_create(points, n, &hull, NULL), SRS_OK);
  return hull;
}

static int first_farthest(const srs_hull *hull, vec3 d)
{
  int best = 0;
  for (int i = 1; i < hull->n_corners; i++)
    if (dot3(hull->corners[i], d) > dot3(hull->corners[best], d)) best = i;
  return best;
}

static vec3 random_vector(testing_random *random)
{
  const double x = testing_uniform(random, -1, 1), y = testing_uniform(random, -1, 1);
  return (vec3){x, y, testing_uniform(random, -1, 1)};
}

static void the_farthest_corner_is_that_of_a_plain_loop(void **state)
{
  (void)state;
  testing_random random = testing_random_start(91);
  double points[3 * 200];
  for (int trial = 0; trial < 500; trial++) {
    const int n = trial < 60 ? 4 + trial : 4 + testing_below(&random, 197); // all ways to fill up the last eight
    const vec3 shift = trial % 2 ? (vec3){100, -30, 7} : vec3_zero;
    for (int i = 0; i < n; i++) {
      const vec3 p = random_vector(&random);
      vec3_store(points + 3 * (size_t)i, add3(shift, scale3(1 / norm3(p), p)));
    }
    srs_hull *hull = hull_of(points, n);
    for (int k = 0; k < 200; k++) {
      const vec3 d = random_vector(&random);
      assert_int_equal(srs_hull_support(hull, d), first_farthest(hull, d));
    }
    for (int i = 0; i < hull->n_corners; i++) // each has its turn
      if (trial % 2 == 0) assert_int_equal(srs_hull_support(hull, hull->corners[i]), i);
    free(hull);
  }
}

static void of_corners_that_are_as_far_the_first_is_taken(void **state)
{
  (void)state;
  double points[3 * 64];
  int n = 0;
  for (int i = 0; i < 16; i++) // a prism: whole caps are farthest, and sides
    for (int z = -1; z <= 1; z += 2)
      vec3_store(points + 3 * (size_t)n++, (vec3){cos(i * M_PI / 8), sin(i * M_PI / 8), z});
  srs_hull *hull = hull_of(points, n);
  assert_int_equal(hull->n_corners, 32);
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++)
      for (int z = -1; z <= 1; z++) {
        const vec3 d = {x, y, z}; // {0, 0, 0} too: all are as far
        assert_int_equal(srs_hull_support(hull, d), first_farthest(hull, d));
      }
  free(hull);
}

static int first_as_far(const srs_hull *hull, vec3 d, double far, int from)
{
  int i = from;
  while (i < hull->n_corners && !(dot3(hull->corners[i], d) >= far)) i++;
  return i;
}

static void corners_that_are_as_far_come_in_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(92);
  double points[3 * 40];
  for (int n = 4; n <= 40; n++) { // all ways to fill up: what fills up is as far as the first corner, but is none
    for (int i = 0; i < n; i++) {
      const vec3 p = random_vector(&random);
      vec3_store(points + 3 * (size_t)i, scale3(1 / norm3(p), p));
    }
    srs_hull *hull = hull_of(points, n);
    for (int k = 0; k < 50; k++) {
      const vec3 d = k == 0 ? hull->corners[0] : random_vector(&random);
      const double far = testing_uniform(&random, -1, 1);
      for (int from = 0; from <= hull->n_corners; from++)
        assert_int_equal(srs_hull_next_as_far(hull, d, far, from), first_as_far(hull, d, far, from));
    }
    free(hull);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_farthest_corner_is_that_of_a_plain_loop),
      cmocka_unit_test(of_corners_that_are_as_far_the_first_is_taken),
      cmocka_unit_test(corners_that_are_as_far_come_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
