// How far is a point from a solid? Internal to collision/.
#pragma once
#include "collision/solid.h"

/// The signed distance of a point from a convex solid's surface, negative inside: the nearest way out, or in.
/// @param p       world
/// @param normal  out: unit, outward, world: of the surface at the nearest point; from there to p outside
/// @return m; p - distance * normal is the nearest point
double srs_solid_distance(const srs_placed *solid, vec3 p, vec3 *normal);
