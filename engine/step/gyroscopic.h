// Implicit gyroscopic terms. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// For each body that floats alone (a free joint, nothing carried, no embedded loop), takes one Newton step from the
/// explicit angular velocity; mass centres keep their velocity.
/// @param v  nv: of the velocity terms in v_next   @param v_next  nv, in: the explicit velocity; out
void srs_gyroscopic_steps(const srs_workspace *workspace, double dt, const double *v, double *v_next);
