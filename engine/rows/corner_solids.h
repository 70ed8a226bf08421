// Solids that are bounded by half-spaces, for contact at their corners. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// Finds which half-spaces bound solids.
srs_status srs_corner_solids_create(struct srs_constraints *constraints, const srs_model *model,
                                    const srs_contact_settings *settings, srs_error *error);

/// The candidate's half-space if it bounds a solid together with others, else -1.
static inline int srs_plane_of(const struct srs_constraints *constraints, const srs_contact_point *candidate)
{
  if (constraints->solid_of[candidate->shape_b] >= 0) return candidate->shape_b;
  return constraints->solid_of[candidate->shape_a] >= 0 ? candidate->shape_a : -1;
}

/// Whether the candidate is a contact by itself, not one side of a group.
static inline bool srs_stands_alone(const struct srs_constraints *constraints, const srs_contact_point *candidate)
{
  return constraints->corners == SRS_CORNERS_CONVEX ||
         (candidate->n_sides == 0 && srs_plane_of(constraints, candidate) < 0);
}
