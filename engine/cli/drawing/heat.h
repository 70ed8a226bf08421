// A field of coloured cells over two axes, and bars over one.
#pragma once
#include "engine/cli/drawing/canvas.h"

typedef struct heat_map {
  const char *title, *x_label, *y_label, *value_label; // NULL for none
  const double *x, *y;                                 // nx, ny, rising: the cells' middles
  int nx, ny;
  const double *values; // ny x nx; NAN: the cell stays white
  double width, height; // pixels
} heat_map;

/// Draws the cells, from the lowest value in dark blue to the highest in yellow, and the scale beside them. Cells end
/// halfway between their middles.
/// @param c  out, freed by canvas_destroy   @return SRS_OK, SRS_ERROR_ARGUMENT where no value is there, _MEMORY
srs_status heat_draw(const heat_map *map, canvas **c, srs_error *error);

typedef struct histogram {
  const char *title, *x_label, *y_label;
  double low, high; // of the first bar's left, of the last one's right
  const long *counts;
  int n;
  double width, height;
} histogram;

srs_status histogram_draw(const histogram *h, canvas **c, srs_error *error);
