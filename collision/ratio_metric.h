// The optimum of the ratio metric, seen from the first body. Internal to collision/.
#pragma once
#include "collision/polytope.h"

/// Two polytopes as seen from the first one's centre, along the axes of its frame.
typedef struct srs_polytope_pair {
  const srs_polytope *body[2];
  mat3 axes;     // of the second
  vec3 between;  // from the first's centre to the second's; polygons: z = 0
  mat3 to_world; // the first's axes
  vec3 origin;   // the first's centre, world
} srs_polytope_pair;

/// @return false when dimensions differ or something is not finite
bool srs_polytope_pair_make(const srs_polytope *body_1, mat3 axes_1, vec3 position_1, const srs_polytope *body_2,
                            mat3 axes_2, vec3 position_2, srs_polytope_pair *pair);

/// As srs_ratio_metric().
void srs_ratio_solve(const srs_polytope_pair *pair, const srs_ratio *last, srs_ratio *ratio);

/// What a solve took: for tests and benchmarks.
typedef struct srs_ratio_work {
  int pivots;
  long facets;   // looked at
  bool was_warm; // the start was good, and the optimum the only one
} srs_ratio_work;
void srs_ratio_solve_counted(const srs_polytope_pair *pair, const srs_ratio *last, srs_ratio *ratio,
                             srs_ratio_work *work);

/// As srs_ratio_events().
int srs_ratio_find_events(const srs_polytope_pair *pair, const srs_ratio *ratio, const srs_event_options *options,
                          srs_event *events, int capacity);
