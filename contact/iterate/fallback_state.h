// What does the fallback sequence work in: the cone problem, vectors, tolerances, and the best impulses so far?
// Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"
#include <sarrus/contact.h>

/// Starts of large problems, where W is packed only: approximate solutions with a friction pyramid.
typedef enum srs_start { SRS_START_NONE, SRS_START_FAR, SRS_START_NEAR } srs_start; // no more; too far; a useful start

// Numbers of starts: one that is tried before damped steps from sweeps, and one after a few of these.
enum { SRS_START_FIRST = -1, SRS_START_CROWD = -2 };

/// x: n, in and out.
typedef srs_start srs_fallback_start(void *data, int number, double *x);

typedef struct srs_fallback {
  srs_cone_problem cone;
  srs_lm_memory lm;
  srs_minimiser *minimise;
  struct srs_polyhedral *polyhedral; // for Lemke's solution; NULL where W is packed only: then
  srs_fallback_start *start;         // these starts
  struct srs_relaxation *relaxation; // for a start by relaxed problems; NULL likewise
  void *start_data;
  bool starts_first;                                    // these before all others
  double *x, *w, *z, *swept, *good, *diagonal, *centre; // stride each: scratch
  double *best;                                         // stride, out: the best impulses found
  double best_residual;                                 // out: their natural map
  double goal, enough;                                  // in: |r| at which to stop at once; |r| that is enough
  double answer;                                        // in: natural map of a solution
  bool is_strict;                                       // in: rounding is no reason to stop
  bool avoids_large;                                    // in: impulses whose rounding is above the tolerance
  int max_iterations;                                   // in
  srs_contact_stage last_stage;                         // in
  srs_contact_stage stage;                              // out: that found the best
  int iterations;                                       // in and out: adds up
  double slip;                                          // the least |w| of any impulses, root mean square; 0: unknown
  double left;                                          // in and out: budget of multiplications, for lm too
} srs_fallback;
