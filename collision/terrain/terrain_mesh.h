// A terrain's triangles, how they join, and the tree over them. Internal to terrain*.c.
#pragma once
#include "collision/terrain/terrain.h"
#include "topology/base/arena.h"

typedef enum srs_terrain_edge {
  SRS_EDGE_FLAT,   // the two triangles continue each other
  SRS_EDGE_RIDGE,  // points out of the ground
  SRS_EDGE_VALLEY, // points into it
  SRS_EDGE_OPEN,   // only one triangle
} srs_terrain_edge;

/// Nodes of a subtree follow one another, the first half's before the second's.
typedef struct srs_terrain_node {
  vec3 low, high;
  int first, n; // of a leaf: its triangles; n = 0 for others
  int skip;     // the node after this subtree
} srs_terrain_node;

struct srs_terrain {
  int n_points, n_triangles, n_nodes;
  double thickness;
  vec3 *points;         // n_points, the shape's frame
  int *corners;         // n_triangles x 3
  vec3 *normals;        // n_triangles
  int *group;           // n_triangles: the flat part that each belongs to
  int *across;          // n_triangles x 3: the triangle beyond the edge from corner k to the next, or -1
  unsigned char *edges; // n_triangles x 3: srs_terrain_edge
  bool *is_sharp;       // n_points: can be a corner that solids meet
  int *fan_begin, *fan; // n_points + 1 into n_triangles x 3: the triangles around each point, rising
  srs_terrain_node *nodes;
  srs_arena memory;
};

SRS_INLINE vec3 terrain_corner(const srs_terrain *terrain, int triangle, int k)
{
  return terrain->points[terrain->corners[3 * (size_t)triangle + (size_t)(k < 3 ? k : k - 3)]];
}

/// Orders the triangles (corners: n x 3) so that those near each other in space are near each other, and makes the
/// tree.
/// @return false when out of memory
bool srs_terrain_grow_tree(srs_terrain *terrain);

/// The first triangle that the ray o + t d, 0 <= t <= *length, meets from the front, or -1; *length: where.
int srs_terrain_first_met(const srs_terrain *terrain, vec3 o, vec3 d, double *length);

SRS_INLINE bool terrain_node_meets(const srs_terrain_node *node, vec3 low, vec3 high)
{
  return node->low.x <= high.x && node->high.x >= low.x && node->low.y <= high.y && node->high.y >= low.y &&
         node->low.z <= high.z && node->high.z >= low.z;
}
