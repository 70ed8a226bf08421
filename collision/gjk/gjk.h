// The nearest or deepest points of two convex solids. Internal.
#pragma once
#include "collision/shapes/touch.h"

/// For boxes, hulls, cylinders, cones, capsules, spheres and ellipsoids. Allocates nothing.
/// @return false when they are farther apart than max_gap
bool srs_gjk_closest(const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest);

/// Whether they are no farther apart than max_gap: the same answer, without the depth where they overlap.
bool srs_gjk_meet(const srs_placed *a, const srs_placed *b, double max_gap);
