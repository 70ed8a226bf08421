// Does time stay linear in the links, and memory, up to 10^5 of them?
//
//   bench_long [--quick]                         --quick: up to 10^4 links, one loop in 100
//   bench_long --count KIND LINKS QUANTITY CALLS so many calls and no clock, for instruction counters; QUANTITY build,
//                                                fk, rnea, aba, delassus or step, KIND chain, tree, rows or embedded
//
// Chains, trees that branch at random, and chains with a loop after every 100 links. The sizes take turns in one run:
// time a link, beside that of 1000 links. Memory is what malloc has handed out. Figures are read, not asserted.
#include "long_model.h"
#include "timing.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum quantity { FK, RNEA, ABA, DELASSUS, STEP, QUANTITIES } quantity;
static const char *const titles[] = {"FK", "RNEA", "ABA", "Delassus, 4 points", "step"};
static const char *const keys[] = {"fk", "rnea", "aba", "delassus", "step"};
static const char *const kinds[] = {"chain", "tree", "rows", "embedded"};

enum { POINTS = 4, ROWS = 3 * POINTS, SIZES = 5 };
static const int sizes[SIZES] = {1000, 3000, 10000, 30000, 100000};

typedef struct instance {
  int n;
  srs_model *model;
  srs_workspace *w;
  srs_sim *sim;
  double *q, *v, *a, *out; // n each
  srs_constraint_frame points[POINTS];
  double build_time, create_time;              // s
  size_t model_size, workspace_size, sim_size; // bytes
} instance;

typedef struct measured {
  instance *of;
  quantity what;
} measured;

static void die(const char *what)
{
  fprintf(stderr, "bench_long: %s\n", what);
  exit(1);
}

