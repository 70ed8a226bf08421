// What trajectories record about a sim beyond its public interface. Internal.
#pragma once
#include <sarrus/simulation.h>

/// The solver of the step's problems: "mcp" (geometrically-implicit), the name of a contact method, or "none" where the
/// sim has neither contacts nor rows.
const char *srs_sim_solver_name(const srs_sim *sim);

/// Whether a step led to the present state that srs_sim_joint_wrench can describe. After srs_sim_set_state and a reset
/// none did; after rk4 the wrenches are those of the present state.
bool srs_sim_has_wrenches(const srs_sim *sim);
