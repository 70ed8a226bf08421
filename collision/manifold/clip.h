// A contact manifold under construction, clipped from two facing parts of solids. Internal.
#pragma once
#include "collision/shapes/outline.h"
#include "collision/shapes/touch.h"

enum { SRS_MANIFOLD_CANDIDATES = 96 };

/// The kind of a contact point, in the two highest bits of its feature; below, 15 bits for A's part and 15 for B's.
enum { SRS_FEATURE_NEAREST, SRS_FEATURE_POINT_OF_A, SRS_FEATURE_POINT_OF_B, SRS_FEATURE_CROSSING };

/// Contact points with one normal, in the order found; those beyond the margin and duplicates are left out.
typedef struct srs_manifold {
  vec3 normal;          // unit, from B to A
  double least, margin; // possible gaps: a point outside a steep border by the slack would seem deeper
  double near;          // points closer than this are one: the deepest, or the first
  int n;
  srs_touch touches[SRS_MANIFOLD_CANDIDATES];
} srs_manifold;

uint32_t srs_contact_feature(int what, int a, int b);

/// Adds a contact point. When there is no more room, srs_manifold_reduce makes some.
void srs_manifold_add(srs_manifold *manifold, vec3 a, vec3 b, uint32_t feature);

/// All contact points between two outlines seen along manifold->normal: points of one that lie over the other, and
/// where their borders cross.
/// @param slack  m: a point this far outside a border counts as inside
void srs_clip(const srs_outline *a, const srs_outline *b, double slack, srs_manifold *manifold);
