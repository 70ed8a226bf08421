// Nearest points of two convex solids, or the deepest ones where they overlap.
//
// The search starts from the line of centres with GJK, and EPA where the solids overlap (refine.c, epa.c). Its result
// is exact and proven, in one or two microseconds, for all but a few poses in 10^4: of parallel solids one in a
// hundred. There it begins again, from the line of centres and then from the four directions across it in turn, until a
// result is proven; of results that are not, the best stands. It is within 1e-8 of the sizes of the two.
//
// Everything is computed in A's frame, so that the world's origin may be far away, and with the cores of spheres and
// capsules (core.h).

#include "collision/gjk/gjk.h"
#include "collision/gjk/epa.h"
#include "collision/gjk/refine.h"

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

// A direction that tells the cores apart once B is moved apart along the line of centres. GJK begins across that line,
// and ends as soon as it has one that leaves half of what they were moved apart by.
static vec3 other_start(const srs_core *a, const srs_core *b, double scale, vec3 line, vec3 across)
{
  const double depth = srs_core_depth(a, b, line), shift = larger(0, depth + 0.05 * scale);
  srs_core moved = *b;
  moved.origin = add_scaled3(b->origin, -shift, line);
  srs_pair_optimum apart;
  srs_simplex simplex;
  srs_gjk_near(a, &moved, across, scale, 0.5 * (shift - depth), &simplex, &apart);
  return apart.normal;
}

// Begins from the line of centres and across it, until the optimum is proven.
static void find_again(const srs_core *a, const srs_core *b, double scale, vec3 line, srs_pair_optimum *found)
{
  vec3 x, y;
  find_from(a, b, scale, line, found);
  if (found->is_proven) return;
  srs_axes_across(line, &x, &y);
  const vec3 starts[4] = {x, y, scale3(-1, x), scale3(-1, y)};
  for (int i = 0; i < 4 && !found->is_proven; i++) {
    srs_pair_optimum other;
    find_from(a, b, scale, other_start(a, b, scale, line, starts[i]), &other);
    if (other.gap > found->gap || (other.is_proven && other.gap >= found->gap - 1e-15 * scale)) *found = other;
  }
}

// Four points of the Minkowski difference that hold the origin say that the cores overlap; how deep is another search.
bool srs_gjk_meet(const srs_placed *a, const srs_placed *b, double max_gap)
{
  const mat3 to_a = transpose3(a->axes);
  const vec3 between = rotate(to_a, sub3(b->origin, a->origin));
  const srs_core core_a = core_of(a->solid, mat3_identity, vec3_zero);
  const srs_core core_b = core_of(b->solid, mul3(to_a, b->axes), between);
  const vec3 centres = sub3(a->solid->centre, add3(between, rotate(core_b.axes, b->solid->centre)));
  const double scale = a->solid->radius + b->solid->radius, far = max_gap + core_a.margin + core_b.margin;
  const double between_centres = norm3(centres);
  if (between_centres - scale > max_gap) return false;
  const vec3 line = between_centres > 0 ? scale3(1 / between_centres, centres) : (vec3){0, 0, 1};
  srs_pair_optimum found;
  srs_simplex simplex;
  srs_gjk_near(&core_a, &core_b, line, scale, far, &simplex, &found);
  if (found.is_proven) return found.gap <= far;
  vec3 at;
  if (found.gap < 0 && simplex.n == 4 && !srs_simplex_reduce(&simplex, vec3_zero, &at)) return true;
  srs_touch nearest;
  return srs_gjk_closest(a, b, max_gap, &nearest);
}

bool srs_gjk_closest(const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest)
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
  if (!find_proven(&core_a, &core_b, scale, line, far, &found)) find_again(&core_a, &core_b, scale, line, &found);
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
