// How does every solver fare on the contact problems that others met? One table in Markdown over FCLIB's files: solved
// or not, time, residual, beside the figures of Siconos that the README.md of their folder has.
//
// Each solve is from zero, to 1e-10. The residual is the judge's (contact_judge.h), in long double, by the laws that
// the solver solves: with the cone, with its polyhedron, relaxed. Solved is what the judge finds within 1e-10. The time
// is the median of a few calls, processor time of one thread; each solver has a process of its own for each problem,
// which ends at the limit.
#include "problem_files.h"
#include "timing.h"

#include <cblas.h>
#include <math.h>
#include <sarrus/contact_file.h>
#include <sarrus/contact_judge.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CALLS = 15, MOST_LINES = 256, PEERS = 2 };

static const double enough = 1e-10, patience = 0.05; // s for the calls after the first
static const char *const peers[PEERS] = {"NSGS", "NSN"};

typedef struct settings {
  const char *folder, *only;
  double limit; // s
} settings;

typedef struct result {
  bool is_done; // false: it met the limit
  bool is_claimed;
  double time, residual;
} result;

static void die(const char *what)
{
  fprintf(stderr, "bench_every_solver: %s\n", what);
  exit(1);
}

// ---- one solver, one problem ----

static void solve(const srs_contact_problem *problem, srs_contact_method method, result *out)
{
  const int n = srs_contact_problem_rows(problem);
  srs_contact_solver *solver = NULL;
  double *x = calloc(2 * (size_t)n + 1, sizeof *x);
  if (x == NULL || srs_contact_solver_create(n, &solver, NULL) != SRS_OK) _exit(1);
  srs_contact_options options = srs_default_contact_options();
  options.method = method;
  options.tolerance = enough;
  srs_contact_report report = {0};
  double times[MOST_CALLS], spent = 0;
  int calls = 0;
  do {
    const double start = bench_cpu_time();
    if (srs_contact_solve(solver, problem, &options, false, x, x + n, &report) != SRS_OK) _exit(1);
    times[calls] = bench_cpu_time() - start;
    spent += calls > 0 ? times[calls] : 0; // the first call meets cold memory
    calls++;
  } while (calls < MOST_CALLS && spent + times[calls - 1] < patience);
  const srs_contact_claim claim = srs_contact_claim_of(&options, x, x + n);
  srs_contact_judgement judgement;
  if (srs_contact_judge(problem, &claim, &judgement, NULL) != SRS_OK) _exit(1);
  *out = (result){.is_done = true,
                  .is_claimed = report.status == SRS_CONTACT_SOLVED,
                  .time = bench_quantile(times + (calls > 1), calls - (calls > 1), 0.5),
                  .residual = judgement.residual};
  _exit(0);
}

static result try_solver(const srs_contact_problem *problem, srs_contact_method method, double limit, result *shared)
{
  *shared = (result){.is_done = false};
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) die("no process");
  if (child == 0) {
    const double whole = floor(limit);
    const struct itimerval alarm = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * (limit - whole)) + 1}};
    (void)setitimer(ITIMER_PROF, &alarm, NULL); // of processor time; ends the process
    solve(problem, method, shared);
  }
  int status;
  (void)waitpid(child, &status, 0);
  return *shared;
}

// ---- what others reached ----

typedef struct reference {
  char name[128]; // of the problem
  result of[PEERS];
  bool is_there[PEERS];
} reference;

// Up to the first of the endings that people gave such files.
static size_t stem_length(const char *name)
{
  size_t length = strcspn(name, " \t\n|");
  const char *const endings[] = {".dat", ".hdf5"};
  for (int i = 0; i < 2; i++) {
    const size_t size = strlen(endings[i]);
    if (length > size && strncmp(name + length - size, endings[i], size) == 0) length -= size;
  }
  return length;
}

// The number after `key`, NAN for none.
static double number_after(const char *text, const char *key)
{
  const char *at = strstr(text, key);
  char *end = NULL;
  const double value = at != NULL ? strtod(at + strlen(key), &end) : NAN;
  return at != NULL && end > at + strlen(key) ? value : NAN;
}

// "| NSGS info=0 err=3.8e-15 it=106 t=0.0283": info 0 is solved.
static bool read_peer(const char *line, const char *peer, result *out)
{
  char label[16];
  snprintf(label, sizeof label, "| %s ", peer);
  const char *at = strstr(line, label);
  if (at == NULL) return false;
  const double info = number_after(at, " info=");
  *out = (result){
      .is_done = true, .is_claimed = info == 0, .time = number_after(at, " t="), .residual = number_after(at, " err=")};
  return isfinite(info) && isfinite(out->time) && isfinite(out->residual);
}

static int read_references(const char *folder, reference references[MOST_LINES])
{
  char path[2048], line[1024];
  snprintf(path, sizeof path, "%.1024s/README.md", folder);
  FILE *file = fopen(path, "r");
  int n = 0;
  while (file != NULL && n < MOST_LINES && fgets(line, sizeof line, file) != NULL) {
    const char *name = line + strspn(line, " \t");
    if (strstr(name, " nc=") == NULL) continue;
    reference *r = &references[n++];
    *r = (reference){.is_there = {false}};
    snprintf(r->name, sizeof r->name, "%.*s", (int)stem_length(name), name);
    for (int i = 0; i < PEERS; i++) r->is_there[i] = read_peer(line, peers[i], &r->of[i]);
  }
  if (file != NULL) fclose(file);
  return n;
}

