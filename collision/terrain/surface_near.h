// What is near on a surface of triangles: triangles near another surface, the nearest place to a point, and the normals
// of ridges and corners. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include "collision/terrain/terrain_mesh.h"

/// Two surfaces, each seen from the other.
typedef struct srs_surface_pair {
  const srs_terrain *mesh[2];
  mat3 axes[2]; // axes[k], origin[k]: of the frame of surface 1 - k in that of surface k
  vec3 origin[2];
  double grown; // farther apart is not near, m
} srs_surface_pair;

void srs_surface_pair_make(const srs_terrain *const mesh[2], const srs_placed *const pose[2], double grown,
                           srs_surface_pair *pair);

/// A point of the other surface in the frame of surface k.
SRS_INLINE vec3 srs_surface_seen_from(const srs_surface_pair *pair, int k, vec3 p)
{
  return add3(pair->origin[k], rotate(pair->axes[k], p));
}

SRS_INLINE void srs_surface_box_around(vec3 p, double grown, vec3 *low, vec3 *high)
{
  *low = (vec3){p.x - grown, p.y - grown, p.z - grown};
  *high = (vec3){p.x + grown, p.y + grown, p.z + grown};
}

/// The triangles of surface k whose boxes come near boxes of the other's, rising.
/// @param near  out: room for all its triangles   @return how many
int srs_surface_find_near(const srs_surface_pair *pair, int k, int *near);

/// The sharp corners of triangles, each once, rising.  @param points  out: room for 3 n   @return how many
int srs_surface_sharp_points(const srs_terrain *mesh, const int *triangles, int n, int *points);

/// Whether p is straight over or under a triangle, or beside it by the slack at most.
bool srs_surface_is_over(const srs_terrain *mesh, int triangle, vec3 p, double slack);

/// The nearest place to a point so far.
typedef struct srs_surface_nearest {
  double distance, height; // height: over the plane of the triangle; its sign says on which side the point is
  vec3 at;
  int triangle; // -1: none
} srs_surface_nearest;

SRS_INLINE srs_surface_nearest srs_surface_nothing(void) { return (srs_surface_nearest){INFINITY, 0, {0, 0, 0}, -1}; }

/// Takes one more triangle into account. Of several at one distance, which meet at an edge or corner, that one counts
/// which shows the point most of its face: its side is the surface's.
void srs_surface_look_at(const srs_terrain *mesh, int triangle, vec3 p, srs_surface_nearest *nearest);

/// The nearest place within the reach of a point in the surface's frame; its triangle is -1 where there is none.
void srs_surface_find_nearest(const srs_terrain *mesh, vec3 p, double reach, srs_surface_nearest *nearest);

/// Whether some place of the surface is nearer to a point than that.
bool srs_surface_has_nearer(const srs_terrain *mesh, vec3 p, double distance);

/// The signed distance of a point from a surface, in its frame; INFINITY where nothing is within the reach.
double srs_surface_distance(const srs_terrain *mesh, vec3 p, double reach);

/// Whether the edge from corner i of a triangle to the next is a ridge or open, and this triangle is the one of its two
/// by which it counts.
SRS_INLINE bool srs_surface_owns_ridge(const srs_terrain *mesh, int triangle, int i)
{
  const size_t side = 3 * (size_t)triangle + (size_t)i;
  const int kind = mesh->edges[side], other = mesh->across[side];
  return (kind == SRS_EDGE_RIDGE || kind == SRS_EDGE_OPEN) && (other < 0 || triangle < other);
}

/// Whether a unit normal across a ridge is between those of its faces; an open edge has those from its face's on to its
/// side.  @param slack  rad: this far outside is between
bool srs_surface_ridge_has(const srs_terrain *mesh, int triangle, int i, vec3 n, double slack);

/// Halfway between the first and the last of these normals, of any length.
vec3 srs_surface_ridge_middle(const srs_terrain *mesh, int triangle, int i);

/// Whether no edge from a corner rises along n.
bool srs_surface_corner_has(const srs_terrain *mesh, int point, vec3 n);
