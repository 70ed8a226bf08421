// How do the contact solvers fare on problems that nobody chose? One table: random problems as the tests make them
// (tests/support/contact_problems.h: each has an answer), the same ones for every solver, cold. An mlcp solver answers
// the problem with its friction polyhedron, so the rows below "exact cone" are of another question than those above.
//
// Times are processor times of one call on one thread, certificate included: of a problem the middle one of five runs
// in which the solvers take turns. Ratios are of the means of a run.
#include "support/contact_problems.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 1000000 };

typedef struct tally {
  srs_contact_method method;
  int stagnated, unsolved;
  double (*times)[BENCH_RUNS]; // of each problem, s
  double *iterations;
} tally;

typedef struct contest {
  const contact_lots *lots;
  uint64_t seed;
  int n, n_solvers;
  tally tallies[SRS_CONTACT_METHODS];
} contest;

static void die(const char *what)
{
  fprintf(stderr, "bench_solvers: %s\n", what);
  exit(1);
}

static int most_rows(const contact_lots *lots)
{
  const int contacts = lots->most_contacts * (lots->most_copies > 1 ? lots->most_copies : 1);
  return lots->most_bilateral + 3 * contacts + lots->most_unilateral + lots->most_box;
}

static double solve_all(void *context, int which, int run)
{
  const contest *c = context;
  tally *t = &((contest *)context)->tallies[which];
  const int rows = most_rows(c->lots);
  testing_random random = {c->seed};
  srs_contact_options options = srs_default_contact_options();
  options.method = t->method;
  srs_contact_solver *solver = NULL;
  double sum = 0, *x = calloc((size_t)rows, sizeof *x);
  if (x == NULL || srs_contact_solver_create(rows, &solver, NULL) != SRS_OK) die("no memory");
  t->stagnated = t->unsolved = 0;
  for (int i = 0; i < c->n; i++) {
    random_problem drawn = random_problem_make(&random, c->lots);
    srs_contact_report report;
    const double start = bench_cpu_time();
    if (srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report) != SRS_OK) die("refused");
    t->times[i][run] = bench_cpu_time() - start;
    sum += t->times[i][run];
    t->iterations[i] = report.iterations;
    t->stagnated += report.status == SRS_CONTACT_STAGNATED;
    t->unsolved += report.status == SRS_CONTACT_UNSOLVED;
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
  free(x);
  return sum / c->n;
}

static void print_head(const contact_lots *lots, uint64_t seed, int n)
{
  printf("%d problems from seed %llu: up to %d contacts, each up to %d times, %d bilateral, %d unilateral and %d box\n"
         "rows, friction to %g, masses to 1 : %g; tolerance 1e-12\n\n",
         n, (unsigned long long)seed, lots->most_contacts, lots->most_copies, lots->most_bilateral,
         lots->most_unilateral, lots->most_box, lots->most_friction, lots->most_mass_ratio);
  printf("%-19s %9s %7s %6s %7s %6s %6s %9s   %-17s %9s %9s %9s\n", "solver", "solved, %", "stagn.", "un-", "iter.",
         "iter.", "iter.", "time, us", "ratio to the", "time", "time", "time");
  printf("%-19s %9s %7s %6s %7s %6s %6s %9s   %-17s %9s %9s %9s\n", "", "", "", "solved", "mean", "99 %", "max", "mean",
         "first", "median", "99 %", "max");
}

static double mean_of(const double *values, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum / n;
}

static void print_row(int n, const tally *t, const double means[BENCH_RUNS], const double first[BENCH_RUNS])
{
  char ratio[BENCH_SPREAD_TEXT];
  double *times = calloc((size_t)n, sizeof *times);
  if (times == NULL) die("no memory");
  for (int i = 0; i < n; i++) times[i] = 1e6 * bench_spread_of(t->times[i]).median;
  printf("%-19s %9.3f %7d %6d %7.2f", srs_contact_method_name(t->method), 100.0 * (n - t->stagnated - t->unsolved) / n,
         t->stagnated, t->unsolved, mean_of(t->iterations, n));
  printf(" %6.0f %6.0f", bench_quantile(t->iterations, n, 0.99), bench_quantile(t->iterations, n, 1));
  printf(" %9.1f   %-17s", 1e6 * bench_spread_of(means).median, bench_spread_print(bench_ratio(means, first), ratio));
  printf(" %9.1f %9.0f %9.0f\n", bench_quantile(times, n, 0.5), bench_quantile(times, n, 0.99),
         bench_quantile(times, n, 1));
  free(times);
}

static void measure(contest *c)
{
  double means[SRS_CONTACT_METHODS][BENCH_RUNS];
  for (int i = 0; i < c->n_solvers; i++) {
    tally *t = &c->tallies[i];
    t->times = calloc((size_t)c->n, sizeof *t->times);
    t->iterations = calloc((size_t)c->n, sizeof *t->iterations);
    if (t->times == NULL || t->iterations == NULL) die("no memory");
  }
  bench_take_long_turns(solve_all, c, c->n_solvers, means);
  for (int i = 0; i < c->n_solvers; i++) {
    print_row(c->n, &c->tallies[i], means[i], means[0]);
    free(c->tallies[i].times);
    free(c->tallies[i].iterations);
  }
}

// bench_solvers [PROBLEMS [SEED [SOLVER ...]]]
int main(int argc, char **argv)
{
  const contact_lots lots = {.most_contacts = 16,
                             .most_bilateral = 6,
                             .most_copies = 20,
                             .most_unilateral = 3,
                             .most_box = 3,
                             .most_friction = 2,
                             .most_mass_ratio = 1e6};
  const long n = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 501;
  if (n < 1 || n > MOST_PROBLEMS) die("usage: bench_solvers [PROBLEMS [SEED [SOLVER ...]]]");
  (void)bench_pin();
  contest c = {.lots = &lots, .seed = seed, .n = (int)n};
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    const char *name = srs_contact_method_name((srs_contact_method)i);
    bool is_wanted = argc <= 3;
    for (int k = 3; k < argc; k++) is_wanted = is_wanted || strcmp(argv[k], name) == 0;
    if (is_wanted) c.tallies[c.n_solvers++].method = (srs_contact_method)i;
  }
  print_head(&lots, seed, (int)n);
  measure(&c);
  return 0;
}
