// The canvas: what elements become, how paths are thinned, what colours do.
#include "engine/cli/drawing/canvas.h"
#include "pictures/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const canvas_paint red = {.fill = 0xff0000, .stroke = CANVAS_NONE};

static void assert_has(canvas *c, const char *part)
{
  const char *text = canvas_text_of(c);
  assert_non_null(text);
  if (strstr(text, part) == NULL) fail_msg("no %s in %s", part, text);
}

static void numbers_are_written_to_a_tenth(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 50.25, "x");
  const double corners[8] = {0, 0, 10.04, -0.02, 10.06, 20, -3.25, 19.96};
  canvas_polygon(c, corners, 4, red);
  assert_has(c, "width=\"100\" height=\"50.3\"");
  assert_has(c, "<path d=\"M0,0 10,0 10.1,20 -3.3,20z\"/>");
  canvas_destroy(c);
}

static void points_that_nobody_would_miss_are_left_out(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 100, "x");
  const double line[12] = {0, 0, 10, 0.1, 20, -0.1, 30, 0, 30, 10, 30, 20};
  canvas_polyline(c, line, 6, (canvas_paint){.stroke = 0x00ff00, .width = 1});
  assert_has(c, "<path d=\"M0,0 30,0 30,20\"/>");
  assert_has(c, "fill=\"none\" stroke=\"#00ff00\" stroke-width=\"1\"");
  canvas_destroy(c);
}

// Every point left out lies within the tolerance of the path through those kept.
static void simplifying_keeps_within_the_tolerance(void **state)
{
  (void)state;
  enum { N = 400 };
  testing_random random = testing_random_start(11);
  double xy[2 * N];
  bool keep[N];
  int stack[4 * N];
  for (int i = 0; i < N; i++) {
    xy[(size_t)i * 2] = i;
    xy[(size_t)i * 2 + 1] = 20 * sin(0.05 * i) + testing_uniform(&random, -0.2, 0.2);
  }
  canvas_simplify(xy, N, 0.5, keep, stack);
  assert_true(keep[0] && keep[N - 1]);
  int n_kept = 0, before = 0;
  for (int i = 0; i < N; i++) {
    n_kept += keep[i];
    if (!keep[i] || i == 0) continue;
    const double *a = &xy[(size_t)before * 2], *b = &xy[(size_t)i * 2], length = hypot(b[0] - a[0], b[1] - a[1]);
    for (int k = before; k < i; k++) {
      const double *p = &xy[(size_t)k * 2];
      const double off = ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / length;
      assert_true(fabs(off) <= 0.5);
    }
    before = i;
  }
  assert_in_range(n_kept, 10, N / 4);
}

static void paint_is_written_where_it_changes(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 100, "x");
  canvas_circle(c, 1, 1, 1, red);
  canvas_circle(c, 2, 2, 1, red);
  canvas_circle(c, 3, 3, 1, (canvas_paint){.fill = 0x0000ff, .stroke = CANVAS_NONE});
  canvas_circle(c, 4, 4, 1, (canvas_paint){.fill = 0x0000ff, .stroke = 0, .width = 0.5, .dash = 1});
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<g"), 3);
  assert_int_equal(count_of(text, "</g>"), 3);
  assert_int_equal(count_of(text, "<circle"), 4);
  assert_int_equal(count_of(text, "stroke-dasharray"), 1);
  canvas_destroy(c);
}

static void words_are_escaped_and_turned(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 100, "a < b & \"c\"");
  canvas_text(c, 10, 20, 12, CANVAS_MIDDLE, 90, 0x123456, "x > y");
  assert_has(c, "<title>a &lt; b &amp; &quot;c&quot;</title>");
  assert_has(c, "text-anchor=\"middle\" transform=\"rotate(-90 10 20)\">x &gt; y</text>");
  canvas_destroy(c);
}

static void clips_have_names_of_their_own_and_nest(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 100, "x");
  canvas_begin(c, 0, 0, 50, 50, 1);
  canvas_circle(c, 1, 1, 1, red);
  canvas_end(c);
  canvas_begin(c, 50, 0, 50, 50, 0.999);
  canvas_end(c);
  assert_has(
      c,
      "<clipPath id=\"c1\"><rect x=\"0\" y=\"0\" width=\"50\" height=\"50\"/></clipPath>\n<g clip-path=\"url(#c1)\">");
  assert_has(c, "<g clip-path=\"url(#c2)\" opacity=\".99\">");
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<g"), count_of(text, "</g>"));
  canvas_destroy(c);
}

static void shades_go_from_black_to_white(void **state)
{
  (void)state;
  assert_int_equal(canvas_shade(0x804020, 0), 0);
  assert_int_equal(canvas_shade(0x804020, 1), 0x804020);
  assert_int_equal(canvas_shade(0x804020, 2), 0xffffff);
  assert_int_equal(canvas_shade(0x804020, 0.5), 0x402010);
  assert_int_equal(canvas_palette(-1), canvas_palette(7));
  assert_int_equal(canvas_palette(8), canvas_palette(0));
}

static void a_file_that_cannot_be_written_is_told(void **state)
{
  (void)state;
  canvas *c = canvas_create(100, 100, "x");
  srs_error error;
  assert_int_equal(canvas_save(c, "/nowhere/x.svg", &error), SRS_ERROR_FILE);
  assert_string_equal(error.message, "cannot write /nowhere/x.svg");
  assert_int_equal(canvas_save(c, "/dev/full", &error), SRS_ERROR_FILE);
  char path[1100];
  snprintf(path, sizeof path, "%s/x.svg", testing_folder());
  assert_int_equal(canvas_save(c, path, &error), SRS_OK);
  char *text = testing_read(path, NULL);
  assert_string_equal(text, canvas_text_of(c));
  free(text);
  canvas_destroy(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_written_to_a_tenth),
      cmocka_unit_test(points_that_nobody_would_miss_are_left_out),
      cmocka_unit_test(simplifying_keeps_within_the_tolerance),
      cmocka_unit_test(paint_is_written_where_it_changes),
      cmocka_unit_test(words_are_escaped_and_turned),
      cmocka_unit_test(clips_have_names_of_their_own_and_nest),
      cmocka_unit_test(shades_go_from_black_to_white),
      cmocka_unit_test(a_file_that_cannot_be_written_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
