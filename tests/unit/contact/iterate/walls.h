// Walls of bricks that slide on each other: contact problems of many contacts that hold each other.
//
// Layers of bricks on a floor under tilted gravity, four contacts between each pair that touches, masses to 1 : 100,
// friction 0.3 to 0.9, and speeds as of bricks that were nudged.
#pragma once
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { WALL_BRICKS = 28, WALL_CONTACTS = 200, WALL_ROWS = 3 * WALL_CONTACTS };

static const double wall_half[3] = {0.1, 0.05, 0.05}; // m, of a brick

typedef struct wall {
  int n_bricks, n_contacts;
  double at[WALL_BRICKS][3], mass[WALL_BRICKS], speed[WALL_BRICKS][6];
  double J[WALL_ROWS][6 * WALL_BRICKS], W[WALL_ROWS * WALL_ROWS], b[WALL_ROWS], friction[WALL_CONTACTS];
} wall;

// Rows of one body at a point: of the velocity along the axes `first`, `first + 1`, `first + 2`, times sign.
static inline void wall_add_rows(wall *w, int body, const double point[3], int first, double sign)
{
  double r[3];
  for (int k = 0; k < 3; k++) r[k] = point[k] - w->at[body][k];
  for (int k = 0; k < 3; k++) {
    const int axis = (first + k) % 3, x = (axis + 1) % 3, y = (axis + 2) % 3;
    double *row = w->J[3 * w->n_contacts + k] + 6 * (size_t)body;
    row[axis] = sign;
    row[3 + x] = sign * r[y]; // v = angular x r
    row[3 + y] = -sign * r[x];
  }
}

static inline void wall_add_contact(wall *w, int upper, int lower, const double point[3], int normal, double friction)
{
  wall_add_rows(w, upper, point, normal, 1);
  if (lower >= 0) wall_add_rows(w, lower, point, normal, -1);
  w->friction[w->n_contacts++] = friction;
}

// The corners of what two bricks, one above the other, share; or of a brick on the floor.
static inline void wall_stack(wall *w, int upper, int lower, double friction)
{
  double from = w->at[upper][0] - wall_half[0], to = w->at[upper][0] + wall_half[0];
  if (lower >= 0) from = fmax(from, w->at[lower][0] - wall_half[0]), to = fmin(to, w->at[lower][0] + wall_half[0]);
  if (!(from < to - 1e-3)) return;
  for (int k = 0; k < 4; k++) {
    const double point[3] = {k % 2 == 0 ? from : to, k < 2 ? -wall_half[1] : wall_half[1],
                             w->at[upper][2] - wall_half[2]};
    wall_add_contact(w, upper, lower, point, 2, friction);
  }
}

static inline void wall_place(testing_random *random, int layers, int columns, wall *w)
{
  const double friction = testing_uniform(random, 0.3, 0.9);
  memset(w, 0, sizeof *w);
  for (int i = 0; i < layers * columns; i++) {
    const int layer = i / columns;
    w->at[i][0] = 2 * wall_half[0] * (i % columns) + (layer % 2 == 0 ? 0 : testing_uniform(random, 0.02, 0.06));
    w->at[i][2] = wall_half[2] * (1 + 2 * layer);
    w->mass[i] = pow(10, testing_uniform(random, -1, 1));
    w->n_bricks++;
    for (int j = layer == 0 ? -1 : (layer - 1) * columns; j < layer * columns; j++) {
      if (layer == 0 && j >= 0) break;
      wall_stack(w, i, j, friction);
    }
  }
}

/// A wall of so many layers of so many bricks, at most WALL_BRICKS.
static inline void wall_draw(testing_random *random, int layers, int columns, wall *w)
{
  const double dt = 1e-3, tilt[3] = {testing_uniform(random, -3, 3), testing_uniform(random, -3, 3), -9};
  wall_place(random, layers, columns, w);
  const int n = 3 * w->n_contacts, size = 6 * w->n_bricks;
  double inverse[6 * WALL_BRICKS], free[6 * WALL_BRICKS];
  for (int j = 0; j < size; j++) {
    const double *h = wall_half, m = w->mass[j / 6];
    const int k = j % 6, x = (k + 1) % 3, y = (k + 2) % 3;
    inverse[j] = k < 3 ? 1 / m : 3 / (m * (h[x] * h[x] + h[y] * h[y]));
    free[j] = testing_uniform(random, -0.01, 0.01) + (k < 3 ? dt * tilt[k] : 0);
  }
  for (int i = 0; i < n; i++) {
    w->b[i] = 0;
    for (int k = 0; k < size; k++) w->b[i] += w->J[i][k] * free[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < size; k++) sum += w->J[i][k] * inverse[k] * w->J[j][k];
      w->W[i * n + j] = sum;
    }
  }
}
