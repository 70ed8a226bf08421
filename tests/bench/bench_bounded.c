// How long does a counted multiplication take? The work of a contact problem is bounded in multiplications that are
// counted before they are done (contact.h: most_work); this measures processor time over counted work, for hard
// problems of all sizes and every solver, when the bound is used up. One table in Markdown, ns for a multiplication;
// the last line is the range.
//
//   bench_bounded [MOST_WORK [SEED [SOLVER]]]
#include "support/blocks.h"
#include "support/contact_problems.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_UNKNOWNS = 1000, PROBLEMS = 4 };

typedef struct kind {
  const char *name;
  contact_lots lots; // most_contacts 0: without an answer
  bool is_by_blocks;
} kind;

static const kind kinds[] = {
    {"no answer", {0}, false},
    {"3 contacts",
     {.n_contacts = 3, .most_contacts = 3, .most_friction = 2, .most_copies = 1, .most_mass_ratio = 1e6},
     false},
    {"10 contacts",
     {.n_contacts = 10, .most_contacts = 10, .most_friction = 2, .most_copies = 1, .most_mass_ratio = 1e6},
     false},
    {"30 contacts",
     {.n_contacts = 30, .most_contacts = 30, .most_friction = 1, .most_copies = 1, .most_mass_ratio = 1e6},
     false},
    {"100 contacts",
     {.n_contacts = 100,
      .most_contacts = 100,
      .most_friction = 1,
      .most_copies = 1,
      .most_mass_ratio = 1e4,
      .n_bodies = 50},
     false},
    {"no answer, by blocks", {0}, true},
    {"10, by blocks",
     {.n_contacts = 10,
      .most_contacts = 10,
      .most_friction = 1,
      .most_copies = 1,
      .most_mass_ratio = 1e4,
      .n_bodies = 5},
     true},
    {"100, by blocks",
     {.n_contacts = 100,
      .most_contacts = 100,
      .most_friction = 1,
      .most_copies = 1,
      .most_mass_ratio = 1e4,
      .n_bodies = 50},
     true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Time over the bound; `least` where the search used it up.
static double measure(srs_contact_solver *solver, const srs_contact_problem *p, srs_contact_method method,
                      double tolerance, double most_work, double *least)
{
  static double x[MOST_UNKNOWNS];
  srs_contact_report report;
  srs_contact_options options = srs_default_contact_options();
  options.method = method, options.tolerance = tolerance, options.most_work = most_work;
  const double start = bench_cpu_time();
  if (srs_contact_solve(solver, p, &options, false, x, NULL, &report) != SRS_OK) return NAN;
  const double time = (bench_cpu_time() - start) / report.most_work;
  if (report.work > 0.9 * report.most_work) *least = fmin(*least, time);
  return time;
}

static double worst_of(const kind *k, srs_contact_method method, double most_work, unsigned long long seed,
                       double *least)
{
  testing_random random = testing_random_start(seed);
  double worst = 0;
  srs_contact_solver *solver = NULL;
  if (srs_contact_solver_create(MOST_UNKNOWNS, &solver, NULL) != SRS_OK) exit(1);
  for (int i = 0; i < PROBLEMS; i++) {
    static contradiction d;
    random_problem lot = {0};
    testing_blocks blocks = {0};
    const bool has_answer = k->lots.most_contacts > 0;
    if (has_answer)
      lot = random_problem_make(&random, &k->lots);
    else
      contradiction_draw(&random, &d);
    const srs_contact_problem *p = has_answer ? &lot.problem : &d.problem;
    if (k->is_by_blocks) {
      testing_blocks_make(p, &blocks);
      const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
      if (srs_contact_solver_reserve_blocks(solver, &sizes, NULL) != SRS_OK) exit(1);
      p = &blocks.problem;
    }
    worst = fmax(worst, measure(solver, p, method, has_answer ? 1e-30 : 1e-12, most_work, least));
    if (k->is_by_blocks) testing_blocks_free(&blocks);
    if (has_answer) random_problem_free(&lot);
  }
  srs_contact_solver_destroy(solver);
  return worst;
}

int main(int argc, char **argv)
{
  const double most_work = argc > 1 ? strtod(argv[1], NULL) : 3e7;
  const unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double least = INFINITY, most = 0;
  srs_contact_method only = SRS_METHOD_MNCP_RLM;
  if (argc > 3 && !srs_contact_method_from_name(argv[3], &only)) return 1;
  printf("| worst of %d, ns |", PROBLEMS);
  for (int k = 0; k < KINDS; k++) printf(" %s |", kinds[k].name);
  printf("\n|---|");
  for (int k = 0; k < KINDS; k++) printf("---|");
  putchar('\n');
  for (int method = 0; method < SRS_CONTACT_METHODS; method++) {
    if (argc > 3 && (int)only != method) continue;
    printf("| `%s` |", srs_contact_method_name((srs_contact_method)method));
    for (int k = 0; k < KINDS; k++) {
      const double worst = worst_of(&kinds[k], (srs_contact_method)method, most_work, seed, &least);
      most = fmax(most, worst);
      printf(" %.3g |", 1e9 * worst);
      fflush(stdout);
    }
    putchar('\n');
  }
  printf("%.3g to %.3g ns a multiplication\n", 1e9 * least, 1e9 * most);
  return 0;
}
