// Accelerations of the states that are loaded. Internal.
#pragma once
#include "engine/batch/memory.h"

/// (M + diag(extra)) a = tau - c(q, v), from the batch's q and tau to its a.
/// @param v  nv   @param extra  nv, NULL for zeros: what resists the coordinates besides
/// @return bit l where nothing resists a joint in state l
unsigned srs_batch_solve(srs_batch *batch, const lanes *v, const double *extra);

/// The same once more with other velocities: forces alone, since P and D stay.
void srs_batch_solve_again(srs_batch *batch, const lanes *v);

/// The error of that.  @param first  the first of the states
srs_status srs_batch_singular(srs_batch *batch, int first);
