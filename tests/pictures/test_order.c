// Painter's order: of two solids that do not overlap, the one that hides the other comes later.
#include "pictures/drawing.h"
#include "tools/pictures/order.h"

#include <math.h>

static void add_box(sketch *s, const sketch_view *view, const double at[3], const double size[3])
{
  const srs_shape box = shape_of(SRS_SHAPE_BOX, size[0], size[1], size[2]);
  srs_pose world = srs_identity_pose();
  for (int i = 0; i < 3; i++) world.position[i] = at[i];
  const srs_pose pose = sketch_pose(view, &world);
  sketch_shape(s, &box, &pose, 0);
}

static int place_of(const int *order, int n, int solid)
{
  for (int i = 0; i < n; i++)
    if (order[i] == solid) return i;
  return -1;
}

// A long plank in front of a small cube: its centre is farther, and yet it hides the cube.
static void a_plane_between_two_solids_decides_and_not_their_centres(void **state)
{
  (void)state;
  const sketch_view view = sketch_look(70, 0); // nearly along -x
  sketch s = {0};
  const double cube[3] = {0, -5, 0}, unit[3] = {1, 1, 1}, plank[3] = {0, 2, 0}, length[3] = {20, 0.2, 1};
  add_box(&s, &view, plank, length);
  add_box(&s, &view, cube, unit);
  int order[2];
  assert_true(order_solids(&s, order));
  // The viewer is at y < 0 of the plank's plane, so the cube hides it wherever they overlap.
  assert_true(order_compare(&s, 1, 0) == 1);
  assert_int_equal(order[1], 1);
  sketch_destroy(&s);
}

static void a_stack_seen_from_above_is_painted_upwards(void **state)
{
  (void)state;
  const sketch_view view = sketch_look(30, 25);
  sketch s = {0};
  const int heights[5] = {3, 0, 4, 1, 2};
  const double unit[3] = {1, 1, 1};
  for (int i = 0; i < 5; i++) {
    const double at[3] = {0, 0, heights[i]};
    add_box(&s, &view, at, unit);
  }
  int order[5];
  assert_true(order_solids(&s, order));
  for (int i = 0; i < 5; i++) assert_int_equal(heights[order[i]], i);
  sketch_destroy(&s);
}

static void overlap_in_depth_only_leaves_any_order(void **state)
{
  (void)state;
  const sketch_view view = sketch_look(0, 0);
  sketch s = {0};
  const double a[3] = {0, 0, 0}, b[3] = {0, 0, 1}, unit[3] = {1, 1, 1}; // one on the other, seen from the front
  add_box(&s, &view, a, unit);
  add_box(&s, &view, b, unit);
  assert_int_equal(order_compare(&s, 0, 1), 0);
  sketch_destroy(&s);
}

// Boxes on a grid with random sizes: along every line of sight those that are nearer come later.
static void every_line_of_sight_is_painted_from_far_to_near(void **state)
{
  (void)state;
  testing_random random = testing_random_start(9);
  enum { N = 27 };
  for (int round = 0; round < 10; round++) {
    const sketch_view view = sketch_look(testing_uniform(&random, 0, 360), testing_uniform(&random, -80, 80));
    double at[N][3], size[N][3];
    sketch s = {0};
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 3; k++) {
        const int index = k == 0 ? i % 3 : k == 1 ? i / 3 % 3 : i / 9;
        at[i][k] = index;
        size[i][k] = testing_uniform(&random, 0.3, 1);
      }
      add_box(&s, &view, at[i], size[i]);
    }
    int order[N];
    assert_true(order_solids(&s, order));
    for (int ray = 0; ray < 200; ray++) { // the boxes that a ray toward the viewer passes, in its order
      double from[3], last = -INFINITY;
      for (int k = 0; k < 3; k++) from[k] = testing_uniform(&random, -0.5, 2.5);
      double enters[N];
      for (int i = 0; i < N; i++) {
        double enter = -INFINITY, leave = INFINITY;
        for (int k = 0; k < 3; k++) {
          const double d = view.axes[6 + (size_t)k], a = (at[i][k] - size[i][k] / 2 - from[k]) / d,
                       b = (at[i][k] + size[i][k] / 2 - from[k]) / d;
          enter = fmax(enter, fmin(a, b));
          leave = fmin(leave, fmax(a, b));
        }
        enters[i] = enter < leave ? enter : NAN;
      }
      for (int i = 0; i < N; i++) {
        const double enter = enters[order[i]];
        if (isnan(enter)) continue;
        assert_true(enter >= last);
        last = enter;
      }
    }
    assert_true(place_of(order, N, 0) >= 0);
    sketch_destroy(&s);
  }
}

static void a_circle_of_three_ends(void **state)
{
  (void)state;
  sketch s = {0};
  const sketch_view view = sketch_look(0, 90);
  // Three beams, each lying on the next one's end.
  for (int i = 0; i < 3; i++) {
    const double angle = 2 * acos(-1) / 3 * i, rpy[3] = {0, 0.2, angle + 0.5};
    const srs_shape beam = shape_of(SRS_SHAPE_BOX, 3, 0.3, 0.1);
    srs_pose world = {.position = {cos(angle), sin(angle), 0}};
    srs_rotation_from_rpy(rpy, world.rotation);
    const srs_pose pose = sketch_pose(&view, &world);
    sketch_shape(&s, &beam, &pose, i);
  }
  int order[3];
  assert_true(order_solids(&s, order));
  assert_int_equal(order[0] + order[1] + order[2], 3);
  sketch_destroy(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plane_between_two_solids_decides_and_not_their_centres),
      cmocka_unit_test(a_stack_seen_from_above_is_painted_upwards),
      cmocka_unit_test(overlap_in_depth_only_leaves_any_order),
      cmocka_unit_test(every_line_of_sight_is_painted_from_far_to_near),
      cmocka_unit_test(a_circle_of_three_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
