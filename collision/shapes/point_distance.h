// The signed distance of a point from a solid. Internal.
#pragma once
#include "collision/shapes/solid.h"

/// The signed distance of a point from a convex solid's surface, negative inside: the nearest way out, or in.
/// @param p       world
/// @param normal  out: unit, outward, world: of the surface at the nearest point; from there to p outside
/// @return m; p - distance * normal is the nearest point
double srs_solid_distance(const srs_placed *solid, vec3 p, vec3 *normal);

/// The same where it is at most `most`; what is farther may be INFINITY, with any normal.
double srs_solid_distance_within(const srs_placed *solid, vec3 p, double most, vec3 *normal);

/// The ways out for a point inside of a solid: how far it is behind the i-th part of the surface, counted from 0: a
/// face, a cap, the side around.
/// @param distance, normal  out: as srs_solid_distance has them for the nearest part
/// @return false when there is no such part
bool srs_solid_way_out(const srs_placed *solid, vec3 p, int i, double *distance, vec3 *normal);
