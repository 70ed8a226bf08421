// Lengths of tendons over joints. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/topology.h>

/// The definition with its terms in the arena, which then says whether there was room.
srs_tendon_def srs_tendon_copy(srs_arena *arena, const srs_tendon_def *tendon);

/// L, the sum of its own terms. The same for velocities: the rate of L from v.
double srs_tendon_length(const srs_tendon *tendon, const double *q);
double srs_tendon_rate(const srs_tendon *tendon, const double *v);

/// The gap of one that is held.  @param slope  out: p'(L2)
double srs_tendon_gap(const srs_tendon *tendon, const double *q, double *slope);
