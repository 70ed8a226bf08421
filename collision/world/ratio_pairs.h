// Which pairs of members go by the ratio metric, and which contact points has one of them? Internal to collision/.
#pragma once
#include "collision/ratio/ratio_metric.h"
#include "collision/shapes/touch.h"
#include "collision/world/filter.h"

enum { SRS_RATIO_EVENTS = 256 }; // of one pair; where there are more, those of least t

typedef struct srs_ratio_pairs {
  srs_polytope **polytopes; // of the members, NULL for those that are no box or hull; NULL: no pair goes by the metric
  srs_polytope **polygons;  // of the members that are polygons, else NULL
  int n;                    // members
  bool everywhere;
  srs_pair_set on, off;
  srs_ratio_event *events;       // SRS_RATIO_EVENTS: scratch, and what srs_ratio_pairs_nodes leaves
  srs_touch *touches;            // SRS_RATIO_EVENTS: scratch
  struct srs_ratio_known *known; // n_known, a power of two: where pairs had their optimum when they were last asked for
  int n_known;
} srs_ratio_pairs;

/// To be released in any case.
/// @param arena  for all but the polytopes
/// @return SRS_OK, SRS_ERROR_NAME, _ARGUMENT, _UNSUPPORTED (named pairs that are no boxes or hulls), _MEMORY
srs_status srs_ratio_pairs_make(const srs_geometries *members, const srs_collider_options *options, srs_arena *arena,
                                srs_ratio_pairs *pairs, srs_error *error);
void srs_ratio_pairs_release(srs_ratio_pairs *pairs);

/// Whether all polygons that meet by the metric move in one plane, where its two-dimensional form is theirs.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (named, with what moves them out of it)
srs_status srs_ratio_pairs_check_planes(const srs_ratio_pairs *pairs, const srs_geometries *members,
                                        const srs_filter *filter, srs_error *error);

bool srs_ratio_pairs_has(const srs_ratio_pairs *pairs, int i, int j);

/// The events of members `first` and `second` with gap <= margin, in pairs->events: no two alike, and no more than
/// SRS_MANIFOLD_POINTS with one normal.
/// Starts from the facets that carried the pair last time, which makes it faster and changes no bit.
/// @return how many, at most SRS_RATIO_EVENTS; -1: none can be told since the centres coincide
int srs_ratio_pairs_nodes(srs_ratio_pairs *pairs, const srs_geometries *members, int first, int second, double margin);
