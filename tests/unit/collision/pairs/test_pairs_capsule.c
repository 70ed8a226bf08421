// Capsules against capsules.

#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

static void capsules_touch_where_nothing_is_nearer(void **state)
{
  (void)state;
  check_poses(srs_pair_capsule_capsule, SRS_SHAPE_CAPSULE, SRS_SHAPE_CAPSULE);
}

static void gaps_of_capsules_are_continuous(void **state)
{
  (void)state;
  check_paths(srs_pair_capsule_capsule, SRS_SHAPE_CAPSULE, SRS_SHAPE_CAPSULE);
}

static int meet(const srs_placed *a, const srs_placed *b, double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  const int n = srs_pair_capsule_capsule(NULL, a, b, margin, touches);
  assert_nodes_are_sound(a, b, margin, touches, n);
  return n;
}

// Two beside each other, 0.05 apart; A's axis reaches from -0.1 to 0.9, B's from -0.5 to 0.5: the overlap is -0.1 to
// 0.5.
static void parallel_capsules_have_two_nodes_at_the_ends_of_their_overlap(void **state)
{
  (void)state;
  testing_random random = testing_random_start(33);
  const srs_solid capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 1, 0);
  for (int i = 0; i < 5000; i++) {
    // Turned out of parallel by less and less; the nodes move with that, whichever way.
    const double angle = pow(10, testing_uniform(&random, -18, -2));
    const vec3 w = scale3(angle, random_unit(&random));
    const bool reversed = i % 2;
    const mat3 axes = rotation_about((vec3){reversed ? 3.141592653589793 : 0, 0, 0});
    const srs_placed a = {&capsule, mul3(rotation_about(w), axes), {0.45, 0, 0.4}};
    const srs_placed b = {&capsule, mat3_identity, vec3_zero};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.1, touches);
    if (angle < 1e-7) assert_int_equal(n, 2);
    assert_in_range(n, 2, 3);
    const double ends[2] = {-0.1, 0.5};
    for (int k = 0; k < 2; k++) {
      const srs_touch *t = &touches[touches[0].feature == (uint32_t)(reversed ? 1 - k : k) ? 0 : 1];
      assert_true(fabs(t->b.z - ends[k]) < 3 * angle + 1e-12);
      assert_true(fabs(t->gap - 0.05) < 3 * angle + 1e-12);
      assert_true(fabs(t->normal.x - 1) < 9 * angle + 1e-12);
    }
  }
}

static void an_overlap_that_shrinks_to_nothing_ends_in_one_node(void **state)
{
  (void)state;
  const srs_solid capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 1, 0);
  const srs_placed b = {&capsule, mat3_identity, vec3_zero};
  for (int k = -10; k <= 10; k++) {
    const srs_placed a = {&capsule, mat3_identity, {0.45, 0, 1 - k * 1e-4}};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, 0.1, touches), k > 0 ? 2 : 1);
    const double beyond = fmax(0, -k * 1e-4);
    assert_true(fabs(touches[0].gap - (hypot(0.45, beyond) - 0.4)) < 1e-15);
  }
}

static void axes_that_meet_have_a_normal_across_both(void **state)
{
  (void)state;
  testing_random random = testing_random_start(34);
  const srs_solid capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 1, 0);
  const srs_placed b = {&capsule, mat3_identity, vec3_zero};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  for (int i = 0; i < 1000; i++) {
    const double angle = i == 0 ? 0 : pow(10, testing_uniform(&random, -17, 0)), off = i % 3 == 0 ? 0 : 1e-17;
    const srs_placed a = {&capsule, rotation_about((vec3){angle, 0, 0}), {off, 0, 0.1}};
    const int n = meet(&a, &b, 0, touches);
    assert_true(n >= 1);
    const srs_touch *deepest = &touches[deepest_of(touches, n)];
    assert_true(fabs(deepest->gap + 0.4) < 1e-14);
    assert_true(fabs(dot3(deepest->normal, b.axes.z)) < 1e-14);
    assert_true(fabs(dot3(deepest->normal, a.axes.z)) < 1e-14);
  }
  const srs_placed same = {&capsule, mat3_identity, vec3_zero};
  assert_int_equal(meet(&same, &b, 0, touches), 2);
  assert_true(touches[0].gap == -0.4 && touches[1].gap == -0.4);
}

static void capsules_without_length_are_spheres(void **state)
{
  (void)state;
  testing_random random = testing_random_start(35);
  for (int i = 0; i < 1000; i++) {
    const srs_solid capsule_a = solid_of(SRS_SHAPE_CAPSULE, 0.3, 0, 0),
                    capsule_b = solid_of(SRS_SHAPE_CAPSULE, 0.5, 0, 0);
    const srs_placed a = {&capsule_a, random_axes(&random), random_vector(&random, 1)};
    const srs_placed b = {&capsule_b, random_axes(&random), random_vector(&random, 1)};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, 10, touches), 1);
    assert_true(fabs(touches[0].gap - (norm3(sub3(a.origin, b.origin)) - 0.8)) < 1e-15);
  }
}

// Looked for within any distance, as distances between bodies are: what counts as rounding does not grow with it.
static void the_nearest_points_do_not_depend_on_the_margin(void **state)
{
  (void)state;
  testing_random random = testing_random_start(36);
  for (int i = 0; i < 20000; i++) {
    const srs_solid solid_a = random_solid(&random, SRS_SHAPE_CAPSULE),
                    solid_b = random_solid(&random, SRS_SHAPE_CAPSULE);
    const mat3 axes = random_axes(&random);
    const mat3 turn = rotation_about(scale3(testing_uniform(&random, 0, 1), random_unit(&random)));
    const srs_placed a = {&solid_a, axes, random_vector(&random, 1)};
    const srs_placed b = {&solid_b, mul3(turn, axes), random_vector(&random, 1)};
    srs_touch near[SRS_MANIFOLD_POINTS], far[SRS_MANIFOLD_POINTS];
    const int n_near = srs_pair_capsule_capsule(NULL, &a, &b, 10, near);
    const int n_far = srs_pair_capsule_capsule(NULL, &a, &b, 1e15, far);
    assert_int_equal(n_near, n_far);
    assert_true(near[deepest_of(near, n_near)].gap == far[deepest_of(far, n_far)].gap);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(capsules_touch_where_nothing_is_nearer),
      cmocka_unit_test(parallel_capsules_have_two_nodes_at_the_ends_of_their_overlap),
      cmocka_unit_test(an_overlap_that_shrinks_to_nothing_ends_in_one_node),
      cmocka_unit_test(axes_that_meet_have_a_normal_across_both),
      cmocka_unit_test(capsules_without_length_are_spheres),
      cmocka_unit_test(gaps_of_capsules_are_continuous),
      cmocka_unit_test(the_nearest_points_do_not_depend_on_the_margin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
