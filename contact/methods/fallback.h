// From where does the solver find an answer? Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"
#include <sarrus/contact.h>

/// Starts of large problems, W being packed only: answers, or nearly, of the problem with a friction pyramid, the
/// first, the second …
typedef enum srs_start { SRS_START_NONE, SRS_START_FAR, SRS_START_NEAR } srs_start; // no more; no good; here is one

/// x: n, in and out.
typedef srs_start srs_fallback_start(void *data, int number, double *x);

typedef struct srs_fallback {
  srs_cone_problem cone;
  srs_lm_memory lm;
  srs_minimiser *minimise;
  struct srs_polyhedral *polyhedral; // for Lemke's answer; NULL where W is packed only: then
  srs_fallback_start *start;         // others
  void *start_data;
  double *x, *w, *z, *swept, *good, *diagonal, *centre; // stride each: scratch
  double *best;                                         // stride, out: the best impulses found
  double best_residual;                                 // out: their natural map
  double goal, enough;                                  // in: |r| where to stop at once; |r| that is good enough
  double answer;                                        // in: the natural map that makes an answer
  int max_iterations;                                   // in
  srs_contact_stage last_stage;                         // in
  srs_contact_stage stage;                              // out: where the best came from
  int iterations;                                       // in and out: counts on
  double left;                                          // in and out: multiplications to spend, for lm too
} srs_fallback;

/// How a solver minimises; NULL: by pivots.
srs_minimiser *srs_minimiser_of(srs_contact_method name);

/// Tries stage by stage until one leads to an answer.
/// @param warm  n: impulses to start from, or NULL
void srs_fallback_run(srs_fallback *fallback, const double *warm);

/// One more time from `best`, for a cone problem that has changed a little.
void srs_fallback_again(srs_fallback *fallback);
