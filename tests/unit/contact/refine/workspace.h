// Memory for searches of contact/refine/, with a budget and a state of pseudo-random numbers.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"

#include <stdint.h>

enum { WORKSPACE_ROWS = 56 }; // at most, as strides are

typedef struct workspace {
  double matrices[3][WORKSPACE_ROWS * WORKSPACE_ROWS], v[13][2 * WORKSPACE_ROWS];
  int pivot[WORKSPACE_ROWS];
  double left;
  uint64_t number;
} workspace;

/// The first matrices and vectors, up to v[7]; the others are the caller's.
static inline srs_lm_memory workspace_memory(workspace *m)
{
  return (srs_lm_memory){.J = m->matrices[0],
                         .gram = m->matrices[1],
                         .factor = m->matrices[2],
                         .x = m->v[0],
                         .r = m->v[1],
                         .trial = m->v[2],
                         .trial_r = m->v[3],
                         .gradient = m->v[4],
                         .step = m->v[5],
                         .best = m->v[6],
                         .tall = m->v[7],
                         .pivot = m->pivot,
                         .left = &m->left};
}
