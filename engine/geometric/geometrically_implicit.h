// The geometrically implicit step with contacts at the end of the step. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"
#include "engine/state/step_context.h"

/// Solves a step whose velocity without any impulse is v_next, after srs_solve_forward at its q.
/// @param extra   nv: the diagonal added to the mass matrix
/// @param v_next  in: the free velocity; out: the solution
srs_status srs_geometric_step(struct srs_geometric *geometric, const srs_step_context *step, const double *extra,
                              double *v_next);

/// Accepts the step: the next one starts from its solution.
void srs_geometric_accept(const struct srs_geometric *geometric, srs_sim_state *state);

/// Forgets the last step.
void srs_geometric_forget(const struct srs_geometric *geometric, srs_sim_state *state);
