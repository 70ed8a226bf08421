// How do states of a caller come into lanes? A state after the other in memory becomes a number after the other.

#include "engine/batch/states.h"
#include "engine/dynamics/sincos.h"

SRS_KERNEL void srs_batch_load(int n, int first, int size, const double *from, lanes *to)
{
  const double *row[LANES];
  for (int l = 0; l < LANES; l++) row[l] = from + (size_t)(first + l < n ? first + l : n - 1) * (size_t)size;
  int i = 0;
  for (; i + LANES <= size; i += LANES) {
    lanes a = lanes_load(row[0] + i), b = lanes_load(row[1] + i), c = lanes_load(row[2] + i),
          d = lanes_load(row[3] + i);
    lanes_transpose(&a, &b, &c, &d);
    to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
  }
  if (i < size && size >= LANES) { // the last four once more
    i = size - LANES;
    lanes a = lanes_load(row[0] + i), b = lanes_load(row[1] + i), c = lanes_load(row[2] + i),
          d = lanes_load(row[3] + i);
    lanes_transpose(&a, &b, &c, &d);
    to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
    return;
  }
  for (; i < size; i++) to[i] = (lanes){row[0][i], row[1][i], row[2][i], row[3][i]};
}

SRS_KERNEL bool srs_batch_store(int n, int first, int size, const lanes *from, double *to)
{
  double *row = to + (size_t)first * (size_t)size;
  const size_t stride = (size_t)size;
  lanes zero = {0, 0, 0, 0}; // 0 x, which NaN and infinities do not leave
  int i = 0;
  if (first + LANES <= n)
    for (; i + LANES <= size; i += LANES) {
      lanes a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
      zero += 0 * ((a + b) + (c + d)); // a sum of finite numbers may overflow: callers look again
      lanes_transpose(&a, &b, &c, &d);
      lanes_store(row + i, a);
      lanes_store(row + stride + i, b);
      lanes_store(row + 2 * stride + i, c);
      lanes_store(row + 3 * stride + i, d);
    }
  for (; i < size; i++) {
    zero += 0 * from[i];
    for (int l = 0; l < LANES && first + l < n; l++) row[(size_t)l * stride + (size_t)i] = from[i][l];
  }
  return zero[0] + zero[1] + zero[2] + zero[3] == 0;
}

// Of the angle and what the batch's frames add to it.
SRS_INLINE void add_offset(srs_batch *b, int i, lanes cosine, lanes sine)
{
  const double *offset = b->angle_offset + 2 * (size_t)i, c = offset[0], s = offset[1];
  b->cosine[i] = c * cosine - s * sine;
  b->sine[i] = c * sine + s * cosine;
}

SRS_KERNEL static bool find_angles(srs_batch *b)
{
  const srs_model *m = b->model;
  lane_mask large = {0, 0, 0, 0};
  for (int i = 0; i < m->n_angles; i++) {
    const lanes x = b->q[m->angle_q[i]];
    large |= (x > SRS_SINCOS_LIMIT) | (x < -SRS_SINCOS_LIMIT);
    lanes s, c;
    sincos_reduced(x, &s, &c);
    add_offset(b, i, c, s);
  }
  return (large[0] | large[1] | large[2] | large[3]) == 0;
}

void srs_batch_find_angles(srs_batch *b)
{
  const srs_model *m = b->model;
  if (find_angles(b)) return;
  for (int i = 0; i < m->n_angles; i++) {
    const lanes x = b->q[m->angle_q[i]];
    lanes s, c;
    sincos_reduced(x, &s, &c);
    for (int l = 0; l < LANES; l++)
      if (!(x[l] <= SRS_SINCOS_LIMIT && x[l] >= -SRS_SINCOS_LIMIT)) s[l] = sin(x[l]), c[l] = cos(x[l]);
    add_offset(b, i, c, s);
  }
}

void srs_batch_load_q(srs_batch *b, int n, int first, const double *q)
{
  srs_batch_load(n, first, b->model->nq, q, b->q);
  srs_batch_find_angles(b);
}
