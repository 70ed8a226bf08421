// A contact point between two placed solids, and the functions that find them for a pair of kinds. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include <sarrus/collision.h>

/// One contact point. The normal points from B to A; gap = normal . (a - b).
typedef struct srs_touch {
  vec3 a, b, normal;
  double gap;
  uint32_t feature; // stable name of the features that meet, unique within the manifold
} srs_touch;

/// Finds the contact points with gap <= margin between two placed solids of its kinds, at most SRS_MANIFOLD_POINTS.
/// bullet: an srs_bullet_pair for srs_pair_bullet, which alone uses it.
typedef int srs_pair_function(void *bullet, const srs_placed *a, const srs_placed *b, double margin,
                              srs_touch touches[SRS_MANIFOLD_POINTS]);
