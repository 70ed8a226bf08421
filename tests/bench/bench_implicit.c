// What does a geometrically implicit step cost? The rolling disc and the sphere on two spheres of the samples, beside
// semi-implicit-euler on the same scenes (which loses energy on them, or slips: docs/theory.md).
//
//   bench_implicit [--count N]     --count: N steps of each with the implicit step and no clock, for instruction
//   counters
//
// Processor time of a step while all contacts last, the median of 9 runs over them. The paper: 20 ms and 400 ms.
// Figures are read, not asserted.
#include "timing.h"

#include <sarrus/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9 };

typedef struct sample {
  const char *name;
  long steps; // that all contacts last
} sample;

static void fail(const srs_error *error)
{
  fprintf(stderr, "bench_implicit: %s\n", error->message);
  exit(1);
}

static srs_sim *start(const srs_scene *scene, srs_integrator integrator)
{
  srs_sim *sim = NULL;
  srs_error error;
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = integrator;
  if (srs_scene_create_sim(scene, &options, &sim, &error) != SRS_OK) fail(&error);
  return sim;
}

static void go(srs_sim *sim, long steps)
{
  srs_error error;
  if (srs_sim_step(sim, steps, &error) != SRS_OK) fail(&error);
}

static void measure(const srs_scene *scene, const sample *s, srs_integrator integrator)
{
  double time[RUNS];
  for (int i = 0; i < RUNS; i++) {
    srs_sim *sim = start(scene, integrator);
    const double before = bench_cpu_time();
    go(sim, s->steps);
    time[i] = (bench_cpu_time() - before) / (double)s->steps;
    const srs_sim_statistics *found = srs_sim_get_statistics(sim);
    if (i == 0)
      printf("%-14s %-24s %5.2f iterations a step, most %2d, unsolved %ld", s->name, srs_integrator_name(integrator),
             (double)found->iterations / (double)s->steps, found->iterations_max, found->failures);
    srs_sim_destroy(sim);
  }
  printf("  %8.2f us a step\n", 1e6 * bench_quantile(time, RUNS, 0.5));
}

int main(int argc, char **argv)
{
  static const sample samples[] = {{"rolling_disc", 1000}, {"two_spheres", 320}};
  const long count = argc == 3 && strcmp(argv[1], "--count") == 0 ? strtol(argv[2], NULL, 10) : 0;
  if (argc > 1 && count < 1) {
    fputs("usage: bench_implicit [--count N]\n", stderr);
    return 2;
  }
  if (!bench_pin()) fputs("bench_implicit: not pinned to one processor\n", stderr);
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    char path[1024];
    srs_error error;
    srs_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", BENCH_SAMPLES, samples[i].name);
    if (srs_scene_load(path, NULL, &scene, &error) != SRS_OK) fail(&error);
    if (count > 0) {
      srs_sim *sim = start(scene, SRS_GEOMETRICALLY_IMPLICIT);
      go(sim, count);
      srs_sim_destroy(sim);
    } else {
      measure(scene, &samples[i], SRS_GEOMETRICALLY_IMPLICIT);
      measure(scene, &samples[i], SRS_SEMI_IMPLICIT_EULER);
    }
    srs_scene_destroy(scene);
  }
  return 0;
}
