// A step, and its acceptance. Internal.
#pragma once
#include <sarrus/engine.h>

/// Takes one step of the simulation's integrator to q_next, v_next. bad_v: with SRS_ERROR_SINGULAR, the coordinate that
/// nothing resists.
/// @return SRS_ERROR_DIVERGED: an implicit step did not converge
srs_status srs_step(srs_sim *sim, int *bad_v);

/// The same as a part of a step that is divided: the work of all parts is bounded together.
srs_status srs_step_part(srs_sim *sim, int *bad_v);

/// Its last part: q_next from v_next, and the momentum of trees that float.
srs_status srs_step_end(srs_sim *sim, int *bad_v);

/// Accepts the step: q_next, v_next become the state; the caller advances the clock.
void srs_sim_accept(srs_sim *sim);

/// Forgets the last step: no contacts, rows, wrenches and efforts of one.
void srs_sim_forget_last_step(srs_sim *sim);
