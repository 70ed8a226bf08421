// How do states of a caller come into lanes? A state after the other in memory becomes a number after the other.

#include "engine/batch/states.h"

SRS_INLINE void load_square(const double *const row[LANES], int i, lanes *to)
{
  lanes numbers[LANES];
  for (int l = 0; l < LANES; l++) numbers[l] = lanes_load(row[l] + i);
  wide_transpose(numbers);
  for (int l = 0; l < LANES; l++) to[i + l] = numbers[l];
}

SRS_KERNEL void srs_batch_load(int n, int first, int size, const double *from, lanes *to)
{
  const double *row[LANES];
  for (int l = 0; l < LANES; l++) row[l] = from + (size_t)(first + l < n ? first + l : n - 1) * (size_t)size;
  int i = 0;
  for (; i + LANES <= size; i += LANES) load_square(row, i, to);
  if (i < size && size >= LANES) { // the last ones once more
    load_square(row, size - LANES, to);
    return;
  }
  for (; i < size; i++)
    for (int l = 0; l < LANES; l++) to[i][l] = row[l][i];
}

// LANES numbers from number i on of LANES states.  @return their sum
SRS_INLINE lanes store_square(const lanes *from, size_t i, double *row, size_t stride)
{
  lanes numbers[LANES], sum = {0};
  for (size_t l = 0; l < LANES; l++) sum += numbers[l] = from[i + l];
  wide_transpose(numbers);
  for (size_t l = 0; l < LANES; l++) lanes_store(row + l * stride + i, numbers[l]);
  return sum;
}

// Where the first whole vector of memory begins, in numbers from `row` on.
static size_t first_aligned(const double *row)
{
  return (sizeof(lanes) - (uintptr_t)row % sizeof(lanes)) % sizeof(lanes) / sizeof *row;
}

// Squares from number i up to `end`.  @return where the next begins
SRS_INLINE size_t store_squares(const lanes *from, size_t i, size_t end, double *row, size_t size, lanes *zero)
{
  for (; i < end && i + LANES <= size; i += LANES) *zero += 0 * store_square(from, i, row, size);
  return i;
}

// Of LANES states. Finite numbers whose sum overflows are taken for others: callers look again.
SRS_INLINE bool store_whole(size_t size, const lanes *from, double *row, const batch_gap *gaps, int n_gaps)
{
  lanes zero = {0};                                                // 0 x, which NaN and infinities do not leave
  const size_t whole = size % LANES == 0 ? first_aligned(row) : 0; // of all states
  if (whole > 0) zero += 0 * store_square(from, 0, row, size);
  size_t i = whole;
  for (int gap = 0; gap < n_gaps; gap++) {
    i = store_squares(from, i, (size_t)gaps[gap].from, row, size, &zero);
    for (; i + LANES <= (size_t)gaps[gap].to; i += LANES)
      for (size_t l = 0; l < LANES; l++) lanes_store(row + l * size + i, (lanes){0});
  }
  i = store_squares(from, i, size, row, size, &zero);
  if (i < size) zero += 0 * store_square(from, size - LANES, row, size); // the last ones once more
  return lanes_sum(zero) == 0;
}

// Of less than LANES states, or numbers.
SRS_INLINE bool store_few(size_t size, int states, const lanes *from, double *row)
{
  lanes zero = {0};
  for (size_t i = 0; i < size; i++) {
    zero += 0 * from[i];
    for (int l = 0; l < states; l++) row[(size_t)l * size + i] = from[i][l];
  }
  return lanes_sum(zero) == 0;
}

SRS_KERNEL bool srs_batch_store(int n, int first, int count, const lanes *from, double *to)
{
  const size_t size = (size_t)count;
  double *row = to + (size_t)first * size;
  if (first + LANES <= n && size >= LANES) return store_whole(size, from, row, NULL, 0);
  return store_few(size, n - first < LANES ? n - first : LANES, from, row);
}

SRS_KERNEL bool srs_batch_store_matrix(const srs_batch *b, int n, int first, double *to)
{
  const size_t size = (size_t)b->model->nv * (size_t)b->model->nv;
  double *row = to + (size_t)first * size;
  if (first + LANES <= n && size >= LANES) return store_whole(size, b->matrix, row, b->gaps, b->n_gaps);
  return store_few(size, n - first < LANES ? n - first : LANES, b->matrix, row);
}

SRS_KERNEL static bool find_angles(srs_batch *b)
{
  const srs_model *m = b->model;
  lane_mask large = {0};
  for (int i = 0; i < m->n_angles; i++) {
    const lanes x = b->q[m->angle_q[i]];
    large |= (x > SRS_SINCOS_LIMIT) | (x < -SRS_SINCOS_LIMIT);
    srs_batch_turn(&b->turns[i], x, &b->cosine[i], &b->sine[i]);
  }
  int64_t any = 0;
  for (int l = 0; l < LANES; l++) any |= large[l];
  return any == 0;
}

// Lane l of angle i, large.
static void find_large(srs_batch *b, int i, int l, double x)
{
  const batch_turn *turn = &b->turns[i];
  const double s = sin(x), c = cos(x);
  const double cosine = turn->cosine * c - turn->sine * s,
               sine = turn->cosine * s + turn->sine * c; // less the quarters
  const double of[] = {cosine, -sine, -cosine, sine};
  b->cosine[i][l] = of[turn->quarters & 3];
  b->sine[i][l] = of[(turn->quarters + 3) & 3];
}

void srs_batch_find_angles(srs_batch *b)
{
  const srs_model *m = b->model;
  if (find_angles(b)) return;
  for (int i = 0; i < m->n_angles; i++) {
    const lanes x = b->q[m->angle_q[i]];
    for (int l = 0; l < LANES; l++)
      if (!(x[l] <= SRS_SINCOS_LIMIT && x[l] >= -SRS_SINCOS_LIMIT)) find_large(b, i, l, x[l]);
  }
}

void srs_batch_load_q(srs_batch *b, int n, int first, const double *q)
{
  if (n == 0) return;
  srs_batch_load(n, first, b->model->nq, q, b->q);
  srs_batch_find_angles(b);
}

void srs_batch_look_ahead(srs_batch *b, int n, int first, const double *q)
{
  b->ahead.n_angles = first < n ? b->model->n_angles : 0;
  if (first < n) srs_batch_load(n, first, b->model->nq, q, b->ahead.q);
}

void srs_batch_take_ahead(srs_batch *b)
{
  const batch_ahead own = {.q = b->q, .cosine = b->cosine, .sine = b->sine};
  b->q = b->ahead.q, b->cosine = b->ahead.cosine, b->sine = b->ahead.sine;
  if (b->ahead.has_large) srs_batch_find_angles(b);
  b->ahead = own;
}
