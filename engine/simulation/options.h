// Checks of a simulation's options. Internal.
#pragma once
#include <sarrus/engine.h>

/// Refuses options that no simulation can use, and those that its integrator does not offer. Options of contact, limits
/// and closures are checked where their rows are made (engine/islands/constraint_create.c).
srs_status srs_check_sim_options(const srs_sim_options *options, srs_error *error);
