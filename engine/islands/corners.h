// Contacts at corners, of which only some have to hold. Internal.
#pragma once
#include "engine/islands/island.h"

/// Whether the island has contacts that are sides of groups.
bool srs_has_groups(const island *island);

/// Solves the island, chooses the side of each group that holds, and removes the other sides from the island.
/// @param is_warm  its impulses hold a guess   @param report  out: of the remaining problem
srs_status srs_choose_sides(struct srs_constraints *constraints, const srs_sim_options *options, bool is_warm,
                            island *island, srs_contact_report *report);
