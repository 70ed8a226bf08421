// How fast are steps with contacts beside other engines, and how true?
//
// Every engine steps the same scenes (scenes.h) with its default options; runs take turns, five each. One judge reads
// the states: our shapes at the engine's q give the deepest overlap, our kinematics how far what should rest creeps,
// and E = T + V + sum (kp/2 (q - reference)^2 - force q), which dampers, friction and impacts can only lower, how far
// it rises above the least that it has been.
//
//   bench_contact_scenes [RUNS [SCENE]]     SCENE: a number from 0
#include "ours.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct verdict {
  double overlap, creep, rise; // m, m, J
} verdict;

static const struct {
  const char *title;
  scene_run *run;
} engines[] = {
    {"Sarrus", scene_sarrus},
#ifdef BENCH_WITH_MUJOCO
    {"MuJoCo", scene_mujoco},
    {"MuJoCo, solref 0.002", scene_mujoco_stiff},
#endif
#ifdef BENCH_WITH_BULLET
    {"Bullet", scene_bullet},
#endif
};
enum { ENGINES = sizeof engines / sizeof engines[0], MOST_RUNS = 15, MOST_CONTACTS = 4096 };

typedef struct judge {
  const contact_scene *scene;
  srs_model *model;
  srs_sim *sim;
  srs_workspace *workspace;
  srs_pose *links, *settled; // n_links
  srs_contact_point *contacts;
} judge;

static bool judge_open(judge *j, const contact_scene *scene, char why[SCENE_WHY])
{
  srs_error error = {0};
  *j = (judge){.scene = scene};
  j->sim = scene_sim(scene, &j->model, why);
  if (j->sim == NULL || srs_workspace_create(j->model, &j->workspace, &error) != SRS_OK) return false;
  const size_t n_links = (size_t)srs_model_n_links(j->model);
  j->links = calloc(n_links, sizeof *j->links);
  j->settled = calloc(n_links, sizeof *j->settled);
  j->contacts = calloc(MOST_CONTACTS, sizeof *j->contacts);
  return j->links != NULL && j->settled != NULL && j->contacts != NULL;
}

static void judge_close(judge *j)
{
  free(j->links), free(j->settled), free(j->contacts);
  srs_workspace_destroy(j->workspace);
  srs_sim_destroy(j->sim);
  srs_model_destroy(j->model);
}

static double energy(const judge *j, const double *q, const double *v)
{
  srs_energies own;
  if (srs_energy(j->workspace, q, v, &own) != SRS_OK) return NAN;
  double sum = own.kinetic + own.potential;
  for (int t = 0; t < j->scene->n_trees; t++)
    for (int k = 0; k < j->scene->trees[t].n_links; k++) {
      const bench_link *link = &j->scene->trees[t].links[k];
      const scene_servo *s = &j->scene->servos[j->scene->v_first[t] + link->v_index];
      const double at = q[j->scene->q_first[t] + link->q_index];
      if (link->joint != BENCH_FREE) sum += s->kp * (at - s->reference) * (at - s->reference) / 2 - s->force * at;
    }
  return sum;
}

// Where every link is at q.  @return the deepest overlap, m; NAN on failure
static double overlap(judge *j, const double *q)
{
  srs_error error;
  if (srs_forward_kinematics(j->workspace, q) != SRS_OK) return NAN;
  for (int i = 0; i < srs_model_n_links(j->model); i++) {
    const int frame = srs_model_find_frame(j->model, srs_model_link(j->model, i)->name);
    if (srs_frame_placement(j->workspace, frame, &j->links[i]) != SRS_OK) return NAN;
  }
  int n = 0;
  if (srs_collider_contacts(srs_sim_collider(j->sim), j->links, 0, j->contacts, MOST_CONTACTS, &n, &error) != SRS_OK)
    return NAN;
  double deepest = 0;
  for (int i = 0; i < n; i++) deepest = fmax(deepest, -j->contacts[i].gap);
  return deepest;
}

