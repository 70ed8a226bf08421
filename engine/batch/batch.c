// The object of a batch: its memory, taken once, and the checks of its calls.

#include "engine/batch/batch.h"
#include "engine/batch/climb.h"
#include "engine/batch/frames.h"
#include "engine/batch/kernels.h"
#include "engine/dynamics/block.h"
#include "topology/base/errors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const srs_batch_kernels *srs_batch_widest(void)
{
#if defined(SARRUS_AVX2_AT_MOST)
  return &srs_batch_four;
#elif defined(SRS_KERNEL_COPIES)
  return __builtin_cpu_supports("x86-64-v4") ? &srs_batch_eight : &srs_batch_four;
#elif defined(SRS_HAS_EIGHT_LANES)
  return &srs_batch_eight;
#else
  return &srs_batch_four;
#endif
}

srs_status srs_batch_create(const srs_model *model, srs_batch **batch, srs_error *error)
{
  return srs_batch_create_of(model, srs_batch_widest(), batch, error);
}

static bool reserve(srs_batch *b)
{
  const size_t size = b->kernels->lay_out(b, NULL);
  b->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
  if (b->memory == NULL) return false;
  memset(b->memory, 0, size);
  b->kernels->lay_out(b, b->memory);
  return b->model->nv <= b->kernels->most_coordinates ||
         srs_batch_create_of(b->model, &srs_batch_four, &b->narrow, NULL) == SRS_OK;
}

srs_status srs_batch_create_of(const srs_model *model, const srs_batch_kernels *kernels, srs_batch **batch,
                               srs_error *error)
{
  if (batch == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "batch is NULL");
  *batch = NULL;
  if (model == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "model is NULL");
  srs_batch *b = calloc(1, sizeof *b);
  if (b != NULL) *b = (srs_batch){.model = model, .kernels = kernels, .gravity = {0, 0, -9.81}};
  if (b == NULL || !reserve(b)) {
    srs_batch_destroy(b);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a batch of %d links", model->n_links);
  }
  srs_batch_choose_frames(b, (double *)b->links);
  srs_batch_plan_climb(b);
  *batch = b;
  return SRS_OK;
}

void srs_batch_destroy(srs_batch *b)
{
  if (b == NULL) return;
  srs_batch_destroy(b->narrow);
  free(b->memory);
  free(b);
}

const srs_model *srs_batch_model(const srs_batch *b) { return b != NULL ? b->model : NULL; }
const srs_error *srs_batch_error(const srs_batch *b) { return b != NULL ? &b->error : NULL; }
int srs_batch_width(const srs_batch *b) { return b != NULL ? b->kernels->width : 0; }

srs_status srs_batch_fail(srs_batch *b, srs_status status, const char *subject, const char *format, ...)
{
  char text[320];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return srs_fail(&b->error, status, NULL, 0, 0, subject, "%s", text);
}

// 0 x, which NaN and infinities do not leave: so many sums at a time that none waits for the one before.
SRS_KERNEL static bool all_finite(const double *x, size_t n)
{
  enum { SUMS = 8 };
  lanes zero[SUMS] = {{0}}, all = {0};
  size_t i = 0;
  for (; i + (size_t)SUMS * LANES <= n; i += (size_t)SUMS * LANES)
    for (size_t j = 0; j < SUMS; j++) zero[j] += 0 * lanes_load(x + i + j * LANES);
  for (; i < n; i++) zero[0][0] += 0 * x[i];
  for (int j = 0; j < SUMS; j++) all += zero[j];
  return lanes_sum(all) == 0;
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

// The calls: what is given is checked here, the rest is the kernels'.

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
  return status == SRS_OK ? b->kernels->forward_kinematics(b, n, q, frames, n_frames, positions, rotations) : status;
}

srs_status srs_batch_inverse_dynamics(srs_batch *b, int n, const double *q, const double *v, const double *a,
                                      double *tau)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = b->model;
  srs_status status = srs_batch_check(b, n, q, v, v != NULL ? tau : NULL);
  if (status == SRS_OK && a != NULL) status = srs_batch_check_finite(b, n, "a", a, m->nv);
  return status == SRS_OK ? b->kernels->inverse_dynamics(b, n, q, v, a, tau) : status;
}

srs_status srs_batch_forward_dynamics(srs_batch *b, int n, const double *q, const double *v, const double *tau,
                                      double *a)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = b->model;
  srs_status status = srs_batch_check(b, n, q, v, v != NULL ? a : NULL);
  if (status == SRS_OK && tau != NULL) status = srs_batch_check_finite(b, n, "tau", tau, m->nv);
  return status == SRS_OK ? b->kernels->forward_dynamics(b, n, q, v, tau, a) : status;
}

srs_status srs_batch_mass_matrix(srs_batch *b, int n, const double *q, double *matrices)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_batch_check(b, n, q, NULL, matrices);
  if (status != SRS_OK) return status;
  if (b->narrow == NULL) return b->kernels->mass_matrix(b, n, q, matrices);
  const srs_status result = b->narrow->kernels->mass_matrix(b->narrow, n, q, matrices);
  if (result != SRS_OK) b->error = b->narrow->error;
  return result;
}

srs_status srs_batch_step(srs_batch *b, int n, double h, double *q, double *v, const double *tau)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  if (!(h > 0 && h < INFINITY)) return srs_batch_fail(b, SRS_ERROR_ARGUMENT, "", "h is %g s: it must be positive", h);
  const srs_model *m = b->model;
  srs_status status = srs_batch_check(b, n, q, v, v);
  if (status == SRS_OK && tau != NULL) status = srs_batch_check_finite(b, n, "tau", tau, m->nv);
  return status == SRS_OK ? b->kernels->step(b, n, h, q, v, tau) : status;
}
