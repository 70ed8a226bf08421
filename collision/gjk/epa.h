// The least depth of two overlapping cores: the expanding polytope algorithm. Internal.
#pragma once
#include "collision/gjk/polish.h"

/// Looks for a normal along which overlapping cores are less deep than along those known, and takes it. The result is
/// within 1e-8 * scale of the least depth.
/// @param simplex  points of C to begin with; four, or any
/// @return false where rounding or its room ended the search
bool srs_epa(const srs_core *a, const srs_core *b, double scale, const srs_simplex *simplex, srs_pair_optimum *optimum);
