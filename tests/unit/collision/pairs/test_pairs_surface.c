// Superellipsoids and paraboloids with each other and with rounder and flatter solids, judged as all pairs are: apart,
// the points prove the gap; overlapping, no normal nearby sets them farther apart.
#include "collision/pairs/pairs.h"
#include "collision/shapes/support.h"
#include "support/convex_check.h"

static const srs_shape_kind kinds[6] = {SRS_SHAPE_SUPERELLIPSOID, SRS_SHAPE_PARABOLOID, SRS_SHAPE_SPHERE,
                                        SRS_SHAPE_ELLIPSOID,      SRS_SHAPE_BOX,        SRS_SHAPE_CYLINDER};

static double reach_along(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(solid_reach(a, scale3(-1, n)), solid_reach(b, n)));
}

static void check_touch(testing_random *random, const srs_placed *a, const srs_placed *b, const srs_touch *t)
{
  // A superellipsoid's normal is lost to rounding^(1/3) where it is flat.
  assert_true(fabs(norm3(t->normal) - 1) < 1e-12);
  assert_true(norm3(sub3(sub3(t->a, t->b), scale3(t->gap, t->normal))) < 1e-12);
  assert_true(fabs(height(a, t->a)) < 1e-9 && fabs(height(b, t->b)) < 1e-9);
  assert_true(fabs(reach_along(a, b, t->normal) - t->gap) < 1e-9);
  for (int i = 0; i < 20; i++) {
    const vec3 near =
        add_scaled3(t->normal, pow(10, testing_uniform(random, -5, t->gap > 0 ? 0 : -3)), random_unit(random));
    assert_true(reach_along(a, b, scale3(1 / norm3(near), near)) <= t->gap + 1e-9);
  }
}

static void nodes_are_nearest_or_least_deep(void **state)
{
  (void)state;
  testing_random random = testing_random_start(98);
  int n_deep = 0, n_apart = 0;
  for (int trial = 0; trial < pairs_poses() / 2; trial++) {
    const int of_a = trial % 2 == 0 ? 0 : testing_below(&random, 4);
    const int of_b = testing_below(&random, of_a == 1 ? 4 : of_a == 0 ? 6 : 2);
    const srs_solid solids[2] = {random_solid(&random, kinds[of_a]), random_solid(&random, kinds[of_b])};
    const srs_placed a = random_placed(&random, &solids[0], trial % 3 == 0 ? 3 : 0.8);
    const srs_placed b = random_placed(&random, &solids[1], 0.1);
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(srs_pair_surface(NULL, &a, &b, 100, touches), 1);
    check_touch(&random, &a, &b, &touches[0]);
    srs_touch same[SRS_MANIFOLD_POINTS];
    assert_int_equal(srs_pair_surface(NULL, &a, &b, touches[0].gap - 1e-9, same), 0);
    n_deep += touches[0].gap<0, n_apart += touches[0].gap> 0;
  }
  assert_true(n_deep > pairs_poses() / 10 && n_apart > pairs_poses() / 10);
}

static void supports_are_farthest(void **state)
{
  (void)state;
  testing_random random = testing_random_start(99);
  for (int trial = 0; trial < 2000; trial++) {
    const srs_solid solid = random_solid(&random, kinds[trial % 2]);
    const srs_placed placed = random_placed(&random, &solid, 1);
    const vec3 d = trial < 10 ? placed.axes.z : random_unit(&random), p = srs_solid_support(&placed, d);
    assert_true(fabs(height(&placed, p)) < 1e-13);
    assert_true(fabs(dot3(d, sub3(p, solid_reach(&placed, d)))) < 1e-13);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_are_nearest_or_least_deep),
      cmocka_unit_test(supports_are_farthest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
