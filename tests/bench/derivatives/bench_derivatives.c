// How long do derivatives take, beside the functions that they are of?
//
// Robots of the data folder, 64 random states, quantities in turn so that all see the same clock; the middle of five
// runs of processor time. The last columns are ratios to inverse dynamics (RNEA), by which figures of other engines
// compare, with the least and the most of the runs (timing.h).
//
//   bench_derivatives [COUNT]     COUNT calls of each quantity and no clock, for callgrind
#include "robots.h"
#include "timing.h"

#include <string.h>

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

static void repeat(void *context, int what, long calls)
{
  for (long i = 0; i < calls; i++) compute(context, (quantity)what, i);
}

static void measure(instance *s, const char *name)
{
  double times[QUANTITIES][BENCH_RUNS];
  char ratio[BENCH_SPREAD_TEXT];
  bench_take_turns(repeat, s, QUANTITIES, 2e-3, times);
  printf("%-12s %3zu", name, s->r.nv);
  for (int what = 0; what < QUANTITIES; what++) printf(" %8.2f", 1e6 * bench_spread_of(times[what]).median);
  printf("  %-17s", bench_spread_print(bench_ratio(times[D_INVERSE], times[RNEA]), ratio));
  printf("  %s\n", bench_spread_print(bench_ratio(times[D_FORWARD], times[RNEA]), ratio));
}

int main(int argc, char **argv)
{
  const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  (void)bench_pin();
  if (count == 0)
    printf(
        "us per call   nv     RNEA      ABA  d RNEA    d ABA  Coriolis centroid.  d RNEA / RNEA      d ABA / RNEA\n");
  for (size_t i = 0; i < ROBOTS; i++) {
    instance s = start(&robots[i]);
    for (long k = 0; k < count * QUANTITIES; k++) compute(&s, (quantity)(k % QUANTITIES), k / QUANTITIES);
    if (count == 0) measure(&s, robots[i].name);
    finish(&s);
  }
  return 0;
}
