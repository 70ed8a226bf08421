// How do the contact solvers fare on problems that nobody chose? One table: random problems as the tests make them
// (tests/support/contact_problems.h: each has an answer), the same ones for every solver, cold. An mlcp solver answers
// the problem with its friction polyhedron, so the rows below "exact cone" are of another question than those above.
//
// Times are processor times of one call on one thread, certificate included.
#include "support/contact_problems.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 1000000 };

typedef struct tally {
  int n, stagnated, unsolved;
  double *time, *iterations; // n
  double time_sum, iterations_sum;
} tally;

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

static void solve_all(const contact_lots *lots, uint64_t seed, srs_contact_method name, tally *t)
{
  const int rows = most_rows(lots);
  testing_random random = {seed};
  srs_contact_options options = srs_default_contact_options();
  options.method = name;
  srs_contact_solver *solver = NULL;
  double *x = calloc((size_t)rows, sizeof *x);
  if (x == NULL || srs_contact_solver_create(rows, &solver, NULL) != SRS_OK) die("no memory");
  for (int i = 0; i < t->n; i++) {
    random_problem drawn = random_problem_make(&random, lots);
    srs_contact_report report;
    const double start = bench_cpu_time();
    if (srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report) != SRS_OK) die("refused");
    t->time[i] = bench_cpu_time() - start;
    t->iterations[i] = report.iterations;
    t->time_sum += t->time[i];
    t->iterations_sum += report.iterations;
    t->stagnated += report.status == SRS_CONTACT_STAGNATED;
    t->unsolved += report.status == SRS_CONTACT_UNSOLVED;
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
  free(x);
}

static void print_head(const contact_lots *lots, uint64_t seed, int n)
{
  printf("%d problems from seed %llu: up to %d contacts, each up to %d times, %d bilateral, %d unilateral and %d box\n"
         "rows, friction to %g, masses to 1 : %g; tolerance 1e-12\n\n",
         n, (unsigned long long)seed, lots->most_contacts, lots->most_copies, lots->most_bilateral,
         lots->most_unilateral, lots->most_box, lots->most_friction, lots->most_mass_ratio);
  printf("%-14s %9s %7s %6s %7s %6s %6s %10s %9s %9s %9s\n", "solver", "solved, %", "stagn.", "un-", "iter.", "iter.",
         "iter.", "time, us", "time", "time", "time");
  printf("%-14s %9s %7s %6s %7s %6s %6s %10s %9s %9s %9s\n", "", "", "", "solved", "mean", "99 %", "max", "mean",
         "median", "99 %", "max");
}

static void print_row(const char *name, tally *t)
{
  const int n = t->n;
  printf("%-14s %9.3f %7d %6d %7.2f", name, 100.0 * (n - t->stagnated - t->unsolved) / n, t->stagnated, t->unsolved,
         t->iterations_sum / n);
  printf(" %6.0f %6.0f", bench_quantile(t->iterations, n, 0.99), bench_quantile(t->iterations, n, 1));
  printf(" %10.1f %9.1f %9.0f %9.0f\n", 1e6 * t->time_sum / n, 1e6 * bench_quantile(t->time, n, 0.5),
         1e6 * bench_quantile(t->time, n, 0.99), 1e6 * bench_quantile(t->time, n, 1));
  fflush(stdout);
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
  print_head(&lots, seed, (int)n);
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    const char *name = srs_contact_method_name((srs_contact_method)i);
    bool is_wanted = argc <= 3;
    for (int k = 3; k < argc; k++) is_wanted = is_wanted || strcmp(argv[k], name) == 0;
    if (!is_wanted) continue;
    tally t = {.n = (int)n, .time = calloc((size_t)n, sizeof(double)), .iterations = calloc((size_t)n, sizeof(double))};
    if (t.time == NULL || t.iterations == NULL) die("no memory");
    solve_all(&lots, seed, (srs_contact_method)i, &t);
    print_row(name, &t);
    free(t.time);
    free(t.iterations);
  }
  return 0;
}
