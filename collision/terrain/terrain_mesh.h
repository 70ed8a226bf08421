// Ground made of triangles: meshes and heightfields that do not move. Internal.
//
// Triangles are seen from the side that shows their corners counter-clockwise; a heightfield's from above. Their
// normals are the contact normals: between two triangles that continue each other there is no edge.
#pragma once
#include "topology/base/arena.h"
#include "topology/base/spatial.h"

typedef enum srs_terrain_edge {
  SRS_EDGE_FLAT,   // the two triangles continue each other
  SRS_EDGE_RIDGE,  // points out of the ground
  SRS_EDGE_VALLEY, // points into it
  SRS_EDGE_OPEN,   // only one triangle
} srs_terrain_edge;

/// Tree nodes of a subtree follow one another, the first half's before the second's.
typedef struct srs_terrain_node {
  vec3 low, high;
  int first, n; // of a leaf: its triangles; n = 0 for others
  int skip;     // the node after this subtree
} srs_terrain_node;

typedef struct srs_terrain {
  int n_points, n_triangles, n_nodes;
  double thickness;
  double reach[2];      // of a heightfield's grid along x and y from the middle; INFINITY for meshes
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
} srs_terrain;

SRS_INLINE vec3 terrain_corner(const srs_terrain *terrain, int triangle, int k)
{
  return terrain->points[terrain->corners[3 * (size_t)triangle + (size_t)(k < 3 ? k : k - 3)]];
}

SRS_INLINE bool terrain_node_meets(const srs_terrain_node *node, vec3 low, vec3 high)
{
  return node->low.x <= high.x && node->high.x >= low.x && node->low.y <= high.y && node->high.y >= low.y &&
         node->low.z <= high.z && node->high.z >= low.z;
}
