// Planes and terrain: what is filled, where lines are, what is cut off.
#include "pictures/drawing.h"
#include "tools/pictures/ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ground_window window = {
    .left = -2, .bottom = -1, .right = 2, .top = 3, .x = 10, .y = 20, .width = 400, .height = 400, .scale = 100};
static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};

static sketch_plane plane_with(double x, double y, double z, double offset)
{
  // Any two axes that complete the normal.
  const double n[3] = {x, y, z}, other[3] = {fabs(x) < 0.9 ? 1 : 0, fabs(x) < 0.9 ? 0 : 1, 0};
  double e1[3] = {other[1] * n[2] - other[2] * n[1], other[2] * n[0] - other[0] * n[2],
                  other[0] * n[1] - other[1] * n[0]};
  const double length = sqrt(e1[0] * e1[0] + e1[1] * e1[1] + e1[2] * e1[2]);
  for (int i = 0; i < 3; i++) e1[i] /= length;
  const double e2[3] = {n[1] * e1[2] - n[2] * e1[1], n[2] * e1[0] - n[0] * e1[2], n[0] * e1[1] - n[1] * e1[0]};
  const srs_pose pose = {.position = {offset * x, offset * y, offset * z},
                         .rotation = {e1[0], e2[0], n[0], e1[1], e2[1], n[1], e1[2], e2[2], n[2]}};
  return (sketch_plane){pose, 0, -1};
}

static void pixels_go_down_where_metres_go_up(void **state)
{
  (void)state;
  const double seen[3] = {1, 2, 77};
  double xy[2];
  ground_to_pixels(&window, seen, xy);
  assert_true(xy[0] == 310 && xy[1] == 120);
}

static void round_lengths_are_one_two_five(void **state)
{
  (void)state;
  static const double from[] = {1, 1.99, 2, 4.9, 5, 9.99, 0.03, 0.1, 730}, to[] = {1, 1, 2, 2, 5, 5, 0.02, 0.1, 500};
  for (int i = 0; i < 9; i++) assert_true(fabs(ground_round(from[i]) / to[i] - 1) < 1e-12);
}

static void a_floor_seen_edge_on_fills_what_is_under_it(void **state)
{
  (void)state;
  canvas *c = canvas_create(420, 440, "x");
  const sketch_plane floor = plane_with(0, 1, 0, 0.5);
  ground_draw_planes(c, &window, &floor, 1, low, high);
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<path"), 2);
  // The line lies at y = 20 + 100 (3 - 0.5) = 270 and passes both sides of the window.
  const char *line = strstr(strstr(text, "<path") + 1, "<path d=\"M");
  double ends[4], corners[8], lowest = 0;
  numbers_in(line, 4, ends);
  assert_true(ends[1] == 270 && ends[3] == 270 && fmin(ends[0], ends[2]) <= 10 && fmax(ends[0], ends[2]) >= 410);
  // What is filled reaches below the window.
  numbers_in(strstr(text, "<path d=\"M"), 8, corners);
  for (size_t i = 1; i < 8; i += 2) lowest = fmax(lowest, corners[i]);
  assert_true(lowest >= 420);
  canvas_destroy(c);
}

static void a_floor_from_above_is_cut_off_by_a_wall(void **state)
{
  (void)state;
  // Seen from 30 degrees above; the wall stands at the left, its normal to the right.
  const sketch_plane planes[2] = {plane_with(0, sqrt(0.75), 0.5, 0), plane_with(1, 0, 0, -0.5)};
  canvas *c = canvas_create(420, 440, "x");
  ground_draw_planes(c, &window, planes, 1, low, high);
  const int n_alone = count_of(canvas_text_of(c), "<path");
  assert_true(n_alone > 5); // a patch and its grid
  canvas_destroy(c);

  c = canvas_create(420, 440, "x");
  ground_draw_planes(c, &window, planes, 2, low, high);
  const char *text = canvas_text_of(c), *at = strstr(text, "<path d=\"M");
  for (const char *p = at + 10; *p != 'z'; p = strpbrk(p, " z"), p += *p == ' ') {
    double xy[2];
    numbers_in(p, 2, xy);
    assert_true(xy[0] >= 160 - 1e-9); // -0.5 m
  }
  canvas_destroy(c);
}

