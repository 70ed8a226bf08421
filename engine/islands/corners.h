// Contacts of which, at a corner, only some have to hold. Internal.
#pragma once
#include "engine/islands/island.h"

/// Whether contacts of the island are sides of groups.
bool srs_has_groups(const island *island);

/// Solves the island, chooses of each group the side that holds, and leaves the others out of the island.
/// @param is_warm  its impulses hold a guess   @param report  out: of the problem that is left
srs_status srs_choose_sides(struct srs_constraints *constraints, const srs_sim_options *options, bool is_warm,
                            island *island, srs_contact_report *report);
