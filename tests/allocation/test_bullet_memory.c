// Bullet takes no memory once it is made; and when there is none while it is made, that is said and nothing
// leaks.
//
// The allocator is interposed: requests are counted, and while armed the n-th fails and all after it. What comes of
// that is asked of the shim alone (SARRUS_WITH_SHIM): libbulletc's own constructors write to memory that they did not
// get.
#include "allocation/counted_allocator.h"
#include "collision/bullet/bullet_pair.h"
#include "collision/bullet/bullet_shape.h"
#include "collision/shapes/solid.h"
#include "support/testing.h"

enum { KINDS = 6 };
static srs_solid solids[KINDS] = {{.kind = SRS_SHAPE_BOX, .size = {1, 0.8, 0.6}, .radius = 0.8},
                                  {.kind = SRS_SHAPE_CYLINDER, .size = {0.4, 1}, .radius = 0.7},
                                  {.kind = SRS_SHAPE_CONE, .size = {0.5, 1}, .radius = 0.8},
                                  {.kind = SRS_SHAPE_HULL, .radius = 0.5},
                                  {.kind = SRS_SHAPE_CAPSULE, .size = {0.2, 1}, .radius = 0.7},
                                  {.kind = SRS_SHAPE_SPHERE, .size = {0.4}, .radius = 0.4}};

static void the_counter_counts_bullet_too(void **state)
{
  (void)state;
  const long before = requests;
  srs_bullet_pair *pair = srs_bullet_pair_create();
  assert_true(requests - before > 3); // its own piece, and Bullet's
  srs_bullet_pair_destroy(pair);
}

static void nearest_points_take_no_memory(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1);
  srs_bullet_pair *pair = srs_bullet_pair_create();
  for (int i = 0; i < KINDS; i++) solids[i].bullet = srs_bullet_shape_create(&solids[i], 1);
  const long before = requests;
  for (int pose = 0; pose < 20000; pose++) {
    const double w = testing_uniform(&random, 0, 0.7), x = testing_uniform(&random, 0, 0.7),
                 y = sqrt(1 - w * w - x * x);
    const double q[4] = {w, x, y, 0}; // unit
    const srs_placed a = {&solids[pose % KINDS], mat3_identity, {0, 0, 0}};
    const srs_placed b = {
        &solids[pose / KINDS % KINDS], mat3_from_quaternion(q), {testing_uniform(&random, -2, 2), 0.1, 0.2}};
    srs_touch touch;
    srs_bullet_closest(pair, &a, &b, 0.5, &touch);
  }
  assert_int_equal(requests, before);
  for (int i = 0; i < KINDS; i++) srs_bullet_shape_destroy(solids[i].bullet);
  srs_bullet_pair_destroy(pair);
}

#ifdef SARRUS_WITH_SHIM
// Every n-th request fails in turn until making it succeeds.
static void without_memory_nothing_is_made_and_nothing_leaks(void **state)
{
  (void)state;
  for (int kind = -1; kind < KINDS; kind++) {
    bool is_made = false;
    for (int granted = 0; !is_made; granted++) {
      assert_in_range(granted, 0, 20);
      left = granted, live = 0, armed = true;
      void *made = kind < 0 ? (void *)srs_bullet_pair_create() : srs_bullet_shape_create(&solids[kind], 1);
      if (kind < 0)
        srs_bullet_pair_destroy(made);
      else
        srs_bullet_shape_destroy(made);
      armed = false;
      is_made = made != NULL;
      assert_int_equal(live, 0);
    }
  }
}

static void without_memory_bullet_cannot_be_checked(void **state)
{
  (void)state;
  armed = true, left = 0;
  const srs_status status = srs_bullet_check(NULL);
  armed = false;
  assert_int_equal(status, SRS_ERROR_MEMORY);
}
#endif

int main(void)
{
  static const double corners[18] = {0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5};
  srs_hull *octahedron;
  if (srs_hull_create(corners, 6, &octahedron, NULL) != SRS_OK) return 1;
  solids[3].hull = octahedron;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_counts_bullet_too),
      cmocka_unit_test(nearest_points_take_no_memory),
#ifdef SARRUS_WITH_SHIM
      cmocka_unit_test(without_memory_nothing_is_made_and_nothing_leaks),
      cmocka_unit_test(without_memory_bullet_cannot_be_checked),
#endif
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(octahedron);
  return failed;
}
