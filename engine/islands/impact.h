// Impacts of a step, before its other rows act. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Finds the velocities from which the rows are solved: v_free, or where contacts bounce, v_struck.
/// @param v_free  nv: the links have these velocities; afterwards those of *from
/// @param from    out: v_free or the system's v_struck
srs_status srs_strike(struct srs_constraints *constraints, const srs_step_context *step, int n_contacts,
                      const double *v_free, const double **from);
