// Nearest points of two convex solids, or the deepest ones where they overlap.
//
// The search starts from the line of centres with our own GJK, and EPA where the solids overlap (refine.c, epa.c). Its
// result is exact and proven, in one or two microseconds, for all but a few poses in 10^4. Where it is not proven,
// Bullet's GJK provides another normal to start from.
//
// Only the direction of Bullet's answer is used, for the solids moved apart along their line of centres. Measured over
// random poses, Bullet is fast and reliable there. Within 1e-6 m of touching its GJK gives up or takes ten times as
// long; its EPA ends at 128 corners, which leaves the normals of round solids wrong by 1e-3 and, in a few poses of a
// thousand, takes a way out that is not the shortest.
//
// Everything is computed in A's frame, so that the world's origin may be far away. Bullet ignores margins and gets the
// cores of spheres and capsules (core.h).

#include "collision/gjk/gjk.h"
#include "collision/bullet/bullet_shape.h"
#include "collision/bullet/bulletc.h"
#include "collision/gjk/epa.h"
#include "collision/gjk/refine.h"

#include <stdlib.h>

struct srs_gjk {
  void *sphere, *simplex_solver, *detector, *question, *answer;
};

srs_gjk *srs_gjk_create(void)
{
  srs_gjk *gjk = calloc(1, sizeof *gjk);
  if (!gjk) return NULL;
  static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  gjk->sphere = btSphereShape_new(1); // the detector wants shapes to begin with
  gjk->simplex_solver = btVoronoiSimplexSolver_new();
  gjk->question = btDiscreteCollisionDetectorInterface_ClosestPointInput_new();
  gjk->answer = btPointCollector_new();
  if (gjk->sphere && gjk->simplex_solver)
    gjk->detector = btGjkPairDetector_new(gjk->sphere, gjk->sphere, gjk->simplex_solver, NULL);
  if (!gjk->question || !gjk->answer || !gjk->detector) {
    srs_gjk_destroy(gjk);
    return NULL;
  }
  btGjkPairDetector_setIgnoreMargin(gjk->detector, true);
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformA(gjk->question, identity);
  return gjk;
}

void srs_gjk_destroy(srs_gjk *gjk)
{
  if (!gjk) return;
  if (gjk->answer) btDiscreteCollisionDetectorInterface_Result_delete(gjk->answer);
  if (gjk->question) btDiscreteCollisionDetectorInterface_ClosestPointInput_delete(gjk->question);
  if (gjk->detector) btDiscreteCollisionDetectorInterface_delete(gjk->detector);
  if (gjk->simplex_solver) btVoronoiSimplexSolver_delete(gjk->simplex_solver);
  if (gjk->sphere) btCollisionShape_delete(gjk->sphere);
  free(gjk);
}

static srs_core core_of(const srs_solid *solid, mat3 axes, vec3 origin)
{
  const double *size = solid->size;
  srs_core core = {.axes = axes, .origin = origin, .kind = solid->kind};
  switch (solid->kind) {
  case SRS_SHAPE_BOX: core.half = (vec3){0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}; break;
  case SRS_SHAPE_ELLIPSOID: core.half = vec3_load(size); break;
  case SRS_SHAPE_HULL: core.hull = solid->hull; break;
  case SRS_SHAPE_SPHERE: core.margin = size[0]; break;
  case SRS_SHAPE_CAPSULE: core.margin = size[0], core.half.z = 0.5 * size[1]; break;
  default: core.half = (vec3){size[0], size[0], 0.5 * size[1]}; // cylinders and cones
  }
  return core;
}

