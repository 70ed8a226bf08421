// How long does one contact problem take? Those of whole runs, as they come in them: recorded on the way to the solver
// (the linker's --wrap puts this file between), then each solved again, many times, warm as it was and cold.
//
// The pendulum's have one to three contacts; a cube at rest has four, more than it has freedoms.
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDED = 8000, MOST_CONTACTS = 8, BATCH = 20, BATCHES = 5 };

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

// us for one solve, the best of some batches.
static double time_of(srs_contact_solver *solver, const recorded *r, const srs_contact_options *options, bool is_warm,
                      srs_contact_report *report)
{
  double x[3 * MOST_CONTACTS], best = 1e9;
  const size_t bytes = 3 * (size_t)r->problem.n_contacts * sizeof *x;
  for (int k = 0; k < BATCHES; k++) {
    const double begin = bench_cpu_time();
    for (int i = 0; i < BATCH; i++) {
      memcpy(x, r->start, bytes);
      (void)__real_srs_contact_solve(solver, &r->problem, options, is_warm, x, NULL, report);
    }
    const double time = (bench_cpu_time() - begin) / BATCH;
    best = time < best ? time : best;
  }
  return 1e6 * best;
}

static void measure(const char *title, int n_contacts, srs_contact_method name, bool is_warm)
{
  static double times[MOST_RECORDED];
  srs_contact_options options = srs_default_contact_options();
  srs_contact_solver *solver;
  options.method = name;
  if (srs_contact_solver_create(3 * MOST_CONTACTS, &solver, NULL) != SRS_OK) return;
  int n = 0, unsolved = 0;
  double iterations = 0;
  for (int i = 0; i < n_recorded; i++) {
    if (all[i].problem.n_contacts != n_contacts || (is_warm && !all[i].is_warm)) continue;
    srs_contact_report report;
    times[n++] = time_of(solver, &all[i], &options, is_warm, &report);
    iterations += report.iterations;
    unsolved += report.status != SRS_CONTACT_SOLVED;
  }
  if (n > 0)
    printf("%-22s %9d %-9s %-5s %8d %9.2f %9.2f %11.2f %9d\n", title, n_contacts, srs_contact_method_name(name),
           is_warm ? "warm" : "cold", n, bench_quantile(times, n, 0.5), bench_quantile(times, n, 0.9), iterations / n,
           unsolved);
  srs_contact_solver_destroy(solver);
}

static void measure_all(const char *title)
{
  for (int contacts = 1; contacts <= MOST_CONTACTS; contacts++)
    for (int name = SRS_METHOD_MNCP_RLM; name <= SRS_METHOD_MNCP_PLM; name++)
      for (int warm = 0; warm < 2; warm++) measure(title, contacts, (srs_contact_method)name, warm == 1);
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
  printf("One contact problem, us of processor time: each the best of %d batches\n\n", BATCHES);
  printf("%-22s %9s %-9s %-5s %8s %9s %9s %11s %9s\n", "problems of", "contacts", "solver", "start", "problems",
         "median", "9 of 10", "iterations", "unsolved");
  run_pendulum();
  measure_all("the 12-link pendulum");
  run_cube();
  measure_all("a cube at rest");
  return 0;
}