static double creep(const judge *j)
{
  double worst = 0;
  int link = 0;
  for (int t = 0; t < j->scene->n_trees; t++)
    for (int k = 0; k < j->scene->trees[t].n_links; k++, link++) {
      const double *a = j->settled[link].position, *b = j->links[link].position;
      if (t >= j->scene->rests) worst = fmax(worst, hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]));
    }
  return worst;
}

static verdict judge_states(judge *j, const double *q, const double *v)
{
  const contact_scene *scene = j->scene;
  verdict result = {0, NAN, 0};
  double least = energy(j, scene->q, scene->v);
  for (int i = 0; i < scene_states(scene); i++) {
    const double *at = q + (ptrdiff_t)i * scene->nq, e = energy(j, at, v + (ptrdiff_t)i * scene->nv);
    const double depth = overlap(j, at);
    if (!(depth <= result.overlap)) result.overlap = depth;
    if (!(e - least <= result.rise)) result.rise = e - least;
    least = fmin(least, e);
    if (i == scene->settled) memcpy(j->settled, j->links, (size_t)srs_model_n_links(j->model) * sizeof *j->links);
  }
  if (scene->settled >= 0) result.creep = creep(j);
  return result;
}

static void print(const contact_scene *scene, const char *title, double times[MOST_RUNS], int runs, verdict found)
{
  const double step = 1e6 / scene->steps, median = step * bench_quantile(times, runs, 0.5);
  printf("  %-22s %9.2f %7.2f-%-7.2f %11.4g", title, median, step * bench_quantile(times, runs, 0),
         step * bench_quantile(times, runs, 1), 1e3 * found.overlap);
  if (isnan(found.creep))
    printf(" %11s", "-");
  else
    printf(" %11.4g", 1e3 * found.creep);
  printf(" %11.3g\n", found.rise);
}

static void measure(const contact_scene *scene, int runs)
{
  judge j;
  char why[SCENE_WHY] = "no memory left";
  double times[ENGINES][MOST_RUNS], *q = calloc((size_t)scene_states(scene) * (size_t)scene->nq, sizeof *q);
  double *v = calloc((size_t)scene_states(scene) * (size_t)scene->nv, sizeof *v);
  verdict verdicts[ENGINES];
  printf("\n%s, %d steps of %g s\n", scene->name, scene->steps, scene->dt);
  if (q == NULL || v == NULL || !judge_open(&j, scene, why)) {
    printf("  %s\n", why);
  } else {
    bool is_there[ENGINES];
    for (int r = 0; r < runs; r++)
      for (int e = 0; e < ENGINES; e++) {
        is_there[e] = engines[e].run(scene, q, v, &times[e][r], why);
        if (r == 0 && !is_there[e]) printf("  %-22s %s\n", engines[e].title, why);
        if (r == 0 && is_there[e]) verdicts[e] = judge_states(&j, q, v);
      }
    for (int e = 0; e < ENGINES; e++)
      if (is_there[e]) print(scene, engines[e].title, times[e], runs, verdicts[e]);
    judge_close(&j);
  }
  free(q), free(v);
}

int main(int argc, char **argv)
{
  const long runs = argc > 1 ? strtol(argv[1], NULL, 10) : 5, only = argc > 2 ? strtol(argv[2], NULL, 10) : -1;
  if (runs < 1 || runs > MOST_RUNS) {
    fprintf(stderr, "usage: bench_contact_scenes [RUNS [SCENE]]     at most %d runs\n", MOST_RUNS);
    return 2;
  }
  (void)bench_pin();
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  printf("Steps with contacts, one thread, medians of %ld runs in turn (least and most)\n\n", runs);
  printf("  %-22s %9s %15s %11s %11s %11s\n", "", "us/step", "", "overlap, mm", "creep, mm", "rise, J");
  contact_scene scene;
  char why[SCENE_WHY];
  for (int i = 0; scene_make(i, &scene, why); i++) {
    if (scene.steps == 0)
      printf("\n%s is left out: %s\n", scene.name, why);
    else if (only < 0 || i == only)
      measure(&scene, (int)runs);
    scene_free(&scene);
  }
  return 0;
}
