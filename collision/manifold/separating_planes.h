// Along which planes may two convex solids part? Internal to collision/.
#pragma once
#include "collision/shapes/touch.h"

enum { SRS_SIDES = 8 };

/// A direction from B to A, and how far apart it keeps them.
typedef struct srs_side {
  vec3 normal; // unit, world
  double separation;
  int face_a, face_b; // whose normal it is, -1: none's
  bool is_along;      // none's, but across the motion
} srs_side;

/// Whether it is that of the nearest points alone.
SRS_INLINE bool srs_side_is_nearest(const srs_side *side)
{
  return side->face_a < 0 && side->face_b < 0 && !side->is_along;
}

/// Whether pairs of these kinds have sides: one of the two has faces, and the other is a convex solid with bounds.
bool srs_kinds_have_sides(srs_shape_kind a, srs_shape_kind b);

/// What two solids may overlap by and still be seen as touching, m.
double srs_side_tolerance(const srs_placed *a, const srs_placed *b);

/// The planes that part two solids, or nearly: that of their nearest points, of faces of B, of faces of A, and that of
/// the nearest points turned along the motion; each direction once. Of more than SRS_SIDES those are left out that part
/// them least.
/// @param nearest  the node of least gap
/// @param motion   velocity of A's nearest point less that of B's, of any length   @return how many, 1 at least
int srs_find_sides(const srs_placed *a, const srs_placed *b, const srs_touch *nearest, vec3 motion,
                   srs_side sides[SRS_SIDES]);

/// The nodes with gap <= margin along one of them, where each solid's face goes on by as much beyond its border. Where
/// none of these is as deep as the solids along that direction, what is as deep is a node too, wherever it is: else a
/// plane might be free that a body reaches through beside it.
/// @param is_alone  there is no other side: what is beside the face does not count unless nothing else is there
/// @return how many, 0 to SRS_MANIFOLD_POINTS
int srs_side_nodes(const srs_placed *a, const srs_placed *b, const srs_side *side, const srs_touch *nearest,
                   bool is_alone, double margin, srs_touch touches[SRS_MANIFOLD_POINTS]);
