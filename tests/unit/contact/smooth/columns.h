// Columns of boxes, each on the four corners of the one below, which are pushed about: W of 12 rows and 6 freedoms a
// box.
#pragma once
#include "contact/smooth/smooth_newton.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { BOXES = 3, CORNERS = 4, CONTACTS = BOXES * CORNERS, ROWS = 3 * CONTACTS, FREEDOMS = 6 * BOXES };

typedef struct column {
  double J[ROWS][FREEDOMS], inverse[FREEDOMS], W[ROWS * ROWS], b[ROWS], friction[CONTACTS];
  double matrices[3][ROWS * ROWS], vectors[13][ROWS], tall[2 * ROWS];
  int pivot[ROWS];
  double left;
  srs_lm_memory lm;
  srs_cone_problem cone;
  srs_smooth smooth;
} column;

static inline void add_body(column *c, int row, int body, const double *r, double sign)
{
  for (int k = 0; k < 3; k++) { // rows along z, x, y
    const int axis = (2 + k) % 3, x = (axis + 1) % 3, y = (axis + 2) % 3;
    double *J = c->J[row + k] + 6 * (size_t)body;
    J[axis] = sign;
    J[3 + x] = sign * r[y], J[3 + y] = -sign * r[x];
  }
}

static inline void lay_out(column *c)
{
  double(*v)[ROWS] = c->vectors;
  c->cone = (srs_cone_problem){.n = ROWS, .stride = ROWS, .n_contacts = CONTACTS, .friction = c->friction};
  c->cone.W = c->W, c->cone.b = c->b;
  c->lm = (srs_lm_memory){.J = c->matrices[0],
                          .gram = c->matrices[1],
                          .factor = c->matrices[2],
                          .x = v[0],
                          .r = v[1],
                          .trial = v[2],
                          .trial_r = v[3],
                          .gradient = v[4],
                          .step = v[5],
                          .best = v[6],
                          .tall = c->tall,
                          .pivot = c->pivot,
                          .left = &c->left};
  c->left = INFINITY;
  c->smooth = (srs_smooth){&c->cone, &c->lm, v[7], v[8], v[9], 0, NULL};
}

// Scaled as the solver does: W about 1, |b| = 1.
static inline void draw(testing_random *random, column *c)
{
  double free[FREEDOMS], size = 0;
  memset(c, 0, sizeof *c);
  for (int j = 0; j < FREEDOMS; j++) {
    c->inverse[j] = j % 6 < 3 ? testing_uniform(random, 0.3, 3) : testing_uniform(random, 1, 10);
    free[j] = testing_uniform(random, -1, 1) - (j % 6 == 2 ? 0.5 : 0);
  }
  for (int i = 0; i < CONTACTS; i++) {
    const int box = i / CORNERS;
    const double x = i % 2 == 0 ? 0.5 : -0.5, y = i % 4 < 2 ? 0.4 : -0.4, lower[3] = {x, y, -0.3},
                 upper[3] = {x, y, 0.3};
    add_body(c, 3 * i, box, lower, 1);
    if (box > 0) add_body(c, 3 * i, box - 1, upper, -1);
    c->friction[i] = testing_uniform(random, 0.2, 0.9);
  }
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < FREEDOMS; k++) c->b[i] += c->J[i][k] * free[k];
    size += c->b[i] * c->b[i];
    for (int j = 0; j < ROWS; j++)
      for (int k = 0; k < FREEDOMS; k++) c->W[i * ROWS + j] += c->J[i][k] * c->inverse[k] * c->J[j][k] / 3;
  }
  for (int i = 0; i < ROWS; i++) c->b[i] /= sqrt(size);
  lay_out(c);
}

static inline double residual_of(column *c, const double *x)
{
  double w[ROWS];
  srs_cone_velocity(&c->cone, x, w);
  return srs_cone_residual(&c->cone, x, w);
}
