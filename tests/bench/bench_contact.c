// How long does one contact problem take? Those of whole runs, as they come in them: recorded on the way to the solver
// (the linker's --wrap puts this file between), then each solved again, many times, warm as it was and cold. Solvers
// and starts take turns, a run each over all problems of a kind.
//
// The pendulum's have one to three contacts; a cube at rest has four, more than it has freedoms.
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDED = 8000, MOST_CONTACTS = 8, BATCH = 20, KINDS = 4 };

typedef struct recorded {
  srs_contact_problem problem; // its arrays are one allocation, W first
  double *start;               // impulses handed in
  bool is_warm;
} recorded;

static recorded all[MOST_RECORDED];
static int n_recorded;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names
srs_status __real_srs_contact_solve(srs_contact_solver *solver, const srs_contact_problem *problem,
                                    const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                                    srs_contact_report *report);
srs_status __wrap_srs_contact_solve(srs_contact_solver *solver, const srs_contact_problem *problem,
                                    const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                                    srs_contact_report *report);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

srs_status __wrap_srs_contact_solve(srs_contact_solver *solver, const srs_contact_problem *problem,
                                    const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                                    srs_contact_report *report)
{
  const size_t n = (size_t)srs_contact_problem_rows(problem), contacts = (size_t)problem->n_contacts;
  const bool is_plain = n == 3 * contacts && problem->tangents == NULL && problem->anisotropy == NULL;
  double *memory = is_plain && n_recorded < MOST_RECORDED ? malloc((n * n + 2 * n + contacts) * sizeof *memory) : NULL;
  if (memory != NULL) {
    double *b = memory + n * n, *friction = b + n, *start = friction + contacts;
    memcpy(memory, problem->W, n * n * sizeof *memory);
    memcpy(b, problem->b, n * sizeof *b);
    memcpy(friction, problem->friction, contacts * sizeof *friction);
    memcpy(start, impulse, n * sizeof *start);
    all[n_recorded++] =
        (recorded){{.n_contacts = (int)contacts, .W = memory, .b = b, .friction = friction}, start, is_warm};
  }
  return __real_srs_contact_solve(solver, problem, options, is_warm, impulse, velocity, report);
}

static void forget(void)
{
  for (int i = 0; i < n_recorded; i++) free((void *)(uintptr_t)all[i].problem.W);
  n_recorded = 0;
}

// A solver and how it starts; its answers to all problems of a number of contacts.
typedef struct kind {
  srs_contact_method method;
  bool is_warm;
  int n, unsolved;
  double iterations;           // sum
  double (*times)[BENCH_RUNS]; // MOST_RECORDED: s for one solve
} kind;

typedef struct group {
  srs_contact_solver *solver;
  int n_contacts;
  kind kinds[KINDS];
} group;

// s for one solve, of a batch.
static double time_of(srs_contact_solver *solver, const recorded *r, const srs_contact_options *options, bool is_warm,
                      srs_contact_report *report)
{
  double x[3 * MOST_CONTACTS];
  const size_t bytes = 3 * (size_t)r->problem.n_contacts * sizeof *x;
  const double begin = bench_cpu_time();
  for (int i = 0; i < BATCH; i++) {
    memcpy(x, r->start, bytes);
    (void)__real_srs_contact_solve(solver, &r->problem, options, is_warm, x, NULL, report);
  }
  return (bench_cpu_time() - begin) / BATCH;
}

// The mean of all problems.
static double solve_all(void *context, int which, int run)
{
  const group *g = context;
  kind *k = &((group *)context)->kinds[which];
  srs_contact_options options = srs_default_contact_options();
  options.method = k->method;
  double sum = k->iterations = k->n = k->unsolved = 0;
  for (int i = 0; i < n_recorded; i++) {
    if (all[i].problem.n_contacts != g->n_contacts || (k->is_warm && !all[i].is_warm)) continue;
    srs_contact_report report;
    const double time = time_of(g->solver, &all[i], &options, k->is_warm, &report);
    k->times[k->n++][run] = time;
    sum += time;
    k->iterations += report.iterations;
    k->unsolved += report.status != SRS_CONTACT_SOLVED;
  }
  return sum / k->n;
}