// ---- the table ----

static void print_time(double seconds)
{
  const char *const units[] = {"s", "ms", "µs"};
  int unit = 0;
  while (unit < 2 && seconds < 1) seconds *= 1000, unit++;
  printf(seconds < 100 ? "%.2g %s" : "%.0f %s", seconds, units[unit]);
}

static void print_cell(const result *r, bool is_solved, double limit)
{
  printf(" | ");
  if (!is_solved) printf("**no**, ");
  if (!r->is_done) {
    printf("over ");
    print_time(limit);
    return;
  }
  if (r->time > 0)
    print_time(r->time);
  else
    printf("< 50 µs"); // README.md has four decimals of a second
  printf(", %.0e", r->residual);
}

typedef struct tally {
  int solved[SRS_CONTACT_METHODS + PEERS], tried[SRS_CONTACT_METHODS + PEERS];
  int wrong;
} tally;

static void add_to(tally *t, int column, bool is_solved)
{
  t->tried[column]++;
  t->solved[column] += is_solved;
}

static void print_problem(const char *name, const srs_contact_problem *p, const reference *known, const settings *s,
                          tally *t, result *shared)
{
  printf("| %.*s | %d%s", (int)stem_length(name), name, p->n_contacts, p->tangents != NULL ? ", planar" : "");
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    const result r = try_solver(p, (srs_contact_method)i, s->limit, shared);
    const bool is_solved = r.is_done && r.residual <= enough;
    print_cell(&r, is_solved, s->limit);
    add_to(t, i, is_solved);
    t->wrong += r.is_claimed && r.residual > 1.001 * enough; // rounding of the solver's own figure aside
  }
  for (int i = 0; i < PEERS; i++) {
    if (known == NULL || !known->is_there[i]) {
      printf(" |");
      continue;
    }
    print_cell(&known->of[i], known->of[i].is_claimed, s->limit);
    add_to(t, SRS_CONTACT_METHODS + i, known->of[i].is_claimed);
  }
  printf(" |\n");
  fflush(stdout);
}

static void print_head(void)
{
  printf("| problem | contacts");
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) printf(" | `%s`", srs_contact_method_name((srs_contact_method)i));
  for (int i = 0; i < PEERS; i++) printf(" | Siconos %s", peers[i]);
  printf(" |\n|");
  for (int i = 0; i < 2 + SRS_CONTACT_METHODS + PEERS; i++) printf("---|");
  printf("\n");
}

static void print_tally(const tally *t)
{
  printf("| solved | ");
  for (int i = 0; i < SRS_CONTACT_METHODS + PEERS; i++) printf(" | %d of %d", t->solved[i], t->tried[i]);
  printf(" |\n");
  if (t->wrong > 0) printf("\n%d called solved, but the judge finds them above %g\n", t->wrong, enough);
}

static settings read_arguments(int argc, char **argv)
{
  settings s = {.limit = 60, .folder = bench_problem_folder(BENCH_DATA)};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc)
      s.limit = atof(argv[++i]); // NOLINT(cert-err34-c): a wrong one is 0
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      s.only = argv[++i];
    else if (argv[i][0] != '-')
      s.folder = bench_problem_folder_in(argv[i]);
    else
      die("usage: bench_every_solver [FOLDER] [--only PART-OF-NAME] [--limit SECONDS]");
  }
  if (!(s.limit > 0)) die("--limit is a number of seconds");
  return s;
}

int main(int argc, char **argv)
{
  static bench_file_name names[BENCH_FILES];
  static reference references[MOST_LINES];
  const settings s = read_arguments(argc, argv);
  if (!bench_pin()) fputs("bench_every_solver: not pinned to a processor\n", stderr);
  openblas_set_num_threads(1);
  result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) die("no memory");
  const int n = bench_list_problems(s.folder, names), n_references = read_references(s.folder, references);
  if (n == 0) return 1;
  tally t = {.wrong = 0};
  print_head();
  for (int i = 0; i < n; i++) {
    if (s.only != NULL && strstr(names[i], s.only) == NULL) continue;
    char path[2048];
    snprintf(path, sizeof path, "%.1024s/%.255s", s.folder, names[i]);
    srs_contact_file file;
    srs_error error = {0};
    if (srs_contact_file_read(path, &file, &error) != SRS_OK) die(error.message);
    const reference *found = NULL;
    const size_t length = stem_length(names[i]);
    for (int k = 0; k < n_references; k++)
      if (strlen(references[k].name) == length && strncmp(references[k].name, names[i], length) == 0)
        found = &references[k];
    print_problem(names[i], &file.problem, found, &s, &t, shared);
    srs_contact_file_free(&file);
  }
  print_tally(&t);
  return 0;
}
