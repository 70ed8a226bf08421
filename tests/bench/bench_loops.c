// What do loops cost? A chain of N links whose ends are tied to the world with one loop, time against N; the four-bar
// and the Stewart platform of the samples.
//
//   bench_loops [--count N]     --count: N steps of each sample and no clock, for instruction counters
//
// Processor time of a step, the middle of five runs, both chains in turn, with the least and the most of their ratio
// (timing.h). Figures are read, not asserted.
#include "timing.h"

#include <math.h>
#include <sarrus/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void step(void *context, int which, long calls)
{
  srs_error error;
  srs_sim *const *sims = context;
  if (srs_sim_step(sims[which], calls, &error) != SRS_OK) printf("%s\n", error.message);
}

// A chain of n links that hangs bent, joints about y and z in turn; where `end` is given its far end is held there.
static srs_model *chain(int n, const double end[3])
{
  srs_builder *builder = srs_builder_create();
  char parent[32] = "", name[32], joint_name[32];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "link%d", i + 1);
    snprintf(joint_name, sizeof joint_name, "joint%d", i + 1);
    srs_link_def link = srs_default_link_def();
    link.name = name;
    link.mass = 1;
    link.com[0] = 0.5;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.025;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = joint_name;
    joint.child = name;
    joint.parent = i > 0 ? parent : NULL;
    joint.origin.position[0] = i > 0;
    joint.axis[0] = 0;
    joint.axis[1 + i % 2] = 1;
    joint.damping[0] = 10; // so that it stays near where it starts, however long it is measured
    if (srs_builder_add_link(builder, &link, NULL) != SRS_OK || srs_builder_add_joint(builder, &joint, NULL) != SRS_OK)
      exit(1);
    memcpy(parent, name, sizeof name);
  }
  const srs_pose tip = {{1, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = "end";
  closure.frame_a = "tip";
  srs_model *model = NULL;
  if (srs_builder_add_frame(builder, "tip", name, &tip, NULL) != SRS_OK) exit(1);
  if (end != NULL) memcpy(closure.pose_b.position, end, sizeof closure.pose_b.position);
  if (end != NULL && srs_builder_add_closure(builder, &closure, NULL) != SRS_OK) exit(1);
  if (srs_builder_build(builder, NULL, &model, NULL) != SRS_OK) exit(1);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim *start(const srs_model *model, const double *q)
{
  srs_sim *sim = NULL;
  if (srs_sim_create(model, NULL, &sim, NULL) != SRS_OK || srs_sim_set_state(sim, 0, q, NULL, NULL) != SRS_OK) exit(1);
  return sim;
}

static void print_chain(int n)
{
  srs_model *open = chain(n, NULL);
  srs_workspace *workspace = NULL;
  double *q = calloc((size_t)n, sizeof *q);
  srs_pose tip;
  for (int i = 0; i < n; i++) q[i] = 0.5 * sin(i + 1); // winds about, so that the tip can be held and the rest sag
  if (srs_workspace_create(open, &workspace, NULL) != SRS_OK || srs_forward_kinematics(workspace, q) != SRS_OK) exit(1);
  srs_frame_placement(workspace, srs_model_find_frame(open, "tip"), &tip);
  srs_workspace_destroy(workspace);
  srs_model *closed = chain(n, tip.position);
  srs_sim *sims[2] = {start(open, q), start(closed, q)};
  double times[2][BENCH_RUNS];
  char ratio[BENCH_SPREAD_TEXT];
  bench_take_turns(step, sims, 2, 5e-3, times);
  const double without = bench_spread_of(times[0]).median, with = bench_spread_of(times[1]).median;
  printf("%6d %16.2f %16.2f %16.4f   %s\n", n, 1e6 * with, 1e6 * without, 1e6 * with / n,
         bench_spread_print(bench_ratio(times[1], times[0]), ratio));
  fflush(stdout);
  srs_sim_destroy(sims[0]);
  srs_sim_destroy(sims[1]);
  free(q);
  srs_model_destroy(open);
  srs_model_destroy(closed);
}

static srs_sim *sample(const char *name, srs_scene **scene)
{
  char path[1024];
  srs_error error;
  srs_sim *sim = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", BENCH_SAMPLES, name);
  if (srs_scene_load(path, NULL, scene, &error) == SRS_OK && srs_scene_create_sim(*scene, NULL, &sim, &error) == SRS_OK)
    return sim;
  fprintf(stderr, "bench_loops: %s\n", error.message);
  exit(1);
}

int main(int argc, char **argv)
{
  static const char *const samples[] = {"four_bar", "sarrus_linkage", "stewart"};
  const long count = argc == 3 && strcmp(argv[1], "--count") == 0 ? strtol(argv[2], NULL, 10) : 0;
  if (argc > 1 && count < 1) {
    fputs("usage: bench_loops [--count N]\n", stderr);
    return 2;
  }
  if (!bench_pin()) fputs("bench_loops: not pinned to one processor\n", stderr);
  for (int i = 0; i < 3; i++) {
    srs_scene *scene = NULL;
    srs_sim *sim = sample(samples[i], &scene);
    const srs_model *model = srs_scene_model(scene);
    double times[1][BENCH_RUNS];
    if (count > 0) {
      srs_sim_step(sim, count, NULL);
    } else {
      bench_take_turns(step, &sim, 1, 5e-3, times);
      printf("%-16s nv %3d  rows %3d  %8.2f us a step\n", samples[i], srs_model_nv(model), srs_model_n_loop_rows(model),
             1e6 * bench_spread_of(times[0]).median);
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  if (count > 0) return 0;
  printf("%6s %16s %16s %16s   %s\n", "links", "us a step", "without loop", "us a link", "ratio (of runs)");
  static const int lengths[] = {10, 20, 50, 100, 200, 500, 1000};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) print_chain(lengths[i]);
  return 0;
}