// A ridge at (0, 1) between two slopes of 45 degrees: what is in both, and no more.
static void planes_of_one_solid_are_filled_where_all_are(void **state)
{
  (void)state;
  const double half = sqrt(0.5);
  sketch_plane planes[2] = {plane_with(half, half, 0, half), plane_with(-half, half, 0, half)};
  planes[0].solid = planes[1].solid = 3;
  canvas *c = canvas_create(420, 440, "x");
  ground_draw_planes(c, &window, planes, 2, low, high);
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<path"), 4); // two fills and two lines
  for (const char *at = strstr(text, "<path"); at != NULL; at = strstr(at + 1, "<path"))
    for (const char *p = at + 10; *p != 'z' && *p != '"'; p = strpbrk(p, " z\""), p += *p == ' ') {
      double xy[2]; // pixels: the tip is at (210, 220)
      numbers_in(p, 2, xy);
      assert_true(xy[1] >= 220 + fabs(xy[0] - 210) - 0.2);
    }
  canvas_destroy(c);
}

static void a_plane_from_below_hides_nothing(void **state)
{
  (void)state;
  canvas *c = canvas_create(420, 440, "x");
  const sketch_plane ceiling = plane_with(0, -sqrt(0.75), -0.5, -2);
  ground_draw_planes(c, &window, &ceiling, 1, low, high);
  assert_int_equal(count_of(canvas_text_of(c), "<path"), 0);
  canvas_destroy(c);
}

static void a_heightfield_shows_two_triangles_a_cell(void **state)
{
  (void)state;
  static const double heights[6] = {0, 1, 0, 0, 0, 0.5};
  const srs_shape field = {.kind = SRS_SHAPE_HEIGHTFIELD,
                           .name = "",
                           .file = "",
                           .size = {0.5, 2, 0},
                           .heights = heights,
                           .n_rows = 2,
                           .n_columns = 3};
  const srs_pose pose = srs_identity_pose();
  canvas *c = canvas_create(420, 440, "x");
  assert_true(ground_draw_terrain(c, &window, &field, &pose));
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<path"), 4);
  // Corners at x = -0.5, 0, 0.5 and y = -1, 1.
  assert_int_equal(count_of(text, "160,"), 3 /* left cell: two triangles share one edge there */);
  assert_true(count_of(text, "260,") > 0 && count_of(text, ",420") > 0 && count_of(text, ",220") > 0);
  canvas_destroy(c);
}

static void nearer_triangles_of_a_terrain_are_painted_later(void **state)
{
  (void)state;
  static const double points[18] = {-1, 0, 5, 1, 0, 5, 0, 1, 5, -1, 0, 1, 1, 0, 1, 0, 2, 1};
  static const int triangles[6] = {0, 1, 2, 3, 4, 5};
  const srs_shape terrain = {.kind = SRS_SHAPE_TERRAIN,
                             .name = "",
                             .file = "",
                             .points = points,
                             .n_points = 6,
                             .triangles = triangles,
                             .n_triangles = 2};
  const srs_pose pose = srs_identity_pose();
  canvas *c = canvas_create(420, 440, "x");
  assert_true(ground_draw_terrain(c, &window, &terrain, &pose));
  const char *text = canvas_text_of(c);
  assert_true(strstr(text, "210,120") <
              strstr(text, "210,220")); // apexes: (0, 2) of the far one, (0, 1) of the near one
  canvas_destroy(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixels_go_down_where_metres_go_up),
      cmocka_unit_test(round_lengths_are_one_two_five),
      cmocka_unit_test(a_floor_seen_edge_on_fills_what_is_under_it),
      cmocka_unit_test(a_floor_from_above_is_cut_off_by_a_wall),
      cmocka_unit_test(planes_of_one_solid_are_filled_where_all_are),
      cmocka_unit_test(a_plane_from_below_hides_nothing),
      cmocka_unit_test(a_heightfield_shows_two_triangles_a_cell),
      cmocka_unit_test(nearer_triangles_of_a_terrain_are_painted_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
