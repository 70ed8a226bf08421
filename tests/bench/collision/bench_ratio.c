// How fast is the ratio metric, and how does it grow with the facets?
//
// A figure is the processor time of one call on one thread, pinned to one processor: the median of 31 batches over the
// same 64 pairs of poses near touching. `start` is what the call before a small move gave (1e-3 of the size, as in a
// step); cold is without one. Bodies of many facets are hulls of points on a sphere. Clocks differ: read the ratios.
#include "collision/pairs/pairs.h"
#include "collision/ratio/ratio_events.h"
#include "collision/ratio/ratio_metric.h"
#include "collision/shapes/outline.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, BATCHES = 31, ROOM = 4096 };

static const double batch_time = 2e-3; // s

static void die(const char *what)
{
  fprintf(stderr, "bench_ratio: %s\n", what);
  exit(1);
}

static double uniform(uint64_t *state, double low, double high)
{
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static mat3 random_axes(uint64_t *state)
{
  double q[4], square = 0;
  for (int c = 0; c < 4; c++) {
    q[c] = uniform(state, -1, 1);
    square += q[c] * q[c];
  }
  for (int c = 0; c < 4; c++) q[c] /= sqrt(square);
  return mat3_from_quaternion(q);
}

static vec3 random_vector(uint64_t *state, double most)
{
  const double x = uniform(state, -most, most), y = uniform(state, -most, most);
  return (vec3){x, y, uniform(state, -most, most)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

typedef struct ratio_case {
  srs_polytope *polytope;
  srs_polytope_pair pairs[STATES];
  srs_ratio before[STATES], ratios[STATES]; // of nearby poses, and of these
  srs_ratio_start starts[STATES];           // likewise
  srs_ratio_event_options options;
  srs_ratio_event *events; // ROOM
  srs_placed a[STATES], b[STATES];
  srs_solid solid; // for Bullet: boxes
} ratio_case;

typedef long run_once(ratio_case *c);

static long run_cold(ratio_case *c)
{
  long n = 0;
  for (int s = 0; s < STATES; s++) {
    srs_ratio ratio;
    srs_ratio_solve(&c->pairs[s], NULL, &ratio);
    n += ratio.n_active;
  }
  return n;
}

static long run_warm(ratio_case *c)
{
  long n = 0;
  for (int s = 0; s < STATES; s++) {
    srs_ratio ratio;
    srs_ratio_solve(&c->pairs[s], &c->before[s], &ratio);
    n += ratio.n_active;
  }
  return n;
}

static long run_again(ratio_case *c)
{
  long n = 0;
  for (int s = 0; s < STATES; s++) {
    srs_ratio ratio;
    srs_ratio_start start = c->starts[s];
    srs_ratio_solve_again(&c->pairs[s], &start, &ratio, NULL);
    n += start.facets[0] != 0;
  }
  return n;
}

static long run_events(ratio_case *c)
{
  long n = 0;
  for (int s = 0; s < STATES; s++)
    n += srs_ratio_find_events(&c->pairs[s], &c->ratios[s], &c->options, c->events, ROOM);
  return n;
}

static long run_bullet(ratio_case *c)
{
  srs_touch touches[SRS_MANIFOLD_POINTS];
  long n = 0;
  for (int s = 0; s < STATES; s++) n += srs_pair_box_box(NULL, &c->a[s], &c->b[s], 0.01, touches);
  return n;
}

static double measure(run_once *run, ratio_case *c, double *count)
{
  long rounds = 1, n = run(c);
  for (;; rounds *= 2) {
    const double start = bench_cpu_time();
    for (long k = 0; k < rounds; k++) n = run(c);
    if (bench_cpu_time() - start > batch_time) break;
  }
  double times[BATCHES];
  for (int batch = 0; batch < BATCHES; batch++) {
    const double start = bench_cpu_time();
    for (long k = 0; k < rounds; k++) n = run(c);
    times[batch] = (bench_cpu_time() - start) / (double)(rounds * STATES);
  }
  *count = (double)n / STATES;
  return bench_quantile(times, BATCHES, 0.5);
}

// Body 2 beside body 1, r between 0.99 and 1.01: turned at random, or face on face.
static void arrange(ratio_case *c, bool is_flat)
{
  uint64_t random = 5;
  const srs_polytope *p = c->polytope;
  for (int s = 0; s < STATES; s++) {
    const mat3 axes = is_flat ? mat3_identity : random_axes(&random), own = is_flat ? axes : random_axes(&random);
    vec3 at = is_flat ? add3((vec3){0, 0, 2}, scale3(0.2, random_vector(&random, 1))) : random_vector(&random, 2);
    srs_ratio ratio;
    for (int k = 0; k < 2; k++) { // r goes with the distance
      srs_polytope_pair_make(p, own, vec3_zero, p, axes, at, &c->pairs[s]);
      srs_ratio_solve(&c->pairs[s], NULL, &c->ratios[s]);
      if (k == 0) at = scale3(uniform(&random, 0.99, 1.01) / c->ratios[s].r, at);
    }
    const vec3 near = add3(at, random_vector(&random, 1e-3));
    const vec3 turn = is_flat ? vec3_zero : random_vector(&random, 0.5e-3);
    const mat3 turned = mul3(mat3_from_quaternion((const double[]){1, turn.x, turn.y, turn.z}), axes);
    srs_polytope_pair moved;
    srs_polytope_pair_make(p, own, vec3_zero, p, turned, near, &moved);
    srs_ratio_solve(&moved, NULL, &ratio);
    c->before[s] = ratio;
    c->starts[s] = (srs_ratio_start){0};
    srs_ratio_solve_again(&moved, &c->starts[s], &ratio, NULL);
    c->a[s] = (srs_placed){&c->solid, own, vec3_zero};
    c->b[s] = (srs_placed){&c->solid, axes, at};
  }
  c->options = srs_default_ratio_event_options(p, p, 1e-3);
}

static double share_of_warm(ratio_case *c)
{
  int n = 0;
  for (int s = 0; s < STATES; s++) {
    srs_ratio ratio;
    srs_ratio_work work;
    srs_ratio_solve_counted(&c->pairs[s], &c->before[s], &ratio, &work);
    n += work.was_warm;
  }
  return (double)n / STATES;
}

static double share_again(ratio_case *c)
{
  int n = 0;
  for (int s = 0; s < STATES; s++) {
    srs_ratio ratio;
    srs_ratio_work work;
    srs_ratio_start start = c->starts[s];
    srs_ratio_solve_again(&c->pairs[s], &start, &ratio, &work);
    n += work.was_warm;
  }
  return (double)n / STATES;
}

static void bench(const char *name, const double *points, int n, bool is_flat)
{
  ratio_case *c = calloc(1, sizeof *c);
  srs_error error;
  if (c == NULL) die("out of memory");
  if (srs_polytope_create(points, n, 3, NULL, &c->polytope, &error) != SRS_OK) die(error.message);
  c->events = calloc(ROOM, sizeof *c->events);
  if (c->events == NULL) die("out of memory");
  c->solid = (srs_solid){.kind = SRS_SHAPE_BOX, .size = {2, 2, 2}};
  arrange(c, is_flat);
  double unused, n_events;
  const double cold = measure(run_cold, c, &unused), warm = measure(run_warm, c, &unused);
  const double again = measure(run_again, c, &unused), events = measure(run_events, c, &n_events);
  const int facets = 2 * c->polytope->n_facets;
  printf("%-22s %7d %10.0f %8.2f %10.0f %6.0f%% %10.0f %6.0f%% %10.0f %7.1f", name, facets, 1e9 * cold,
         1e9 * cold / facets, 1e9 * warm, 100 * share_of_warm(c), 1e9 * again, 100 * share_again(c), 1e9 * events,
         n_events);
  if (n == 8) printf("   nearest points: %.0f ns", 1e9 * measure(run_bullet, c, &unused));
  printf("\n");
  srs_polytope_destroy(c->polytope);
  free(c->events);
  free(c);
}

static void bench_ball(int n)
{
  uint64_t random = 11;
  double *points = calloc(3 * (size_t)n, sizeof *points);
  if (points == NULL) die("out of memory");
  for (int i = 0; i < n; i++) {
    vec3 p = random_vector(&random, 1);
    while (norm3(p) < 0.1) p = random_vector(&random, 1);
    vec3_store(points + 3 * (size_t)i, scale3(1 / norm3(p), p));
  }
  bench("balls", points, n, false);
  free(points);
}

int main(void)
{
  double cube[24];
  for (int i = 0; i < 24; i++) cube[i] = ((i / 3) >> (i % 3) & 1) != 0 ? 1 : -1;
  bench_pin();
  printf("%-22s %7s %10s %8s %10s %7s %10s %7s %10s %7s\n", "pair", "facets", "cold, ns", "a facet", "start, ns",
         "of use", "again, ns", "of use", "events, ns", "events");
  bench("cubes, tumbled", cube, 8, false);
  bench("cubes, face on face", cube, 8, true);
  for (int n = 12; n <= 12000; n *= 3) bench_ball(n);
  bench_ball(5000);
  return 0;
}
