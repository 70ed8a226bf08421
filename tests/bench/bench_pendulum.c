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

static void measure(const char *title, pendulum_run *run, double *q, int repeats)
{
  enum { MOST = 15 };
  double cpu[MOST];
  char why[PENDULUM_WHY] = "";
  for (int i = 0; i < repeats; i++)
    if (!run(q, &cpu[i], why)) {
      printf("%-26s %s\n", title, why);
      return;
    }
  depths d = {0, 0, 0};
  for (int i = 0; i < PENDULUM_STEPS; i++) deepen(&d, q + (size_t)i * PENDULUM_LINKS);
  const double median = bench_quantile(cpu, repeats, 0.5);
  printf("%-26s %8.3f %9.2f   %8.3f %8.3f %8.3f\n", title, median, 1e6 * median / PENDULUM_STEPS, 1e3 * d.floor,
         1e3 * d.wall, 1e3 * d.self);
}

int main(void)
{
  double *q = calloc((size_t)PENDULUM_STEPS * PENDULUM_LINKS, sizeof *q);
  if (q == NULL) return 1;
  (void)bench_pin();
  printf("20 s of the 12-link pendulum at 1 ms, one thread, median of 5 runs\n\n");
  printf("%-26s %8s %9s   %8s %8s %8s\n", "", "CPU s", "us/step", "floor", "wall", "self");
  printf("%-26s %8s %9s   %26s\n", "", "", "", "deepest, mm");
  measure("Sarrus", pendulum_sarrus, q, 5);
#ifdef BENCH_WITH_MUJOCO
  measure("MuJoCo", pendulum_mujoco, q, 5);
  measure("MuJoCo, solref 0.002", pendulum_mujoco_stiff, q, 5);
#endif
#ifdef BENCH_WITH_BULLET
  measure("Bullet, 10 iterations", pendulum_bullet, q, 5);
  measure("Bullet, Dantzig", pendulum_bullet_dantzig, q, 5);
#endif
#ifdef BENCH_WITH_DART
  measure("DART", pendulum_dart, q, 5);
#endif
  free(q);
  return 0;
}
