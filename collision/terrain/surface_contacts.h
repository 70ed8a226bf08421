// Contact points between two surfaces of triangles. Internal.
#pragma once
#include "collision/shapes/touch.h"
#include "collision/terrain/terrain_mesh.h"

/// Scratch memory for two surfaces.
typedef struct srs_surface_scratch {
  int *near[2];   // room for the triangles of either surface
  int *points[2]; // room for three times as many
  struct srs_surface_site *sites;
  int n_sites;
} srs_surface_scratch;

/// @param n_first, n_second  the most triangles of the first and of the second surface
/// @param n_touches  the most contact points   @return false when the arena has no more memory
bool srs_surface_scratch_make(srs_arena *arena, int n_first, int n_second, int n_touches, srs_surface_scratch *scratch);

/// All contact points with gap <= margin between two surfaces: `mesh[0]` at `pose[0]` (A), which is closed, and
/// `mesh[1]` at `pose[1]` (B), closed or ground. Allocates nothing.
///
/// Each corner has one for each place of the other surface that is nearest to it among its neighbours, and each two
/// ridges that pass each other have one; those with one normal in one plane are reduced to SRS_MANIFOLD_POINTS.
/// Overlaps are seen down to a fiftieth of the radius, and a heightfield's down to its spacing, a quarter of the radius
/// at most.
/// @param radius   of the smaller one's bounding sphere
/// @param touches  out: room for `room`, at most scratch->n_sites
/// @return how many there are; above `room` they are not reduced
int srs_surface_touches(const srs_terrain *const mesh[2], const srs_placed *const pose[2], double radius, double margin,
                        srs_surface_scratch *scratch, srs_touch *touches, int room);
