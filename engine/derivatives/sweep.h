// The inward sweep that fills matrices over pairs of coordinates. Internal.
#pragma once
#include "engine/derivatives/memory.h"

typedef enum srs_sweep_kind {
  SRS_SWEEP_DERIVATIVES, // of inverse dynamics
  SRS_SWEEP_CORIOLIS,    // the Coriolis matrix, in place of the derivatives with respect to v
} srs_sweep_kind;

/// After srs_derivative_prepare.
/// @param dq  nv x nv, out: derivatives with respect to the configuration; NULL for the Coriolis matrix
/// @param dv  nv x nv, out: derivatives with respect to the velocities, or the Coriolis matrix
/// @param M   nv x nv, out: mass matrix without armature, both triangles; may be NULL
void srs_derivative_sweep(srs_workspace *w, srs_sweep_kind kind, bool has_wrenches, double *dq, double *dv, double *M);
