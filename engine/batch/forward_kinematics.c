// Places of links and frames in the world, for several states: R_k = R_p turn_k J(q), o_k = o_p + R_p r_k.

#include "engine/batch/batch.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"
#include "engine/batch/world.h"

SRS_KERNEL void srs_batch_place(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = 0; k < m->n_links; k++) {
    wide_place(b, k);
    const wide_link *l = &b->links[k];
    const int p = m->parent[k];
    if (p < 0) {
      wide_store33(&b->axes[k], l->R);
      wide_store3(&b->origin[k], l->r);
      continue;
    }
    const wide33 *from = &b->axes[p];
    wide_store3(&b->axes[k].x, wide_rotate(from, l->R.x));
    wide_store3(&b->axes[k].y, wide_rotate(from, l->R.y));
    wide_store3(&b->axes[k].z, wide_rotate(from, l->R.z));
    wide_store3(&b->origin[k], wide_add(b->origin[p], wide_rotate(from, l->r)));
  }
}

static void store3(double *to, size_t stride, int states, wide3 a)
{
  for (int l = 0; l < states; l++) {
    double *x = to + (size_t)l * stride;
    x[0] = a.x[l], x[1] = a.y[l], x[2] = a.z[l];
  }
}

SRS_KERNEL static void store_frames(const srs_batch *b, int states, const int *frames, int n_frames, double *positions,
                                    double *rotations)
{
  const srs_model *m = b->model;
  const size_t n = (size_t)n_frames;
  for (size_t i = 0; i < n; i++) {
    const int frame = frames[i], link = m->frame_link[frame];
    wide3 origin = wide_vector(m->frame_offset[frame]);
    wide33 axes = wide_matrix(&m->frame_axes[frame]);
    if (link >= 0) {
      origin = wide_add(b->origin[link], wide_rotate(&b->axes[link], origin));
      axes = wide_times_constant(&b->axes[link], &m->frame_axes[frame]);
    }
    if (positions != NULL) store3(positions + 3 * i, 3 * n, states, origin);
    if (rotations == NULL) continue;
    store3(rotations + 9 * i, 9 * n, states, (wide3){axes.x.x, axes.y.x, axes.z.x});
    store3(rotations + 9 * i + 3, 9 * n, states, (wide3){axes.x.y, axes.y.y, axes.z.y});
    store3(rotations + 9 * i + 6, 9 * n, states, (wide3){axes.x.z, axes.y.z, axes.z.z});
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
    srs_batch_place(b);
    store_frames(b, states, frames, n_frames, positions != NULL ? positions + 3 * per_state * (size_t)first : NULL,
                 rotations != NULL ? rotations + 9 * per_state * (size_t)first : NULL);
  }
  return positions != NULL ? srs_batch_check_result(b, n, "a position", positions, 3 * n_frames) : SRS_OK;
}
