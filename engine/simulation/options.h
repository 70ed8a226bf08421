// Checks and copies of a simulation's options. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/engine.h>

/// Refuses options that no simulation can use, and those that its integrator does not offer. Options of contact, limits
/// and closures are checked where their rows are made (engine/islands/constraint_create.c).
srs_status srs_check_sim_options(const srs_sim_options *options, srs_error *error);

/// Copies options with all lists and names that they point to. Functions and contexts of surfaces remain the caller's.
/// @param memory  takes the lists and names   @return SRS_OK, SRS_ERROR_MEMORY
srs_status srs_copy_sim_options(const srs_sim_options *options, srs_arena *memory, srs_sim_options *copy,
                                srs_error *error);
