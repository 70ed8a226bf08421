// Ellipsoids, which GJK does not know. Internal to collision/.
#pragma once
#include "collision/solid.h"

/// The nearest or deepest points of an ellipsoid and a sphere or hull, as srs_gjk_closest has them; exact.
/// A hull that is in deeper than the ellipsoid's middle has a normal that leads out, not always the shortest way.
/// @param a, b  one is the ellipsoid, the other the sphere or hull
bool srs_ellipsoid_closest(const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest);
