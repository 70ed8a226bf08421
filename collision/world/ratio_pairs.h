// Pairs of geometries with the ratio metric, and their contact points. Internal.
#pragma once
#include "collision/ratio/ratio_metric.h"
#include "collision/shapes/touch.h"
#include "collision/world/filter.h"

enum { SRS_RATIO_EVENTS = 256 }; // of one pair; where there are more, those of least t

typedef struct srs_ratio_pairs {
  srs_polytope **polytopes; // of the geometries, NULL for those that are no box or hull; NULL: no pair has the metric
  srs_polytope **polygons;  // of the geometries that are polygons, else NULL
  int n;                    // geometries
  bool everywhere;
  srs_pair_set on, off;
  srs_ratio_event *events;       // SRS_RATIO_EVENTS: scratch, and what srs_ratio_pairs_events leaves
  srs_touch *touches;            // SRS_RATIO_EVENTS: scratch
  struct srs_ratio_known *known; // n_known, a power of two: the last optimum of some pairs
  int n_known;
} srs_ratio_pairs;

/// Must be released even after a failure.
/// @param arena  for all but the polytopes
/// @return SRS_OK, SRS_ERROR_NAME, _ARGUMENT, _UNSUPPORTED (named pairs that are no boxes or hulls), _MEMORY
srs_status srs_ratio_pairs_make(const srs_geometries *geometries, const srs_collider_options *options, srs_arena *arena,
                                srs_ratio_pairs *pairs, srs_error *error);
void srs_ratio_pairs_release(srs_ratio_pairs *pairs);

/// Checks that all polygons with the metric move in one plane, where its two-dimensional form applies.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (named, with what moves them out of it)
srs_status srs_ratio_pairs_check_planes(const srs_ratio_pairs *pairs, const srs_geometries *geometries,
                                        const srs_filter *filter, srs_error *error);

bool srs_ratio_pairs_has(const srs_ratio_pairs *pairs, int i, int j);

/// The events of geometries `first` and `second` with gap <= margin, in pairs->events: no two alike, and no more than
/// SRS_MANIFOLD_POINTS with one normal.
/// Starts from the facets that carried the pair last time, which makes it faster and changes no bit.
/// @return how many, at most SRS_RATIO_EVENTS; -1: not known, since the centres coincide
int srs_ratio_pairs_events(srs_ratio_pairs *pairs, const srs_geometries *geometries, int first, int second,
                           double margin);
