// What the environment's planes and terrain look like behind the bodies.
#pragma once
#include "engine/cli/drawing/canvas.h"
#include "tools/pictures/sketch.h"

/// From view coordinates to pixels: x to left + scale (x - window.left), y downwards.
typedef struct ground_window {
  double left, bottom, right, top;   // m, of the view's plane
  double x, y, width, height, scale; // pixels: where the window is; pixels a metre
} ground_window;

void ground_to_pixels(const ground_window *w, const double seen[3], double xy[2]);

/// Draws planes. Edge-on: what lies under the line is filled. From above: a patch about the scene with a grid, cut off
/// where other planes rise above it. From below: nothing, since it would hide the bodies.
/// @param low, high  bounds of the scene, seen
void ground_draw_planes(canvas *c, const ground_window *w, const sketch_plane *planes, int n, const double low[3],
                        const double high[3]);

/// Draws the triangles of a terrain or heightfield, what lies behind first.  @param pose  of the shape, seen
/// @return false when memory is short
bool ground_draw_terrain(canvas *c, const ground_window *w, const srs_shape *shape, const srs_pose *pose);

/// A round number near a length: 1, 2 or 5 times a power of ten, the largest not above it.
double ground_round(double length);
