// What do minimal coordinates save? A chain of N links in both forms (Mylapilli & Jain sec. 2.4): coordinates, rows of
// the step's problem, processor time of a step, with one contact in the problem all along.
//
//   bench_coordinates [MOST]     chains of 1, 2, 4 … links, up to MOST (64) in redundant coordinates, 4096 in minimal
//
// In minimal coordinates a step takes O(N): the problem has the contact's three rows whatever N is. In redundant ones
// it has 5 N more, and its matrix is dense: O(N^3) to solve. Figures are read, not asserted; the
// middle of five runs, both forms in turn (timing.h).
#include "timing.h"

#include <math.h>
#include <sarrus/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 };

static srs_builder *chain(int n)
{
  srs_builder *builder = srs_builder_create();
  char parent[32] = "", name[32], joint_name[32];
  for (int i = 0; i < n && builder != NULL; i++) {
    snprintf(name, sizeof name, "link%d", i + 1);
    snprintf(joint_name, sizeof joint_name, "joint%d", i + 1);
    srs_link_def link = srs_default_link_def();
    link.name = name;
    link.mass = 1;
    link.com[2] = -1;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.025;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = joint_name;
    joint.child = name;
    joint.parent = i > 0 ? parent : NULL;
    joint.origin.position[2] = i > 0 ? -1 : 0;
    if (i % 2 == 1) joint.axis[0] = 0, joint.axis[1] = 1; // out of the plane
    if (srs_builder_add_link(builder, &link, NULL) != SRS_OK || srs_builder_add_joint(builder, &joint, NULL) != SRS_OK)
      exit(1);
    memcpy(parent, name, sizeof name);
  }
  srs_shape_def ball = srs_default_shape_def(SRS_SHAPE_SPHERE), floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  ball.link = name;
  ball.size[0] = 0.1;
  floor.pose.position[2] = -2 * n - 1;
  if (srs_builder_add_shape(builder, &ball, NULL) != SRS_OK || srs_builder_add_shape(builder, &floor, NULL) != SRS_OK)
    exit(1);
  return builder;
}

static srs_sim *start(const srs_model *model, const srs_model *minimal, int n)
{
  srs_sim_options options = srs_default_sim_options();
  options.contact.activation = SRS_ACTIVATION_DISTANCE; // the contact is in the problem, near or far
  options.contact.distance = 10 * n;
  srs_sim *sim = NULL;
  double *q = calloc(7 * (size_t)n, sizeof *q), *v = calloc(6 * (size_t)n, sizeof *v);
  double *bent = calloc((size_t)n, sizeof *bent), *rest = calloc((size_t)n, sizeof *rest);
  for (int i = 0; i < n; i++) bent[i] = 0.3 * sin(i + 1);
  if (srs_sim_create(model, &options, &sim, NULL) != SRS_OK) exit(1);
  const bool is_minimal = model == minimal;
  if (!is_minimal && srs_redundant_state(minimal, model, bent, rest, q, v, NULL) != SRS_OK) exit(1);
  if (srs_sim_set_state(sim, 0, is_minimal ? bent : q, is_minimal ? rest : v, NULL) != SRS_OK) exit(1);
  free(q);
  free(v);
  free(bent);
  free(rest);
  return sim;
}

static void step(void *context, int which, long calls)
{
  srs_error error;
  srs_sim *const *sims = context;
  if (srs_sim_step(sims[which], calls, &error) != SRS_OK) printf("%s\n", error.message);
}

static void print_form(const srs_model *model, const srs_sim *sim, const double times[BENCH_RUNS])
{
  int n_contacts;
  srs_sim_contacts(sim, &n_contacts);
  printf(" %6d %6d %14.2f |", srs_model_nv(model), 3 * n_contacts + srs_model_n_loop_rows(model),
         1e6 * bench_spread_of(times).median);
}

// Both forms in turn; without the redundant one where it is NULL.
static void compare(const srs_model *minimal, const srs_model *redundant, int n)
{
  const int forms = redundant != NULL ? 2 : 1;
  srs_sim *sims[2] = {start(minimal, minimal, n), redundant != NULL ? start(redundant, minimal, n) : NULL};
  double times[2][BENCH_RUNS];
  char ratio[BENCH_SPREAD_TEXT];
  bench_take_turns(step, sims, forms, 2e-3, times);
  printf("%6d |", n);
  print_form(minimal, sims[0], times[0]);
  if (forms == 2) print_form(redundant, sims[1], times[1]);
  printf("%s%s\n", forms == 2 ? " " : "", forms == 2 ? bench_spread_print(bench_ratio(times[1], times[0]), ratio) : "");
  fflush(stdout);
  for (int i = 0; i < forms; i++) srs_sim_destroy(sims[i]);
}

int main(int argc, char **argv)
{
  const long most = argc > 1 ? strtol(argv[1], NULL, 10) : 64;
  if (most < 1 || most > LONGEST) {
    fputs("usage: bench_coordinates [MOST], 1 to 4096\n", stderr);
    return 2;
  }
  if (!bench_pin()) fputs("bench_coordinates: not pinned to one processor\n", stderr);
  printf("%6s | %-28s | %-28s | %s\n", "", "minimal", "redundant", "");
  printf("%6s | %6s %6s %14s | %6s %6s %14s | %s\n", "links", "nv", "rows", "us a step", "nv", "rows", "us a step",
         "ratio (of runs)");
  for (int n = 1; n <= LONGEST; n *= 2) {
    srs_builder *builder = chain(n);
    srs_model *minimal = NULL, *redundant = NULL;
    if (srs_builder_build(builder, NULL, &minimal, NULL) != SRS_OK) return 1;
    if (n <= most && srs_build_redundant(builder, NULL, &redundant, NULL) != SRS_OK) return 1;
    compare(minimal, redundant, n);
    srs_model_destroy(redundant);
    srs_model_destroy(minimal);
    srs_builder_destroy(builder);
  }
  return 0;
}
