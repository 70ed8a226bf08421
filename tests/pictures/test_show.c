// The page: how many frames it has and where, what it says, colours, and that it is the same each time.
#include "pictures/drawing.h"
#include "tools/pictures/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static canvas *draw_scene(const char *text, int n_times, const show_options *options)
{
  static const double times[] = {0, 0.25, 0.5, 0.75, 1};
  stage_options play = {.view = sketch_look(0, 0), .times = times, .n_times = n_times};
  stage s;
  srs_error error;
  canvas *c = NULL;
  if (stage_play(testing_write("p.yaml", text), &play, &s, &error) != SRS_OK ||
      show_draw(&s, options, &c, &error) != SRS_OK)
    fail_msg("%s", error.message);
  stage_destroy(&s);
  return c;
}

static void frames_stand_side_by_side_in_rows(void **state)
{
  (void)state;
  show_options options = show_default_options();
  options.width = 200;
  options.height = 150;
  canvas *row = draw_scene(pendulum_scene, 3, &options);
  options.columns = 2;
  canvas *rows = draw_scene(pendulum_scene, 3, &options);
  double size[2], size_of_rows[2];
  numbers_in(strstr(canvas_text_of(row), "width="), 2, size);
  numbers_in(strstr(canvas_text_of(rows), "width="), 2, size_of_rows);
  assert_true(size[0] > 3 * 200 && size[0] < 3 * 220 && size[1] > 150 && size[1] < 200);
  assert_true(size_of_rows[0] > 2 * 200 && size_of_rows[0] < 2 * 220 && size_of_rows[1] > 300 && size_of_rows[1] < 380);
  const char *text = canvas_text_of(row);
  assert_int_equal(count_of(text, "t = "), 3);
  assert_int_equal(count_of(text, "t = 0.25 s"), 1);
  assert_int_equal(count_of(text, "<circle"), 3 * 2); // bob and joint
  assert_int_equal(count_of(text, " m</text>"), 1);   // one scale
  canvas_destroy(row);
  canvas_destroy(rows);
}

static void an_overlay_is_one_frame_whose_past_is_paler(void **state)
{
  (void)state;
  show_options options = show_default_options();
  options.overlay = true;
  options.title = "Swing";
  canvas *c = draw_scene(pendulum_scene, 3, &options);
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "t = 0, 0.25, 0.5 s"), 1);
  assert_non_null(strstr(text, "opacity=\".25\""));
  assert_non_null(strstr(text, "opacity=\".63\""));
  assert_int_equal(count_of(text, "opacity="), 2);
  assert_int_equal(count_of(text, ">Swing</text>"), 1);
  canvas_destroy(c);
}

static void what_stands_still_is_drawn_once_in_an_overlay(void **state)
{
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, "%s", pendulum_scene);
  const char floor[] = "environment: [{name: floor, shape: half-space}]";
  char *at = strstr(text, floor);
  assert_non_null(at);
  char rest[1024];
  snprintf(rest, sizeof rest, "%s", at + strlen(floor));
  snprintf(at, sizeof text - (size_t)(at - text), "environment: [{name: block, shape: box, size: [1, 1, 1]}]%s", rest);
  show_options options = show_default_options();
  options.overlay = true;
  canvas *c = draw_scene(text, 3, &options);
  char grey[32];
  snprintf(grey, sizeof grey, "stroke=\"#%06x\"", canvas_shade(0xb4bbc4, 0.55));
  assert_int_equal(count_of(canvas_text_of(c), grey), 2); // a face and an outline
  canvas_destroy(c);
}

static void a_window_fixes_scale_and_place(void **state)
{
  (void)state;
  show_options options = show_default_options();
  options.width = 400;
  options.height = 200;
  options.has_window = true;
  const double window[4] = {-2, 0, 2, 2}; // 100 pixels a metre
  memcpy(options.window, window, sizeof window);
  canvas *c = draw_scene(pendulum_scene, 1, &options);
  // The bob of 0.1 m is 10 pixels large; the joint at (0, 2) is at the frame's upper edge, in its middle.
  const char *text = canvas_text_of(c), *bob = strstr(text, "r=\"10\"");
  assert_non_null(bob);
  double frame[4];
  numbers_in(strstr(strstr(text, "<clipPath"), "x="), 4, frame);
  assert_true(frame[2] == 400 && frame[3] == 200);
  char joint[64];
  snprintf(joint, sizeof joint, "cx=\"%g\" cy=\"%g\" r=\"2.3\"", frame[0] + 200, frame[1]);
  assert_non_null(strstr(text, joint));
  canvas_destroy(c);
}

static void the_same_scene_is_the_same_text(void **state)
{
  (void)state;
  const show_options options = show_default_options();
  canvas *a = draw_scene(pendulum_scene, 5, &options), *b = draw_scene(pendulum_scene, 5, &options);
  assert_string_equal(canvas_text_of(a), canvas_text_of(b));
  canvas_destroy(a);
  canvas_destroy(b);
}

// Eight free balls are alike and of one colour; a marked one is not.
static void what_is_alike_looks_alike_and_what_is_marked_does_not(void **state)
{
  (void)state;
  char text[4096] = "models:\n";
  for (int i = 0; i < 8; i++) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length,
             "  - name: m%d\n    links: [{name: ball, mass: 1, inertia: [1, 1, 1]}]\n"
             "    joints: [{name: h, kind: free, child: ball, origin: {position: [%d, 0, 0]}}]\n"
             "    shapes: [{link: ball, kind: sphere, radius: 0.4}]\n",
             i, i);
  }
  show_options options = show_default_options();
  canvas *c = draw_scene(text, 1, &options);
  char blue[16], vermilion[16];
  snprintf(blue, sizeof blue, "#%06x", canvas_shade(canvas_palette(0), 1.3));
  snprintf(vermilion, sizeof vermilion, "#%06x", canvas_shade(canvas_palette(5), 1.3));
  assert_int_equal(count_of(canvas_text_of(c), "<circle"), 8);
  assert_non_null(strstr(canvas_text_of(c), blue));
  assert_null(strstr(canvas_text_of(c), vermilion));
  canvas_destroy(c);
  options.marked = "m3/ball";
  c = draw_scene(text, 1, &options);
  assert_non_null(strstr(canvas_text_of(c), blue));
  assert_int_equal(count_of(canvas_text_of(c), vermilion), 1);
  canvas_destroy(c);
}

static void a_mark_on_nobody_is_told(void **state)
{
  (void)state;
  static const double times[] = {0};
  stage_options play = {.view = sketch_look(0, 0), .times = times, .n_times = 1};
  stage s;
  srs_error error;
  assert_int_equal(stage_play(testing_write("p.yaml", pendulum_scene), &play, &s, &error), SRS_OK);
  show_options options = show_default_options();
  options.marked = "nobody";
  canvas *c = NULL;
  assert_int_equal(show_draw(&s, &options, &c, &error), SRS_ERROR_NAME);
  assert_string_equal(error.message, "no link 'nobody' to mark");
  assert_null(c);
  stage_destroy(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_stand_side_by_side_in_rows),
      cmocka_unit_test(an_overlay_is_one_frame_whose_past_is_paler),
      cmocka_unit_test(what_stands_still_is_drawn_once_in_an_overlay),
      cmocka_unit_test(a_window_fixes_scale_and_place),
      cmocka_unit_test(the_same_scene_is_the_same_text),
      cmocka_unit_test(what_is_alike_looks_alike_and_what_is_marked_does_not),
      cmocka_unit_test(a_mark_on_nobody_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
