// What does a step of a pile cost, against its number of bodies?
//
// bench_piles [STEPS [SOLVER [MOST [LEAST]]]]: discs in a plane between walls: as wide as the pile is high, then 24 m
// apart; relaxed problems, or those of another solver, to 1e-8, contacts nearer than 0.3 m, steps of 50 ms. The first
// ten steps settle it, the next are timed: their mean. `exponent` is that of the time between a line and the one above
// it, 1 being linear; `longest` the longest step over the median one; `memory` what the process has taken since the sim
// was made, per body.
#include "support/piles.h"
#include "timing.h"

#include <sys/resource.h>

enum { SETTLING = 10 };

static double resident(void) // kB at most
{
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss : 0;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The longest over the median.
static double spread_of(long n, double *each)
{
  if (each == NULL || n < 1) return NAN;
  qsort(each, (size_t)n, sizeof *each, compare);
  return each[n - 1] / each[n / 2];
}

static void run(const char *solver, int n, double width, long steps, double *last_time, int *last_n)
{
  char name[64];
  (void)snprintf(name, sizeof name, "name: %s, tolerance: 1e-8", solver);
  const pile p = {.n = n, .width = width, .distance = 0.3, .dt = 0.05, .solver = name};
  srs_error error;
  world w = {.scene = pile_scene(&p)};
  const double before = resident();
  if (srs_scene_create_sim(w.scene, NULL, &w.sim, &error) != SRS_OK ||
      srs_sim_step(w.sim, SETTLING, &error) != SRS_OK) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  const srs_sim_statistics settled = *srs_sim_get_statistics(w.sim);
  double sum = 0, *each = calloc((size_t)steps + 1, sizeof *each);
  for (long k = 0; k < steps && each != NULL; k++) {
    const double start = bench_cpu_time();
    if (srs_sim_step(w.sim, 1, &error) != SRS_OK) {
      fprintf(stderr, "%s\n", error.message);
      exit(1);
    }
    each[k] = bench_cpu_time() - start;
    sum += each[k];
  }
  const double time = sum / (double)steps, spread = spread_of(steps, each);
  free(each);
  const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
  const double iterations = (double)(s->iterations - settled.iterations) / (double)(s->solves - settled.solves);
  printf("%7d %9d %10.3f %12.1f %9.2f %9.1f %11.1f %10.2g %9ld %8.1f\n", n, s->contacts_max, 1e3 * time, 1e6 * time / n,
         *last_n > 0 ? log(time / *last_time) / log((double)n / *last_n) : NAN, spread, iterations, s->residual_max,
         s->failures, (resident() - before) / n);
  fflush(stdout);
  *last_time = time, *last_n = n;
  unload(&w);
}

int main(int argc, char **argv)
{
  const int sizes[] = {50, 100, 200, 500, 1000, 2000};
  const long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
  const char *solver = argc > 2 ? argv[2] : "relaxed";
  const long most = argc > 3 ? strtol(argv[3], NULL, 10) : 2000, least = argc > 4 ? strtol(argv[4], NULL, 10) : 0;
  printf("%7s %9s %10s %12s %9s %9s %11s %10s %9s %8s\n", "bodies", "contacts", "ms a step", "us per body", "exponent",
         "longest", "iterations", "residual", "unsolved", "kB/body");
  for (int is_column = 0; is_column < 2; is_column++) {
    double time = 0;
    int n = 0;
    printf(is_column ? "24 m wide\n" : "as wide as high\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
      if (sizes[i] >= least) run(solver, sizes[i], is_column ? 24 : 24 * sqrt(sizes[i] / 200.0), steps, &time, &n);
  }
  return 0;
}
