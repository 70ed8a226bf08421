// How long does a state take in a batch, beside the loops over states of other engines, on one core and on all?
//
// Engines and mechanisms are those of bench_dynamics. A thread for each core, bound to it, has an instance of its own
// (a model, and one mjData, Data or batch) and a share of the calls; the time is the processor time of the slowest
// thread over the calls of all, which other work on the machine does not count in. Five runs in which the engines take
// turns; a cell is the middle one, in us a state, and the ratio is of the batch to the fastest peer, run by run, with
// the least and the most.
#include "beside_peers.h"

#include "mechanism.h"
#include "timing.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CORES = 64 };

static const bench_engine *const engines[] = {
    &bench_batched,   &bench_sarrus,
#ifdef BENCH_WITH_MUJOCO
    &bench_mujoco,
#endif
#ifdef BENCH_WITH_PINOCCHIO
    &bench_pinocchio,
#endif
#ifdef BENCH_WITH_RBDL
    &bench_rbdl,
#endif
};
enum { ENGINES = sizeof engines / sizeof engines[0], OURS = 2 };

static const struct {
  bench_quantity what;
  const char *title;
} quantities[] = {
    {BENCH_FK, "FK"}, {BENCH_RNEA, "RNEA"}, {BENCH_ABA, "ABA"}, {BENCH_CRBA, "mass matrix"}, {BENCH_STEP, "step"}};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

typedef struct share {
  pthread_t thread;
  pthread_barrier_t *all;
  const bench_engine *engine;
  void *instance;
  bench_quantity what;
  long calls;
  int cpu;
  bool worked;
  double time; // processor time
} share;

static void *work(void *context)
{
  share *s = context;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET((size_t)s->cpu, &only);
  (void)sched_setaffinity(0, sizeof only, &only);
  pthread_barrier_wait(s->all);
  const double begun = bench_cpu_time();
  s->worked = s->engine->run(s->instance, s->what, 0, s->calls);
  s->time = bench_cpu_time() - begun;
  return NULL;
}

// Seconds a call when each of the cores does as many.  @return NaN where the engine fails
static double time_of(const bench_engine *engine, void *const *instances, int cores, bench_quantity what, long calls)
{
  share shares[MOST_CORES];
  pthread_barrier_t all;
  pthread_barrier_init(&all, NULL, (unsigned)cores);
  for (int i = 0; i < cores; i++) {
    shares[i] =
        (share){.all = &all, .engine = engine, .instance = instances[i], .what = what, .calls = calls, .cpu = i};
    if (pthread_create(&shares[i].thread, NULL, work, &shares[i]) != 0) abort();
  }
  double slowest = 0;
  bool worked = true;
  for (int i = 0; i < cores; i++) {
    pthread_join(shares[i].thread, NULL);
    slowest = fmax(slowest, shares[i].time);
    worked = worked && shares[i].worked;
  }
  pthread_barrier_destroy(&all);
  return worked ? slowest / ((double)calls * cores) : NAN;
}

// So many calls, in whole rounds over the states, take some 3 ms.
static long count_calls(const bench_engine *engine, void *const *instances, bench_quantity what)
{
  for (long calls = BENCH_STATES;; calls *= 2) {
    const double time = time_of(engine, instances, 1, what, calls) * (double)calls;
    if (!(time < 1.5e-3)) return calls;
  }
}

static void print_row(const bench_model *model, const char *title, int cores, double (*times)[BENCH_RUNS])
{
  double best[BENCH_RUNS];
  char ratio[BENCH_SPREAD_TEXT];
  bool has_peer = false;
  for (int run = 0; run < BENCH_RUNS; run++) {
    best[run] = INFINITY;
    for (int e = OURS; e < ENGINES; e++)
      if (isfinite(times[e][run])) best[run] = fmin(best[run], times[e][run]), has_peer = true;
  }
  printf("%-10s %3d  %-12s %5d", model->name, model->nv, title, cores);
  for (int e = 0; e < ENGINES; e++)
    if (isfinite(times[e][0]))
      printf(" %9.3f", 1e6 * bench_spread_of(times[e]).median);
    else
      printf(" %9s", "");
  printf("   %s\n", has_peer ? bench_spread_print(bench_ratio(times[0], best), ratio) : "");
}

static void measure(const bench_model *model, void *(*instances)[MOST_CORES], int quantity, int cores)
{
  const bench_quantity what = quantities[quantity].what;
  double times[ENGINES][BENCH_RUNS];
  long calls[ENGINES];
  for (int e = 0; e < ENGINES; e++) {
    const bool is_there = instances[e][cores - 1] != NULL && (engines[e]->offers >> what & 1) != 0;
    calls[e] = is_there ? count_calls(engines[e], instances[e], what) : 0;
  }
  for (int run = 0; run < BENCH_RUNS; run++)
    for (int e = 0; e < ENGINES; e++) {
      double turns[3] = {NAN, NAN, NAN};
      for (int turn = 0; calls[e] > 0 && turn < 3; turn++)
        turns[turn] = time_of(engines[e], instances[e], cores, what, calls[e]);
      times[e][run] = calls[e] > 0 ? bench_quantile(turns, 3, 0.5) : NAN;
    }
  print_row(model, quantities[quantity].title, cores, times);
}

static void beside(const bench_model *model, int cores)
{
  bench_states states;
  void *instances[ENGINES][MOST_CORES] = {{NULL}};
  char why[BENCH_WHY];
  if (!bench_random_states(model, &states)) abort();
  for (int e = 0; e < ENGINES; e++)
    for (int i = 0; i < cores; i++) instances[e][i] = engines[e]->create(model, &states, why);
  for (int quantity = 0; quantity < QUANTITIES; quantity++) {
    measure(model, instances, quantity, 1);
    if (cores > 1) measure(model, instances, quantity, cores);
  }
  for (int e = 0; e < ENGINES; e++)
    for (int i = 0; i < cores; i++)
      if (instances[e][i] != NULL) engines[e]->destroy(instances[e][i]);
  bench_states_free(&states);
}

static void beside_robot(const char *data, const char *name, bool floating, int cores)
{
  bench_model model;
  char path[1024], why[BENCH_WHY];
  snprintf(path, sizeof path, "%s/robots/%s.urdf", data, name);
  if (!bench_load(path, name, floating, &model, why)) {
    printf("%s: %s\n", name, why);
    return;
  }
  beside(&model, cores);
  bench_model_free(&model);
}

void bench_beside_peers(const char *data)
{
  bench_model model;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  cores = cores < 1 ? 1 : cores > MOST_CORES ? MOST_CORES : cores;
  printf("\nus per state nv               cores");
  for (int e = 0; e < ENGINES; e++) printf(" %9s", e == 1 ? "alone" : engines[e]->title);
  printf("   batch / best peer (of runs)\n");
  if (!bench_chain(12, &model)) abort();
  beside(&model, (int)cores);
  bench_model_free(&model);
  beside_robot(data, "panda", false, (int)cores);
  beside_robot(data, "ur5", false, (int)cores);
  beside_robot(data, "anymal", true, (int)cores);
  if (!bench_humanoid(&model)) abort();
  beside(&model, (int)cores);
  bench_model_free(&model);
}
