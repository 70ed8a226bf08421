// Heat maps and histograms. A colour stands for a value by linear interpolation between five colours whose lightness
// rises evenly (those of Matplotlib's viridis), so the order shows in grey too. Cells of one colour are one path.
#include "engine/cli/drawing/heat.h"

#include "engine/cli/drawing/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHADES = 64 };
static const canvas_colour ink = 0x30343a;

static canvas_colour shade_colour(int shade)
{
  static const canvas_colour anchors[] = {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725};
  const double at = 4.0 * shade / (SHADES - 1);
  const int i = at < 4 ? (int)at : 3;
  canvas_colour colour = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    const double a = (double)((anchors[i] >> shift) & 0xffU), b = (double)((anchors[i + 1] >> shift) & 0xffU);
    colour |= (canvas_colour)lround(a + (b - a) * (at - i)) << shift;
  }
  return colour;
}

// The field of a picture and its axes.
typedef struct field {
  canvas *c;
  plot_axis x, y;
  double left, top, width, height;
} field;

static double x_at(const field *f, double value) { return f->left + f->width * plot_axis_place(&f->x, value); }
static double y_at(const field *f, double value) { return f->top + f->height * (1 - plot_axis_place(&f->y, value)); }

// An axis that ends where the cells do.
static plot_axis tight_axis(double low, double high, int wanted)
{
  plot_axis axis = plot_axis_over(low, high, false, wanted);
  axis.low = low, axis.high = high;
  int n = 0;
  for (int i = 0; i < axis.n_ticks; i++) {
    const double slack = 1e-9 * (high - low);
    if (axis.ticks[i] >= low - slack && axis.ticks[i] <= high + slack) axis.ticks[n++] = axis.ticks[i];
  }
  axis.n_ticks = n;
  return axis;
}

static void draw_y_ticks(const field *f, const plot_axis *axis, double x, canvas_anchor anchor)
{
  char text[32];
  for (int i = 0; i < axis->n_ticks; i++) {
    const double y = f->top + f->height * (1 - plot_axis_place(axis, axis->ticks[i]));
    plot_tick_text(axis, i, text);
    canvas_text(f->c, x, y + 4, 11, anchor, 0, ink, text);
  }
}

static void draw_frame(const field *f, const char *title, const char *x_label, const char *y_label)
{
  const double right = f->left + f->width, bottom = f->top + f->height;
  const double corners[8] = {f->left, f->top, right, f->top, right, bottom, f->left, bottom};
  char text[32];
  canvas_polygon(f->c, corners, 4, (canvas_paint){.fill = CANVAS_NONE, .stroke = 0x7a828c, .width = 1});
  for (int i = 0; i < f->x.n_ticks; i++) {
    plot_tick_text(&f->x, i, text);
    canvas_text(f->c, x_at(f, f->x.ticks[i]), bottom + 15, 11, CANVAS_MIDDLE, 0, ink, text);
  }
  draw_y_ticks(f, &f->y, f->left - 6, CANVAS_END);
  if (title != NULL) canvas_text(f->c, f->left, f->top - 13, 14, CANVAS_START, 0, ink, title);
  if (x_label != NULL) canvas_text(f->c, f->left + f->width / 2, bottom + 33, 12, CANVAS_MIDDLE, 0, ink, x_label);
  if (y_label != NULL) canvas_text(f->c, 18, f->top + f->height / 2, 12, CANVAS_MIDDLE, 90, ink, y_label);
}

static double edge(const double *middles, int n, int i)
{
  if (n == 1) return middles[0] + (i == 0 ? -0.5 : 0.5);
  if (i == 0) return 1.5 * middles[0] - 0.5 * middles[1];
  if (i == n) return 1.5 * middles[n - 1] - 0.5 * middles[n - 2];
  return (middles[i - 1] + middles[i]) / 2;
}

// ---------------------------------------------------------------------------------------------------------------------
// Heat maps
// ---------------------------------------------------------------------------------------------------------------------

typedef struct shades {
  double low, high;
} shades;

static int shade_of(const shades *s, double value)
{
  if (isnan(value)) return -1;
  if (!(s->high > s->low)) return SHADES / 2;
  return (int)fmin(SHADES - 1, floor(SHADES * (value - s->low) / (s->high - s->low)));
}

