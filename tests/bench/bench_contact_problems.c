// How fast are the contact problems that others met solved, ours beside Siconos? One table over FCLIB's files.
//
// An answer counts when its residual is at most 1e-10 by our figure (contact.h) and by Siconos's (natural map with rho
// 1, unscaled, over |q|); a solver that stops above one of them is asked again for a tenth of its tolerance. The time
// is that of one call of the solver from zero, the problem being there in the solver's own form: processor time of one
// thread, the median of some batches. Every try of the peer is a process of its own. Of the peer the best counts, over
// its solvers and ways to store a matrix. When it is found, ours and the peer's best take turns in five runs, of which
// the figures are.
#include "peers/contact_peer.h"
#include "problem_files.h"
#include "timing.h"

#include <cblas.h>
#include <math.h>
#include <sarrus/contact_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BATCHES = 15, DIGITS = 5 };

static const double enough = 1e-10, batch_time = 3e-4; // s

typedef struct settings {
  double limit, patience; // s: for one try, for the batches of one
  const char *folder, *only;
  bool all; // every solver of the peer
} settings;

typedef struct result {
  double time, residual, error; // ours, the peer's
  double tolerance;             // that was asked for
  int method, storage;          // storage: the peer's
  int iterations;
  char name[64];
  bool is_solved;
} result;

typedef struct trial {
  void (*call)(struct trial *trial);
  const srs_contact_problem *problem;
  int n;
  double *impulse, *velocity;
  // ours
  srs_contact_solver *solver;
  srs_contact_options options;
  srs_contact_report report;
  // the peer's
  contact_peer *peer;
} trial;

static void die(const char *what)
{
  fprintf(stderr, "bench_contact_problems: %s\n", what);
  exit(1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Times
// ---------------------------------------------------------------------------------------------------------------------

static double one_batch(trial *t, int calls)
{
  const double start = bench_cpu_time();
  for (int i = 0; i < calls; i++) t->call(t);
  return (bench_cpu_time() - start) / calls;
}

// `first` is what one call took.
static double median_time(trial *t, double first, double patience)
{
  double times[MOST_BATCHES];
  const int calls = first > batch_time ? 1 : (int)(batch_time / (first + 1e-8)) + 1;
  const double start = bench_cpu_time();
  int n = 0;
  times[n++] = one_batch(t, calls);
  while (n < MOST_BATCHES && bench_cpu_time() - start < patience) times[n++] = one_batch(t, calls);
  return bench_quantile(times, n, 0.5);
}

static void certify(trial *t, contact_peer *peer, result *r)
{
  srs_contact_report report;
  r->residual = r->error = INFINITY;
  if (srs_contact_certify(t->solver, t->problem, t->impulse, &report) != SRS_OK) return;
  r->residual = report.exact_residual;
  r->error = peer != NULL ? contact_peer_error(peer, t->impulse) : NAN;
  r->is_solved = r->residual <= enough && !(r->error > enough);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ours
// ---------------------------------------------------------------------------------------------------------------------

static void call_ours(trial *t)
{
  if (srs_contact_solve(t->solver, t->problem, &t->options, false, t->impulse, t->velocity, &t->report) != SRS_OK)
    t->report = (srs_contact_report){.status = SRS_CONTACT_UNSOLVED, .residual = INFINITY};
}

static result try_ours(trial *t, contact_peer *peer, srs_contact_method solver)
{
  result r = {.time = INFINITY, .method = (int)solver};
  t->options = srs_default_contact_options();
  t->options.method = solver;
  for (int digit = 0; digit < DIGITS && !r.is_solved; digit++) {
    t->options.tolerance = r.tolerance = enough * pow(10, -digit);
    call_ours(t);
    certify(t, peer, &r);
    r.iterations = t->report.iterations;
    snprintf(r.name, sizeof r.name, "%s", srs_contact_stage_name(t->report.stage));
  }
  return r;
}

static double time_ours(trial *t, const result *found, double patience)
{
  t->call = call_ours;
  t->options = srs_default_contact_options();
  t->options.method = (srs_contact_method)found->method;
  t->options.tolerance = found->tolerance;
  call_ours(t); // once more, so that the first call's page faults are not counted
  return median_time(t, one_batch(t, 1), patience);
}

// ---------------------------------------------------------------------------------------------------------------------
// The peer's
// ---------------------------------------------------------------------------------------------------------------------

#ifdef BENCH_WITH_SICONOS

static void call_peer(trial *t) { contact_peer_solve(t->peer, t->impulse, t->velocity); }

// In a process of its own: it may not come back.
static void try_peer(trial *t, int storage, int method, double tolerance, double limit, double patience, result *out)
{
  *out = (result){INFINITY, INFINITY, INFINITY, .tolerance = tolerance, .method = method, .storage = storage};
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) die("no process");
  if (child > 0) {
    int status;
    (void)waitpid(child, &status, 0);
    return;
  }
  const double whole = floor(limit);
  const struct itimerval alarm = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * (limit - whole)) + 1}};
  if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) _exit(1);
  t->peer = contact_peer_open(t->problem, storage);
  if (t->peer == NULL || !contact_peer_set(t->peer, method, tolerance)) _exit(1);
  t->call = call_peer;
  (void)setitimer(ITIMER_PROF, &alarm, NULL); // of processor time; ends the process
  const double first = one_batch(t, 1);
  (void)setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
  certify(t, t->peer, out);
  if (!out->is_solved) _exit(0);
  const double time = median_time(t, first, patience);
  certify(t, t->peer, out); // of the last call
  if (out->is_solved) out->time = time;
  _exit(0);
}

