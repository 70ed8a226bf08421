// Distances of points from solids. A distance d with normal n is right when p - d n lies on the surface and the whole
// solid lies behind the plane there: outside, nothing is then nearer. Inside, no plane that touches the solid is
// nearer.
#include "collision/shapes/point_distance.h"
#include "support/convex_check.h"

static void check_point(testing_random *random, const srs_placed *placed, vec3 p)
{
  vec3 n;
  const double d = srs_solid_distance(placed, p, &n);
  // A normal is the way from the surface to p: near it, what rounding leaves of that.
  const double rounding = 1e-13 * (1 + norm3(p)) + 4e-16 / fabs(d);
  assert_true(fabs(norm3(n) - 1) < 1e-14);
  const vec3 surface = add_scaled3(p, -d, n);
  assert_true(fabs(solid_height(placed, surface)) < rounding);
  assert_true(fabs(dot3(n, sub3(solid_reach(placed, n), surface))) < rounding);
  for (int i = 0; i < 20; i++) {
    const vec3 other =
        i < 10 ? random_unit(random) : add_scaled3(n, pow(10, testing_uniform(random, -6, 0)), random_unit(random));
    const vec3 m = scale3(1 / norm3(other), other);
    assert_true(dot3(m, sub3(p, solid_reach(placed, m))) <= d + rounding);
  }
}

static void points_are_as_far_as_can_be_proved(void **state)
{
  (void)state;
  testing_random random = testing_random_start(71);
  for (int k = 0; k < CONVEX_KINDS; k++)
    for (int trial = 0; trial < 3000; trial++) {
      srs_solid solid;
      make_solid(&random, convex_kinds[k], &solid);
      const srs_placed placed = random_placed(&random, &solid, 1);
      check_point(&random, &placed, add3(placed.origin, random_vector(&random, trial % 3 == 0 ? 0.2 : 1.5)));
      release_solid(&solid);
    }
}

static void points_on_axes_and_middle_planes_have_a_distance(void **state)
{
  (void)state;
  testing_random random = testing_random_start(72);
  for (int k = 0; k < CONVEX_KINDS; k++)
    for (int trial = 0; trial < 3000; trial++) {
      srs_solid solid;
      make_solid(&random, convex_kinds[k], &solid);
      const srs_placed placed = {&solid, mat3_identity, vec3_zero};
      vec3 p = random_vector(&random, 1);
      if (trial & 1) p.x = trial % 5 == 0 ? 1e-200 : 0;
      if (trial & 2) p.y = trial % 7 == 0 ? -1e-30 : 0;
      if (trial & 4) p.z = trial % 3 == 0 ? 1e-17 : 0;
      check_point(&random, &placed, p);
      release_solid(&solid);
    }
}

// Each part's plane touches the solid, and of all parts the nearest is as far as the solid's surface.
static void ways_out_end_on_the_surface(void **state)
{
  (void)state;
  testing_random random = testing_random_start(73);
  for (int k = 0; k < CONVEX_KINDS; k++)
    for (int trial = 0; trial < 1000; trial++) {
      srs_solid solid;
      make_solid(&random, convex_kinds[k], &solid);
      const srs_placed placed = random_placed(&random, &solid, 1);
      const vec3 p = add3(placed.origin, random_vector(&random, 0.05));
      vec3 n;
      const double nearest = srs_solid_distance(&placed, p, &n);
      double distance, most = -INFINITY;
      int parts = 0;
      for (; nearest < 0 && srs_solid_way_out(&placed, p, parts, &distance, &n); parts++) {
        assert_true(fabs(norm3(n) - 1) < 1e-14);
        assert_true(fabs(dot3(n, sub3(p, solid_reach(&placed, n))) - distance) < 1e-9);
        most = fmax(most, distance);
      }
      if (nearest < 0) assert_true(parts > 0 && fabs(most - nearest) < 1e-14);
      release_solid(&solid);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_as_far_as_can_be_proved),
      cmocka_unit_test(points_on_axes_and_middle_planes_have_a_distance),
      cmocka_unit_test(ways_out_end_on_the_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
