// The geometrically implicit step. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"
#include "engine/state/step_context.h"

/// The whole system of a step that would reach v_next without any impulse, after srs_solve_forward at its q.
/// @param extra   nv: what stands beside the mass matrix
/// @param v_next  in: free; out: the velocities that answer
srs_status srs_geometric_step(struct srs_geometric *geometric, const srs_step_context *step, const double *extra,
                              double *v_next);

/// The step was accepted: the next one starts from what it found.
void srs_geometric_accept(const struct srs_geometric *geometric, srs_sim_state *state);

/// There was no last step.
void srs_geometric_forget(const struct srs_geometric *geometric, srs_sim_state *state);
