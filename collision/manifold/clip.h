// The nodes between two parts of solids that face one another. Internal to collision/.
#pragma once
#include "collision/shapes/outline.h"
#include "collision/shapes/touch.h"

enum { SRS_NODES = 96 };

/// What a node of a patch is, in the two highest bits of its feature; below, 15 bits for A's part and 15 for B's.
enum { SRS_NODE_NEAREST, SRS_NODE_POINT_OF_A, SRS_NODE_POINT_OF_B, SRS_NODE_CROSSING };

/// Nodes with one normal, as they come: those beyond the margin and those known already are left out.
typedef struct srs_nodes {
  vec3 normal;          // unit, from B to A
  double least, margin; // gaps that can be: a point outside of a steep border by the slack seems deeper than any
  double near;          // nodes closer than this are one: the deepest, or the first that came
  int n;
  srs_touch touches[SRS_NODES];
} srs_nodes;

uint32_t srs_node_feature(int what, int a, int b);

/// Adds a node. When there is no more room, those that srs_manifold_reduce leaves out make it.
void srs_nodes_add(srs_nodes *nodes, vec3 a, vec3 b, uint32_t feature);

/// Where the line through p along n meets the plane of a polygon or disc.
vec3 srs_outline_lift(const srs_outline *outline, vec3 p, vec3 n);

/// All nodes between two outlines seen along nodes->normal: points of one that lie over the other, and where their
/// borders cross.
/// @param slack  m: a point this far outside of a border is inside
void srs_clip(const srs_outline *a, const srs_outline *b, double slack, srs_nodes *nodes);
