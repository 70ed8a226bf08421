// Places of links and frames in the world, for several states: R_k = R_p turn_k J(q), o_k = o_p + R_p r_k.

#include "engine/batch/batch.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"
#include "engine/batch/world.h"

// Axes of a hinge's link from its parent's, which turn about their own z, x and z.
SRS_INLINE wide33 turned_axes(const wide33 *from, const wide_way *way)
{
  wide3 x = wide_load3(&from->x), y = wide_load3(&from->y), z = wide_load3(&from->z);
  if (way->kind == WAY_HINGE) {
    const wide3 old = x;
    x = wide_add_scaled(wide_scale(way->ca, x), way->sa, y);
    y = wide_add_scaled(wide_scale(way->ca, y), -way->sa, old);
  }
  if (way->kind != WAY_PARALLEL) {
    const wide3 old = y;
    y = wide_add_scaled(wide_scale(way->cb, y), way->sb, z);
    z = wide_add_scaled(wide_scale(way->cb, z), -way->sb, old);
  }
  return wide_turn((wide33){x, y, z}, way->c, way->s);
}

static const wide33 world_axes = {{{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                                  {{0, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 0, 0}},
                                  {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}}};

SRS_INLINE void place_out(const srs_batch *b, int k, batch_way kind, bool from_root)
{
  if (kind == WAY_ANY) wide_place(b, k);
  const wide_way way = wide_way_of(b, k, kind);
  const int p = b->model->parent[k];
  const wide33 *from = p >= 0 ? &b->axes[p] : &world_axes;
  wide3 origin = p >= 0 ? wide_load3(&b->origin[p]) : wide3_zero;
  if (p >= 0 || !from_root) {
    origin = wide_add_scaled(wide_add_scaled(origin, way.r.x, from->x), way.r.z, from->z);
    if (!wide_is_short(kind)) origin = wide_add_scaled(origin, way.r.y, from->y);
  }
  wide_store3(&b->origin[k], origin);
  if (kind != WAY_ANY)
    wide_store33(&b->axes[k], turned_axes(from, &way));
  else if (p < 0)
    wide_store33(&b->axes[k], *way.R);
  else
    wide_store33(&b->axes[k],
                 (wide33){wide_rotate(from, way.R->x), wide_rotate(from, way.R->y), wide_rotate(from, way.R->z)});
}

SRS_KERNEL void srs_batch_place(srs_batch *b, bool from_root)
{
  for (int k = 0; k < b->model->n_links; k++) switch (b->fixed[k].way) {
    case WAY_ANY: place_out(b, k, WAY_ANY, from_root); break;
    case WAY_HINGE: place_out(b, k, WAY_HINGE, from_root); break;
    case WAY_SHORT: place_out(b, k, WAY_SHORT, from_root); break;
    case WAY_PARALLEL: place_out(b, k, WAY_PARALLEL, from_root); break;
    }
}

static void store3(double *to, size_t stride, int states, wide3 a)
{
  for (int l = 0; l < states; l++) {
    double *x = to + (size_t)l * stride;
    x[0] = a.x[l], x[1] = a.y[l], x[2] = a.z[l];
  }
}

// Four numbers of each of four states.
SRS_INLINE void store4(double *to, size_t stride, lanes a, lanes b, lanes c, lanes d)
{
  lanes_transpose(&a, &b, &c, &d);
  lanes_store(to, a);
  lanes_store(to + stride, b);
  lanes_store(to + 2 * stride, c);
  lanes_store(to + 3 * stride, d);
}

// Rows first.
SRS_INLINE void store33(double *to, size_t stride, int states, wide33 a)
{
  if (states == LANES) {
    store4(to, stride, a.x.x, a.y.x, a.z.x, a.x.y);
    store4(to + 4, stride, a.y.y, a.z.y, a.x.z, a.y.z);
    for (int l = 0; l < LANES; l++) to[8 + (size_t)l * stride] = a.z.z[l];
    return;
  }
  store3(to, stride, states, (wide3){a.x.x, a.y.x, a.z.x});
  store3(to + 3, stride, states, (wide3){a.x.y, a.y.y, a.z.y});
  store3(to + 6, stride, states, (wide3){a.x.z, a.y.z, a.z.z});
}

SRS_KERNEL static void store_frames(const srs_batch *b, int states, const int *frames, int n_frames, double *positions,
                                    double *rotations)
{
  const srs_model *m = b->model;
  const size_t n = (size_t)n_frames;
  for (size_t i = 0; i < n; i++) {
    const int frame = frames[i], link = m->frame_link[frame];
    wide3 origin = wide_vector(b->frame_offset[frame]);
    const wide33 *axes = link >= 0 ? &b->axes[link] : NULL;
    if (link >= 0) origin = wide_add(b->origin[link], wide_rotate(axes, origin));
    if (positions != NULL && states == LANES && i + 1 < n) // the next frame's overwrites the fourth
      store4(positions + 3 * i, 3 * n, origin.x, origin.y, origin.z, origin.z);
    else if (positions != NULL)
      store3(positions + 3 * i, 3 * n, states, origin);
    if (rotations == NULL) continue;
    const mat3 *own = &b->frame_axes[frame];
    store33(rotations + 9 * i, 9 * n, states, link >= 0 ? wide_times_constant(axes, own) : wide_matrix(own));
  }
}

srs_status srs_batch_forward_kinematics(srs_batch *b, int n, const double *q, const int *frames, int n_frames,
                                        double *positions, double *rotations)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  if (n_frames < 0 || (n_frames > 0 && frames == NULL))
    return srs_batch_fail(b, SRS_ERROR_ARGUMENT, "", "frames is NULL, or their number negative");
  for (int i = 0; i < n_frames; i++)
    if (frames[i] < 0 || frames[i] >= b->model->n_frames)
      return srs_batch_fail(b, SRS_ERROR_ARGUMENT, "", "frame %d: there are %d", frames[i], b->model->n_frames);
  srs_status status = srs_batch_check(b, n, q, NULL, b);
  if (status != SRS_OK) return status;
  const size_t per_state = (size_t)n_frames;
  for (int first = 0; first < n; first += LANES) {
    const int states = n - first < LANES ? n - first : LANES;
    srs_batch_load_q(b, n, first, q);
    srs_batch_place(b, false);
    store_frames(b, states, frames, n_frames, positions != NULL ? positions + 3 * per_state * (size_t)first : NULL,
                 rotations != NULL ? rotations + 9 * per_state * (size_t)first : NULL);
  }
  return positions != NULL ? srs_batch_check_result(b, n, "a position", positions, 3 * n_frames) : SRS_OK;
}
