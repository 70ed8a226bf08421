// Every shape as triangles, round ones as facets. Internal.
#pragma once
#include "engine/cli/view/triangles.h"

/// As srs_triangles_of, of all kinds; half-spaces as a square of 20 m.
bool srs_solid_triangles(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing);
