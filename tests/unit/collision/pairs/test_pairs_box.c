// Boxes against boxes.

#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

static void boxes_touch_where_nothing_is_nearer(void **state)
{
  (void)state;
  check_poses(srs_pair_box_box, SRS_SHAPE_BOX, SRS_SHAPE_BOX);
}

static void gaps_of_boxes_are_continuous(void **state)
{
  (void)state;
  check_paths(srs_pair_box_box, SRS_SHAPE_BOX, SRS_SHAPE_BOX);
}

static int meet(const srs_placed *a, const srs_placed *b, double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  const int n = srs_pair_box_box(NULL, a, b, margin, touches);
  assert_nodes_are_sound(a, b, margin, touches, n);
  return n;
}

// Is there a node at (x, y) with this gap?
static bool has_node(const srs_touch *touches, int n, double x, double y, double gap, double tolerance)
{
  for (int i = 0; i < n; i++) {
    if (fabs(touches[i].a.x - x) < tolerance && fabs(touches[i].a.y - y) < tolerance &&
        fabs(touches[i].gap - gap) < tolerance)
      return true;
  }
  return false;
}

static void stacked_cubes_have_their_four_corners_as_they_breathe(void **state)
{
  (void)state;
  testing_random random = testing_random_start(39);
  static const double sizes[] = {0.005, 0.1, 1};
  for (int i = 0; i < 3000; i++) {
    const double size = sizes[i % 3], gap = size * (i % 2 ? 1e-4 : -1e-4), breath = i < 3 ? 0 : 1e-13;
    const srs_solid cube = solid_of(SRS_SHAPE_BOX, size, size, size);
    const vec3 shift = random_vector(&random, size * breath);
    const srs_placed b = {&cube, mat3_identity, vec3_zero};
    const srs_placed a = {
        &cube, rotation_about(random_vector(&random, breath)), {shift.x, shift.y, shift.z + size + gap}};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, size * 1e-3, touches), 4);
    for (uint32_t k = 0; k < 4; k++) {
      assert_int_equal(touches[k].feature, k); // A's lower corners
      const double x = (k & 1 ? 0.5 : -0.5) * size, y = (k & 2 ? 0.5 : -0.5) * size;
      assert_true(has_node(touches, 4, x, y, gap, 1e-12 * size));
    }
  }
}

static void faces_meet_in_the_corners_of_what_they_share(void **state)
{
  (void)state;
  const srs_solid cube = solid_of(SRS_SHAPE_BOX, 1, 1, 1), plank = solid_of(SRS_SHAPE_BOX, 4, 0.5, 1);
  const srs_placed b = {&cube, mat3_identity, vec3_zero};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  // Half over.
  srs_placed a = {&cube, mat3_identity, {0.5, 0.25, 1.01}};
  assert_int_equal(meet(&a, &b, 0.1, touches), 4);
  for (int k = 0; k < 4; k++) assert_true(has_node(touches, 4, k & 1 ? 0.5 : 0, k & 2 ? 0.5 : -0.25, 0.01, 1e-14));
  // Turned by 45 degrees: an octagon.
  a = (srs_placed){&cube, rotation_about((vec3){0, 0, 0.7853981633974483}), {0, 0, 0.99}};
  assert_int_equal(meet(&a, &b, 0.1, touches), 8);
  const double cut = 0.70710678118654752 - 0.5; // where x + y = 1 / sqrt 2 meets x = 1/2
  for (int k = 0; k < 8; k++) {
    const double sx = k & 1 ? 1 : -1, sy = k & 2 ? 1 : -1;
    assert_true(has_node(touches, 8, sx * (k & 4 ? 0.5 : cut), sy * (k & 4 ? cut : 0.5), -0.01, 1e-14));
  }
  // Planks that cross: no corner of either lies over the other.
  const srs_placed under = {&plank, mat3_identity, vec3_zero};
  a = (srs_placed){&plank, rotation_about((vec3){1e-13, 1e-13, 1.5707963267948966}), {0.5, 0.1, 1.01}};
  assert_int_equal(meet(&a, &under, 0.1, touches), 4);
  for (int k = 0; k < 4; k++) assert_true(has_node(touches, 4, k & 1 ? 0.75 : 0.25, k & 2 ? 0.25 : -0.25, 0.01, 1e-12));
}

