// How does a picture become text? Elements of SVG, one after another, in a buffer that grows.
//
// Paint is an attribute of groups, opened where it changes, so that a hundred discs alike cost a hundred short
// elements. A path of which every point lies within a fifth of a pixel of fewer points is written with those (Douglas,
// Peucker 1973).
#include "engine/cli/drawing/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 0.15; // pixels

struct canvas {
  char *text;
  size_t length, capacity;
  canvas_paint paint; // of the group that is open
  bool has_paint;
  int n_clips;
  double width, height;
  bool has_failed;
};

// ---------------------------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------------------------

static bool has_room(canvas *c, size_t more)
{
  if (c->has_failed) return false;
  if (c->length + more + 1 <= c->capacity) return true;
  const size_t capacity = 2 * (c->length + more) + 4096;
  char *text = realloc(c->text, capacity);
  if (text == NULL) {
    c->has_failed = true;
    return false;
  }
  c->text = text;
  c->capacity = capacity;
  return true;
}

static void put(canvas *c, const char *text)
{
  const size_t length = strlen(text);
  if (!has_room(c, length)) return;
  memcpy(c->text + c->length, text, length + 1);
  c->length += length;
}

// A number to a tenth, without what it can do without.
static void put_number(canvas *c, double value)
{
  char text[32];
  const double bounded = fmax(-1e6, fmin(1e6, value));
  const long tenths = lround(10 * bounded);
  const long whole = labs(tenths) / 10, rest = labs(tenths) % 10;
  const char *sign = tenths < 0 ? "-" : "";
  if (rest == 0)
    snprintf(text, sizeof text, "%s%ld", sign, whole);
  else
    snprintf(text, sizeof text, "%s%ld.%ld", sign, whole, rest);
  put(c, text);
}

static void put_attribute(canvas *c, const char *name, double value)
{
  put(c, " ");
  put(c, name);
  put(c, "=\"");
  put_number(c, value);
  put(c, "\"");
}

static void put_colour(canvas *c, const char *name, canvas_colour colour)
{
  char text[48];
  if (colour == CANVAS_NONE)
    snprintf(text, sizeof text, " %s=\"none\"", name);
  else
    snprintf(text, sizeof text, " %s=\"#%06x\"", name, colour & 0xffffffU);
  put(c, text);
}

static void put_escaped(canvas *c, const char *text)
{
  for (; *text != '\0'; text++) {
    const char one[2] = {*text, '\0'};
    put(c, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : one);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Paint
// ---------------------------------------------------------------------------------------------------------------------

static void end_paint(canvas *c)
{
  if (c->has_paint) put(c, "</g>\n");
  c->has_paint = false;
}

static void begin_paint(canvas *c, canvas_paint paint)
{
  const canvas_paint *now = &c->paint;
  if (c->has_paint && now->fill == paint.fill && now->stroke == paint.stroke && now->width == paint.width &&
      now->dash == paint.dash)
    return;
  end_paint(c);
  put(c, "<g");
  put_colour(c, "fill", paint.fill);
  if (paint.stroke != CANVAS_NONE) {
    put_colour(c, "stroke", paint.stroke);
    put_attribute(c, "stroke-width", paint.width);
  }
  static const char *const dashes[CANVAS_DASHES] = {"", " stroke-dasharray=\"4 3\"", " stroke-dasharray=\"1.5 3.5\"",
                                                    " stroke-dasharray=\"9 3 2 3\""};
  put(c, dashes[paint.dash % CANVAS_DASHES]);
  put(c, ">\n");
  c->paint = paint;
  c->has_paint = true;
}

canvas_colour canvas_shade(canvas_colour colour, double shade)
{
  canvas_colour out = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    const double part = (double)((colour >> shift) & 0xffU);
    const double shaded = shade <= 1 ? part * fmax(shade, 0) : part + (255 - part) * fmin(shade - 1, 1);
    out |= (canvas_colour)lround(shaded) << shift;
  }
  return out;
}

canvas_colour canvas_palette(int i)
{
  static const canvas_colour colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                          0x56b4e9, 0xd55e00, 0x7a828c, 0x30343a};
  const int n = sizeof colours / sizeof *colours;
  return colours[((i % n) + n) % n];
}

// ---------------------------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------------------------

