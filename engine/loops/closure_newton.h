// Newton's method on the closures (Levenberg-Marquardt): the configuration in which the gaps of rows vanish or are
// least. Internal.
#pragma once
#include "engine/loops/closure.h"

/// Places the links at q, fills the rows and returns their number, which may vary.
typedef int srs_closure_newton_evaluate(void *context, const double *q, srs_closure_row *rows);

/// Memory of the method: for one workspace, which it uses as scratch, and up to so many rows.
typedef struct srs_closure_newton {
  srs_workspace *w;
  int room, n;                   // rows: at most, at present
  const bool *frozen;            // nv: coordinates that must not move; NULL: none
  double *lower, *upper;         // nv: limits of scalar coordinates; set by the caller, infinite at first
  srs_closure_row *rows, *trial; // room: at q, at the next q
  double *J;                     // room x nv
  double *K;                     // room x room
  double *r, *x, *work;          // room
  double *step;                  // nv
  double *q_trial;               // nq
  int *order;                    // room
  bool *is_fixed;                // nv: frozen, or at a limit in this step
  int *q_of_v;                   // nv: the entry of q, -1 for a quaternion's
  int rank;                      // of the rows over the coordinates that were not fixed at the last step
  void *memory;
} srs_closure_newton;

/// Creates the memory. Allocates.
srs_status srs_closure_newton_create(srs_workspace *w, int n_rows, srs_closure_newton **fit);
void srs_closure_newton_destroy(srs_closure_newton *fit);

/// Levenberg-Marquardt from q, each step the shortest that its damping allows; coordinates stay within their limits.
/// Allocates nothing.
/// @param q           nq, in and out: the best found
/// @param largest     out: the largest |gap| there
/// @param iterations  in: at most; out: done
/// @return whether the largest gap is at most the tolerance; fit->rows are those at q
bool srs_closure_newton_solve(srs_closure_newton *fit, srs_closure_newton_evaluate *evaluate, void *context,
                              double tolerance, double *q, double *largest, int *iterations);

/// The part of d in the null space of the present rows. Frozen coordinates are left out, and so are coordinates at a
/// limit that moving by minus the part would take beyond it.  @param d, part  nv
void srs_closure_newton_null_part(srs_closure_newton *fit, const double *q, const double *d, double *part);

/// Moves coordinates that are beyond a limit to the limit.
void srs_closure_newton_clamp(const srs_closure_newton *fit, double *q);

/// The shortest d whose row velocities are x, for the independent ones of the present rows.  @param x  n   @param d
/// nv, out
void srs_closure_newton_least_norm(srs_closure_newton *fit, const double *x, double *d);

/// Adds a row to a line of a Jacobian: the row's velocity per v, nv, after srs_place_links.
void srs_add_row_line(const srs_workspace *w, const srs_step_row *row, double *line);

/// Fills a Jacobian, n x nv, with rows, after srs_place_links.
void srs_fill_jacobian(const srs_workspace *w, const srs_closure_row *rows, int n, double *J);
