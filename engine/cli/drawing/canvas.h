// A picture in the making: polygons, lines, circles and words, written as SVG.
//
// Lengths are pixels, x to the right, y downwards, from the upper left corner. Numbers are written to a tenth, paths
// without points that make no visible difference, so the same picture is always the same short text. A failure (memory)
// is kept until canvas_save returns it.
#pragma once
#include <sarrus/base.h>

/// Red, green, blue as 0xrrggbb, or one that is not drawn.
typedef unsigned canvas_colour;
enum { CANVAS_NONE = 0x1000000, CANVAS_DASHES = 4 };

typedef struct canvas_paint {
  canvas_colour fill, stroke;
  double width;  // of the stroke
  unsigned dash; // 0: a whole line; to CANVAS_DASHES - 1: broken, each in another way
} canvas_paint;

typedef enum canvas_anchor { CANVAS_START, CANVAS_MIDDLE, CANVAS_END } canvas_anchor;

typedef struct canvas canvas;

/// An empty white picture. Allocates.  @param title  what it shows, for readers that do not see it
/// @return NULL when out of memory
canvas *canvas_create(double width, double height, const char *title);
void canvas_destroy(canvas *c);

/// @param xy  n x 2
void canvas_polygon(canvas *c, const double *xy, int n, canvas_paint paint);
void canvas_polyline(canvas *c, const double *xy, int n, canvas_paint paint);
void canvas_line(canvas *c, double x1, double y1, double x2, double y2, canvas_paint paint);
void canvas_circle(canvas *c, double x, double y, double radius, canvas_paint paint);

/// n rectangles without outline.  @param xywh  n x 4: upper left corner, width, height
void canvas_rectangles(canvas *c, const double *xywh, int n, canvas_colour fill);

/// @param y      of the letters' foot   @param size  of the letters   @param angle  degrees, counter-clockwise
void canvas_text(canvas *c, double x, double y, double size, canvas_anchor anchor, double angle, canvas_colour colour,
                 const char *text);

/// What follows is cut off at a rectangle and, where opacity is below 1, shines through; until canvas_end.
void canvas_begin(canvas *c, double x, double y, double width, double height, double opacity);
void canvas_end(canvas *c);

/// Between black (0), the colour (1) and white (2).
canvas_colour canvas_shade(canvas_colour colour, double shade);

/// One of the palette's eight (Okabe and Ito's, which colour-blind people can tell apart, the yellow left out, two
/// greys), again from the start behind the last.
canvas_colour canvas_palette(int i);

/// The SVG so far as a whole document, a view; NULL when memory was short.
const char *canvas_text_of(canvas *c);

/// Writes the picture to a file.
srs_status canvas_save(canvas *c, const char *path, srs_error *error);

/// Marks the points of a path that it needs so that no other lies farther than `tolerance` from it (Douglas, Peucker
/// 1973).  @param keep  n, out   @param stack  2 n: scratch
void canvas_simplify(const double *xy, int n, double tolerance, bool *keep, int *stack);

/// Puts a message into an error.  @return status
srs_status picture_fail(srs_error *error, srs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
