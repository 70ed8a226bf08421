// How fast are the dynamics, beside other engines? One run, one machine, one table.
//
// For each mechanism the engines take turns, batch by batch (A B C A B C ...), so that a processor whose clock drifts
// slows all of them alike; a cell is the median over its batches of the processor time of one call. The batch of an
// engine holds as many calls as fill a few milliseconds. README.md tells how to read what comes out.
#include "mechanism.h"
#include "report.h"
#include "timing.h"

#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <sarrus/base.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

typedef struct bench_options {
  bool quick, json, help;
  const char *models, *quantities, *engines; // lists of names with commas between, NULL for all
  const char *other;                         // NULL, or the file of another build's bench_ours
  long count;                                // > 0: so many calls of each cell, no clock, no table
} bench_options;

static const struct {
  const char *name;
  int chain;        // links; 0: no chain
  const char *file; // of a robot, below the data folder; NULL for the humanoid and chains
  bool floating;
  int column; // of the reference table
  bool stands_in;
} mechanisms[] = {
    {"chain12", 12, NULL, false, 0, false},
    {"chain50", 50, NULL, false, 1, false},
    {"chain200", 200, NULL, false, 2, false},
    {"panda", 0, "robots/panda.urdf", false, 3, false},
    {"ur5", 0, "robots/ur5.urdf", false, 4, false},
    {"humanoid", 0, NULL, true, 5, true},
    {"anymal", 0, "robots/anymal.urdf", true, 5, true},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

// NULL where the engine was not there when this program was built.
static const bench_engine *engines[BENCH_ENGINES] = {
    &bench_sarrus,
#ifdef BENCH_WITH_MUJOCO
    &bench_mujoco,
#else
    NULL,
#endif
#ifdef BENCH_WITH_DART
    &bench_dart,
#else
    NULL,
#endif
#ifdef BENCH_WITH_BULLET
    &bench_bullet,
#else
    NULL,
#endif
#ifdef BENCH_WITH_PINOCCHIO
    &bench_pinocchio,
#else
    NULL,
#endif
#ifdef BENCH_WITH_RBDL
    &bench_rbdl,
#else
    NULL,
#endif
    &bench_batched,   NULL,
};

static const char *const titles[BENCH_ENGINES] = {"Sarrus",    "MuJoCo", "DART",  "Bullet",
                                                  "Pinocchio", "RBDL",   "batch", "other"};

static bool is_listed(const char *list, const char *name)
{
  if (list == NULL) return true;
  const size_t length = strlen(name);
  for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------------------------------------------------

// How many calls fill a batch. Warms the engine up on the way.  0: the engine failed.
static long calls_in_batch(const bench_engine *engine, void *instance, bench_quantity quantity, double duration)
{
  for (long n = 1;; n *= 2) {
    const double start = bench_cpu_time();
    if (!engine->run(instance, quantity, 0, n)) return 0;
    const double time = bench_cpu_time() - start;
    if (time < 0.3 * duration) continue;
    return (long)ceil((double)n * duration / time);
  }
}

// Fills the result's cells for each engine's quantities (`wanted`, bit k: quantity k). The turns go round all of a
// mechanism's cells, so that times of different quantities, which scale each other, see the same clock too.
static void measure(void *const instances[], const unsigned wanted[], double duration, bench_result *result)
{
  long calls[BENCH_QUANTITIES][BENCH_ENGINES] = {0};
  for (int what = 0; what < BENCH_QUANTITIES; what++)
    for (int e = 0; e < BENCH_ENGINES; e++)
      if ((wanted[e] >> what & 1) != 0)
        calls[what][e] = calls_in_batch(engines[e], instances[e], (bench_quantity)what, duration);

  for (int batch = 0; batch < BENCH_BATCHES; batch++)
    for (int what = 0; what < BENCH_QUANTITIES; what++)
      for (int e = 0; e < BENCH_ENGINES; e++) {
        const long n = calls[what][e];
        if (n == 0) continue;
        const double start = bench_cpu_time();
        if (!engines[e]->run(instances[e], (bench_quantity)what, batch * n, n)) calls[what][e] = 0;
        result->batches[what][e][batch] = (bench_cpu_time() - start) / (double)n;
      }

  for (int what = 0; what < BENCH_QUANTITIES; what++)
    for (int e = 0; e < BENCH_ENGINES; e++) {
      if (calls[what][e] == 0) continue;
      double sorted[BENCH_BATCHES];
      memcpy(sorted, result->batches[what][e], sizeof sorted);
      result->median[what][e] = bench_quantile(sorted, BENCH_BATCHES, 0.5);
    }
}

// Largest relative difference of an engine's accelerations to those of another.
static double difference(int engine, int other, void *const instances[], int nv)
{
  double *a = malloc(2 * (size_t)nv * sizeof *a), worst = 0;
  if (a == NULL) return NAN;
  double *b = a + nv;
  for (int state = 0; state < BENCH_STATES; state++) {
    if (!engines[engine]->acceleration(instances[engine], state, a) ||
        !engines[other]->acceleration(instances[other], state, b)) {
      worst = NAN;
      break;
    }
    double scale = 1;
    for (int i = 0; i < nv; i++) scale = fmax(scale, fabs(b[i]));
    for (int i = 0; i < nv; i++) worst = fmax(worst, fabs(a[i] - b[i]) / scale);
  }
  free(a);
  return worst;
}

// Likewise of a quantity, relative to its largest entry.  NAN: not told by one of them
static double answer_difference(int engine, int other, void *const instances[], bench_quantity quantity, int nv)
{
  if (engines[engine]->answer == NULL || engines[other]->answer == NULL) return NAN;
  const int rows = BENCH_NODE_ROWS * BENCH_NODES > nv ? BENCH_NODE_ROWS * BENCH_NODES : nv;
  const size_t most = (size_t)rows * (size_t)rows;
  double *a = calloc(2 * most, sizeof *a), worst = 0;
  if (a == NULL) return NAN;
  double *b = a + most;
  for (int state = 0; state < BENCH_STATES; state++) {
    if (!engines[engine]->answer(instances[engine], quantity, state, a) ||
        !engines[other]->answer(instances[other], quantity, state, b)) {
      worst = NAN;
      break;
    }
    double scale = 0;
    for (size_t i = 0; i < most; i++) scale = fmax(scale, fabs(b[i]));
    for (size_t i = 0; i < most; i++) worst = fmax(worst, fabs(a[i] - b[i]) / scale);
  }
  free(a);
  return worst;
}

// ---------------------------------------------------------------------------------------------------------------------
// One mechanism
// ---------------------------------------------------------------------------------------------------------------------

static bool make_model(int index, bench_model *model, char why[BENCH_WHY])
{
  snprintf(why, BENCH_WHY, "no memory left");
  if (mechanisms[index].chain > 0) return bench_chain(mechanisms[index].chain, model);
  if (mechanisms[index].file == NULL) return bench_humanoid(model);
  const char *data = getenv("SARRUS_DATA"); // NOLINT(concurrency-mt-unsafe): one thread
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", data != NULL ? data : BENCH_DATA, mechanisms[index].file);
  return bench_load(path, mechanisms[index].name, mechanisms[index].floating, model, why);
}

// Quantities to measure: the wanted ones, and of MuJoCo also those that bring Lambda's reference to this machine.
static unsigned wanted_quantities(const bench_options *options, unsigned *for_scale)
{
  const unsigned lambdas = 1u << BENCH_LAMBDA_1 | 1u << BENCH_LAMBDA_4 | 1u << BENCH_LAMBDA_12;
  const unsigned rows = 1u << BENCH_FK | 1u << BENCH_RNEA | 1u << BENCH_CRBA | 1u << BENCH_ABA;
  unsigned wanted = 0;
  for (int quantity = 0; quantity < BENCH_QUANTITIES; quantity++)
    if (is_listed(options->quantities, bench_quantity_key((bench_quantity)quantity))) wanted |= 1u << quantity;
  *for_scale = (wanted & lambdas) != 0 ? rows & ~wanted : 0;
  return wanted;
}

static void measure_all(const bench_options *options, void *const instances[], bench_result *result)
{
  unsigned for_scale;
  const unsigned shown = wanted_quantities(options, &for_scale);
  unsigned wanted[BENCH_ENGINES] = {0};
  for (int e = 0; e < BENCH_ENGINES; e++)
    if (instances[e] != NULL) wanted[e] = engines[e]->offers & (shown | (e == BENCH_SCALE ? for_scale : 0));
  measure(instances, wanted, options->quick ? 0.001 : 0.005, result);

  int first = -1;
  for (int e = 0; e < BENCH_ENGINES; e++) {
    if (instances[e] == NULL) continue;
    if (first < 0) {
      first = e;
      continue;
    }
    result->difference[e] = difference(e, first, instances, result->nv);
    for (int what = BENCH_RNEA; what <= BENCH_LAMBDA_12; what++)
      result->answers[e][what] = answer_difference(e, first, instances, (bench_quantity)what, result->nv);
  }
}

static void count_all(const bench_options *options, void *const instances[])
{
  unsigned for_scale;
  const unsigned wanted = wanted_quantities(options, &for_scale);
  for (int quantity = 0; quantity < BENCH_QUANTITIES; quantity++)
    for (int e = 0; e < BENCH_ENGINES; e++) {
      if (instances[e] == NULL || (wanted & engines[e]->offers & 1u << quantity) == 0) continue;
      if (!engines[e]->run(instances[e], (bench_quantity)quantity, 0, options->count))
        fprintf(stderr, "bench_dynamics: %s failed\n", titles[e]);
    }
}

static void start_result(int index, const bench_model *model, bench_result *result)
{
  *result = (bench_result){.n_links = model->n_links,
                           .nv = model->nv,
                           .column = mechanisms[index].column,
                           .stands_in = mechanisms[index].stands_in};
  snprintf(result->model, sizeof result->model, "%s", mechanisms[index].name);
  for (int e = 0; e < BENCH_ENGINES; e++) {
    result->difference[e] = NAN;
    for (int what = 0; what <= BENCH_LAMBDA_12; what++) result->answers[e][what] = NAN;
  }
  for (int what = 0; what < BENCH_QUANTITIES; what++)
    for (int e = 0; e < BENCH_ENGINES; e++) {
      result->median[what][e] = NAN;
      for (int batch = 0; batch < BENCH_BATCHES; batch++) result->batches[what][e][batch] = NAN;
    }
}

// false, with a line on stderr, when the mechanism cannot be had.
static bool run_mechanism(int index, const bench_options *options, bench_result *result)
{
  static char absent[MECHANISMS][BENCH_ENGINES][BENCH_WHY];
  char why[BENCH_WHY] = "no memory left";
  bench_model model = {0};
  bench_states states = {0};
  if (!make_model(index, &model, why) || !bench_random_states(&model, &states)) {
    fprintf(stderr, "bench_dynamics: %s is left out: %s\n", mechanisms[index].name, why);
    bench_model_free(&model);
    return false;
  }
  start_result(index, &model, result);
  void *instances[BENCH_ENGINES] = {NULL};
  for (int e = 0; e < BENCH_ENGINES; e++) {
    if (engines[e] == NULL || (e != BENCH_OTHER && !is_listed(options->engines, engines[e]->key))) continue;
    char *reason = absent[index][e];
    instances[e] = engines[e]->create(&model, &states, reason);
    if (instances[e] != NULL) continue;
    result->absent[e] = reason;
    for (char *at = reason; (at = strchr(at, '\n')) != NULL;) *at = ' ';
  }
  if (options->count > 0)
    count_all(options, instances);
  else
    measure_all(options, instances, result);
  for (int e = 0; e < BENCH_ENGINES; e++)
    if (instances[e] != NULL) engines[e]->destroy(instances[e]);
  bench_states_free(&states);
  bench_model_free(&model);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The program
// ---------------------------------------------------------------------------------------------------------------------

static const char usage[] =
    "usage: bench_dynamics [--quick] [--json] [--models LIST] [--quantities LIST] [--engines LIST] [--count N]\n"
    "                      [--other FILE]\n"
    "  models      chain12,chain50,chain200,panda,ur5,humanoid,anymal\n"
    "  quantities  fk,rnea,crba,aba,lambda1,lambda4,lambda12,drnea,daba,step\n"
    "  engines     sarrus,mujoco,dart,bullet,pinocchio,rbdl,batch\n"
    "  --other FILE  libbench_ours.so of another build, for a column beside this one's\n"
    "  --count N   make N calls of each and print nothing: for instruction counters\n";

static bool read_options(int argc, char **argv, bench_options *options)
{
  static const struct option known[] = {{"quick", no_argument, NULL, 'q'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"models", required_argument, NULL, 'm'},
                                        {"quantities", required_argument, NULL, 'w'},
                                        {"engines", required_argument, NULL, 'e'},
                                        {"count", required_argument, NULL, 'c'},
                                        {"other", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  double count = 0;
  for (int key; (key = getopt_long(argc, argv, "", known, NULL)) != -1;) { // NOLINT(concurrency-mt-unsafe): one thread
    switch (key) {
    case 'q': options->quick = true; break;
    case 'j': options->json = true; break;
    case 'm': options->models = optarg; break;
    case 'w': options->quantities = optarg; break;
    case 'e': options->engines = optarg; break;
    case 'c':
      if (!srs_parse_number(optarg, strlen(optarg), &count) || count < 1 || count > 1e9) return false;
      options->count = (long)count;
      break;
    case 'o': options->other = optarg; break;
    case 'h': options->help = true; break;
    default: return false;
    }
  }
  return optind == argc;
}

// Another build's library and adaptor, with names of its own.
static bool load_other(const char *path)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const bench_engine *engine = library != NULL ? dlsym(library, "bench_sarrus") : NULL;
  if (engine == NULL) {
    fprintf(stderr, "bench_dynamics: %s\n", dlerror()); // NOLINT(concurrency-mt-unsafe): one thread
    return false;
  }
  engines[BENCH_OTHER] = engine;
  return true;
}

int main(int argc, char **argv)
{
  static bench_result results[MECHANISMS];
  bench_options options = {0};
  if (!read_options(argc, argv, &options)) {
    fputs(usage, stderr);
    return 2;
  }
  if (options.help) {
    fputs(usage, stdout);
    return 0;
  }
  if (options.other != NULL && !load_other(options.other)) return 1;
  if (!bench_pin()) fputs("bench_dynamics: not pinned to one processor\n", stderr);
  const bool shows_progress = isatty(STDERR_FILENO) == 1 && options.count == 0;
  int n = 0;
  for (int index = 0; index < MECHANISMS; index++) {
    if (!is_listed(options.models, mechanisms[index].name)) continue;
    if (shows_progress) fprintf(stderr, "measuring %s\n", mechanisms[index].name);
    if (run_mechanism(index, &options, &results[n])) n++;
  }
  if (n == 0) fputs("bench_dynamics: nothing to measure\n", stderr);
  if (options.count > 0 || n == 0) return n > 0 ? 0 : 1;
  unsigned for_scale;
  const unsigned shown = wanted_quantities(&options, &for_scale);
  if (options.json)
    bench_print_json(stdout, results, n, titles, shown);
  else
    bench_print_tables(stdout, results, n, titles, shown);
  return 0;
}
