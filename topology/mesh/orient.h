// The orientation predicate: on which side of a plane is a point? Exact. Internal.
#pragma once
#include "topology/base/spatial.h"

/// The sign of (b - a) x (c - a) . (d - a): 1 where d lies on the side that the triangle a b c, counter-clockwise,
/// shows; -1 on the other; 0 in the plane. Exact for coordinates that are zero or between 1e-90 and 1e90.
int srs_orient(vec3 a, vec3 b, vec3 c, vec3 d);
