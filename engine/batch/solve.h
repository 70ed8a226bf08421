// Accelerations of the states that are loaded. Internal.
#pragma once
#include "engine/batch/memory.h"

/// (M + diag(armature + h damping)) a = tau - c(q, v), from the batch's q, v and tau to its a.
/// @return false where nothing resists a joint in one of the states
bool srs_batch_solve(srs_batch *batch, double h);

/// The error of that.  @param first  the first of the states
srs_status srs_batch_singular(srs_batch *batch, int first);
