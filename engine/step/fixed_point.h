// The memory of the iteration that implicit integrators make. Internal. Mathematics: implicit.c.
#pragma once
#include <sarrus/engine.h>

enum { SRS_IMPLICIT_DEPTH = 3 };

/// Memory of the iteration; pointers are NULL for other integrators.
typedef struct srs_fixed_point {
  double *guess;            // nv: the velocity that the step is thought to end with
  double *guess_change;     // nv: that less the velocity at the start
  double *predicted_motion; // nv: from where an explicit integrator would take its matrices to where this one does
  double *residual;         // nv: what an iteration changes the guess by
  double *changes[2 * SRS_IMPLICIT_DEPTH]; // nv each: how residuals, and velocities found, changed in the last ones
  double *before;                          // the state before a step that is halved
  srs_implicit_statistics statistics;
} srs_fixed_point;
