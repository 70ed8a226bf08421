// What srs_sim_acceleration finds on its way. Internal.
#pragma once
#include <sarrus/simulation.h>

/// What actuators exert at the present state within their limits. After srs_sim_acceleration.  @param effort  nv, out
void srs_sim_state_effort(const srs_sim *sim, double *effort);
