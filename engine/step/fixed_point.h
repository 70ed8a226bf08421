// Memory of the fixed-point iteration of implicit integrators. Internal. Mathematics: implicit.c.
#pragma once
#include <sarrus/engine.h>

enum { SRS_IMPLICIT_DEPTH = 3, SRS_IMPLICIT_MOST = 1000000 }; // MOST: iterations of a step with all its parts

/// Memory of the iteration; the pointers are NULL for other integrators.
typedef struct srs_fixed_point {
  double *guess;            // nv: guess of the velocity at the end of the step
  double *guess_change;     // nv: the guess minus the velocity at the start
  double *predicted_motion; // nv: motion from the configuration of an explicit integrator's matrices to that of the
                            // present ones
  double *residual;         // nv: change of the guess in an iteration
  double *changes[2 * SRS_IMPLICIT_DEPTH]; // nv each: changes of residuals, then of v_next, in the last iterations
  double *before;                          // the state before a step that is subdivided
  int left;                                // iterations that the step may still take
  srs_implicit_statistics statistics;
} srs_fixed_point;
