// Bullet's nearest points against ours, which tests of their own prove, and what Bullet must not depend on.
//
// Its answers are not exact, so what is asserted is what docs/contact.md says of them: of flat and of round-ended
// solids that are apart rounding, of cylinders and cones 1e-4 of their sizes; of overlaps only that the normal holds
// what the gap says, for its way out need not be the shortest.
#include "collision/bullet/bullet_pair.h"
#include "collision/bullet/bullet_shape.h"
#include "collision/gjk/gjk.h"
#include "collision/manifold/convex.h"
#include "collision/shapes/support.h"
#include "support/convex_check.h"

enum { KINDS = 6, POSES = 300 };

static const srs_shape_kind kinds[KINDS] = {SRS_SHAPE_BOX,  SRS_SHAPE_HULL,    SRS_SHAPE_CYLINDER,
                                            SRS_SHAPE_CONE, SRS_SHAPE_CAPSULE, SRS_SHAPE_SPHERE};
static srs_bullet_pair *pair;

static bool is_curved(srs_shape_kind kind) { return kind == SRS_SHAPE_CYLINDER || kind == SRS_SHAPE_CONE; }

static void make(testing_random *random, srs_shape_kind kind, srs_solid *solid)
{
  make_solid(random, kind, solid);
  solid->bullet = srs_bullet_shape_create(solid, 1);
  assert_non_null(solid->bullet);
}

static void drop(srs_solid *solid)
{
  srs_bullet_shape_destroy(solid->bullet);
  release_solid(solid);
}

typedef void each_pair(testing_random *random, const srs_placed *a, const srs_placed *b);

static void for_random_poses(uint64_t seed, double most, each_pair *check)
{
  testing_random random = testing_random_start(seed);
  for (int i = 0; i < KINDS; i++)
    for (int k = i; k < KINDS; k++)
      for (int pose = 0; pose < POSES; pose++) {
        srs_solid a, b;
        make(&random, kinds[i], &a), make(&random, kinds[k], &b);
        const srs_placed at_a = random_placed(&random, &a, 2);
        srs_placed at_b = random_placed(&random, &b, 0);
        at_b.origin = add_scaled3(at_a.origin, testing_uniform(&random, 0, most), random_unit(&random));
        check(&random, &at_a, &at_b);
        drop(&a), drop(&b);
      }
}

static void check_gap(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch exact, found;
  (void)random;
  assert_true(srs_gjk_closest(a, b, 100, &exact));
  assert_true(srs_bullet_closest(pair, a, b, 100, &found));
  const double size = a->solid->radius + b->solid->radius;
  const double part = is_curved(a->solid->kind) || is_curved(b->solid->kind) ? 2e-4 : 1e-9;
  assert_true(fabs(norm3(found.normal) - 1) < 1e-14);
  assert_true(fabs(srs_separation(a, b, found.normal) - found.gap) < 1e-4 * size);
  assert_true(found.gap < exact.gap + 1e-4 * size); // nothing tells them farther apart
  if (exact.gap < 1e-3) return;
  if (!(fabs(found.gap - exact.gap) < part * size))
    print_error("kinds %d %d gap %.17g exact %.17g\n", a->solid->kind, b->solid->kind, found.gap, exact.gap);
  assert_true(fabs(found.gap - exact.gap) < part * size);
}

static void gaps_are_right_where_solids_are_apart(void **state)
{
  (void)state;
  for_random_poses(11, 3, check_gap);
}

// Moved until they touch, where Bullet's own normals are worst.
static void check_touching(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  static const double gaps[] = {1e-6, 1e-9, 0, -1e-9, -1e-6};
  srs_touch exact, found;
  srs_placed moved = *b;
  assert_true(srs_gjk_closest(a, b, 100, &exact));
  if (exact.gap < 0) return;
  moved.origin = add_scaled3(b->origin, exact.gap - gaps[testing_below(random, 5)], exact.normal);
  assert_true(srs_gjk_closest(a, &moved, 100, &exact));
  assert_true(srs_bullet_closest(pair, a, &moved, 100, &found));
  const double size = a->solid->radius + b->solid->radius;
  if (!(fabs(found.gap - exact.gap) < 5e-3 * size))
    print_error("kinds %d %d gap %.17g exact %.17g\n", a->solid->kind, b->solid->kind, found.gap, exact.gap);
  assert_true(fabs(found.gap - exact.gap) < 5e-3 * size);
}

static void touching_solids_are_seen_to_touch(void **state)
{
  (void)state;
  for_random_poses(12, 3, check_touching);
}

