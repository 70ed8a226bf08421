// Drawn planar problems, as those of heaps, and their cone problems.
#pragma once
#include "contact/large/large_cone.h"
#include "contact/problem/problem.h"
#include "support/blocks.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 30, CONTACTS = 70, ROWS = 2 * CONTACTS + 2, COLUMNS = 3 * BODIES };

// Bodies in a plane, each contact between two that are near in number, a limit and a row of dry friction: W = J J^T.
typedef struct heap {
  double J[ROWS][COLUMNS], W[ROWS * ROWS], b[ROWS], friction[CONTACTS], lower, upper;
  unsigned char tangents[CONTACTS];
  srs_contact_problem problem;
} heap;

// b with which impulses and velocities that obey the laws are an answer.
static inline void plant(heap *h, testing_random *random)
{
  double x[ROWS] = {0};
  for (int c = 0; c < CONTACTS; c++) {
    double *own = x + (ptrdiff_t)2 * c, *w = h->b + (ptrdiff_t)2 * c;
    const int mode = testing_below(random, 3); // parted, sticking, sliding
    if (mode == 0) w[0] = testing_uniform(random, 0, 1);
    if (mode != 1) w[1] = testing_uniform(random, -1, 1);
    if (mode == 0) continue;
    own[0] = testing_uniform(random, 0, 1);
    own[1] = h->friction[c] * own[0] * (mode == 1 ? testing_uniform(random, -1, 1) : w[1] > 0 ? -1 : 1);
  }
  x[ROWS - 2] = testing_uniform(random, 0, 1);
  x[ROWS - 1] = testing_uniform(random, h->lower, h->upper);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++) h->b[i] -= h->W[(size_t)i * ROWS + (size_t)j] * x[j];
}

static inline void draw(heap *h, testing_random *random)
{
  memset(h, 0, sizeof *h);
  for (int c = 0; c < CONTACTS; c++) {
    const int one = testing_below(random, BODIES), apart = 1 + testing_below(random, 3);
    const double angle = testing_uniform(random, 0, 6.28), n[2] = {cos(angle), sin(angle)}, t[2] = {-n[1], n[0]};
    for (int side = 0; side < 2; side++) {
      const int body = one + side * apart;
      const size_t row = (size_t)2 * (size_t)c;
      const double sign = side == 0 ? 1 : -1;
      for (int k = 0; k < 2 && body < BODIES; k++) {
        h->J[row][3 * body + k] = sign * n[k];
        h->J[row + 1][3 * body + k] = sign * t[k];
      }
      if (body < BODIES) h->J[row + 1][3 * body + 2] = 0.7;
    }
    h->friction[c] = testing_uniform(random, 0.1, 0.5);
    h->tangents[c] = 1;
  }
  h->J[ROWS - 2][0] = h->J[ROWS - 1][5] = 1;
  h->lower = -0.1, h->upper = 0.2;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++)
      for (int k = 0; k < COLUMNS; k++) h->W[(size_t)i * ROWS + (size_t)j] += h->J[i][k] * h->J[j][k];
  plant(h, random);
  h->problem = (srs_contact_problem){.n_contacts = CONTACTS,
                                     .n_unilateral = 1,
                                     .n_box = 1,
                                     .W = h->W,
                                     .b = h->b,
                                     .friction = h->friction,
                                     .tangents = h->tangents,
                                     .box_lower = &h->lower,
                                     .box_upper = &h->upper};
}

static inline void begin(srs_large_cone *cone, const testing_blocks *blocks)
{
  const srs_contact_sizes sizes = testing_sizes(&blocks->blocks, 4);
  double scale[ROWS];
  srs_contact_form form;
  assert_int_equal(srs_contact_problem_check(&blocks->problem, &form), SRS_OK);
  srs_contact_scales(&blocks->problem, &form, scale);
  assert_true(srs_large_cone_reserve(cone, sizes.n_rows, sizes.n_block_rows, sizes.n_blocks, sizes.n_values));
  assert_true(
      srs_large_cone_begin(cone, &blocks->problem, scale, srs_contact_size(ROWS, blocks->problem.b, scale), 1e-9));
  cone->fallback.lm.left = NULL;
}
