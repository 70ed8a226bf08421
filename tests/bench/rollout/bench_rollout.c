// What do rollouts cost, and what do threads gain? Rows of the 12-link pendulum, whose velocities differ a little.
//
// The least of several rounds, in which the numbers of threads take turns. Processor time a row shows what sharing
// costs; time of the clock means something only where the processors are free.
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 64, STEPS = 1000, EVERY = 100, SAMPLES = STEPS / EVERY + 1, ROUNDS = 9, MOST_THREADS = 64, NV = 12 };

typedef struct trial {
  srs_sim *sim;
  srs_rollout_job job;
  double *numbers; // q, v, then samples
} trial;

static double wall(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool make_trial(const srs_scene *scene, trial *t, srs_error *error)
{
  if (srs_scene_create_sim(scene, NULL, &t->sim, error) != SRS_OK) return false;
  const size_t nv = NV, rows = ROWS;
  t->numbers = calloc(rows * nv * (2 + 2 * SAMPLES), sizeof *t->numbers);
  if (t->numbers == NULL) return false;
  double *q = t->numbers, *v = q + rows * nv;
  for (int row = 0; row < ROWS; row++)
    for (size_t i = 0; i < nv; i++) {
      q[(size_t)row * nv + i] = srs_sim_q(t->sim)[i];
      v[(size_t)row * nv + i] = srs_sim_v(t->sim)[i] + (double)row / ROWS;
    }
  t->job = srs_default_rollout_job(ROWS, STEPS);
  t->job.every = EVERY;
  t->job.q = q, t->job.v = v;
  t->job.q_out = v + rows * nv;
  t->job.v_out = t->job.q_out + rows * nv * SAMPLES;
  return true;
}

// The least times of a job, s: of the clock and of all processors.
typedef struct least {
  double wall, processor;
} least;

static void take(least *l, double wall_time, double processor_time)
{
  if (l->wall == 0 || wall_time < l->wall) l->wall = wall_time;
  if (l->processor == 0 || processor_time < l->processor) l->processor = processor_time;
}

// `repeats` runs of a job, and how long one takes.
static bool run(const trial *t, const srs_rollout_job *job, int threads, int repeats, least *whole, least *making)
{
  srs_rollout *rollout = NULL;
  srs_error error = {0};
  double at = wall(), used = processor();
  if (srs_rollout_create(t->sim, threads, &rollout, &error) != SRS_OK) return false;
  take(making, wall() - at, processor() - used);
  bool is_good = srs_rollout_run(rollout, job, &error) == SRS_OK; // warm
  at = wall(), used = processor();
  for (int i = 0; i < repeats && is_good; i++) is_good = srs_rollout_run(rollout, job, &error) == SRS_OK;
  take(whole, (wall() - at) / repeats, (processor() - used) / repeats);
  srs_rollout_destroy(rollout);
  return is_good;
}

static bool measure(const trial *t, int most)
{
  least whole[MOST_THREADS + 1] = {0}, empty[MOST_THREADS + 1] = {0}, making[MOST_THREADS + 1] = {0};
  srs_rollout_job none = t->job;
  none.n_steps = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int threads = 1; threads <= most; threads++)
      if (!run(t, &t->job, threads, 1, &whole[threads], &making[threads]) ||
          !run(t, &none, threads, 100, &empty[threads], &making[threads]))
        return false;
  printf("%d rows of %d steps, 12-link pendulum\n\n", ROWS, STEPS);
  printf("%7s %10s %16s %6s   %20s %14s\n", "threads", "clock, ms", "processor, us/row", "gain", "row of 0 steps, us",
         "making, us");
  for (int k = 1; k <= most; k++)
    printf("%7d %10.1f %16.1f %6.2f   %20.2f %14.0f\n", k, 1e3 * whole[k].wall, 1e6 * whole[k].processor / ROWS,
           whole[1].wall / whole[k].wall, 1e6 * empty[k].processor / ROWS, 1e6 * making[k].wall);
  return true;
}

int main(void)
{
  srs_scene *scene = NULL;
  trial t = {0};
  srs_error error = {0};
  int most = srs_usable_processors();
  if (most > MOST_THREADS) most = MOST_THREADS;
  const bool is_good = srs_scene_load(BENCH_SAMPLES "/pendulum12.yaml", NULL, &scene, &error) == SRS_OK &&
                       make_trial(scene, &t, &error) && measure(&t, most);
  if (!is_good) (void)fprintf(stderr, "%s\n", error.message[0] != '\0' ? error.message : "a rollout failed");
  free(t.numbers);
  srs_sim_destroy(t.sim);
  srs_scene_destroy(scene);
  return is_good ? 0 : 1;
}
