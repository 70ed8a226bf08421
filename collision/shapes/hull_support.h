// The support function of a convex hull. Internal.
#pragma once
#include "collision/shapes/hull.h"

/// The corner that lies farthest along d, of any length; of equals the first.
int srs_hull_support(const srs_hull *hull, vec3 d);

/// The first corner x, from one of them on, with x . d >= far; n_corners when there is none.
int srs_hull_next_as_far(const srs_hull *hull, vec3 d, double far, int from);
