// One step, and taking it. Internal.
#pragma once
#include <sarrus/engine.h>

/// One step of the sim's integrator into q_next, v_next. bad_v: with SRS_ERROR_SINGULAR, the coordinate.
/// @return SRS_ERROR_DIVERGED: an implicit step did not converge
srs_status srs_step(srs_sim *sim, int *bad_v);

/// What stands in q_next, v_next is the sim's state from now on; the clock is the caller's.
void srs_sim_accept(srs_sim *sim);

/// There was no last step: no contacts, rows, wrenches and efforts of one.
void srs_sim_forget_last_step(srs_sim *sim);
