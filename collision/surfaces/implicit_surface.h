// Implicit surfaces by value: function, gradient and second derivatives at a point. Internal; the plain-array forms are
// public (surfaces.h).
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/surfaces.h>

/// A surface's function at a point, all in one frame.
typedef struct srs_surface_point {
  double value;
  vec3 gradient;
  sym3 hessian;
} srs_surface_point;

/// The same as srs_surface_evaluate.
srs_surface_point srs_surface_at(const srs_surface *surface, vec3 point);

/// How many entries of `size` each kind has.
extern const int srs_surface_sizes[SRS_SURFACE_KINDS];
