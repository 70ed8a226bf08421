// What does a corner cost? Random problems with one group of sides: a solve with the group against one without it, all
// of whose contacts have to hold, and against one with the sides that were chosen, which is the least that it can be.
//
// Processor times of one call on one thread, certificates included, cold; medians of the ratios.
#include "support/corner_problems.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000, REPEATS = 5 };

typedef struct solvers {
  srs_nonconvex_solver *corners;
  srs_contact_solver *plain;
} solvers;

static double time_with_group(const solvers *s, const corner_problem *corner, int *side, int *tries)
{
  double least = 1e300, x[CORNER_ROWS];
  srs_nonconvex_report report;
  for (int i = 0; i < REPEATS; i++) {
    const double start = bench_cpu_time();
    (void)srs_nonconvex_solve(s->corners, &corner->problem, NULL, false, x, NULL, side, &report);
    const double time = bench_cpu_time() - start;
    least = time < least ? time : least;
  }
  *tries = report.tries;
  return least;
}

static double time_without(const solvers *s, const srs_contact_problem *problem)
{
  double least = 1e300, x[CORNER_ROWS];
  srs_contact_report report;
  for (int i = 0; i < REPEATS; i++) {
    const double start = bench_cpu_time();
    (void)srs_contact_solve(s->plain, problem, NULL, false, x, NULL, &report);
    const double time = bench_cpu_time() - start;
    least = time < least ? time : least;
  }
  return least;
}

static void compare(const solvers *s, int n, int most_sides, double most_friction)
{
  static corner_problem corner;
  static double of_all[MOST], of_chosen[MOST], W[CORNER_ROWS * CORNER_ROWS], b[CORNER_ROWS];
  testing_random random = {931};
  const corner_lots lots = {.most_groups = 1,
                            .most_sides = most_sides,
                            .most_contacts = 4,
                            .most_bilateral = 2,
                            .tangents = 2,
                            .most_friction = most_friction};
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int side[CORNER_GROUPS], tries;
    double friction[CORNER_ROWS];
    unsigned char tangents[CORNER_ROWS];
    corner_problem_draw(&random, &lots, &corner);
    const double time = time_with_group(s, &corner, side, &tries);
    const srs_contact_problem left = corner_problem_left(&corner, side, W, b, friction, tangents, NULL);
    of_all[i] = time / time_without(s, &corner.problem.contacts);
    of_chosen[i] = time / time_without(s, &left);
    sum += tries;
  }
  printf("2 to %d sides, friction up to %g: tries %.3f; times all contacts' %.2f (99 %%: %.2f), times the chosen ones' "
         "%.2f "
         "(99 %%: %.2f)\n",
         most_sides, most_friction, (double)sum / n, bench_quantile(of_all, n, 0.5), bench_quantile(of_all, n, 0.99),
         bench_quantile(of_chosen, n, 0.5), bench_quantile(of_chosen, n, 0.99));
}

int main(int count, char **arguments)
{
  const int wanted = count > 1 ? (int)strtol(arguments[1], NULL, 10) : 2000,
            n = wanted < 1 || wanted > MOST ? MOST : wanted;
  const srs_nonconvex_capacity capacity = {
      .n_rows = CORNER_ROWS, .n_groups = 1, .n_sides = CORNER_SIDES, .n_directions = 4};
  solvers s;
  if (srs_nonconvex_solver_create(&capacity, &s.corners, NULL) != SRS_OK) return 1;
  if (srs_contact_solver_create(CORNER_ROWS, &s.plain, NULL) != SRS_OK) return 1;
  (void)bench_pin();
  for (int sides = 2; sides <= CORNER_SIDES; sides += 2)
    for (int friction = 0; friction < 2; friction++) compare(&s, n, sides, friction);
  srs_nonconvex_solver_destroy(s.corners);
  srs_contact_solver_destroy(s.plain);
  return 0;
}
