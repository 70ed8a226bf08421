// Links in the world. Internal.
#pragma once
#include "engine/batch/relative.h"

// Axes of a hinge's link from its parent's, which turn about their own z, x and z.
SRS_INLINE wide33 wide_turned_axes(const wide33 *from, const wide_way *way)
{
  wide3 x = wide_load3(&from->x), y = wide_load3(&from->y), z = wide_load3(&from->z);
  if (wide_has_third(way->kind)) {
    const wide3 old = x;
    x = wide_add_scaled(wide_scale(way->ca, x), way->sa, y);
    y = wide_add_scaled(wide_scale(way->ca, y), -way->sa, old);
  }
  if (wide_is_right(way->kind)) {
    const wide3 old = y;
    y = z;
    z = wide_sub(wide3_zero, old);
  } else if (way->kind != WAY_PARALLEL) {
    const wide3 old = y;
    y = wide_add_scaled(wide_scale(way->cb, y), way->sb, z);
    z = wide_add_scaled(wide_scale(way->cb, z), -way->sb, old);
  }
  return wide_turn((wide33){x, y, z}, way->c, way->s);
}

#ifdef SRS_EIGHT_LANES
#define ONES                                                                                                           \
  {                                                                                                                    \
    1, 1, 1, 1, 1, 1, 1, 1                                                                                             \
  }
#else
#define ONES                                                                                                           \
  {                                                                                                                    \
    1, 1, 1, 1                                                                                                         \
  }
#endif
static const wide33 wide_world_axes = {{ONES, {0}, {0}}, {{0}, ONES, {0}}, {{0}, {0}, ONES}};
#undef ONES

// Fills `axes` and `origin` of link k, when its placement seen from its parent is there and its parent is placed.
// from_root: origins are seen from that of the tree's first link.
SRS_INLINE void wide_place_in_world(const srs_batch *b, int k, batch_way kind, bool from_root)
{
  const wide_way way = wide_way_of(b, k, kind);
  const int p = b->model->parent[k];
  const wide33 *from = p >= 0 ? &b->axes[p] : &wide_world_axes;
  wide3 origin = p >= 0 ? wide_load3(&b->origin[p]) : wide3_zero;
  if (p >= 0 || !from_root) {
    origin = wide_add_scaled(wide_add_scaled(origin, way.r.x, from->x), way.r.z, from->z);
    if (!wide_is_short(kind)) origin = wide_add_scaled(origin, way.r.y, from->y);
  }
  wide_store3(&b->origin[k], origin);
  if (kind != WAY_ANY)
    wide_store33(&b->axes[k], wide_turned_axes(from, &way));
  else if (p < 0)
    wide_store33(&b->axes[k], *way.R);
  else
    wide_store33(&b->axes[k],
                 (wide33){wide_rotate(from, way.R->x), wide_rotate(from, way.R->y), wide_rotate(from, way.R->z)});
}
