// The configuration in which rows have no gaps, or as small ones as can be. Internal.
#pragma once
#include "engine/loops/closure.h"

/// Fills rows at a configuration, after placing the links there, and returns their number, which may differ.
typedef int srs_closure_newton_evaluate(void *context, const double *q, srs_closure_row *rows);

/// Memory for one workspace, which is used as scratch, and so many rows.
typedef struct srs_closure_newton {
  srs_workspace *w;
  int room, n;                   // rows: most, at hand
  const bool *frozen;            // nv: coordinates that stay; NULL: none
  double *lower, *upper;         // nv: of q, where it is a number; set by the caller, infinite at first
  srs_closure_row *rows, *trial; // room: at q, at the next q
  double *J;                     // room x nv
  double *K;                     // room x room
  double *r, *x, *work;          // room
  double *step;                  // nv
  double *q_trial;               // nq
  int *order;                    // room
  bool *is_fixed;                // nv: frozen, or at a limit in this step
  int *q_of_v;                   // nv: -1 for parts of quaternions
  int rank;                      // of the rows over the coordinates that are not held, at the last step
  void *memory;
} srs_closure_newton;

/// Allocates.
srs_status srs_closure_newton_create(srs_workspace *w, int n_rows, srs_closure_newton **fit);
void srs_closure_newton_destroy(srs_closure_newton *fit);

/// Levenberg-Marquardt from q, each step the least that its damping allows; coordinates stay within their limits.
/// Allocates nothing.
/// @param q          nq, in and out: the best found
/// @param largest    out: the largest |gap| there
/// @param iterations in: at most; out: done
/// @return whether the largest gap is at most the tolerance; fit->rows are those at q
bool srs_closure_newton_solve(srs_closure_newton *fit, srs_closure_newton_evaluate *evaluate, void *context,
                              double tolerance, double *q, double *largest, int *iterations);

/// The part of d that changes none of the rows at hand, without coordinates that are frozen, or that moving by minus
/// the part would take beyond a limit at which they are.  @param d, part  nv
void srs_closure_newton_null_part(srs_closure_newton *fit, const double *q, const double *d, double *part);

/// Takes coordinates to their limits where they are beyond.
void srs_closure_newton_clamp(const srs_closure_newton *fit, double *q);

/// d <- the least d with (row velocities of d) = x, of the independent rows at hand.  @param x  n   @param d  nv, out
void srs_closure_newton_least(srs_closure_newton *fit, const double *x, double *d);

/// Adds a row's velocity per v to a line, nv, after srs_place_links.
void srs_add_row_line(const srs_workspace *w, const srs_step_row *row, double *line);

/// Rows into lines of a matrix, n x nv, after srs_place_links.
void srs_fill_jacobian(const srs_workspace *w, const srs_closure_row *rows, int n, double *J);