// Neighbours in a row that have the same colour are one rectangle.
static void draw_cells(const field *f, const heat_map *map, const shades *s, double *xywh)
{
  for (int shade = 0; shade < SHADES; shade++) {
    int n = 0;
    for (int row = 0; row < map->ny; row++) {
      const double *values = map->values + (size_t)row * (size_t)map->nx;
      const double top = y_at(f, edge(map->y, map->ny, row + 1)), bottom = y_at(f, edge(map->y, map->ny, row));
      for (int i = 0; i < map->nx; i++) {
        if (shade_of(s, values[i]) != shade) continue;
        const int first = i;
        while (i + 1 < map->nx && shade_of(s, values[i + 1]) == shade) i++;
        const double left = x_at(f, edge(map->x, map->nx, first)), right = x_at(f, edge(map->x, map->nx, i + 1));
        const double cell[4] = {left, top, right - left, bottom - top};
        memcpy(xywh + 4 * (size_t)n++, cell, sizeof cell);
      }
    }
    canvas_rectangles(f->c, xywh, n, shade_colour(shade));
  }
}

static void draw_scale(const field *f, const shades *s, const char *label)
{
  const double x = f->left + f->width + 16, high = s->high > s->low ? s->high : s->low + 1;
  for (int i = 0; i < SHADES; i++) {
    const double bottom = f->top + f->height * (SHADES - i) / SHADES, height = f->height / SHADES;
    const double cell[4] = {x, bottom - height, 14, height};
    canvas_rectangles(f->c, cell, 1, shade_colour(i));
  }
  const plot_axis axis = tight_axis(s->low, high, 6);
  draw_y_ticks(f, &axis, x + 19, CANVAS_START);
  if (label != NULL) canvas_text(f->c, x + 72, f->top + f->height / 2, 12, CANVAS_MIDDLE, 90, ink, label);
}

srs_status heat_draw(const heat_map *map, canvas **c, srs_error *error)
{
  shades s = {INFINITY, -INFINITY};
  const size_t n = (size_t)map->nx * (size_t)map->ny;
  for (size_t i = 0; i < n; i++) s.low = fmin(s.low, map->values[i]), s.high = fmax(s.high, map->values[i]);
  *c = NULL;
  if (!(s.low <= s.high && isfinite(s.low) && isfinite(s.high)))
    return picture_fail(error, SRS_ERROR_ARGUMENT, "nothing to draw: no cell has a finite value");
  double *xywh = malloc(4 * (n + 1) * sizeof *xywh);
  canvas *picture = canvas_create(map->width, map->height, map->title != NULL ? map->title : "Heat map");
  if (xywh == NULL || picture == NULL) {
    free(xywh);
    canvas_destroy(picture);
    return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  }
  field f = {.c = picture, .left = 76, .top = map->title != NULL ? 34 : 14};
  f.width = map->width - f.left - 104, f.height = map->height - f.top - 48;
  f.x = tight_axis(edge(map->x, map->nx, 0), edge(map->x, map->nx, map->nx), 8);
  f.y = tight_axis(edge(map->y, map->ny, 0), edge(map->y, map->ny, map->ny), 8);
  draw_cells(&f, map, &s, xywh);
  draw_frame(&f, map->title, map->x_label, map->y_label);
  draw_scale(&f, &s, map->value_label);
  free(xywh);
  *c = picture;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Histograms
// ---------------------------------------------------------------------------------------------------------------------

srs_status histogram_draw(const histogram *h, canvas **c, srs_error *error)
{
  long most = 0;
  *c = NULL;
  for (int i = 0; i < h->n; i++) most = h->counts[i] > most ? h->counts[i] : most;
  if (most == 0) return picture_fail(error, SRS_ERROR_ARGUMENT, "nothing to draw: no row has a finite value");
  canvas *picture = canvas_create(h->width, h->height, h->title != NULL ? h->title : "Histogram");
  double *xywh = malloc(4 * (size_t)h->n * sizeof *xywh);
  if (picture == NULL || xywh == NULL) {
    free(xywh);
    canvas_destroy(picture);
    return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  }
  field f = {.c = picture, .left = 76, .top = h->title != NULL ? 34 : 14};
  f.width = h->width - f.left - 16, f.height = h->height - f.top - 48;
  f.x = tight_axis(h->low, h->high, 8);
  f.y = plot_axis_over(0, (double)most, false, 6);
  f.y.low = 0;
  for (int i = 0; i < h->n; i++) {
    const double step = (h->high - h->low) / h->n, left = x_at(&f, h->low + i * step),
                 top = y_at(&f, (double)h->counts[i]);
    const double bar[4] = {left, top, x_at(&f, h->low + (i + 1) * step) - left - (h->n < 200 ? 1 : 0),
                           f.top + f.height - top};
    memcpy(xywh + 4 * (size_t)i, bar, sizeof bar);
  }
  canvas_rectangles(picture, xywh, h->n, canvas_palette(0));
  draw_frame(&f, h->title, h->x_label, h->y_label);
  free(xywh);
  *c = picture;
  return SRS_OK;
}