canvas *canvas_create(double width, double height, const char *title)
{
  canvas *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->width = width;
  c->height = height;
  put(c, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  put_attribute(c, "width", width);
  put_attribute(c, "height", height);
  put(c, " viewBox=\"0 0 ");
  put_number(c, width);
  put(c, " ");
  put_number(c, height);
  put(c,
      "\" font-family=\"Helvetica, Arial, sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>");
  put_escaped(c, title);
  put(c, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  return c;
}

void canvas_destroy(canvas *c)
{
  if (c == NULL) return;
  free(c->text);
  free(c);
}

static double distance_to_segment(const double *p, const double *a, const double *b)
{
  const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2 : 0;
  const double t = fmax(0, fmin(1, along));
  return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

void canvas_simplify(const double *xy, int n, double within, bool *keep, int *stack)
{
  for (int i = 0; i < n; i++) keep[i] = i == 0 || i == n - 1;
  int depth = 0;
  if (n > 2) {
    stack[depth++] = 0;
    stack[depth++] = n - 1;
  }
  while (depth > 0) {
    const int last = stack[--depth], first = stack[--depth];
    int farthest = -1;
    double most = within;
    for (int i = first + 1; i < last; i++) {
      const double distance = distance_to_segment(&xy[2 * (size_t)i], &xy[2 * (size_t)first], &xy[2 * (size_t)last]);
      if (distance > most) {
        most = distance;
        farthest = i;
      }
    }
    if (farthest < 0) continue;
    keep[farthest] = true;
    stack[depth++] = first;
    stack[depth++] = farthest;
    stack[depth++] = farthest;
    stack[depth++] = last;
  }
}

static void put_path(canvas *c, const double *xy, int n, bool is_closed, canvas_paint paint)
{
  if (n < 2) return;
  bool *keep = malloc((size_t)n * sizeof *keep);
  int *stack = malloc(4 * (size_t)n * sizeof *stack);
  if (keep == NULL || stack == NULL) {
    c->has_failed = true;
  } else {
    canvas_simplify(xy, n, tolerance, keep, stack);
    begin_paint(c, paint);
    put(c, "<path d=\"M");
    bool is_first = true;
    for (int i = 0; i < n; i++) {
      if (!keep[i]) continue;
      if (!is_first) put(c, " ");
      put_number(c, xy[2 * (size_t)i]);
      put(c, ",");
      put_number(c, xy[2 * (size_t)i + 1]);
      is_first = false;
    }
    put(c, is_closed ? "z\"/>\n" : "\"/>\n");
  }
  free(keep);
  free(stack);
}

void canvas_polygon(canvas *c, const double *xy, int n, canvas_paint paint) { put_path(c, xy, n, true, paint); }

void canvas_polyline(canvas *c, const double *xy, int n, canvas_paint paint)
{
  paint.fill = CANVAS_NONE;
  put_path(c, xy, n, false, paint);
}

void canvas_line(canvas *c, double x1, double y1, double x2, double y2, canvas_paint paint)
{
  const double xy[4] = {x1, y1, x2, y2};
  canvas_polyline(c, xy, 2, paint);
}

void canvas_circle(canvas *c, double x, double y, double radius, canvas_paint paint)
{
  begin_paint(c, paint);
  put(c, "<circle");
  put_attribute(c, "cx", x);
  put_attribute(c, "cy", y);
  put_attribute(c, "r", radius);
  put(c, "/>\n");
}

void canvas_rectangles(canvas *c, const double *xywh, int n, canvas_colour fill)
{
  if (n == 0) return;
  begin_paint(c, (canvas_paint){.fill = fill, .stroke = CANVAS_NONE});
  put(c, "<path d=\"");
  for (int i = 0; i < n; i++) { // corners to a tenth, so that neighbours meet
    const double *r = xywh + 4 * (size_t)i;
    put(c, "M");
    put_number(c, r[0]);
    put(c, " ");
    put_number(c, r[1]);
    put(c, "H");
    put_number(c, r[0] + r[2]);
    put(c, "V");
    put_number(c, r[1] + r[3]);
    put(c, "H");
    put_number(c, r[0]);
  }
  put(c, "\"/>\n");
}

void canvas_text(canvas *c, double x, double y, double size, canvas_anchor anchor, double angle, canvas_colour colour,
                 const char *text)
{
  end_paint(c);
  put(c, "<text");
  put_attribute(c, "x", x);
  put_attribute(c, "y", y);
  put_attribute(c, "font-size", size);
  put_colour(c, "fill", colour);
  if (anchor != CANVAS_START) put(c, anchor == CANVAS_MIDDLE ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
  if (angle != 0) {
    put(c, " transform=\"rotate(");
    put_number(c, -angle);
    put(c, " ");
    put_number(c, x);
    put(c, " ");
    put_number(c, y);
    put(c, ")\"");
  }
  put(c, ">");
  put_escaped(c, text);
  put(c, "</text>\n");
}

void canvas_begin(canvas *c, double x, double y, double width, double height, double opacity)
{
  end_paint(c);
  char name[48];
  snprintf(name, sizeof name, "<clipPath id=\"c%d\"><rect", ++c->n_clips);
  put(c, name);
  put_attribute(c, "x", x);
  put_attribute(c, "y", y);
  put_attribute(c, "width", width);
  put_attribute(c, "height", height);
  snprintf(name, sizeof name, "/></clipPath>\n<g clip-path=\"url(#c%d)\"", c->n_clips);
  put(c, name);
  if (opacity < 1) {
    char text[32];
    snprintf(text, sizeof text, " opacity=\".%02ld\"", lround(fmin(99, 100 * fmax(opacity, 0))));
    put(c, text);
  }
  put(c, ">\n");
}

void canvas_end(canvas *c)
{
  end_paint(c);
  put(c, "</g>\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// The end
// ---------------------------------------------------------------------------------------------------------------------

const char *canvas_text_of(canvas *c)
{
  end_paint(c);
  const size_t length = c->length;
  put(c, "</svg>\n");
  c->length = length; // more may follow; the end then comes behind it
  return c->has_failed ? NULL : c->text;
}

srs_status canvas_save(canvas *c, const char *path, srs_error *error)
{
  const char *text = canvas_text_of(c);
  if (text == NULL) return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  FILE *file = fopen(path, "w");
  if (file == NULL) return picture_fail(error, SRS_ERROR_FILE, "cannot write %s", path);
  const bool is_written = fputs(text, file) >= 0;
  if (fclose(file) != 0 || !is_written)
    return picture_fail(error, SRS_ERROR_FILE, "%s: not all could be written", path);
  return SRS_OK;
}

srs_status picture_fail(srs_error *error, srs_status status, const char *format, ...)
{
  if (error == NULL) return status;
  *error = (srs_error){.status = status};
  va_list list;
  va_start(list, format);
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return status;
}
