// The planes along which two convex solids may separate. Internal.
#pragma once
#include "collision/shapes/touch.h"

enum { SRS_SIDES = 8 };

/// One such plane (a "side"): a direction from B to A, and how far apart it keeps them.
typedef struct srs_side {
  vec3 normal; // unit, world
  double separation;
  int face_a, face_b; // whose normal it is, -1: none
  bool is_along;      // across the motion, not the normal of a face
} srs_side;

/// Whether it is the plane of the nearest points alone.
SRS_INLINE bool srs_side_is_nearest(const srs_side *side)
{
  return side->face_a < 0 && side->face_b < 0 && !side->is_along;
}

/// Whether pairs of these kinds have sides: one has faces, and the other is a bounded convex solid.
bool srs_kinds_have_sides(srs_shape_kind a, srs_shape_kind b);

/// The planes that separate two solids, or nearly: that of their nearest points, of faces of B, of faces of A, and that
/// of the nearest points turned along the motion; each direction once. Of more than SRS_SIDES those with the least
/// separation are left out.
/// @param nearest  the contact point of least gap
/// @param motion   velocity of A's nearest point less that of B's, of any length   @return how many, 1 at least
int srs_find_sides(const srs_placed *a, const srs_placed *b, const srs_touch *nearest, vec3 motion,
                   srs_side sides[SRS_SIDES]);

/// The contact points with gap <= margin along one of them; faces are extended by the margin beyond their borders.
/// Where none is as deep as the solids along that direction, the deepest point is added wherever it is: else a body
/// could penetrate the plane beside them.
/// @param is_alone  there is no other side: points beside the face count only where there are no others
/// @return how many, 0 to SRS_MANIFOLD_POINTS
int srs_side_contacts(const srs_placed *a, const srs_placed *b, const srs_side *side, const srs_touch *nearest,
                      bool is_alone, double margin, srs_touch touches[SRS_MANIFOLD_POINTS]);