// The tolerance that the peer needs for both figures; what would take much longer than the best so far is given up.
static void try_digits(trial *t, int storage, int method, const settings *s, const result *best, result *shared)
{
  const double worthwhile = 0.02 + 4 * best->time;
  const double limit = s->all || worthwhile > s->limit ? s->limit : worthwhile;
  for (int digit = 0; digit < DIGITS; digit++) {
    try_peer(t, storage, method, enough * pow(10, -digit), limit, s->patience, shared);
    if (shared->is_solved || !isfinite(shared->residual) || shared->error > enough) break;
  }
}

static void best_of_peer(trial *t, const settings *s, int tangents, result *shared, result *best)
{
  static const char *const storages[CONTACT_PEER_STORAGES] = {"dense", "blocks", "sparse"};
  *best = (result){.time = INFINITY, .residual = INFINITY, .error = INFINITY};
  for (int method = 0; contact_peer_method(tangents, method) != NULL; method++)
    for (int storage = 0; storage < CONTACT_PEER_STORAGES; storage++) {
      try_digits(t, storage, method, s, best, shared);
      snprintf(shared->name, sizeof shared->name, "%s, %s", contact_peer_method(tangents, method), storages[storage]);
      if (s->all && isfinite(shared->residual))
        printf("    %-28s %10.2f us  %8.1e %8.1e\n", shared->name, 1e6 * shared->time, shared->residual, shared->error);
      if (shared->time < best->time || (!best->is_solved && !shared->is_solved && shared->residual < best->residual))
        *best = *shared;
    }
}

#else

contact_peer *contact_peer_open(const srs_contact_problem *problem, int storage)
{
  (void)problem, (void)storage;
  return NULL;
}

double contact_peer_error(contact_peer *peer, const double *impulse)
{
  (void)peer, (void)impulse;
  return NAN;
}

bool contact_peer_set(contact_peer *peer, int method, double tolerance)
{
  (void)peer, (void)method, (void)tolerance;
  return false;
}

static void try_peer(trial *t, int storage, int method, double tolerance, double limit, double patience, result *out)
{
  (void)t, (void)storage, (void)method, (void)tolerance, (void)limit, (void)patience, (void)out;
}

static void best_of_peer(trial *t, const settings *s, int tangents, result *shared, result *best)
{
  (void)t, (void)s, (void)tangents, (void)shared;
  *best = (result){.time = NAN, .residual = NAN, .error = NAN, .name = "-"};
}

#endif

// ---------------------------------------------------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------------------------------------------------

enum { RLM, PLM, PEER, ENTRIES };

typedef struct contest {
  trial *trial;
  const settings *settings;
  result found[ENTRIES], *shared; // shared: with the processes of the peer
} contest;

static double run_entry(void *context, int which, int run)
{
  (void)run;
  const contest *c = context;
  const result *r = &c->found[which];
  if (!r->is_solved) return NAN;
  if (which != PEER) return time_ours(c->trial, r, c->settings->patience);
  try_peer(c->trial, r->storage, r->method, r->tolerance, c->settings->limit, c->settings->patience, c->shared);
  return c->shared->is_solved ? c->shared->time : NAN;
}

static void print_result(const result *r, const double times[BENCH_RUNS])
{
  if (r->is_solved)
    printf(" %10.2f", 1e6 * bench_spread_of(times).median);
  else
    printf(" %10s", "-");
  printf(" %8.1e %8.1e", r->residual, r->error);
}

