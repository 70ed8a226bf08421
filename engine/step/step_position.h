// Positions at the end of a step: q_next from v_next, loops closed. Internal.
#pragma once
#include <sarrus/engine.h>

/// q_next = integrate(q, h v_next), or with the mean of v and v_next for h v_next; loops are closed.
srs_status srs_end_at_velocity(srs_sim *sim, int *bad_v);
srs_status srs_end_at_mean(srs_sim *sim, int *bad_v);
