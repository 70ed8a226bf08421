// Curves over axes.
#pragma once
#include "engine/cli/drawing/canvas.h"

typedef struct plot_curve {
  const char *label;
  const double *x, *y; // n, each `stride` numbers behind the one before
  int n, stride;
} plot_curve;

typedef struct plot_options {
  const char *title, *x_label, *y_label; // NULL for none
  bool log_x, log_y;                     // powers of ten at equal distances
  double width, height;                  // pixels. Default 560, 340
  bool has_y_range;
  double y_range[2]; // else what the curves cover
} plot_options;

plot_options plot_default_options(void);

enum {
  PLOT_MAX_CURVES = 32,
  PLOT_COLOURS = 8,
  PLOT_MARKED_POINTS = 40,
  PLOT_MAX_TICKS = 24,
  PLOT_LEGEND_LINE = 18
}; // pixels

/// Draws curves, each in a colour or with a dash of its own and, where it has at most PLOT_MARKED_POINTS points, with
/// dots on them. Points that a logarithm does not take are left out. A legend names the curves where there are several.
/// @param c  out, freed by canvas_destroy
/// @return SRS_OK, SRS_ERROR_ARGUMENT where nothing is left to draw, or too many curves, _MEMORY
srs_status plot_draw(const plot_curve *curves, int n, const plot_options *options, canvas **c, srs_error *error);

/// One of several fields, one below the other.
typedef struct plot_panel {
  const plot_curve *curves; // n
  int n;
  plot_options options; // width and height of this panel
} plot_panel;

/// The same for several panels in one picture, as wide as the widest.
srs_status plot_draw_panels(const plot_panel *panels, int n, canvas **c, srs_error *error);

/// One axis: from the first to the last number, at equal distances of them or of their logarithms.
typedef struct plot_axis {
  double low, high; // of what is placed: logarithms where is_log
  bool is_log;
  int n_ticks;
  double ticks[PLOT_MAX_TICKS]; // numbers themselves, rising
  double step;                  // between them; 0 where they are powers
} plot_axis;

/// Widens [low, high] to a little more than it and puts ticks on round numbers, at most about `wanted` of them.
/// @param low, high  low <= high; above 0 where is_log
plot_axis plot_axis_over(double low, double high, bool is_log, int wanted);

/// Where a number is on an axis: 0 at its start, 1 at its end.
double plot_axis_place(const plot_axis *axis, double value);

/// What stands at a tick.
void plot_tick_text(const plot_axis *axis, int tick, char text[32]);
