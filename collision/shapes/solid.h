// A convex shape made ready for collision, and one that is placed. Internal.
#pragma once
#include "collision/shapes/hull.h"
#include "topology/base/spatial.h"
#include <sarrus/topology.h>

typedef struct srs_solid {
  srs_shape_kind kind;
  double size[3];       // as in srs_shape_def
  double exponent[2];   // likewise
  const srs_hull *hull; // hulls and boxes (a box is one too), else NULL
  vec3 centre;          // of the bounding sphere, shape's frame
  double radius;        // of the bounding sphere; INFINITY for half-spaces
  void *bullet;         // its counterpart in Bullet, without margin; NULL where Bullet is not asked
} srs_solid;

/// A solid where it is.
typedef struct srs_placed {
  const srs_solid *solid;
  mat3 axes;
  vec3 origin;
} srs_placed;

/// As fmax and fmin between numbers, and one instruction each.
SRS_INLINE double larger(double a, double b) { return a > b ? a : b; }
SRS_INLINE double smaller(double a, double b) { return a < b ? a : b; }
