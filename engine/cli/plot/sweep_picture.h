// Pictures of a sweep's rows: a heat map over two columns, a histogram of one.
#pragma once
#include "engine/cli/drawing/canvas.h"

typedef struct srs_sweep_picture {
  const char *rows, *column; // the CSV file; what is drawn
  const char *heat;          // "X,Y": the mean of the column over the rows that have the same two values; NULL: none
  int bins;                  // of a histogram; 0: none
  const char *title;
  double width, height; // pixels
} srs_sweep_picture;

/// @param c  out, freed by canvas_destroy
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NAME, _ARGUMENT where nothing is to be drawn, or _MEMORY
srs_status srs_sweep_picture_draw(const srs_sweep_picture *picture, canvas **c, srs_error *error);
