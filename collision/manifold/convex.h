// The contact manifold of any two convex solids. Internal.
#pragma once
#include "collision/shapes/touch.h"

/// Any two of {box, hull, cylinder, cone, capsule, sphere, ellipsoid}: GJK finds normal and depth, clipping the
/// supporting faces finds the contact points.
srs_pair_function srs_pair_convex;

/// The same for solids that have counterparts in Bullet, which then finds normal and depth.
srs_pair_function srs_pair_bullet;
