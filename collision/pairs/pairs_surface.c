// Contact of two solids by their implicit surfaces: one contact point.
//
// It is the pair of nearest points (surface_closest.c), or, where the solids overlap, of the way out that the line of
// centres leads to.
#include "collision/pairs/pairs.h"
#include "collision/shapes/solid_surfaces.h"

static srs_pose pose_of(const srs_placed *placed)
{
  srs_pose pose;
  mat3_to_rows(pose.rotation, placed->axes);
  vec3_store(pose.position, placed->origin);
  return pose;
}

int srs_pair_surface(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                     srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  srs_solid_surfaces of_a, of_b;
  if (!srs_solid_surfaces_make(a->solid, &of_a) || !srs_solid_surfaces_make(b->solid, &of_b)) return 0;
  const srs_pose pose_a = pose_of(a), pose_b = pose_of(b);
  srs_surface_gap gap;
  if (!srs_surface_closest(&of_a.body, &pose_a, &of_b.body, &pose_b, &gap) || !(gap.gap <= margin)) return 0;
  touches[0] = (srs_touch){vec3_load(gap.point_a), vec3_load(gap.point_b), vec3_load(gap.normal), gap.gap, 0};
  return 1;
}
