// Boxes against capsules.

#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

static void boxes_and_capsules_touch_where_nothing_is_nearer(void **state)
{
  (void)state;
  check_poses(srs_pair_box_capsule, SRS_SHAPE_BOX, SRS_SHAPE_CAPSULE);
}

static void gaps_of_boxes_and_capsules_are_continuous(void **state)
{
  (void)state;
  check_paths(srs_pair_box_capsule, SRS_SHAPE_BOX, SRS_SHAPE_CAPSULE);
}

static const double QUARTER = 1.5707963267948966;

static int meet(const srs_placed *a, const srs_placed *b, double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  const int n = srs_pair_box_capsule(NULL, a, b, margin, touches);
  assert_nodes_are_sound(a, b, margin, touches, n);
  return n;
}

// A capsule that lies along x at the height of 0.2 + gap over a box's upper face, 1 x 0.6.
static srs_placed lying(const srs_solid *capsule, double x, double y, double gap)
{
  return (srs_placed){capsule, rotation_about((vec3){0, QUARTER, 0}), {x, y, 0.5 + 0.2 + gap}};
}

static void a_capsule_on_a_face_has_two_nodes_at_its_ends_or_the_face_s(void **state)
{
  (void)state;
  testing_random random = testing_random_start(36);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 1, 0.6, 1), capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 0.8, 0);
  const srs_placed a = {&box, mat3_identity, vec3_zero};
  for (int i = 0; i < 5000; i++) {
    const double angle = i % 2 == 0 ? 0 : pow(10, testing_uniform(&random, -18, -3));
    const double x = testing_uniform(&random, -0.5, 0.5), gap = testing_uniform(&random, -0.1, 0.005);
    srs_placed b = lying(&capsule, x, testing_uniform(&random, -0.29, 0.29), gap);
    b.axes = mul3(rotation_about(scale3(angle, random_unit(&random))), b.axes);
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.01, touches);
    if (angle < 1e-7) assert_int_equal(n, 2);
    assert_in_range(n, 2, 3);
    const double ends[2] = {fmax(-0.5, x - 0.4), fmin(0.5, x + 0.4)};
    for (int k = 0; k < 2; k++) {
      assert_int_equal(touches[k].feature, k);
      assert_true(fabs(touches[k].a.x - ends[k]) < angle + 1e-12);
      assert_true(fabs(touches[k].gap - gap) < angle + 1e-12);
      assert_true(fabs(touches[k].normal.z + 1) < 1e-5);
    }
  }
}

static void a_capsule_along_an_edge_has_two_nodes_on_it(void **state)
{
  (void)state;
  testing_random random = testing_random_start(37);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 1, 0.6, 1), capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 0.8, 0);
  const srs_placed a = {&box, mat3_identity, vec3_zero};
  for (int i = 0; i < 5000; i++) {
    const double angle = i % 2 == 0 ? 0 : pow(10, testing_uniform(&random, -18, -3));
    const double around = testing_uniform(&random, 0.1, 1.4), x = testing_uniform(&random, -0.5, 0.5);
    const vec3 edge = {x, 0.3, 0.5}, out = {0, sin(around), cos(around)};
    srs_placed b = lying(&capsule, 0, 0, 0);
    b.origin = add_scaled3(edge, 0.203, out);
    b.axes = mul3(rotation_about(scale3(angle, random_unit(&random))), b.axes);
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.01, touches);
    if (angle == 0) assert_int_equal(n, 2);
    assert_in_range(n, 2, 5);
    const double ends[2] = {fmax(-0.5, x - 0.4), fmin(0.5, x + 0.4)};
    for (int k = 0; k < 2; k++) { // of all nodes one is at each end
      double off = INFINITY;
      for (int m = 0; m < n; m++) {
        const vec3 at = {ends[k], 0.3, 0.5};
        off = fmin(off, norm3(sub3(touches[m].a, at)) + fabs(touches[m].gap - 0.003));
      }
      assert_true(off < 20 * angle + 1e-12);
    }
  }
}

static void a_standing_capsule_has_one_node(void **state)
{
  (void)state;
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 1, 0.6, 1), capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 0.8, 0);
  const srs_placed a = {&box, mat3_identity, vec3_zero}, b = {&capsule, mat3_identity, {0.1, 0.1, 1.101}};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  assert_int_equal(meet(&a, &b, 0.01, touches), 1);
  assert_true(fabs(touches[0].gap - 0.001) < 1e-15);
  assert_true(touches[0].normal.z == -1);
}

// Through the middle, along each axis of the box, and without length: as deep as the nearest face and the radius.
static void a_capsule_in_the_middle_is_as_deep_as_the_nearest_face(void **state)
{
  (void)state;
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 1, 0.6, 1), capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 4, 0),
                  ball = solid_of(SRS_SHAPE_CAPSULE, 0.2, 0, 0);
  const srs_placed a = {&box, mat3_identity, vec3_zero};
  const vec3 turns[3] = {{0, 0, 0}, {QUARTER, 0, 0}, {0, QUARTER, 0}};
  const double depths[3] = {0.5, 0.7, 0.5};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  for (int i = 0; i < 3; i++) {
    srs_placed b = {&capsule, rotation_about(turns[i]), vec3_zero};
    int n = meet(&a, &b, 0, touches);
    assert_true(n > 0 && fabs(touches[deepest_of(touches, n)].gap + depths[i]) < 1e-14);
    b.solid = &ball;
    n = meet(&a, &b, 0, touches);
    assert_true(n == 1 && fabs(touches[0].gap + 0.5) < 1e-14);
  }
}

static void flat_boxes_meet_capsules_too(void **state)
{
  (void)state;
  testing_random random = testing_random_start(38);
  const srs_solid flat = solid_of(SRS_SHAPE_BOX, 1, 0, 1), point = solid_of(SRS_SHAPE_BOX, 0, 0, 0);
  const srs_solid capsule = solid_of(SRS_SHAPE_CAPSULE, 0.2, 1, 0);
  for (int i = 0; i < 1000; i++) {
    const srs_placed a = {i % 2 ? &flat : &point, random_axes(&random), random_vector(&random, 0.5)};
    const srs_placed b = {&capsule, random_axes(&random), random_vector(&random, 0.5)};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 10, touches);
    assert_true(n > 0);
    assert_deepest_is_right(&random, &a, &b, touches, n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_and_capsules_touch_where_nothing_is_nearer),
      cmocka_unit_test(a_capsule_on_a_face_has_two_nodes_at_its_ends_or_the_face_s),
      cmocka_unit_test(a_capsule_along_an_edge_has_two_nodes_on_it),
      cmocka_unit_test(a_standing_capsule_has_one_node),
      cmocka_unit_test(a_capsule_in_the_middle_is_as_deep_as_the_nearest_face),
      cmocka_unit_test(flat_boxes_meet_capsules_too),
      cmocka_unit_test(gaps_of_boxes_and_capsules_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
