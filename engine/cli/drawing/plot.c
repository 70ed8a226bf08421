// What do the numbers look like? Curves over two axes.
//
// Ticks stand at multiples of 1, 2 or 5 times a power of ten, of logarithmic axes at powers of ten, every k-th where
// there are many, and at 1, 2 and 5 times them where there would be fewer than three. Places on a logarithmic axis are
// those of log10.
#include "engine/cli/drawing/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const canvas_colour ink = 0x30343a, grid = 0xe6e8ec, frame = 0x9aa1ab;

typedef struct plot {
  const plot_curve *curves;
  int n;
  const plot_options *options;
  plot_axis x, y;
  double left, top, width, height; // pixels, of the field
  canvas *c;
} plot;

plot_options plot_default_options(void) { return (plot_options){.width = 560, .height = 340}; }

// ---------------------------------------------------------------------------------------------------------------------
// Axes
// ---------------------------------------------------------------------------------------------------------------------

static double round_step(double length)
{
  const double power = pow(10, floor(log10(length)));
  const double mantissa = length / power * (1 - 1e-9);
  return (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10) * power;
}

static void add_tick(plot_axis *axis, double value)
{
  const double place = axis->is_log ? log10(value) : value, slack = 1e-9 * (axis->high - axis->low);
  if (place < axis->low - slack || place > axis->high + slack || axis->n_ticks == PLOT_MAX_TICKS) return;
  axis->ticks[axis->n_ticks++] = value;
}

static void add_powers(plot_axis *axis, int wanted)
{
  const int first = (int)floor(axis->low), last = (int)ceil(axis->high);
  const int n_within = (int)floor(axis->high) - (int)ceil(axis->low) + 1, every = 1 + (n_within - 1) / wanted;
  const bool is_short = axis->high - axis->low < 2;
  for (int power = first; power <= last; power++) {
    if (power % every != 0) continue;
    add_tick(axis, pow(10, power));
    if (!is_short) continue;
    add_tick(axis, 2 * pow(10, power));
    add_tick(axis, 5 * pow(10, power));
  }
}

plot_axis plot_axis_over(double low, double high, bool is_log, int wanted)
{
  plot_axis axis = {.is_log = is_log, .low = is_log ? log10(low) : low, .high = is_log ? log10(high) : high};
  double length = axis.high - axis.low;
  if (length <= 1e-12 * fmax(fabs(axis.low), fabs(axis.high)) || length == 0) { // a constant
    const double reach = is_log ? 0.5 : fmax(0.5 * fabs(axis.low), 1e-300);
    axis.low -= axis.low == 0 && !is_log ? 1 : reach;
    axis.high += axis.high == 0 && !is_log ? 1 : reach;
    length = axis.high - axis.low;
  }
  axis.low -= 0.03 * length;
  axis.high += 0.03 * length;
  if (is_log) {
    add_powers(&axis, wanted);
    return axis;
  }
  axis.step = round_step(length / wanted);
  const long long first = llround(ceil(axis.low / axis.step - 1e-9)),
                  last = llround(floor(axis.high / axis.step + 1e-9));
  for (long long k = first; k <= last; k++) add_tick(&axis, (double)k * axis.step);
  return axis;
}

double plot_axis_place(const plot_axis *axis, double value)
{
  return ((axis->is_log ? log10(value) : value) - axis->low) / (axis->high - axis->low);
}