static size_t in_use(void)
{
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static double *numbers(int n)
{
  double *x = calloc((size_t)n, sizeof *x);
  if (x == NULL) die("no memory");
  return x;
}

static void create(instance *s)
{
  srs_error error = {0};
  srs_sim_options options = srs_default_sim_options();
  options.dt = 1e-6; // of all steps together: it stays where it is
  options.contact.enabled = false;
  size_t before = in_use();
  const double begun = bench_cpu_time();
  if (srs_workspace_create(s->model, &s->w, &error) != SRS_OK) die(error.message);
  s->workspace_size = in_use() - before;
  before = in_use();
  if (srs_sim_create(s->model, &options, &s->sim, &error) != SRS_OK) die(error.message);
  s->sim_size = in_use() - before;
  if (srs_sim_set_state(s->sim, 0, s->q, NULL, &error) != SRS_OK) die(error.message);
  s->create_time = bench_cpu_time() - begun;
}

static instance start(long_kind kind, int n)
{
  instance s = {.n = n};
  const size_t before = in_use();
  const double begun = bench_cpu_time();
  s.model = long_model(kind, n);
  if (s.model == NULL) die("no model");
  s.build_time = bench_cpu_time() - begun;
  s.model_size = in_use() - before;
  s.q = numbers(n), s.v = numbers(n), s.a = numbers(n), s.out = numbers(n > ROWS * ROWS ? n : ROWS * ROWS);
  long_state(s.model, s.q);
  for (int i = 0; i < n; i++) s.v[i] = 1e-3 * (i % 7 - 3), s.a[i] = 1e-3 * (i % 5 - 2);
  for (int i = 0; i < POINTS; i++) {
    const int frame = srs_model_find_frame(s.model, srs_model_link(s.model, (i + 1) * n / POINTS - 1)->name);
    s.points[i] = (srs_constraint_frame){frame, SRS_AXES_WORLD, SRS_ROWS_POINT};
  }
  create(&s);
  return s;
}

static void finish(instance *s)
{
  srs_sim_destroy(s->sim);
  srs_workspace_destroy(s->w);
  srs_model_destroy(s->model);
  free(s->q), free(s->v), free(s->a), free(s->out);
}

static void compute(void *context, int which, long calls)
{
  const measured *m = context;
  instance *s = m->of + which;
  srs_error error = {0};
  srs_status status = SRS_OK;
  for (long i = 0; i < calls && status == SRS_OK; i++) switch (m->what) {
    case FK: status = srs_forward_kinematics(s->w, s->q); break;
    case RNEA: status = srs_inverse_dynamics(s->w, s->q, s->v, s->a, NULL, s->out); break;
    case ABA: status = srs_forward_dynamics(s->w, s->q, s->v, s->a, NULL, s->out); break;
    case DELASSUS: status = srs_delassus(s->w, s->q, s->points, POINTS, ROWS, s->out); break;
    case STEP: status = srs_sim_step(s->sim, 1, &error); break;
    case QUANTITIES: break;
    }
  if (status != SRS_OK) die(m->what == STEP ? error.message : srs_workspace_error(s->w)->message);
}

static void print_memory(const instance *s, int n_sizes)
{
  printf("  %7s %14s %14s %16s %16s %16s\n", "links", "building, us", "creating, us", "model, bytes",
         "workspace, bytes", "simulation, bytes");
  for (int i = 0; i < n_sizes; i++)
    printf("  %7d %14.3f %14.3f %16.0f %16.0f %16.0f\n", s[i].n, 1e6 * s[i].build_time / s[i].n,
           1e6 * s[i].create_time / s[i].n, (double)s[i].model_size / s[i].n, (double)s[i].workspace_size / s[i].n,
           (double)s[i].sim_size / s[i].n);
}

static void print_times(instance *s, int n_sizes, quantity what)
{
  double times[SIZES][BENCH_RUNS];
  char text[BENCH_SPREAD_TEXT];
  bench_take_turns(compute, &(measured){s, what}, n_sizes, 0.02, times);
  for (int i = 0; i < n_sizes; i++) {
    for (int run = 0; run < BENCH_RUNS; run++) times[i][run] /= s[i].n;
    printf("  %-20s %7d %10.1f   %s\n", i == 0 ? titles[what] : "", s[i].n, 1e9 * bench_spread_of(times[i]).median,
           bench_spread_print(bench_ratio(times[i], times[0]), text));
  }
  fflush(stdout);
}

static void print_kind(long_kind kind, int n_sizes)
{
  instance s[SIZES];
  for (int i = 0; i < n_sizes; i++) s[i] = start(kind, sizes[i]);
  const int n_rows = srs_model_n_loop_rows(s[n_sizes - 1].model);
  printf("%s, by the link", long_titles[kind]);
  if (n_rows > 0) printf("; %d rows of the longest", n_rows);
  printf("\n");
  print_memory(s, n_sizes);
  printf("  %-20s %7s %10s   %s\n", "", "links", "ns a link", "of that of 1000 links");
  const bool has_loops = kind == LONG_ROWS || kind == LONG_EMBEDDED;
  for (int what = has_loops ? STEP : FK; what < QUANTITIES; what++) print_times(s, n_sizes, (quantity)what);
  printf("\n");
  for (int i = 0; i < n_sizes; i++) finish(&s[i]);
}

static int index_of(const char *word, const char *const *words, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(word, words[i]) == 0) return i;
  fprintf(stderr, "bench_long: no '%s'\n", word);
  exit(2);
}

static int count(char **words)
{
  const long_kind kind = (long_kind)index_of(words[0], kinds, 4);
  const int n = (int)strtol(words[1], NULL, 10);
  const long calls = strtol(words[3], NULL, 10);
  if (strcmp(words[2], "build") == 0) {
    for (long i = 0; i < calls; i++) srs_model_destroy(long_model(kind, n));
    return 0;
  }
  instance s = start(kind, n);
  compute(&(measured){&s, (quantity)index_of(words[2], keys, QUANTITIES)}, 0, calls);
  finish(&s);
  return 0;
}

int main(int argc, char **argv)
{
  if (argc == 6 && strcmp(argv[1], "--count") == 0) return count(argv + 2);
  const bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
  if (argc > 1 && !is_quick) {
    fputs("usage: bench_long [--quick | --count KIND LINKS QUANTITY CALLS]\n", stderr);
    return 2;
  }
  if (!bench_pin()) fputs("bench_long: not pinned to one processor\n", stderr);
  const int most = is_quick ? 3 : SIZES;
  print_kind(LONG_CHAIN, most);
  print_kind(LONG_TREE, most);
  print_kind(LONG_EMBEDDED, most);
  print_kind(LONG_ROWS, most);
  return 0;
}
