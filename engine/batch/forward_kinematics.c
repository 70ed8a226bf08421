// Places of links and frames in the world, for several states: R_k = R_p turn_k J(q), o_k = o_p + R_p r_k.

#include "engine/batch/batch.h"
#include "engine/batch/kernels.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"
#include "engine/batch/world.h"

SRS_KERNEL static void place_links(srs_batch *b)
{
  lane_mask large = {0};
  for (int place = 0; place < b->model->n_links; place++) {
    const int k = b->order[place];
    large |= srs_batch_turn_ahead(b, place);
    switch (b->fixed[k].way) {
    case WAY_ANY:
      wide_place(b, k);
      wide_place_in_world(b, k, WAY_ANY, false);
      break;
    case WAY_HINGE: wide_place_in_world(b, k, WAY_HINGE, false); break;
    case WAY_CORNER: wide_place_in_world(b, k, WAY_CORNER, false); break;
    case WAY_SHORT: wide_place_in_world(b, k, WAY_SHORT, false); break;
    case WAY_SQUARE: wide_place_in_world(b, k, WAY_SQUARE, false); break;
    case WAY_PARALLEL: wide_place_in_world(b, k, WAY_PARALLEL, false); break;
    }
  }
  srs_batch_turn_rest(b, b->model->n_links, large);
}

static void store3(double *to, size_t stride, int states, wide3 a)
{
  for (int l = 0; l < states; l++) {
    double *x = to + (size_t)l * stride;
    x[0] = a.x[l], x[1] = a.y[l], x[2] = a.z[l];
  }
}

// Four numbers of each state.
SRS_INLINE void store4(double *to, size_t stride, lanes a, lanes b, lanes c, lanes d)
{
  double *of[LANES];
  for (int l = 0; l < LANES; l++) of[l] = to + (size_t)l * stride;
  wide_put4(of, 0, a, b, c, d);
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

SRS_INLINE wide33 axes_of(const batch_frame *f, const wide33 *link)
{
  if (!f->is_square) return wide_times_constant(link, &f->axes);
  const wide3 *columns = &link->x; // x, y, z
  return (wide33){wide_scale(wide_number(f->sign[0]), wide_load3(columns + f->along[0])),
                  wide_scale(wide_number(f->sign[1]), wide_load3(columns + f->along[1])),
                  wide_scale(wide_number(f->sign[2]), wide_load3(columns + f->along[2]))};
}

SRS_INLINE wide3 origin_of(const batch_frame *f, const wide33 *axes, wide3 origin)
{
  origin = wide_add_scaled(origin, wide_number(f->offset.z), wide_load3(&axes->z));
  if (f->is_on_z) return origin;
  origin = wide_add_scaled(origin, wide_number(f->offset.x), wide_load3(&axes->x));
  return wide_add_scaled(origin, wide_number(f->offset.y), wide_load3(&axes->y));
}

// @return whether all positions are finite; false may be said of enormous ones
SRS_KERNEL static bool store_frames(const srs_batch *b, int states, const int *frames, int n_frames, double *positions,
                                    double *rotations)
{
  const srs_model *m = b->model;
  const size_t n = (size_t)n_frames;
  lanes sum = wide_number(0);
  for (size_t i = 0; i < n; i++) {
    const batch_frame *f = &b->frames[frames[i]];
    const int link = m->frame_link[frames[i]];
    const wide33 *axes = link >= 0 ? &b->axes[link] : NULL;
    const wide3 origin = link >= 0 ? origin_of(f, axes, wide_load3(&b->origin[link])) : wide_vector(f->offset);
    sum += (origin.x + origin.y) + origin.z;
    if (positions != NULL && states == LANES && i + 1 < n) // the next frame's overwrites the fourth
      store4(positions + 3 * i, 3 * n, origin.x, origin.y, origin.z, origin.z);
    else if (positions != NULL)
      store3(positions + 3 * i, 3 * n, states, origin);
    if (rotations == NULL) continue;
    store33(rotations + 9 * i, 9 * n, states, link >= 0 ? axes_of(f, axes) : wide_matrix(&f->axes));
  }
  return lanes_sum(0 * sum) == 0;
}

srs_status srs_batch_places(srs_batch *b, int n, const double *q, const int *frames, int n_frames, double *positions,
                            double *rotations)
{
  const size_t per_state = (size_t)n_frames;
  bool finite = true;
  srs_batch_load_q(b, n, 0, q);
  for (int first = 0; first < n; first += LANES) {
    const int states = n - first < LANES ? n - first : LANES;
    srs_batch_look_ahead(b, n, first + LANES, q);
    place_links(b);
    finite &=
        store_frames(b, states, frames, n_frames, positions != NULL ? positions + 3 * per_state * (size_t)first : NULL,
                     rotations != NULL ? rotations + 9 * per_state * (size_t)first : NULL);
    srs_batch_take_ahead(b);
  }
  const bool is_good = finite || positions == NULL;
  return is_good ? SRS_OK : srs_batch_check_result(b, n, "a position", positions, 3 * n_frames);
}
