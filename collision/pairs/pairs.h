// Closed forms: a function for each pair of simple kinds, and the small steps that they share. Internal.
#pragma once
#include "collision/shapes/support.h"
#include "collision/shapes/touch.h"

// The kind named first is A.
srs_pair_function srs_pair_sphere_sphere, srs_pair_sphere_box, srs_pair_sphere_capsule, srs_pair_sphere_cylinder;
srs_pair_function srs_pair_capsule_capsule, srs_pair_box_capsule, srs_pair_box_box;

// B is the half-space.
srs_pair_function srs_pair_sphere_half_space, srs_pair_box_half_space, srs_pair_capsule_half_space,
    srs_pair_cylinder_half_space, srs_pair_cone_half_space, srs_pair_ellipsoid_half_space, srs_pair_hull_half_space,
    srs_pair_paraboloid_half_space;

/// Any strictly convex solid, by its support function: one contact point.
srs_pair_function srs_pair_support_half_space;

/// Any two of {superellipsoid, paraboloid, sphere, ellipsoid, box, cylinder, half-space} by their implicit surfaces:
/// one contact point.
srs_pair_function srs_pair_surface;

SRS_INLINE double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

// d / length; `otherwise` where d is too short for a direction.
SRS_INLINE vec3 unit_or(vec3 d, double length, vec3 otherwise)
{
  return length > 1e-140 ? scale3(1 / length, d) : otherwise;
}

SRS_INLINE srs_touch touch_between(vec3 a, vec3 b, vec3 normal, uint32_t feature)
{
  return (srs_touch){a, b, normal, dot3(normal, sub3(a, b)), feature};
}
