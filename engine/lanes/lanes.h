// Several runs of one sim's model and options side by side in vector lanes, as long as nothing acts on them but forces
// on coordinates. Internal.
//
// A lane that meets more than that (a limit, an actuator's speed limit, numbers that leave the finite) is given up: its
// caller takes that run by itself, from its start.
#pragma once
#include <sarrus/simulation.h>

enum { SRS_SIM_LANES = 4 };

typedef struct srs_lanes srs_lanes;

/// Allocates. Balances of energy are not kept.
/// @param sim    whose model, options, gains and parameters all runs have; it must outlive the lanes
/// @param lanes  out, freed by srs_lanes_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_MEMORY, or _UNSUPPORTED, with a message that says what stands in the way and what cures it
srs_status srs_lanes_create(const srs_sim *sim, srs_lanes **lanes, srs_error *error);
void srs_lanes_destroy(srs_lanes *lanes);

/// A lane takes over a state and its inputs.
/// @param sim  of the same model, options and parameters
/// @return whether it can be carried on: not where other gains or wrenches are set, or rows acted in the last step
bool srs_lanes_load(srs_lanes *lanes, int lane, const srs_sim *sim);

/// A lane becomes as another one.
void srs_lanes_copy(srs_lanes *lanes, int from, int to);

/// Torques of all lanes from here on.  @param torques  SRS_SIM_LANES pointers to nv, N m or N
void srs_lanes_set_torques(srs_lanes *lanes, const double *const torques[SRS_SIM_LANES]);

/// n steps.  @return whether there are lanes that are not given up
bool srs_lanes_step(srs_lanes *lanes, long n);

void srs_lanes_give_up(srs_lanes *lanes, int lane);
bool srs_lanes_is_carried(const srs_lanes *lanes, int lane);

/// The state of a lane.  @param time, q, v  out: 1, nq, nv; each may be NULL
void srs_lanes_state(const srs_lanes *lanes, int lane, double *time, double *q, double *v);

/// Sets a sim to the state of a lane; its inputs stay.
void srs_lanes_store(const srs_lanes *lanes, int lane, srs_sim *sim);
