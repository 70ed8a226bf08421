// Parts of Bullet that are only measured: its whole world, btCollisionWorld with its persistent manifolds and margins,
// for two bodies; its broad phase, btDbvtBroadphase, for many; and its tree of triangles,
// btBvhTriangleMeshShape.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bullet_world bullet_world;

typedef struct bullet_solid {
  char kind;            // b box, h hull, y cylinder, o cone, c capsule, s sphere
  const double *size;   // as in srs_shape_def
  const double *points; // hulls: 3 x n
  int n;
} bullet_solid;

/// What the world's manifold of the two says.
typedef struct bullet_answer {
  int n;            // contact points
  double gap;       // m, of the nearest
  double normal[3]; // from B to A
} bullet_answer;

/// Margins are Bullet's own, 0.04 m or less.
bullet_world *bullet_world_create(const bullet_solid *a, const bullet_solid *b);
void bullet_world_destroy(bullet_world *world);

/// One pass of collision detection.
/// @param placements  16 each, columns first   @param forgets  the manifold is cleared before
void bullet_world_ask(bullet_world *world, const double a[16], const double b[16], bool forgets, bullet_answer *answer);

typedef struct bullet_tree bullet_tree;

/// @param low, high  3 x n: the corners of the bounding boxes
bullet_tree *bullet_tree_create(int n, const double *low, const double *high);
void bullet_tree_destroy(bullet_tree *tree);

/// Moves the bounding boxes and finds the pairs that overlap, each as two indices.
/// @return how many are known; some may have come apart
int bullet_tree_find(bullet_tree *tree, const double *low, const double *high);

typedef struct bullet_mesh bullet_mesh;

/// @param points  3 x n_points   @param triangles  3 x n: both must outlive the mesh
bullet_mesh *bullet_mesh_create(const double *points, int n_points, const int *triangles, int n);
void bullet_mesh_destroy(bullet_mesh *mesh);

/// How many triangles have bounding boxes that meet a box, or are thought to: its boxes have 16 bits a coordinate.
int bullet_mesh_find(bullet_mesh *mesh, const double low[3], const double high[3]);

/// The first triangle that is met from its front on the way between two points: where, from 0 to 1, and its normal.
bool bullet_mesh_cast(bullet_mesh *mesh, const double from[3], const double to[3], double *at, double normal[3]);

#ifdef __cplusplus
}
#endif
