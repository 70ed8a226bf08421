// Which faces of a convex hull is a point least deep behind? Internal.
#pragma once
#include "topology/base/spatial.h"
#include <stdbool.h>

enum { SRS_FACE_LEAF = 4, SRS_FACE_DEEPEST = 40 };

/// The faces of a subtree: low, high: the box around their normals; least: of their offsets.
/// The first half of a node follows it, the second is at `second`; a leaf has n faces of `order` from `first` on.
typedef struct srs_face_node {
  vec3 low, high;
  double least;
  int first, n, second;
} srs_face_node;

typedef struct srs_face_tree {
  int n_faces;
  const vec3 *normals;   // n_faces: unit, outward
  const double *offsets; // n_faces: normal . x <= offset inside
  const int *order;      // n_faces: their numbers, leaf by leaf
  const srs_face_node *nodes;
} srs_face_tree;

/// How many nodes the tree over n faces has.
int srs_face_tree_nodes(int n_faces);

/// The tree over the faces of a convex polyhedron, all of whose arrays the caller keeps.
/// @param order  out: n_faces   @param nodes  out: srs_face_tree_nodes(n_faces)
srs_face_tree srs_face_tree_grow(int n_faces, const vec3 *normals, const double *offsets, int *order,
                                 srs_face_node *nodes);

/// The height of a point over the plane of a face.
SRS_INLINE double srs_face_height(const srs_face_tree *tree, int face, vec3 p)
{
  return dot3(tree->normals[face], p) - tree->offsets[face];
}

/// The largest height of a point over the plane of any face, which is its distance where it is not positive.
/// @param enough  a height above this will do
/// @param face    out: the first that has it
double srs_face_tree_highest(const srs_face_tree *tree, vec3 p, double enough, int *face);

/// A walk over the faces that a point is least deep behind, of those whose normals n have n . way >= least for all of
/// some ways.
typedef struct srs_face_walk {
  const srs_face_tree *tree;
  vec3 p;
  vec3 *ways;    // n_ways; their order may change
  double *least; // n_ways
  int n_ways;
  double deepest; // set by the caller: faces lower than this are passed over
  int stack[SRS_FACE_DEEPEST], n_stack, at, end;
} srs_face_walk;

void srs_face_walk_start(const srs_face_tree *tree, vec3 p, vec3 *ways, double *least, int n_ways, srs_face_walk *walk);

/// @return the next face, in no order; some may be deeper, or not have all ways. -1: there is none any more
int srs_face_walk_next(srs_face_walk *walk);
