// The optimum of the ratio metric, seen from the first body. Internal.
#pragma once
#include "collision/ratio/polytope.h"

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
  bool is_exact; // no facet is violated by more than rounding
} srs_ratio_work;
void srs_ratio_solve_counted(const srs_polytope_pair *pair, const srs_ratio *last, srs_ratio *ratio,
                             srs_ratio_work *work);

/// The facets that held an earlier optimum of a pair: facet + 1 of body 1, -(facet + 1) of body 2, polygons end with a
/// 0. All 0: nothing is known.
typedef struct srs_ratio_start {
  int facets[4];
} srs_ratio_start;

/// r, rho and the normal alone, for a pair that is solved again and again: bodies that lie flat on each other have
/// many optimal witnesses, but one normal, which is found from where they lay before.
/// @param start  in: of an earlier answer, or zeros; out: of this one. It changes the time of the call, not its result
/// @param ratio  out: witness, turns and active stay zero
/// @param work   NULL: not wanted
void srs_ratio_solve_again(const srs_polytope_pair *pair, srs_ratio_start *start, srs_ratio *ratio,
                           srs_ratio_work *work);
