// The parts of a collider. Internal.
#pragma once
#include "collision/world/broad_phase.h"
#include "collision/world/narrow_phase.h"

struct srs_collider {
  srs_geometries geometries;
  srs_filter filter;
  srs_broad_phase broad_phase;
  srs_ratio_pairs ratio;
  srs_narrow_phase narrow_phase;
  srs_arena memory; // of filter, broad phase and narrow phase
};

/// As srs_collider_contacts, for links that move.
/// @param motion  n_links x 6: angular velocity of each link and velocity of its origin, world; NULL: at rest
srs_status srs_collider_contacts_moving(srs_collider *collider, const srs_pose *links, const double *motion,
                                        double margin, srs_contact_point *contacts, int capacity, int *n,
                                        srs_error *error);

/// The pairs that pass the filters in turn, in the order of srs_collider_pair; all of them cost one look at each pair.
/// @param at  {0, 0} for the first; where to go on from   @return false when there is none left
bool srs_collider_next_pair(const srs_collider *collider, int at[2], int *shape_a, int *shape_b);

/// Checks the placements and places the geometries. @return SRS_OK, SRS_ERROR_ARGUMENT or _NOT_FINITE (the link is
/// named)
srs_status srs_collider_place(srs_collider *collider, const srs_pose *links, srs_error *error);

/// As srs_collider_create, for a caller that finds contacts itself and only needs the pairs that pass the filters:
/// pairs of kinds without a method are accepted, but for two half-spaces.
srs_status srs_collider_create_for_pairs(const srs_model *model, const srs_collider_options *options,
                                         srs_collider **collider, srs_error *error);

/// As srs_collider_create with the options that a collider of the model was made with, without finding out anew what
/// overlaps in the neutral configuration.
srs_status srs_collider_create_alike(const srs_collider *other, const srs_collider_options *options,
                                     srs_collider **collider, srs_error *error);

/// Whether the filters let two shapes collide; visual shapes do not.
bool srs_collider_has_pair(const srs_collider *collider, int shape_a, int shape_b);

/// The contact point of two geometries i < j with the smallest gap, as they are placed.
/// @param limit  m: farther apart is not looked for   @return false when there is none
bool srs_collider_nearest(srs_collider *collider, int i, int j, double limit, srs_contact_point *nearest);

/// Says that there is no method for the distance of two geometries.  @return SRS_ERROR_UNSUPPORTED
srs_status srs_collider_refuse_distance(const srs_geometries *geometries, int i, int j, srs_error *error);

/// Takes over sizes of shapes that have changed in the model, of kinds that srs_shape_resizes knows. Allocates nothing.
void srs_collider_resize(srs_collider *collider);

/// Whether shapes of a kind can change their size: those whose solid is no more than its size, and boxes.
static inline bool srs_shape_resizes(srs_shape_kind kind)
{
  return kind == SRS_SHAPE_SPHERE || kind == SRS_SHAPE_BOX || kind == SRS_SHAPE_CAPSULE || kind == SRS_SHAPE_CYLINDER ||
         kind == SRS_SHAPE_ELLIPSOID;
}