// A direction along which B, moved until it is apart from A along the line of centres, is apart from it. Bullet's GJK
// ends as soon as it has one that leaves half of what they were moved apart by.
static vec3 bullet_direction(srs_gjk *gjk, const srs_placed *a, const srs_placed *b, const srs_core *core_a,
                             const srs_core *core_b, double scale, vec3 along)
{
  const double depth = srs_core_depth(core_a, core_b, along), shift = fmax(0, depth + 0.05 * scale);
  if (a->solid->bullet == NULL || b->solid->bullet == NULL) return along;
  const mat3 r = core_b->axes;
  const vec3 o = add_scaled3(core_b->origin, -shift, along);
  const double placement[16] = {r.x.x, r.x.y, r.x.z, 0, r.y.x, r.y.y, r.y.z, 0,
                                r.z.x, r.z.y, r.z.z, 0, o.x,   o.y,   o.z,   1};
  const double enough = 0.5 * (shift - depth);
  btGjkPairDetector_setMinkowskiA(gjk->detector, srs_bullet_shape(a->solid->bullet));
  btGjkPairDetector_setMinkowskiB(gjk->detector, srs_bullet_shape(b->solid->bullet));
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformB(gjk->question, placement);
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setMaximumDistanceSquared(gjk->question, enough * enough);
  btPointCollector_setDistance(gjk->answer, INFINITY);
  btPointCollector_setHasResult(gjk->answer, false);
  btDiscreteCollisionDetectorInterface_getClosestPoints(gjk->detector, gjk->question, gjk->answer, NULL, false);

  double axis[3];
  if (btPointCollector_getHasResult(gjk->answer))
    btPointCollector_getNormalOnBInWorld(gjk->answer, axis);
  else
    btGjkPairDetector_getCachedSeparatingAxis(gjk->detector, axis);
  const vec3 found = vec3_load(axis);
  const double length = norm3(found);
  if (!(length > 0 && length < INFINITY)) return along;
  const vec3 normal = scale3(1 / length, found);
  return srs_core_depth(core_a, core_b, normal) < depth ? normal : along;
}

// False where it is not proven.
static bool find_proven(const srs_core *a, const srs_core *b, double scale, vec3 line, double far,
                        srs_pair_optimum *found)
{
  srs_simplex simplex;
  srs_gjk_near(a, b, line, scale, far, &simplex, found);
  const bool is_whole = found->gap >= 0 || srs_epa(a, b, scale, &simplex, found);
  return is_whole && found->is_proven;
}

static void find_from(const srs_core *a, const srs_core *b, double scale, vec3 start, srs_pair_optimum *found)
{
  const srs_simplex none = {.n = 0};
  srs_gjk_refine(a, b, start, scale, 3, found);
  if (!found->is_proven) srs_gjk_separate(a, b, scale, found);
  if (found->gap < 0) srs_epa(a, b, scale, &none, found);
  if (found->is_proven) return;
  srs_pair_optimum again;
  srs_gjk_refine(a, b, found->normal, scale, 12, &again);
  if (again.gap >= found->gap - 1e-15 * scale) *found = again;
  if (!found->is_proven) srs_gjk_witnesses(a, b, scale, found);
}

bool srs_gjk_closest(srs_gjk *gjk, const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest)
{
  const mat3 to_a = transpose3(a->axes);
  const vec3 between = rotate(to_a, sub3(b->origin, a->origin));
  const srs_core core_a = core_of(a->solid, mat3_identity, vec3_zero);
  const srs_core core_b = core_of(b->solid, mul3(to_a, b->axes), between);
  const vec3 centres = sub3(a->solid->centre, add3(between, rotate(core_b.axes, b->solid->centre)));
  const double scale = a->solid->radius + b->solid->radius, margins = core_a.margin + core_b.margin;
  const double far = max_gap + margins, between_centres = norm3(centres);
  if (between_centres - scale > max_gap) return false;
  const vec3 line = between_centres > 0 ? scale3(1 / between_centres, centres) : (vec3){0, 0, 1};
  srs_pair_optimum found;
  if (!find_proven(&core_a, &core_b, scale, line, far, &found))
    find_from(&core_a, &core_b, scale, bullet_direction(gjk, a, b, &core_a, &core_b, scale, line), &found);
  if (!(found.gap <= far)) return false;
  const vec3 n = rotate(a->axes, found.normal);
  // The points halfway between the cores' own, and from there along the normal: then gap = normal . (a - b) to
  // rounding.
  const vec3 middle = add3(a->origin, rotate(a->axes, scale3(0.5, add3(found.a, found.b))));
  const double shift = 0.5 * (core_b.margin - core_a.margin);
  nearest->normal = n;
  nearest->gap = found.gap - margins;
  nearest->a = add_scaled3(middle, shift + 0.5 * nearest->gap, n);
  nearest->b = add_scaled3(middle, shift - 0.5 * nearest->gap, n);
  nearest->feature = (uint32_t)found.piece_a << 16 | ((uint32_t)found.piece_b & 0xffff);
  return true;
}
