// Every shape as triangles, round ones as facets; where it is, and whether it is seen. Internal.
#pragma once
#include "engine/cli/view/triangles.h"

enum { SRS_HALF_SPACE_SIDE = 10 }; // m: half of it

/// As srs_triangles_of, of all kinds; half-spaces as a square about their origin.
bool srs_solid_triangles(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing);

/// A pose seen from `parent`, seen from where that is seen from.
srs_pose srs_solid_compose(const srs_pose *parent, const srs_pose *child);

/// The link that a shape is on, -1 for the world; whether it is seen: shapes for the eye, and of a body without any
/// those that collide.
int srs_shape_body(const srs_model *model, const srs_shape *shape);
bool srs_shape_is_seen(const srs_model *model, const srs_shape *shape);
