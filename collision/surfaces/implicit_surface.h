// Convex bodies as functions: value, gradient and second derivatives. Internal; the functions are public
// (collision.h: srs_surface, srs_surface_value, srs_surface_evaluate).
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/collision.h>

/// A surface's function at a point, all in one frame.
typedef struct srs_surface_point {
  double value;
  vec3 gradient;
  sym3 hessian;
} srs_surface_point;

/// The same as srs_surface_evaluate.
srs_surface_point srs_surface_at(const srs_surface *surface, vec3 point);
