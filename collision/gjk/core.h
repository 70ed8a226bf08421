// Support functions of the cores of convex solids, in the frame of one of them. Internal.
//
// A sphere is a point with a margin r around it, a capsule a segment with one; the other solids are their own cores. A
// core's support function h(d) = max x . d is the largest of a few smooth PIECES: x . d for each corner, for each rim
// of radius r at height z about the axis r |d's part across the axis| + z d_z, and of an ellipsoid |D d|, with the
// semi-axes D. On unit normals the margins add a constant to the gap of two solids, so the normal is that of the cores.
#pragma once
#include "collision/shapes/hull_support.h"
#include "collision/shapes/solid.h"

/// A core where it is, seen from the first solid of the pair.
typedef struct srs_core {
  mat3 axes; // the identity for the first
  vec3 origin;
  vec3 half; // boxes: half lengths; cylinders, cones: radius, -, half length; capsules: -, -, half length;
             // ellipsoids: semi-axes
  srs_shape_kind kind;
  const srs_hull *hull; // hulls
  double margin;
} srs_core;

/// A point of a core that lies farthest in a direction, and the piece that it is on.
typedef struct srs_core_point {
  vec3 at;
  int piece; // hulls: corner; boxes: signs in bits; capsules: 0 above, 1 below; cylinders, cones: SRS_PIECE_…
} srs_core_point;

enum { SRS_PIECE_UPPER, SRS_PIECE_LOWER, SRS_PIECE_APEX }; // of cylinders and cones

SRS_INLINE bool core_is_round(const srs_core *core)
{
  return core->kind == SRS_SHAPE_CYLINDER || core->kind == SRS_SHAPE_CONE;
}

/// The point of a rim that lies farthest along d, both in the core's frame.
SRS_INLINE vec3 core_rim(double radius, double height, vec3 d)
{
  const double across = sqrt(d.x * d.x + d.y * d.y);
  const double s = across > 0 ? radius / across : 0;
  return (vec3){across > 0 ? s * d.x : radius, s * d.y, height};
}

/// The point of an ellipsoid that lies farthest along d, both in its frame.
SRS_INLINE vec3 core_ellipsoid(vec3 half, vec3 d)
{
  const vec3 s = {half.x * d.x, half.y * d.y, half.z * d.z};
  const double part = 1 / norm3(s);
  return (vec3){part * half.x * s.x, part * half.y * s.y, part * half.z * s.z};
}

SRS_INLINE srs_core_point core_support_hull(const srs_hull *hull, vec3 d)
{
  const int corner = srs_hull_support(hull, d);
  return (srs_core_point){hull->corners[corner], corner};
}

/// d in the core's frame, any length.
SRS_INLINE srs_core_point core_support_local(const srs_core *core, vec3 d)
{
  const vec3 h = core->half;
  switch (core->kind) {
  case SRS_SHAPE_BOX:
    return (srs_core_point){{d.x < 0 ? -h.x : h.x, d.y < 0 ? -h.y : h.y, d.z < 0 ? -h.z : h.z},
                            (d.x < 0) | (d.y < 0) << 1 | (d.z < 0) << 2};
  case SRS_SHAPE_HULL: return core_support_hull(core->hull, d);
  case SRS_SHAPE_CAPSULE: return (srs_core_point){{0, 0, d.z < 0 ? -h.z : h.z}, d.z < 0};
  case SRS_SHAPE_CYLINDER:
    return (srs_core_point){core_rim(h.x, d.z < 0 ? -h.z : h.z, d), d.z < 0 ? SRS_PIECE_LOWER : SRS_PIECE_UPPER};
  case SRS_SHAPE_CONE:
    if (2 * h.z * d.z > h.x * sqrt(d.x * d.x + d.y * d.y)) return (srs_core_point){{0, 0, h.z}, SRS_PIECE_APEX};
    return (srs_core_point){core_rim(h.x, -h.z, d), SRS_PIECE_LOWER};
  case SRS_SHAPE_ELLIPSOID: return (srs_core_point){core_ellipsoid(h, d), 0};
  default: return (srs_core_point){{0, 0, 0}, 0}; // a sphere
  }
}

/// The same for one piece, whether it is the farthest or not, with the curvature of its support function there:
/// curvature * along along^T is its second derivative at a unit d. Not so an ellipsoid's, see core_ellipsoid_bend.
SRS_INLINE vec3 core_piece_local(const srs_core *core, int piece, vec3 d, double *curvature, vec3 *along)
{
  const vec3 h = core->half;
  *curvature = 0, *along = vec3_zero;
  switch (core->kind) {
  case SRS_SHAPE_BOX: return (vec3){piece & 1 ? -h.x : h.x, piece & 2 ? -h.y : h.y, piece & 4 ? -h.z : h.z};
  case SRS_SHAPE_HULL: return core->hull->corners[piece];
  case SRS_SHAPE_CAPSULE: return (vec3){0, 0, piece ? -h.z : h.z};
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: {
    if (piece == SRS_PIECE_APEX) return (vec3){0, 0, h.z};
    const double across = sqrt(d.x * d.x + d.y * d.y);
    if (across > 0) *curvature = h.x / across, *along = (vec3){-d.y / across, d.x / across, 0};
    return core_rim(h.x, piece == SRS_PIECE_LOWER ? -h.z : h.z, d);
  }
  case SRS_SHAPE_ELLIPSOID: return core_ellipsoid(h, d);
  default: return vec3_zero;
  }
}

/// The second derivative of an ellipsoid's support function |D d| along x and y, all in its frame: for s = D d and
/// a = D x it is |a x s|^2 / |s|^3.
SRS_INLINE void core_ellipsoid_bend(vec3 half, vec3 d, vec3 x, vec3 y, double *xx, double *yy, double *xy)
{
  const vec3 s = {half.x * d.x, half.y * d.y, half.z * d.z};
  const vec3 a = cross3((vec3){half.x * x.x, half.y * x.y, half.z * x.z}, s);
  const vec3 b = cross3((vec3){half.x * y.x, half.y * y.y, half.z * y.z}, s);
  const double part = 1 / (dot3(s, s) * norm3(s));
  *xx = part * dot3(a, a), *yy = part * dot3(b, b), *xy = part * dot3(a, b);
}

/// How far the cores overlap along a unit normal from B to A; negative where it separates them. The least over all
/// normals is the penetration depth.
SRS_INLINE double srs_core_depth(const srs_core *a, const srs_core *b, vec3 n)
{
  const srs_core_point on_a = core_support_local(a, scale3(-1, n));
  const srs_core_point on_b = core_support_local(b, rotate_back(b->axes, n));
  return dot3(sub3(add3(b->origin, rotate(b->axes, on_b.at)), on_a.at), n);
}
