// The nearest or deepest points of two convex solids. Internal.
#pragma once
#include "collision/shapes/touch.h"

typedef struct srs_gjk srs_gjk;

/// All memory that a search ever needs, NULL when there is none; nothing below allocates.
srs_gjk *srs_gjk_create(void);
void srs_gjk_destroy(srs_gjk *gjk);

/// For solids that have counterparts in Bullet, or are ellipsoids.
/// @return false when they are farther apart than max_gap
bool srs_gjk_closest(srs_gjk *gjk, const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest);
