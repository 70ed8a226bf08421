// Selection of the pairs of smooth solids that enter a step. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// Selects the pairs that enter a step, after srs_place_links at its start (smooth_pairs.c).
/// @param before, free  n_links: velocities at the start, and without impulses
srs_status srs_smooth_select(struct srs_geometric *geometric, const v6 *before, const v6 *free);

/// Adds pairs that were left out and overlap at the end, where the workspace is, with the velocities there.
/// @param any  out: whether there were some
srs_status srs_smooth_check(struct srs_geometric *geometric, bool *any);

/// Restarts a pair from its nearest points where the links are placed.
/// @param keeps_impulses  else its impulses are zero
void srs_smooth_restart(struct srs_geometric *geometric, int pair, bool keeps_impulses);
