// Plots: where ticks stand and what they say, where points lie, what is left out.
#include "engine/cli/drawing/plot.h"
#include "pictures/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_ticks(const plot_axis *axis, int n, const char *const *wanted)
{
  assert_int_equal(axis->n_ticks, n);
  for (int i = 0; i < n; i++) {
    char text[32];
    plot_tick_text(axis, i, text);
    assert_string_equal(text, wanted[i]);
  }
}

static void ticks_stand_on_round_numbers(void **state)
{
  (void)state;
  const plot_axis a = plot_axis_over(0, 3, false, 6), b = plot_axis_over(-17.3, 17.1, false, 6),
                  c = plot_axis_over(1e-9, 3.2e-9, false, 4), d = plot_axis_over(2e5, 8e5, false, 3);
  static const char *const of_a[] = {"0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"}, *const of_b[] = {"-10", "0", "10"},
                           *const of_c[] = {"1e-09", "2e-09", "3e-09"},
                           *const of_d[] = {"2e+05", "4e+05", "6e+05", "8e+05"};
  assert_ticks(&a, 7, of_a);
  assert_ticks(&b, 3, of_b);
  assert_ticks(&c, 3, of_c);
  assert_ticks(&d, 4, of_d);
}

static void ticks_of_logarithms_are_powers(void **state)
{
  (void)state;
  const plot_axis a = plot_axis_over(1e-5, 1, true, 6), b = plot_axis_over(0.0125, 0.1, true, 6),
                  c = plot_axis_over(1e-12, 1, true, 6);
  static const char *const of_a[] = {"1e-05", "0.0001", "0.001", "0.01", "0.1", "1"},
                           *const of_b[] = {"0.02", "0.05", "0.1"},
                           *const of_c[] = {"1e-12", "1e-09", "1e-06", "0.001", "1"};
  assert_ticks(&a, 6, of_a);
  assert_ticks(&b, 3, of_b);
  assert_ticks(&c, 5, of_c);
}

static void places_run_from_0_to_1(void **state)
{
  (void)state;
  const plot_axis a = plot_axis_over(-2, 6, false, 5), b = plot_axis_over(0.01, 100, true, 5);
  assert_true(fabs(plot_axis_place(&a, 2) - 0.5) < 1e-12);
  assert_true(fabs(plot_axis_place(&b, 1) - 0.5) < 1e-12);
  assert_true(plot_axis_place(&a, -2) > 0 && plot_axis_place(&a, 6) < 1);
  assert_true(fabs(plot_axis_place(&a, 6) + plot_axis_place(&a, -2) - 1) < 1e-12);
}

static void a_constant_has_an_axis(void **state)
{
  (void)state;
  static const double values[] = {0, 3, -1e-8, 7e12};
  for (int i = 0; i < 4; i++) {
    const plot_axis axis = plot_axis_over(values[i], values[i], false, 5);
    assert_true(axis.low < values[i] && values[i] < axis.high && axis.n_ticks >= 2);
    assert_true(fabs(plot_axis_place(&axis, values[i]) - 0.5) < 1e-9);
  }
  const plot_axis axis = plot_axis_over(5, 5, true, 5);
  assert_true(axis.n_ticks >= 1 && fabs(plot_axis_place(&axis, 5) - 0.5) < 1e-9);
}

static void points_lie_where_the_axes_say(void **state)
{
  (void)state;
  static const double rows[] = {0, 10, 10, 20, 5, 15};
  const plot_curve curve = {.label = "a", .x = rows, .y = rows + 1, .n = 3, .stride = 2};
  const plot_options options = plot_default_options();
  canvas *c;
  srs_error error;
  assert_int_equal(plot_draw(&curve, 1, &options, &c, &error), SRS_OK);
  const char *text = canvas_text_of(c);
  assert_int_equal(count_of(text, "<circle"), 3); // few points have dots
  double x[3], y[3];
  const char *at = text;
  for (int i = 0; i < 3; i++) {
    double centre[2];
    at = strstr(at + 1, "<circle");
    numbers_in(at, 2, centre);
    x[i] = centre[0];
    y[i] = centre[1];
  }
  assert_true(fabs(x[2] - (x[0] + x[1]) / 2) <= 0.11 && fabs(y[2] - (y[0] + y[1]) / 2) <= 0.11); // (5, 15): the middle
  assert_true(x[1] > x[0] + 300 && y[1] < y[0] - 200);
  canvas_destroy(c);
}

static void what_has_no_logarithm_is_left_out(void **state)
{
  (void)state;
  static const double x[] = {1, 2, 3, 4}, y[] = {10, 0, -1, 1000};
  const plot_curve curve = {.label = "a", .x = x, .y = y, .n = 4, .stride = 1};
  plot_options options = plot_default_options();
  options.log_y = true;
  canvas *c;
  srs_error error;
  assert_int_equal(plot_draw(&curve, 1, &options, &c, &error), SRS_OK);
  assert_int_equal(count_of(canvas_text_of(c), "<circle"), 2);
  canvas_destroy(c);
  const plot_curve none = {.label = "a", .x = x, .y = y + 1, .n = 2, .stride = 1};
  assert_int_equal(plot_draw(&none, 1, &options, &c, &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.message, "nothing to draw: no point is left that has a logarithm");
  assert_null(c);
}

static void long_curves_are_short_texts(void **state)
{
  (void)state;
  enum { N = 20000 };
  static double xy[2 * N];
  for (int i = 0; i < N; i++) {
    xy[2 * (size_t)i] = i * 1e-3;
    xy[2 * (size_t)i + 1] = sin(i * 1e-3);
  }
  const plot_curve curves[2] = {{.label = "sine", .x = xy, .y = xy + 1, .n = N, .stride = 2},
                                {.label = "line", .x = xy, .y = xy, .n = N, .stride = 2}};
  plot_options options = plot_default_options();
  options.title = "Curves";
  options.x_label = "time (s)";
  options.y_label = "angle (rad)";
  canvas *c;
  srs_error error;
  assert_int_equal(plot_draw(curves, 2, &options, &c, &error), SRS_OK);
  const char *text = canvas_text_of(c);
  assert_in_range(strlen(text), 1000, 12000);
  assert_int_equal(count_of(text, ">sine</text>") + count_of(text, ">line</text>"), 2);
  assert_int_equal(count_of(text, ">time (s)</text>"), 1);
  assert_int_equal(count_of(text, "<circle"), 0);
  canvas_destroy(c);
  assert_int_equal(plot_draw(curves, PLOT_MAX_CURVES + 1, &options, &c, &error), SRS_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_stand_on_round_numbers),  cmocka_unit_test(ticks_of_logarithms_are_powers),
      cmocka_unit_test(places_run_from_0_to_1),        cmocka_unit_test(a_constant_has_an_axis),
      cmocka_unit_test(points_lie_where_the_axes_say), cmocka_unit_test(what_has_no_logarithm_is_left_out),
      cmocka_unit_test(long_curves_are_short_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
