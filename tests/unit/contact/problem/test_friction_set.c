// The sets of friction that the judge projects on: nearest points by what makes them the nearest, and by hand.
#include "contact/problem/friction_set.h"
#include "support/testing.h"

#include <math.h>

static const double few_roundings = 1e-17; // of long double

// p is the point of a convex set nearest to t where no point c of the set has (t - p) . (c - p) > 0. A linear function
// is largest at a corner.
static void assert_nearest(const srs_friction_set *set, int d, srs_wide r, const srs_wide *t, const srs_wide *p)
{
  srs_wide away[3], size = 0;
  for (int k = 0; k < d; k++) away[k] = t[k] - p[k], size = fmaxl(size, fabsl(t[k]));
  assert_true(srs_friction_set_gauge(set, d, p) <= r * (1 + few_roundings) + size * few_roundings);
  srs_wide along = 0;
  for (int k = 0; k < d; k++) along += away[k] * p[k];
  const srs_wide tolerance = 100 * few_roundings * (r + size) * (r + size);
  for (int k = 0; k < set->n && d >= 2; k++)
    assert_true(r * (away[0] * set->corner[k][0] + away[1] * set->corner[k][1]) - along <= tolerance);
  if (d == 3 || d == 1) assert_true(r * fabsl(away[d - 1]) - along <= tolerance);
  if (set->n == 0 || d == 1) assert_true(r * srs_wide_length(d, away) - along <= tolerance);
}

static void the_nearest_point_is_the_nearest(void **state)
{
  (void)state;
  testing_random random = testing_random_start(801);
  for (int i = 0; i < 20000; i++) {
    const int d = 1 + testing_below(&random, 3), n = 2 * testing_below(&random, 33);
    srs_friction_set set;
    srs_friction_set_make(n == 2 ? 4 : n, testing_uniform(&random, -4, 4), &set);
    const srs_wide r = testing_below(&random, 8) == 0 ? 0 : pow(10, testing_uniform(&random, -3, 3));
    srs_wide t[3], p[3];
    for (int k = 0; k < d; k++) t[k] = testing_uniform(&random, -3, 3) * (r > 0 ? (double)r : 1);
    const bool is_in = srs_friction_set_project(&set, d, r, t, p);
    assert_int_equal(is_in, srs_friction_set_gauge(&set, d, t) <= r);
    for (int k = 0; k < d && is_in; k++) assert_true(p[k] == t[k]);
    assert_nearest(&set, d, r, t, p);
  }
}

// Four directions and spin: an octahedron, |x| + |y| + |z| <= r.
static void the_octahedron_by_hand(void **state)
{
  (void)state;
  srs_friction_set set;
  srs_friction_set_make(4, 0, &set);
  const srs_wide t[3] = {0.5L, 0, 0.75L}, beyond[3] = {3, 0, -1};
  srs_wide p[3];
  assert_true(fabsl(srs_friction_set_gauge(&set, 3, t) - 1.25L) < few_roundings);
  assert_false(srs_friction_set_project(&set, 3, 1, t, p)); // 0.25 too much, on an edge: 0.125 of each
  assert_true(fabsl(p[0] - 0.375L) < few_roundings && fabsl(p[1]) < few_roundings &&
              fabsl(p[2] - 0.625L) < few_roundings);
  assert_false(srs_friction_set_project(&set, 3, 1, beyond, p)); // the corner
  assert_true(fabsl(p[0] - 1) < few_roundings && fabsl(p[1]) < few_roundings && fabsl(p[2]) < few_roundings);
}

// max -c . u over the set
static void slip_is_what_the_set_takes_most(void **state)
{
  (void)state;
  srs_friction_set cone, four;
  srs_friction_set_make(0, 0, &cone);
  srs_friction_set_make(4, 0, &four);
  const srs_wide u[3] = {3, -4, 2};
  assert_true(srs_friction_set_slip(&cone, 2, u) == 5);
  assert_true(fabsl(srs_friction_set_slip(&four, 2, u) - 4) < few_roundings);
  assert_true(fabsl(srs_friction_set_slip(&four, 3, (srs_wide[3]){1, 1, -7}) - 7) < few_roundings);
  assert_true(srs_friction_set_slip(&four, 1, (srs_wide[1]){-2}) == 2);
  assert_true(srs_friction_set_slip(&four, 0, u) == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_point_is_the_nearest),
      cmocka_unit_test(the_octahedron_by_hand),
      cmocka_unit_test(slip_is_what_the_set_takes_most),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