static void print(const char *title, const group *g, const kind *k, const double means[BENCH_RUNS],
                  const double first[BENCH_RUNS])
{
  static double times[MOST_RECORDED];
  char ratio[BENCH_SPREAD_TEXT];
  if (k->n == 0) return;
  for (int i = 0; i < k->n; i++) times[i] = 1e6 * bench_spread_of(k->times[i]).median;
  printf("%-20s %8d %-8s %-4s %8d %8.2f %8.2f %8.2f   %-17s %10.2f %8d\n", title, g->n_contacts,
         srs_contact_method_name(k->method), k->is_warm ? "warm" : "cold", k->n, 1e6 * bench_spread_of(means).median,
         bench_quantile(times, k->n, 0.5), bench_quantile(times, k->n, 0.9),
         bench_spread_print(bench_ratio(means, first), ratio), k->iterations / k->n, k->unsolved);
}

static void measure(const char *title, int n_contacts)
{
  static double memory[KINDS][MOST_RECORDED][BENCH_RUNS];
  group g = {.n_contacts = n_contacts};
  double means[KINDS][BENCH_RUNS];
  if (srs_contact_solver_create(3 * MOST_CONTACTS, &g.solver, NULL) != SRS_OK) return;
  for (int i = 0; i < KINDS; i++)
    g.kinds[i] =
        (kind){.method = i < 2 ? SRS_METHOD_MNCP_RLM : SRS_METHOD_MNCP_PLM, .is_warm = i % 2, .times = memory[i]};
  bench_take_long_turns(solve_all, &g, KINDS, means);
  for (int i = 0; i < KINDS; i++) print(title, &g, &g.kinds[i], means[i], means[0]);
  srs_contact_solver_destroy(g.solver);
}

static void measure_all(const char *title)
{
  for (int contacts = 1; contacts <= MOST_CONTACTS; contacts++) measure(title, contacts);
  forget();
}

static void run_pendulum(void)
{
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  if (srs_scene_load(BENCH_SAMPLES "/pendulum12.yaml", NULL, &scene, &error) != SRS_OK ||
      srs_scene_create_sim(scene, NULL, &sim, &error) != SRS_OK || srs_sim_step(sim, 20000, &error) != SRS_OK)
    printf("pendulum: %s\n", error.message);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// A cube of 0.1 m that lies there, pushed gently now and then.
static void run_cube(void)
{
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "cube", link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1.0 / 600;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = joint.child = "cube";
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_BOX);
  shape.link = "cube";
  shape.size[0] = shape.size[1] = shape.size[2] = 0.1;
  const srs_shape_def ground = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  srs_model *model = NULL;
  srs_sim *sim = NULL;
  const srs_sim_options options = srs_default_sim_options();
  const double q[7] = {0, 0, 0.05, 1, 0, 0, 0};
  srs_error error = {0};
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK || srs_builder_add_joint(builder, &joint, &error) ||
      srs_builder_add_shape(builder, &shape, &error) || srs_builder_add_shape(builder, &ground, &error) ||
      srs_builder_build(builder, NULL, &model, &error) || srs_sim_create(model, &options, &sim, &error) ||
      srs_sim_set_state(sim, 0, q, NULL, &error))
    printf("cube: %s\n", error.message);
  for (int i = 0; i < 40 && sim != NULL; i++) {
    double v[6];
    memcpy(v, srs_sim_v(sim), sizeof v);
    v[0] += i % 4 == 0 ? 0.2 : 0;
    (void)srs_sim_set_state(sim, srs_sim_time(sim), srs_sim_q(sim), v, NULL);
    (void)srs_sim_step(sim, 50, NULL);
  }
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

int main(void)
{
  (void)bench_pin();
  printf(
      "One contact problem, us of processor time, medians of %d runs in turn; ratio of means to the first (least and "
      "most)\n\n",
      BENCH_RUNS);
  printf("%-20s %8s %-8s %-4s %8s %8s %8s %8s   %-17s %10s %8s\n", "problems of", "contacts", "solver", "from",
         "problems", "mean", "median", "9 of 10", "ratio", "iterations", "unsolved");
  run_pendulum();
  measure_all("the 12-link pendulum");
  run_cube();
  measure_all("a cube at rest");
  return 0;
}
