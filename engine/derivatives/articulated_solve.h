// Systems with a tree's mass matrix for many right-hand sides. Internal.
#pragma once
#include "engine/derivatives/memory.h"

/// Solves with M + armature by the pivots that srs_forward_dynamics has left in the workspace, in place.
/// @param dq, dv   nv x nv, in and out: B <- -M^-1 B. Entries between coordinates that are not on each other's way to
///                 the root must be zero.
/// @param inverse  nv x nv, out: M^-1; may be NULL
/// @return whether all results are finite
bool srs_articulated_solve(srs_workspace *w, double *dq, double *dv, double *inverse);
