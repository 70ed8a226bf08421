// Every shape as triangles, round ones as facets. Internal.
#pragma once
#include "engine/cli/view/triangles.h"

enum { SRS_HALF_SPACE_SIDE = 10 }; // m: half of it

/// As srs_triangles_of, of all kinds; half-spaces as a square about their origin.
bool srs_solid_triangles(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing);