void plot_tick_text(const plot_axis *axis, int tick, char text[32])
{
  const double value = axis->ticks[tick];
  double largest = 0;
  for (int i = 0; i < axis->n_ticks; i++) largest = fmax(largest, fabs(axis->ticks[i]));
  if (axis->is_log) {
    snprintf(text, 32, "%.3g", value);
  } else if (value == 0) {
    snprintf(text, 32, "0");
  } else if (largest >= 1e5 || largest < 1e-3) { // as many digits as tell neighbours apart
    const double digits = floor(log10(fabs(value) * (1 + 1e-9))) - floor(log10(axis->step * (1 + 1e-9)));
    snprintf(text, 32, "%.*e", (int)fmin(15, fmax(0, digits)), value);
  } else {
    snprintf(text, 32, "%.*f", (int)fmin(15, fmax(0, -floor(log10(axis->step * (1 + 1e-9))))), value);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------------------------

static double x_at(const plot *p, double x) { return p->left + p->width * plot_axis_place(&p->x, x); }

static double y_at(const plot *p, double y) { return p->top + p->height * (1 - plot_axis_place(&p->y, y)); }

static bool is_placed(const plot_options *options, double x, double y)
{
  return isfinite(x) && isfinite(y) && (!options->log_x || x > 0) && (!options->log_y || y > 0);
}

static double value_at(const double *values, const plot_curve *curve, int i)
{
  return values[(size_t)i * (size_t)curve->stride];
}

static bool choose_axes(plot *p)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int k = 0; k < p->n; k++) {
    const plot_curve *curve = &p->curves[k];
    for (int i = 0; i < curve->n; i++) {
      const double xy[2] = {value_at(curve->x, curve, i), value_at(curve->y, curve, i)};
      if (!is_placed(p->options, xy[0], xy[1])) continue;
      for (int e = 0; e < 2; e++) {
        low[e] = fmin(low[e], xy[e]);
        high[e] = fmax(high[e], xy[e]);
      }
    }
  }
  if (low[0] > high[0]) return false;
  if (p->options->has_y_range) {
    low[1] = p->options->y_range[0];
    high[1] = p->options->y_range[1];
  }
  p->x = plot_axis_over(low[0], high[0], p->options->log_x, 7);
  p->y = plot_axis_over(low[1], high[1], p->options->log_y, 6);
  return true;
}

static void draw_axes(plot *p, double margin)
{
  const canvas_paint line = {.stroke = grid, .width = 0.8};
  const double bottom = p->top + p->height, right = p->left + p->width;
  char text[32];
  for (int i = 0; i < p->x.n_ticks; i++) {
    const double x = x_at(p, p->x.ticks[i]);
    canvas_line(p->c, x, p->top, x, bottom, line);
  }
  for (int i = 0; i < p->y.n_ticks; i++) {
    const double y = y_at(p, p->y.ticks[i]);
    canvas_line(p->c, p->left, y, right, y, line);
  }
  for (int i = 0; i < p->x.n_ticks; i++) {
    plot_tick_text(&p->x, i, text);
    canvas_text(p->c, x_at(p, p->x.ticks[i]), bottom + 15, 11, CANVAS_MIDDLE, 0, ink, text);
  }
  for (int i = 0; i < p->y.n_ticks; i++) {
    plot_tick_text(&p->y, i, text);
    canvas_text(p->c, p->left - 6, y_at(p, p->y.ticks[i]) + 4, 11, CANVAS_END, 0, ink, text);
  }
  if (p->options->x_label != NULL)
    canvas_text(p->c, p->left + p->width / 2, bottom + 33, 12, CANVAS_MIDDLE, 0, ink, p->options->x_label);
  if (p->options->y_label != NULL)
    canvas_text(p->c, margin + 10, p->top + p->height / 2, 12, CANVAS_MIDDLE, 90, ink, p->options->y_label);
}

static void draw_frame(plot *p)
{
  const double right = p->left + p->width, bottom = p->top + p->height;
  const double corners[8] = {p->left, p->top, right, p->top, right, bottom, p->left, bottom};
  canvas_polygon(p->c, corners, 4, (canvas_paint){.fill = CANVAS_NONE, .stroke = frame, .width = 1});
}

static unsigned dash_of(int curve) { return (unsigned)curve / PLOT_COLOURS; }

static bool draw_curve(plot *p, int k)
{
  const plot_curve *curve = &p->curves[k];
  double *xy = malloc(2 * (size_t)(curve->n + 1) * sizeof *xy);
  if (xy == NULL) return false;
  const canvas_colour colour = canvas_palette(k);
  const canvas_paint line = {.stroke = colour, .width = 1.6, .dash = dash_of(k)};
  int n = 0;
  for (int i = 0; i <= curve->n; i++) { // a gap where a point is left out
    const double x = i < curve->n ? value_at(curve->x, curve, i) : NAN,
                 y = i < curve->n ? value_at(curve->y, curve, i) : NAN;
    if (is_placed(p->options, x, y)) {
      xy[2 * (size_t)n] = x_at(p, x);
      xy[2 * (size_t)n++ + 1] = y_at(p, y);
      if (curve->n <= PLOT_MARKED_POINTS)
        canvas_circle(p->c, x_at(p, x), y_at(p, y), 2.6, (canvas_paint){.fill = colour, .stroke = CANVAS_NONE});
      continue;
    }
    canvas_polyline(p->c, xy, n, line);
    n = 0;
  }
  free(xy);
  return true;
}

