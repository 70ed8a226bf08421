// The support function of a solid: the point that lies farthest along a direction. Internal.
#pragma once
#include "collision/shapes/solid.h"

SRS_INLINE vec3 srs_to_world(const srs_placed *placed, vec3 local)
{
  return add3(placed->origin, rotate(placed->axes, local));
}

/// d's unit direction around z; x where it has none.
SRS_INLINE vec3 srs_around_z(vec3 d)
{
  const double across = sqrt(d.x * d.x + d.y * d.y);
  return across > 1e-150 ? (vec3){d.x / across, d.y / across, 0} : (vec3){1, 0, 0};
}

/// The point of a rim about z that lies farthest along d.
SRS_INLINE vec3 srs_rim_support(double radius, double z, vec3 d)
{
  const vec3 u = srs_around_z(d);
  return (vec3){radius * u.x, radius * u.y, z};
}

/// The point of the solid that lies farthest along a direction of any length. Where there are many, one of them.
vec3 srs_solid_support(const srs_placed *solid, vec3 direction);

/// How far a direction n from B to A keeps two solids apart: min over A of n . a - max over B of n . b.
SRS_INLINE double srs_separation(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(srs_solid_support(a, scale3(-1, n)), srs_solid_support(b, n)));
}
