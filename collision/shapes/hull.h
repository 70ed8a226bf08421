// Convex hulls: the faces, edges and corners of a convex polyhedron. Internal.
#pragma once
#include "collision/shapes/face_tree.h"
#include "topology/base/spatial.h"
#include <sarrus/base.h>

enum { SRS_HULL_PADDING = 8 };

/// Faces, edges and corners of a convex polyhedron, in the shape's frame, all indices into flat arrays.
typedef struct srs_hull {
  int n_corners, n_faces, n_edges;
  int n_padded;            // n_corners, up to a multiple of SRS_HULL_PADDING
  const vec3 *corners;     // n_corners
  const double *columns;   // 3 x n_padded: all x, all y, all z of the corners, each filled up with the first one's
  const vec3 *normals;     // n_faces: unit, outward
  const double *offsets;   // n_faces: normal . x <= offset inside
  const int *face_begin;   // n_faces + 1: into face_corners
  const int *face_corners; // each face's corners, counter-clockwise seen from outside
  const int *fan_begin;    // n_corners + 1: into fan
  const int *fan;          // the faces around each corner, by number
  const int *edges;        // n_edges x 4: two corners, two faces
  srs_face_tree tree;      // over the faces, by their normals
} srs_hull;

/// The convex hull of points: coplanar facets merged, corners that are not extreme left out; deterministic.
/// Allocates one block, freed by free().
/// @return SRS_OK, SRS_ERROR_MODEL (fewer than four points that span a volume), _NOT_FINITE, _MEMORY
srs_status srs_hull_create(const double *points, int n_points, srs_hull **hull, srs_error *error);
