// A convex polyhedron or polygon about a point inside it, for the ratio metric. Internal.
#pragma once
#include "collision/shapes/hull.h"
#include <sarrus/ratio_metric.h>

typedef struct srs_polytope_edge {
  int from, to; // corners
} srs_polytope_edge;

/// Everything is seen from the centre, along the axes of the shape's frame. A polygon lies in the plane z = 0.
struct srs_polytope {
  int dimension; // 3; 2: a polygon
  int n_facets, n_corners, n_edges;
  vec3 centre;            // in the shape's frame
  double reach, inradius; // of the farthest corner, of the nearest facet
  const double *gauge[3]; // n_facets each: a / b of the facet a . y <= b. Facets are numbered in a pseudo-random order
  const vec3 *normals;    // n_facets: a, unit
  const double *offsets;  // n_facets: b > 0
  const vec3 *corners;    // n_corners
  const int *facet_begin; // n_facets + 1: into facet_corners
  const int *facet_corners;       // each facet's corners, counter-clockwise seen from outside; of a polygon's two
  const srs_polytope_edge *edges; // n_edges; polygons have none
};

/// @param centre  NULL: the centroid
/// @return SRS_OK, SRS_ERROR_MODEL (the centre is not inside) or _MEMORY
srs_status srs_polytope_from_hull(const srs_hull *hull, const vec3 *centre, srs_polytope **polytope, srs_error *error);

/// The greatest n . y over the corners, and which one has it.
SRS_INLINE double srs_polytope_support(const srs_polytope *p, vec3 n, int *corner)
{
  double most = -INFINITY;
  for (int i = 0; i < p->n_corners; i++) {
    const double far = dot3(n, p->corners[i]);
    if (far > most) most = far, *corner = i;
  }
  return most;
}
