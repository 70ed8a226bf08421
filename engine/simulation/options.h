// Options of a simulation. Internal.
#pragma once
#include <sarrus/engine.h>

/// Refuses what no simulation can do, and what its integrator does not offer. Contact, limits and closures are checked
/// where their rows are made (engine/islands/constraint_create.c).
srs_status srs_check_sim_options(const srs_sim_options *options, srs_error *error);
