// What a collider is made of. Internal.
#pragma once
#include "collision/world/broad_phase.h"
#include "collision/world/dispatch.h"

struct srs_collider {
  srs_geometries members;
  srs_filter filter;
  srs_broad broad;
  srs_ratio_pairs ratio;
  srs_pair_room room;
  srs_arena memory; // of filter, broad and room
};

/// srs_collider_contacts for links that move.
/// @param motion  n_links x 6: the links' angular velocities and those of their origins, world; NULL: at rest
srs_status srs_collider_contacts_moving(srs_collider *collider, const srs_pose *links, const double *motion,
                                        double margin, srs_contact_point *contacts, int capacity, int *n,
                                        srs_error *error);

/// Checks and places. @return SRS_OK, SRS_ERROR_ARGUMENT or _NOT_FINITE (the link is named)
srs_status srs_collider_place(srs_collider *collider, const srs_pose *links, srs_error *error);

/// srs_collider_create for a caller that finds contacts itself and wants to know which pairs may meet: kinds that no
/// function of ours brings together are let pass, but for two half-spaces.
srs_status srs_collider_create_for_pairs(const srs_model *model, const srs_collider_options *options,
                                         srs_collider **collider, srs_error *error);
