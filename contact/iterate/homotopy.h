// Paths to answers: Lemke's for the exact cone, and from any point. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

typedef struct srs_homotopy {
  srs_cone_problem *cone; // dense; its diagonal is changed and restored
  const srs_lm_memory *lm;
  double *covering, *diagonal; // n each: scratch
  uint64_t *state;             // of the pseudo-random numbers that paths are drawn from
  int most;                    // Jacobians of one path
} srs_homotopy;

/// Follows a path that begins where every contact is apart.
/// @param z       n, out: where it ended
/// @param formed  out: Jacobians formed
/// @return whether it ended near an answer
bool srs_homotopy_apart(const srs_homotopy *homotopy, double *z, int *formed);

/// The same from a random point up to about `size` from z in every row.
/// @param z  n, in: the point; out: where it ended
bool srs_homotopy_near(const srs_homotopy *homotopy, double size, double *z, int *formed);
