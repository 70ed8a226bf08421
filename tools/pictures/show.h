// The frames of a stage on a canvas, side by side or one over another.
#pragma once
#include "engine/cli/drawing/canvas.h"
#include "tools/pictures/stage.h"

typedef struct show_options {
  double width;       // pixels, of one frame. Default 240
  double height;      // likewise; 0: as the window's shape asks. Default 0
  int columns;        // frames in a row; 0: all, at most four. Default 0
  bool overlay;       // all times in one frame, earlier ones paler. Default false
  bool has_window;    // else what there is to see, with a margin. Default false
  double window[4];   // m, of the view's plane: left, bottom, right, top
  const char *title;  // NULL for none
  const char *marked; // name of a link drawn in another colour; NULL for none
} show_options;

show_options show_default_options(void);

/// Draws.  @param c  out, freed by canvas_destroy
srs_status show_draw(const stage *s, const show_options *options, canvas **c, srs_error *error);
