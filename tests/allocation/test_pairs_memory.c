// Does finding contact points take memory? malloc and its kin are interposed and counted, as in test_allocation.c.

#include "allocation/counted_allocator.h"
#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

enum { CORNERS = 1000 };

static const struct {
  srs_pair_function *pair;
  srs_shape_kind a, b;
} pairs[] = {
    {srs_pair_sphere_sphere, SRS_SHAPE_SPHERE, SRS_SHAPE_SPHERE},
    {srs_pair_sphere_box, SRS_SHAPE_SPHERE, SRS_SHAPE_BOX},
    {srs_pair_sphere_capsule, SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE},
    {srs_pair_sphere_cylinder, SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER},
    {srs_pair_capsule_capsule, SRS_SHAPE_CAPSULE, SRS_SHAPE_CAPSULE},
    {srs_pair_box_capsule, SRS_SHAPE_BOX, SRS_SHAPE_CAPSULE},
    {srs_pair_box_box, SRS_SHAPE_BOX, SRS_SHAPE_BOX},
    {srs_pair_sphere_half_space, SRS_SHAPE_SPHERE, SRS_SHAPE_HALF_SPACE},
    {srs_pair_box_half_space, SRS_SHAPE_BOX, SRS_SHAPE_HALF_SPACE},
    {srs_pair_capsule_half_space, SRS_SHAPE_CAPSULE, SRS_SHAPE_HALF_SPACE},
    {srs_pair_cylinder_half_space, SRS_SHAPE_CYLINDER, SRS_SHAPE_HALF_SPACE},
    {srs_pair_cone_half_space, SRS_SHAPE_CONE, SRS_SHAPE_HALF_SPACE},
    {srs_pair_ellipsoid_half_space, SRS_SHAPE_ELLIPSOID, SRS_SHAPE_HALF_SPACE},
    {srs_pair_hull_half_space, SRS_SHAPE_HULL, SRS_SHAPE_HALF_SPACE},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static vec3 corners[CORNERS];
static const srs_hull hull = {.n_corners = CORNERS, .corners = corners};

static void the_counter_counts(void **state)
{
  (void)state;
  const long before = requests;
  void *volatile memory = malloc(10);
  free(memory);
  assert_true(requests > before);
}

// And the same placements give the same bits whatever was asked between.
static void no_pair_takes_memory_or_remembers(void **state)
{
  (void)state;
  testing_random random = testing_random_start(61);
  for (int i = 0; i < CORNERS; i++) corners[i] = random_unit(&random);
  srs_touch first[PAIRS][SRS_MANIFOLD_POINTS], touches[SRS_MANIFOLD_POINTS];
  int n_first[PAIRS];
  const long before = requests;
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < PAIRS; i++) {
      testing_random same = random;
      for (int k = 0; k < 1000; k++) {
        srs_solid solid_a = random_solid(&same, pairs[i].a);
        const srs_solid solid_b = random_solid(&same, pairs[i].b);
        solid_a.hull = &hull;
        const srs_placed a = {&solid_a, random_axes(&same), random_vector(&same, 1)};
        const srs_placed b = {&solid_b, random_axes(&same), random_vector(&same, 1)};
        memset(touches, round, sizeof touches);
        const int n = pairs[i].pair(NULL, &a, &b, k % 2 ? 0.1 : 10, touches);
        if (round == 0 && k == 0) n_first[i] = n, memcpy(first[i], touches, sizeof touches);
        if (round == 0 || k > 0) continue;
        assert_int_equal(n, n_first[i]);
        for (int m = 0; m < n; m++) assert_true(touches[m].gap == first[i][m].gap && touches[m].a.x == first[i][m].a.x);
      }
    }
  }
  assert_int_equal(requests, before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_counts),
      cmocka_unit_test(no_pair_takes_memory_or_remembers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