static void edges_that_cross_and_corners_on_faces_have_one_near_node(void **state)
{
  (void)state;
  const srs_solid cube = solid_of(SRS_SHAPE_BOX, 1, 1, 1);
  const double root2 = 0.70710678118654752, root3 = 0.86602540378443865;
  for (int k = 0; k < 2; k++) {
    // B stands on an edge, another one up along y; A likewise, with one down along x.
    const double gap = k ? 0.001 : -0.001;
    const srs_placed b = {&cube, rotation_about((vec3){0, 0.7853981633974483, 0}), vec3_zero};
    srs_placed a = {&cube, rotation_about((vec3){0.7853981633974483, 0, 0}), {0.1, 0.2, 2 * root2 + gap}};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, 0.0005, touches), k ? 0 : 1);
    int n = meet(&a, &b, 0.01, touches);
    assert_true(has_node(touches, n, 0, 0.2, gap, 1e-14));
    assert_true(fabs(touches[0].normal.z - 1) < 1e-15);
    assert_true(fabs(touches[deepest_of(touches, n)].gap - gap) < 1e-15);
    // On a corner, over the flat face of a cube.
    const srs_placed level = {&cube, mat3_identity, vec3_zero};
    const vec3 axis = {-root2, root2, 0}; // turns a corner down
    a.axes = rotation_about(scale3(acos(1 / (2 * root3)), axis));
    a.origin = (vec3){0.1, 0.2, 0.5 + root3 + gap};
    n = meet(&a, &level, 0.01, touches);
    assert_int_equal(n, 1);
    assert_true(has_node(touches, 1, 0.1, 0.2, gap, 1e-12));
  }
}

// Nearest corners and edges, where no direction of faces or edges alone gives the distance.
static void corners_and_edges_have_their_distance(void **state)
{
  (void)state;
  const srs_solid cube = solid_of(SRS_SHAPE_BOX, 1, 1, 1);
  const srs_placed b = {&cube, mat3_identity, vec3_zero};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  for (int k = 0; k < 12; k++) {
    const double d = k == 0 ? 0 : pow(10, -k);
    const srs_placed corner = {&cube, mat3_identity, {1 + d, 1 + 2 * d, 1 + 2 * d}};
    int n = meet(&corner, &b, 10, touches);
    assert_true(n > 0 && fabs(touches[deepest_of(touches, n)].gap - 3 * d) < 2e-15);
    const srs_placed edge = {&cube, mat3_identity, {0.3, 1 + 3 * d, 1 + 4 * d}};
    n = meet(&edge, &b, 5 * d + 1e-3, touches);
    assert_true(n > 0 && fabs(touches[deepest_of(touches, n)].gap - 5 * d) < 2e-15);
    assert_true(n >= 2); // along the edges
  }
}

static void boxes_in_one_middle_are_as_deep_as_half_of_both(void **state)
{
  (void)state;
  const srs_solid one = solid_of(SRS_SHAPE_BOX, 3, 1, 2), other = solid_of(SRS_SHAPE_BOX, 0.5, 0.25, 1);
  const srs_placed a = {&one, mat3_identity, vec3_zero}, b = {&other, mat3_identity, vec3_zero};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  const int n = meet(&a, &b, 0, touches);
  assert_int_equal(n, 4);
  assert_true(touches[deepest_of(touches, n)].gap == -0.625);
}

static void flat_boxes_meet_boxes_too(void **state)
{
  (void)state;
  testing_random random = testing_random_start(40);
  for (int i = 0; i < 1000; i++) {
    srs_solid flat = random_solid(&random, SRS_SHAPE_BOX), thin = random_solid(&random, SRS_SHAPE_BOX);
    flat.size[i % 3] = 0;
    thin.size[0] = thin.size[1] = 0;
    if (i % 5 == 0) thin.size[2] = 0;
    const srs_placed a = {&flat, random_axes(&random), random_vector(&random, 0.5)};
    const srs_placed b = {&thin, random_axes(&random), random_vector(&random, 0.5)};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 10, touches);
    assert_true(n > 0);
    assert_deepest_is_right(&random, &a, &b, touches, n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_touch_where_nothing_is_nearer),
      cmocka_unit_test(stacked_cubes_have_their_four_corners_as_they_breathe),
      cmocka_unit_test(faces_meet_in_the_corners_of_what_they_share),
      cmocka_unit_test(edges_that_cross_and_corners_on_faces_have_one_near_node),
      cmocka_unit_test(corners_and_edges_have_their_distance),
      cmocka_unit_test(boxes_in_one_middle_are_as_deep_as_half_of_both),
      cmocka_unit_test(flat_boxes_meet_boxes_too),
      cmocka_unit_test(gaps_of_boxes_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
