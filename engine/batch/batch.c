// The object of a batch: its memory, taken once, and the checks of its calls.

#include "engine/batch/batch.h"
#include "engine/batch/frames.h"
#include "engine/dynamics/block.h"
#include "topology/base/errors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t lay_out(srs_batch *b, char *base)
{
  const srs_model *m = b->model;
  const size_t n = (size_t)m->n_links, nv = (size_t)m->nv;
  size_t used = 0;
  b->fixed = srs_block_take(base, &used, n, sizeof *b->fixed);
  b->frame_offset = srs_block_take(base, &used, (size_t)m->n_frames, sizeof *b->frame_offset);
  b->frame_axes = srs_block_take(base, &used, (size_t)m->n_frames, sizeof *b->frame_axes);
  b->angle_offset = srs_block_take(base, &used, 2 * (size_t)m->n_angles, sizeof *b->angle_offset);
  b->order = srs_block_take(base, &used, n, sizeof *b->order);
  b->row_end = srs_block_take(base, &used, nv, sizeof *b->row_end);
  b->q = srs_block_take(base, &used, (size_t)m->nq, sizeof *b->q);
  b->v = srs_block_take(base, &used, nv, sizeof *b->v);
  b->a = srs_block_take(base, &used, nv, sizeof *b->a);
  b->tau = srs_block_take(base, &used, nv, sizeof *b->tau);
  b->extra = srs_block_take(base, &used, nv, sizeof *b->extra);
  b->cosine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->cosine);
  b->sine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->sine);
  b->links = srs_block_take(base, &used, n, sizeof *b->links);
  b->axes = srs_block_take(base, &used, n, sizeof *b->axes);
  b->origin = srs_block_take(base, &used, n, sizeof *b->origin);
  b->column = srs_block_take(base, &used, nv, sizeof *b->column);
  b->articulated = srs_block_take(base, &used, n, sizeof *b->articulated);
  b->pivots = srs_block_take(base, &used, nv, sizeof *b->pivots);
  b->bodies = srs_block_take(base, &used, n, sizeof *b->bodies);
  b->motions = srs_block_take(base, &used, nv, sizeof *b->motions);
  b->forces = srs_block_take(base, &used, nv, sizeof *b->forces);
  b->matrix = srs_block_take(base, &used, (nv > SRS_BATCH_WHOLE ? LANES : nv) * nv, sizeof *b->matrix);
  b->spare = srs_block_take(base, &used, nv * nv, sizeof *b->spare);
  return used;
}

srs_status srs_batch_create(const srs_model *model, srs_batch **batch, srs_error *error)
{
  if (batch == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "batch is NULL");
  *batch = NULL;
  if (model == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "model is NULL");
  srs_batch *b = calloc(1, sizeof *b);
  if (b != NULL) {
    b->model = model;
    b->gravity = (vec3){0, 0, -9.81};
    const size_t size = lay_out(b, NULL);
    b->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
    if (b->memory != NULL) {
      memset(b->memory, 0, size);
      lay_out(b, b->memory);
      srs_batch_choose_frames(b, (double *)b->links);
      *batch = b;
      return SRS_OK;
    }
  }
  free(b);
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a batch of %d links", model->n_links);
}

void srs_batch_destroy(srs_batch *b)
{
  if (b != NULL) free(b->memory);
  free(b);
}

const srs_model *srs_batch_model(const srs_batch *b) { return b != NULL ? b->model : NULL; }
const srs_error *srs_batch_error(const srs_batch *b) { return b != NULL ? &b->error : NULL; }
int srs_batch_width(const srs_batch *b) { return b != NULL ? LANES : 0; }

srs_status srs_batch_fail(srs_batch *b, srs_status status, const char *subject, const char *format, ...)
{
  char text[320];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return srs_fail(&b->error, status, NULL, 0, 0, subject, "%s", text);
}

// 0 x, which NaN and infinities do not leave.
SRS_KERNEL static bool all_finite(const double *x, size_t n)
{
  const size_t pair = (size_t)2 * LANES;
  lanes zero[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  size_t i = 0;
  for (; i + pair <= n; i += pair) {
    zero[0] += 0 * lanes_load(x + i);
    zero[1] += 0 * lanes_load(x + i + LANES);
  }
  for (; i < n; i++) zero[0][0] += 0 * x[i];
  const lanes sum = zero[0] + zero[1];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static srs_status refuse(srs_batch *b, srs_status status, int n, const char *what, const double *x, int size)
{
  const size_t total = (size_t)n * (size_t)size;
  if (all_finite(x, total)) return SRS_OK;
  for (size_t i = 0; i < total; i++)
    if (!isfinite(x[i]))
      return srs_batch_fail(b, status, "", "%s of state %zu is not finite at entry %zu", what, i / (size_t)size,
                            i % (size_t)size);
  return SRS_OK;
}

srs_status srs_batch_check_finite(srs_batch *b, int n, const char *what, const double *x, int size)
{
  return refuse(b, SRS_ERROR_NOT_FINITE, n, what, x, size);
}

srs_status srs_batch_check_result(srs_batch *b, int n, const char *what, const double *x, int size)
{
  return refuse(b, SRS_ERROR_DIVERGED, n, what, x, size);
}

srs_status srs_batch_check(srs_batch *b, int n, const double *q, const double *v, const void *out)
{
  const srs_model *m = b->model;
  if (n < 0) return srs_batch_fail(b, SRS_ERROR_ARGUMENT, "", "%d states: the number must not be negative", n);
  if (n > 0 && m->nv > 0 && (q == NULL || out == NULL))
    return srs_batch_fail(b, SRS_ERROR_ARGUMENT, "", "a null pointer");
  const srs_status status = srs_batch_check_finite(b, n, "q", q, m->nq);
  return status == SRS_OK && v != NULL ? srs_batch_check_finite(b, n, "v", v, m->nv) : status;
}

srs_status srs_batch_set_gravity(srs_batch *b, const double gravity[3])
{
  if (b == NULL || gravity == NULL) return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < 3; i++)
    if (!isfinite(gravity[i]))
      return srs_batch_fail(b, SRS_ERROR_NOT_FINITE, "", "gravity is not finite at entry %d", i);
  b->gravity = vec3_load(gravity);
  return SRS_OK;
}