// The manifold's points lie on both solids as far as the gap is right, and bound the contact.
static void check_manifold(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch touches[SRS_MANIFOLD_POINTS];
  (void)random;
  const int n = srs_pair_bullet(pair, a, b, 1, touches);
  assert_in_range(n, 0, SRS_MANIFOLD_POINTS);
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    assert_true(fabs(dot3(touches[i].normal, sub3(touches[i].a, touches[i].b)) - touches[i].gap) < 1e-9);
    least = fmin(least, touches[i].gap);
  }
  srs_touch exact;
  const double size = a->solid->radius + b->solid->radius;
  if (srs_gjk_closest(a, b, 1, &exact) && exact.gap > 1e-3 && exact.gap < 0.99) {
    if (!(fabs(least - exact.gap) < 2e-4 * size))
      print_error("kinds %d %d least %.17g exact %.17g of %d\n", a->solid->kind, b->solid->kind, least, exact.gap, n);
    assert_true(fabs(least - exact.gap) < 2e-4 * size);
  }
}

static void manifolds_have_the_gap(void **state)
{
  (void)state;
  for_random_poses(13, 2, check_manifold);
}

static void check_fresh(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch fresh, used;
  (void)random;
  memset(&fresh, 0, sizeof fresh), memset(&used, 0, sizeof used); // padding too
  srs_bullet_pair *new_one = srs_bullet_pair_create();
  assert_non_null(new_one);
  assert_int_equal(srs_bullet_closest(new_one, a, b, 1, &fresh), srs_bullet_closest(pair, a, b, 1, &used));
  assert_memory_equal(&fresh, &used, sizeof fresh);
  srs_bullet_pair_destroy(new_one);
}

static void used_and_fresh_give_the_same_bits(void **state)
{
  (void)state;
  for_random_poses(14, 3, check_fresh);
}

static void check_limit(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch exact, found;
  assert_true(srs_gjk_closest(a, b, 100, &exact));
  if (exact.gap < 1e-2) return;
  const double part = testing_uniform(random, 0, 2), size = a->solid->radius + b->solid->radius;
  if (fabs(part - 1) * exact.gap < 1e-3 * size) return; // too near to tell
  assert_int_equal(srs_bullet_closest(pair, a, b, part * exact.gap, &found), part > 1);
}

static void pairs_farther_apart_than_asked_are_refused(void **state)
{
  (void)state;
  for_random_poses(15, 4, check_limit);
}

// Bullet's tolerances are lengths, but answers scale with the solids, by powers of two to the bit.
static void answers_do_not_depend_on_the_unit_of_length(void **state)
{
  (void)state;
  testing_random random = testing_random_start(16);
  for (int i = 0; i < 2000; i++) {
    const double factor = ldexp(1, testing_below(&random, 40) - 20);
    srs_solid solids[4];
    for (int k = 0; k < 2; k++) {
      make_solid(&random, kinds[testing_below(&random, KINDS - 1) + 1], &solids[k]);
      if (solids[k].kind == SRS_SHAPE_HULL) drop(&solids[k]), solids[k] = solid_of(SRS_SHAPE_BOX, 0.3, 0.4, 0.5);
      solids[k + 2] = solids[k];
      for (int x = 0; x < 3; x++) solids[k + 2].size[x] *= factor;
      solids[k + 2].radius *= factor;
    }
    const double unit = srs_bullet_unit_for(fmin(solids[0].radius, solids[1].radius));
    for (int k = 0; k < 4; k++) solids[k].bullet = srs_bullet_shape_create(&solids[k], k < 2 ? unit : factor * unit);
    const srs_placed a = random_placed(&random, &solids[0], 0.5), b = random_placed(&random, &solids[1], 0.5);
    const srs_placed large_a = {&solids[2], a.axes, scale3(factor, a.origin)};
    const srs_placed large_b = {&solids[3], b.axes, scale3(factor, b.origin)};
    srs_touch touch, large;
    assert_true(srs_bullet_closest(pair, &a, &b, 10, &touch));
    assert_true(srs_bullet_closest(pair, &large_a, &large_b, 10 * factor, &large));
    assert_true(large.gap == factor * touch.gap && norm3(sub3(large.normal, touch.normal)) == 0);
    for (int k = 0; k < 4; k++) srs_bullet_shape_destroy(solids[k].bullet);
  }
}

static void bullet_has_double_precision_and_its_kinds(void **state)
{
  (void)state;
  assert_int_equal(srs_bullet_check(NULL), SRS_OK);
  const srs_solid half_space = {.kind = SRS_SHAPE_HALF_SPACE}, ellipsoid = {.kind = SRS_SHAPE_ELLIPSOID};
  assert_null(srs_bullet_shape_create(&half_space, 1));
  assert_null(srs_bullet_shape_create(&ellipsoid, 1));
  srs_bullet_shape_destroy(NULL);
  srs_bullet_pair_destroy(NULL);
}

static int set_up(void **state)
{
  (void)state;
  pair = srs_bullet_pair_create();
  return pair != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  srs_bullet_pair_destroy(pair);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_are_right_where_solids_are_apart),
      cmocka_unit_test(touching_solids_are_seen_to_touch),
      cmocka_unit_test(manifolds_have_the_gap),
      cmocka_unit_test(used_and_fresh_give_the_same_bits),
      cmocka_unit_test(pairs_farther_apart_than_asked_are_refused),
      cmocka_unit_test(answers_do_not_depend_on_the_unit_of_length),
      cmocka_unit_test(bullet_has_double_precision_and_its_kinds),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
