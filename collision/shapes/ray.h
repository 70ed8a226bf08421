// Ray casts against one solid. Internal.
#pragma once
#include "collision/shapes/solid.h"

/// The first point of a convex solid's surface that a ray hits from outside. A ray that starts inside does not hit the
/// solid; one that starts on the surface and goes in hits it at 0. Exact to rounding for every convex kind and for
/// half-spaces; no memory, no iteration.
/// @param direction  unit, world
/// @param length     m, how far to look; may be INFINITY
/// @param distance   out: m, 0 … length; untouched when nothing is hit
/// @param normal     out: unit, outward, world
bool srs_solid_cast_ray(const srs_placed *solid, vec3 from, vec3 direction, double length, double *distance,
                        vec3 *normal);