static void print_ratio(double times[ENTRIES][BENCH_RUNS])
{
  double ours[BENCH_RUNS];
  char text[BENCH_SPREAD_TEXT];
  for (int run = 0; run < BENCH_RUNS; run++) {
    ours[run] = fmin(times[RLM][run], times[PLM][run]); // of a number and NAN the number
    if (isnan(ours[run]) || isnan(times[PEER][run])) {
      puts(" -");
      return;
    }
  }
  printf(" %s\n", bench_spread_print(bench_ratio(ours, times[PEER]), text));
}

static void bench_problem(const char *name, const srs_contact_problem *problem, const settings *s, result *shared)
{
  const int tangents = problem->tangents != NULL ? problem->tangents[0] : 2, n = (1 + tangents) * problem->n_contacts;
  srs_error error = {0};
  trial t = {.problem = problem, .n = n};
  t.impulse = calloc((size_t)n + 1, sizeof *t.impulse);
  t.velocity = calloc((size_t)n + 1, sizeof *t.velocity);
  if (t.impulse == NULL || t.velocity == NULL || srs_contact_solver_create(n, &t.solver, &error) != SRS_OK)
    die("no memory");
  contact_peer *peer = contact_peer_open(problem, 0);
  if (peer != NULL) (void)contact_peer_set(peer, 0, enough);
  contest c = {.trial = &t, .settings = s, .shared = shared};
  double times[ENTRIES][BENCH_RUNS];
  best_of_peer(&t, s, tangents, shared, &c.found[PEER]);
  c.found[RLM] = try_ours(&t, peer, SRS_METHOD_MNCP_RLM);
  c.found[PLM] = try_ours(&t, peer, SRS_METHOD_MNCP_PLM);
  bench_take_long_turns(run_entry, &c, ENTRIES, times);
  printf("%-36.36s %d %4d", name, 1 + tangents, problem->n_contacts);
  for (int i = RLM; i <= PLM; i++) {
    print_result(&c.found[i], times[i]);
    printf(" %4d %-12s", c.found[i].iterations, c.found[i].name);
  }
  print_result(&c.found[PEER], times[PEER]);
  printf(" %-24s", c.found[PEER].name);
  print_ratio(times);
  fflush(stdout);
  free(t.impulse), free(t.velocity);
  srs_contact_solver_destroy(t.solver);
}

static settings read_arguments(int argc, char **argv)
{
  settings s = {.limit = 3, .patience = 0.1, .folder = bench_problem_folder(BENCH_DATA)};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--all") == 0)
      s.all = true;
    else if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc)
      s.limit = atof(argv[++i]); // NOLINT(cert-err34-c): a wrong one is 0
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      s.only = argv[++i];
    else if (argv[i][0] != '-')
      s.folder = bench_problem_folder_in(argv[i]);
    else
      die("usage: bench_contact_problems [FOLDER] [--only PART-OF-NAME] [--limit SECONDS] [--all]");
  }
  return s;
}

int main(int argc, char **argv)
{
  static bench_file_name names[BENCH_FILES];
  const settings s = read_arguments(argc, argv);
  if (!bench_pin()) fputs("bench_contact_problems: not pinned to a processor\n", stderr);
  openblas_set_num_threads(1);
  result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) die("no memory");
  const int n = bench_list_problems(s.folder, names);
  if (n == 0) return 1;
  printf(
      "Time to 1e-10, us, the middle one of %d runs in turn; our residual and Siconos's; iterations, stage. ratio: the "
      "faster of ours / Siconos.\n"
      "%-36s %1s %4s %10s %8s %8s %4s %-12s %10s %8s %8s %4s %-12s %10s %8s %8s %-24s %6s\n",
      BENCH_RUNS, "problem", "d", "nc", "mncp-rlm", "ours", "theirs", "it", "stage", "mncp-plm", "ours", "theirs", "it",
      "stage", "Siconos", "ours", "theirs", "best of it", "ratio");
  for (int i = 0; i < n; i++) {
    if (s.only != NULL && strstr(names[i], s.only) == NULL) continue;
    char path[2048];
    snprintf(path, sizeof path, "%.1024s/%.255s", s.folder, names[i]);
    srs_contact_file file;
    srs_error error = {0};
    if (srs_contact_file_read(path, &file, &error) != SRS_OK) die(error.message);
    if (file.problem.n_bilateral == 0)
      bench_problem(names[i], &file.problem, &s, shared);
    else
      printf("%-36.36s left out: bilateral rows\n", names[i]);
    srs_contact_file_free(&file);
  }
  return 0;
}
