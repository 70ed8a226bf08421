// Contacts of which, at a corner, only some have to hold. Internal.
#pragma once
#include "engine/islands/island.h"

/// Which half-spaces bound solids.
srs_status srs_corner_solids_create(struct srs_constraints *constraints, const srs_model *model,
                                    const srs_contact_settings *settings, srs_error *error);

/// The half-space of a candidate that bounds a solid with others, -1: it has none.
static inline int srs_plane_of(const struct srs_constraints *constraints, const srs_contact_point *candidate)
{
  if (constraints->solid_of[candidate->shape_b] >= 0) return candidate->shape_b;
  return constraints->solid_of[candidate->shape_a] >= 0 ? candidate->shape_a : -1;
}

/// Whether the candidate has to hold by itself.
static inline bool srs_stands_alone(const struct srs_constraints *constraints, const srs_contact_point *candidate)
{
  return constraints->corners == SRS_CORNERS_CONVEX ||
         (candidate->n_sides == 0 && srs_plane_of(constraints, candidate) < 0);
}

/// Memory for problems of so many contacts and rows; nothing without corners.
srs_status srs_corners_reserve(struct srs_constraints *constraints, int n_contacts, int n_rows);

/// Whether contacts of the island are sides of groups.
bool srs_has_groups(const island *island);

/// Solves the island, chooses of each group the side that holds, and leaves the others out of the island.
/// @param is_warm  its impulses hold a guess   @param report  out: of the problem that is left
srs_status srs_choose_sides(srs_sim *sim, bool is_warm, island *island, srs_contact_report *report);