// Names of the curves on the right of the field.
static void draw_legend(plot *p)
{
  if (p->n < 2) return;
  const double x = p->left + p->width + 12;
  for (int k = 0; k < p->n; k++) {
    const double y = p->top + 10 + (double)PLOT_LEGEND_LINE * k;
    canvas_line(p->c, x, y, x + 18, y, (canvas_paint){.stroke = canvas_palette(k), .width = 2.4, .dash = dash_of(k)});
    canvas_text(p->c, x + 24, y + 4, 11, CANVAS_START, 0, ink, p->curves[k].label);
  }
}

static double legend_width(const plot *p)
{
  size_t longest = 0;
  for (int k = 0; k < p->n; k++) {
    const size_t length = strlen(p->curves[k].label);
    if (length > longest) longest = length;
  }
  return p->n < 2 ? 0 : 40 + 6.1 * (double)longest;
}

// What panels one below the other have in common, so that their fields are as wide and stand below each other.
typedef struct margins {
  double left, legend;
} margins;

// Chooses axes and measures the field of a panel whose upper edge is at `top`, with margins that are at least `common`,
// which grow to what the panel needs.
static srs_status lay_out(plot *p, double top, margins *common, srs_error *error)
{
  const plot_options *options = p->options;
  const double margin = 8;
  if (p->n < 1 || p->n > PLOT_MAX_CURVES)
    return picture_fail(error, SRS_ERROR_ARGUMENT, "%d curves: 1 to %d can be told apart", p->n, PLOT_MAX_CURVES);
  if (!choose_axes(p))
    return picture_fail(error, SRS_ERROR_ARGUMENT, "nothing to draw: no point is left%s",
                        options->log_x || options->log_y ? " that has a logarithm" : "");
  size_t longest = 0;
  for (int i = 0; i < p->y.n_ticks; i++) {
    char text[32];
    plot_tick_text(&p->y, i, text);
    if (strlen(text) > longest) longest = strlen(text);
  }
  const double title = options->title != NULL ? 26 : 6;
  common->left = fmax(common->left, margin + (options->y_label != NULL ? 18 : 0) + 6.5 * (double)longest + 10);
  common->legend = fmax(common->legend, legend_width(p));
  p->left = common->left;
  p->top = top + margin + title;
  p->width = options->width - p->left - common->legend - 2 * margin;
  p->height = options->height - margin - title - margin - 20 - (options->x_label != NULL ? 20 : 0);
  if (p->width < 40 || p->height < 40)
    return picture_fail(error, SRS_ERROR_ARGUMENT, "the picture is too small for its words");
  return SRS_OK;
}

static bool draw_panel(plot *p)
{
  bool is_good = true;
  if (p->options->title != NULL) canvas_text(p->c, p->left, p->top - 13, 14, CANVAS_START, 0, ink, p->options->title);
  draw_axes(p, 8);
  canvas_begin(p->c, p->left, p->top, p->width, p->height, 1);
  for (int k = 0; is_good && k < p->n; k++) is_good = draw_curve(p, k);
  canvas_end(p->c);
  draw_frame(p);
  draw_legend(p);
  return is_good;
}

srs_status plot_draw_panels(const plot_panel *panels, int n, canvas **c, srs_error *error)
{
  double width = 0, height = 0;
  const char *title = NULL;
  *c = NULL;
  for (int k = 0; k < n; k++) {
    width = fmax(width, panels[k].options.width);
    height += panels[k].options.height;
    if (title == NULL) title = panels[k].options.title;
  }
  canvas *picture = canvas_create(width, height, title != NULL ? title : "Curves");
  srs_status status =
      picture != NULL ? SRS_OK : picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  margins common = {0, 0};
  for (int round = 0; round < 2; round++) { // the first finds the margins
    double top = 0;
    for (int k = 0; k < n && status == SRS_OK; k++) {
      plot p = {.curves = panels[k].curves, .n = panels[k].n, .options = &panels[k].options, .c = picture};
      status = lay_out(&p, top, &common, error);
      if (status == SRS_OK && round == 1 && !draw_panel(&p))
        status = picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
      top += panels[k].options.height;
    }
  }
  if (status == SRS_OK) *c = picture;
  if (status != SRS_OK) canvas_destroy(picture);
  return status;
}

srs_status plot_draw(const plot_curve *curves, int n, const plot_options *options, canvas **c, srs_error *error)
{
  const plot_panel panel = {curves, n, *options};
  return plot_draw_panels(&panel, 1, c, error);
}
