// How long do derivatives take, beside the functions that they are of?
//
// Robots of the data folder, 64 random states, quantities in turn so that all see the same clock; medians of batches of
// processor time. The last columns are ratios to inverse dynamics (RNEA), by which figures of other engines compare.
//
//   bench_derivatives [COUNT]     COUNT calls of each quantity and no clock, for callgrind
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, BATCHES = 31, BATCH = 256 };

typedef struct robot {
  const char *file;
  srs_base_kind base;
} robot;

typedef struct instance {
  srs_model *model;
  srs_workspace *w;
  size_t nq, nv;
  double *q, *v, *a;               // STATES each
  double *out, *dq, *dv, *inverse; // of one call
} instance;

static void die(const char *what)
{
  fprintf(stderr, "bench_derivatives: %s\n", what);
  exit(1);
}

static double uniform(double low, double high)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  if (x == NULL) die("no memory");
  return x;
}

static instance start(const robot *r)
{
  instance s = {0};
  srs_error error = {0};
  srs_load_options options = srs_default_load_options();
  char path[1024];
  options.base = r->base;
  snprintf(path, sizeof path, "%s/robots/%s.urdf", BENCH_DATA, r->file);
  if (srs_model_load(path, &options, &s.model, &error) != SRS_OK) die(error.message);
  if (srs_workspace_create(s.model, &s.w, &error) != SRS_OK || srs_workspace_reserve_derivatives(s.w) != SRS_OK)
    die("no memory");
  s.nq = (size_t)srs_model_nq(s.model), s.nv = (size_t)srs_model_nv(s.model);
  s.q = numbers(STATES * s.nq), s.v = numbers(STATES * s.nv), s.a = numbers(STATES * s.nv);
  s.out = numbers(s.nv), s.dq = numbers(s.nv * s.nv), s.dv = numbers(s.nv * s.nv), s.inverse = numbers(s.nv * s.nv);
  for (size_t i = 0; i < STATES * s.nv; i++) s.v[i] = uniform(-1, 1), s.a[i] = uniform(-1, 1);
  double *far = numbers(s.nv);
  for (size_t k = 0; k < STATES; k++) {
    for (size_t i = 0; i < s.nv; i++) far[i] = uniform(-3, 3);
    srs_integrate(s.model, srs_model_neutral(s.model), far, 1, s.q + k * s.nq);
  }
  free(far);
  return s;
}

static void finish(instance *s)
{
  free(s->q), free(s->v), free(s->a), free(s->out), free(s->dq), free(s->dv), free(s->inverse);
  srs_workspace_destroy(s->w);
  srs_model_destroy(s->model);
}

typedef enum quantity { RNEA, ABA, D_INVERSE, D_FORWARD, CORIOLIS, CENTROIDAL, QUANTITIES } quantity;

static void compute(instance *s, quantity what, long call)
{
  const size_t k = (size_t)(call % STATES);
  const double *q = s->q + k * s->nq, *v = s->v + k * s->nv, *a = s->a + k * s->nv;
  srs_status status = SRS_OK;
  switch (what) {
  case RNEA: status = srs_inverse_dynamics(s->w, q, v, a, NULL, s->out); break;
  case ABA: status = srs_forward_dynamics(s->w, q, v, a, NULL, s->out); break;
  case D_INVERSE: status = srs_inverse_dynamics_derivatives(s->w, q, v, a, NULL, s->dq, s->dv, s->inverse); break;
  case D_FORWARD:
    status = srs_forward_dynamics_derivatives(s->w, q, v, a, NULL, s->out, s->dq, s->dv, s->inverse);
    break;
  case CORIOLIS: status = srs_coriolis_matrix(s->w, q, v, s->dq); break;
  case CENTROIDAL: status = srs_centroidal_momentum_matrix(s->w, q, v, s->dq, s->dv, NULL); break;
  case QUANTITIES: break;
  }
  if (status != SRS_OK) die(srs_workspace_error(s->w)->message);
}

static void measure(instance *s, const char *name)
{
  double times[QUANTITIES][BATCHES], median[QUANTITIES];
  for (int b = -1; b < BATCHES; b++) // the first is to warm up
    for (int what = 0; what < QUANTITIES; what++) {
      const double begun = bench_cpu_time();
      for (long i = 0; i < BATCH; i++) compute(s, (quantity)what, i);
      if (b >= 0) times[what][b] = 1e6 * (bench_cpu_time() - begun) / BATCH;
    }
  for (int what = 0; what < QUANTITIES; what++) median[what] = bench_quantile(times[what], BATCHES, 0.5);
  printf("%-12s %3zu", name, s->nv);
  for (int what = 0; what < QUANTITIES; what++) printf(" %8.2f", median[what]);
  printf(" %9.1f %9.1f\n", median[D_INVERSE] / median[RNEA], median[D_FORWARD] / median[RNEA]);
}

int main(int argc, char **argv)
{
  static const robot robots[] = {{"chain12", SRS_BASE_FIXED},
                                 {"panda", SRS_BASE_FIXED},
                                 {"ur5", SRS_BASE_FIXED},
                                 {"anymal", SRS_BASE_FLOATING},
                                 {"more/a1", SRS_BASE_FLOATING}};
  const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  (void)bench_pin();
  if (count == 0)
    printf("us per call   nv     RNEA      ABA  d RNEA    d ABA  Coriolis centroid.  dR/RNEA   dA/RNEA\n");
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    instance s = start(&robots[i]);
    for (long k = 0; k < count * QUANTITIES; k++) compute(&s, (quantity)(k % QUANTITIES), k / QUANTITIES);
    if (count == 0) measure(&s, robots[i].file);
    finish(&s);
  }
  return 0;
}
