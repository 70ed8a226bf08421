// How long do derivatives take, beside the functions that they are of?
//
// Robots of the data folder, 64 random states, quantities in turn so that all see the same clock; medians of batches of
// processor time. The last columns are ratios to inverse dynamics (RNEA), by which figures of other engines compare.
//
//   bench_derivatives [COUNT]     COUNT calls of each quantity and no clock, for callgrind
#include "robots.h"
#include "timing.h"

#include <string.h>

enum { BATCHES = 31, BATCH = 256 };

typedef struct instance {
  robot r;
  double *out, *dq, *dv, *inverse; // of one call
} instance;

static instance start(const robot *which)
{
  instance s = {.r = robot_start(which)};
  const size_t nv = s.r.nv;
  if (srs_workspace_reserve_derivatives(s.r.w) != SRS_OK) die("no memory");
  s.out = numbers(nv), s.dq = numbers(nv * nv), s.dv = numbers(nv * nv), s.inverse = numbers(nv * nv);
  return s;
}

static void finish(instance *s)
{
  free(s->out), free(s->dq), free(s->dv), free(s->inverse);
  robot_finish(&s->r);
}

typedef enum quantity { RNEA, ABA, D_INVERSE, D_FORWARD, CORIOLIS, CENTROIDAL, QUANTITIES } quantity;

static void compute(instance *s, quantity what, long call)
{
  const size_t k = (size_t)(call % STATES);
  const double *q = s->r.q + k * s->r.nq, *v = s->r.v + k * s->r.nv, *a = s->r.a + k * s->r.nv;
  srs_status status = SRS_OK;
  switch (what) {
  case RNEA: status = srs_inverse_dynamics(s->r.w, q, v, a, NULL, s->out); break;
  case ABA: status = srs_forward_dynamics(s->r.w, q, v, a, NULL, s->out); break;
  case D_INVERSE: status = srs_inverse_dynamics_derivatives(s->r.w, q, v, a, NULL, s->dq, s->dv, s->inverse); break;
  case D_FORWARD:
    status = srs_forward_dynamics_derivatives(s->r.w, q, v, a, NULL, s->out, s->dq, s->dv, s->inverse);
    break;
  case CORIOLIS: status = srs_coriolis_matrix(s->r.w, q, v, s->dq); break;
  case CENTROIDAL: status = srs_centroidal_momentum_matrix(s->r.w, q, v, s->dq, s->dv, NULL); break;
  case QUANTITIES: break;
  }
  if (status != SRS_OK) die(srs_workspace_error(s->r.w)->message);
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
  printf("%-12s %3zu", name, s->r.nv);
  for (int what = 0; what < QUANTITIES; what++) printf(" %8.2f", median[what]);
  printf(" %9.1f %9.1f\n", median[D_INVERSE] / median[RNEA], median[D_FORWARD] / median[RNEA]);
}

int main(int argc, char **argv)
{
  const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  (void)bench_pin();
  if (count == 0)
    printf("us per call   nv     RNEA      ABA  d RNEA    d ABA  Coriolis centroid.  dR/RNEA   dA/RNEA\n");
  for (size_t i = 0; i < ROBOTS; i++) {
    instance s = start(&robots[i]);
    for (long k = 0; k < count * QUANTITIES; k++) compute(&s, (quantity)(k % QUANTITIES), k / QUANTITIES);
    if (count == 0) measure(&s, robots[i].name);
    finish(&s);
  }
  return 0;
}
