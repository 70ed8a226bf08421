// Shapes of one robot that overlap in its neutral configuration. Internal.
#pragma once
#include "collision/world/filter.h"
#include "collision/world/narrow_phase.h"

/// Two geometries, i < j, that overlap.
typedef struct srs_self_overlap {
  int i, j;
  double depth; // m
} srs_self_overlap;

/// Excludes what SRS_SELF_COLLISION_AUTO leaves out, and lists it in the filter. Places the geometries.
/// @param arena  for the lists   @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_self_overlaps_exclude(srs_geometries *geometries, srs_narrow_phase *narrow, srs_filter *filter,
                                     srs_arena *arena, srs_error *error);

/// The same with what another filter of the same model leaves out, which was made with the same options.
srs_status srs_self_overlaps_take(const srs_filter *known, srs_filter *filter, srs_arena *arena, srs_error *error);

/// Whether two geometries i < j are of one tree of one robot, and the filter lets them collide.
bool srs_self_can_overlap(const srs_geometries *geometries, const srs_filter *filter, int i, int j);

/// How deep two geometries overlap where they are placed, m. 0: not, or by no more than rounding errors of files, 1 um.
double srs_self_depth(const srs_geometries *geometries, srs_narrow_phase *narrow, int i, int j);
