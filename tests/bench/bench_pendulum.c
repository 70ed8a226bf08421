// How long do engines take over the main experiment, and how deep do their bodies sink into each other?
//
// Depths come from the angles, by the same geometry for all: with p_k the chain's angles summed up to link k, its
// sphere is at y = sum sin p, z = height - sum cos p. The motion is chaotic: no engine follows another for longer than
// a second or two, so times and depths are of 20 s of like motions, not of the same one.
#include "peers/pendulum.h"
#include "timing.h"

#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool pendulum_sarrus(double *q, double *cpu, char why[PENDULUM_WHY])
{
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  bool is_good = srs_scene_load(BENCH_SAMPLES "/pendulum12.yaml", NULL, &scene, &error) == SRS_OK &&
                 srs_scene_create_sim(scene, NULL, &sim, &error) == SRS_OK;
  const double begin = bench_cpu_time();
  for (int i = 0; i < PENDULUM_STEPS && is_good; i++) {
    is_good = srs_sim_step(sim, 1, &error) == SRS_OK;
    memcpy(q + (size_t)i * PENDULUM_LINKS, srs_sim_q(sim), PENDULUM_LINKS * sizeof *q);
  }
  *cpu = bench_cpu_time() - begin;
  if (!is_good) snprintf(why, PENDULUM_WHY, "%s", error.message);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return is_good;
}

typedef struct depths {
  double floor, wall, self; // m; 0: never touched
} depths;

static void deepen(depths *d, const double q[PENDULUM_LINKS])
{
  double y[PENDULUM_LINKS], z[PENDULUM_LINKS], angle = 0, at_y = 0, at_z = PENDULUM_HEIGHT;
  for (int k = 0; k < PENDULUM_LINKS; k++) {
    angle += q[k];
    y[k] = at_y += sin(angle);
    z[k] = at_z -= cos(angle);
    d->floor = fmax(d->floor, PENDULUM_RADIUS - (z[k] - PENDULUM_FLOOR));
    d->wall = fmax(d->wall, PENDULUM_RADIUS - (PENDULUM_WALL - y[k]));
    for (int j = 0; j + 1 < k; j++) d->self = fmax(d->self, 2 * PENDULUM_RADIUS - hypot(y[k] - y[j], z[k] - z[j]));
  }
}

typedef struct entry {
  const char *title;
  pendulum_run *run;
  depths depths;
  char why[PENDULUM_WHY]; // "" but after a failure
} entry;

static entry entries[] = {
    {.title = "Sarrus", .run = pendulum_sarrus},
#ifdef BENCH_WITH_MUJOCO
    {.title = "MuJoCo", .run = pendulum_mujoco},
    {.title = "MuJoCo, solref 0.002", .run = pendulum_mujoco_stiff},
#endif
#ifdef BENCH_WITH_BULLET
    {.title = "Bullet, 10 iterations", .run = pendulum_bullet},
    {.title = "Bullet, Dantzig", .run = pendulum_bullet_dantzig},
#endif
#ifdef BENCH_WITH_DART
    {.title = "DART", .run = pendulum_dart},
#endif
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

// context: q, PENDULUM_STEPS x PENDULUM_LINKS.
static double run_entry(void *context, int which, int run)
{
  entry *e = &entries[which];
  double *q = context, cpu = NAN;
  if (e->why[0] != '\0') return NAN;
  if (!e->run(q, &cpu, e->why)) {
    if (e->why[0] == '\0') snprintf(e->why, sizeof e->why, "failed");
    return NAN;
  }
  for (int i = 0; i < PENDULUM_STEPS && run == 0; i++) deepen(&e->depths, q + (size_t)i * PENDULUM_LINKS);
  return cpu;
}

static void print(const entry *e, const double times[BENCH_RUNS], const double ours[BENCH_RUNS])
{
  char ratio[BENCH_SPREAD_TEXT];
  const double median = bench_spread_of(times).median;
  if (e->why[0] != '\0') {
    printf("%-22s %s\n", e->title, e->why);
    return;
  }
  printf("%-22s %8.3f %9.2f   %-18s %8.3f %8.3f %8.3f\n", e->title, median, 1e6 * median / PENDULUM_STEPS,
         bench_spread_print(bench_ratio(ours, times), ratio), 1e3 * e->depths.floor, 1e3 * e->depths.wall,
         1e3 * e->depths.self);
}

int main(void)
{
  double times[ENTRIES][BENCH_RUNS], *q = calloc((size_t)PENDULUM_STEPS * PENDULUM_LINKS, sizeof *q);
  if (q == NULL) return 1;
  (void)bench_pin();
  bench_take_long_turns(run_entry, q, ENTRIES, times);
  printf("20 s of the 12-link pendulum at 1 ms, one thread, medians of %d runs in turn (least and most)\n\n",
         BENCH_RUNS);
  printf("%-22s %8s %9s   %-18s %8s %8s %8s\n", "", "CPU s", "us/step", "Sarrus / it", "floor", "wall", "self");
  printf("%-22s %8s %9s   %-18s %26s\n", "", "", "", "", "deepest, mm");
  for (int i = 0; i < ENTRIES; i++) print(&entries[i], times[i], times[0]);
  free(q);
  return 0;
}
