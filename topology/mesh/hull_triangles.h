// Quickhull: the triangles around a set of points. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <stdbool.h>

typedef struct srs_hull_triangle {
  int corners[3]; // indices of points, counter-clockwise seen from outside
  int across[3];  // the triangles beyond the edges that start at each corner
  vec3 normal;    // unit, outward, rounded
  double offset;  // normal . x of its plane
  double area;
} srs_hull_triangle;

/// The convex hull of points as triangles, each with three different corners that do not lie on one line. Points that
/// stand out of it by no more than tolerance may be left out. Deterministic: given the points' order, the same bits.
/// @param flat       a volume narrower than this is none
/// @param triangles  out: to be freed by free()
/// @return how many; 0 when the points span no volume, -1 when out of memory
int srs_hull_triangulate(const vec3 *points, int n_points, double tolerance, double flat,
                         srs_hull_triangle **triangles);
