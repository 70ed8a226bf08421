// Degrees of freedom of a mechanism with loops: its coordinates less the independent rows of the loops, counted where
// the scene starts. Two rows may depend on each other in one configuration (a parallelogram laid flat) and not in the
// next.
#include "engine/cli/info/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_status find_gaps_and_ranks(const srs_scene *scene, srs_workspace *workspace, double *q, srs_loops *loops)
{
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  memcpy(q, settings->q, (size_t)srs_model_nq(srs_scene_model(scene)) * sizeof *q);
  srs_status status = srs_loop_gaps(workspace, q, 0, loops->gaps);
  if (status != SRS_OK) return status;
  srs_assembly_options options = srs_default_assembly_options();
  options.frozen = settings->frozen;
  status = srs_assemble(workspace, &options, q, NULL);
  loops->is_closed = status == SRS_OK;
  if (!loops->is_closed) snprintf(loops->problem, sizeof loops->problem, "%s", srs_workspace_error(workspace)->message);
  return srs_loop_ranks(workspace, q, 0, loops->ranks, &loops->rank);
}

bool srs_loops_find(const srs_scene *scene, srs_loops *loops)
{
  const srs_model *model = srs_scene_model(scene);
  *loops = (srs_loops){.n = srs_model_n_loops(model), .is_closed = true};
  if (loops->n == 0) return true;
  srs_workspace *workspace = NULL;
  loops->ranks = calloc((size_t)loops->n, sizeof *loops->ranks);
  loops->gaps = calloc((size_t)loops->n, sizeof *loops->gaps);
  double *q = calloc((size_t)srs_model_nq(model) + 1, sizeof *q);
  const bool is_done = loops->ranks != NULL && loops->gaps != NULL && q != NULL &&
                       srs_workspace_create(model, &workspace, NULL) == SRS_OK &&
                       find_gaps_and_ranks(scene, workspace, q, loops) == SRS_OK;
  free(q);
  srs_workspace_destroy(workspace);
  return is_done;
}

void srs_loops_free(srs_loops *loops)
{
  free(loops->ranks);
  free(loops->gaps);
}

int srs_loops_joints(const srs_model *model)
{
  int n = 0;
  for (int k = 0; k < srs_model_n_links(model); k++) n += srs_model_joint(model, k)->nv > 0;
  return n;
}

static void print_number(double value)
{
  char text[32];
  srs_format_number(value, text);
  fputs(text, stdout);
}

static const char *end_name(const srs_model *model, int link)
{
  return link >= 0 ? srs_model_link(model, link)->name : "the world";
}

static void print_coupling(const srs_model *model, const srs_coupling *coupling)
{
  printf("%s =", srs_model_q_name(model, coupling->follower_q));
  bool is_first = true;
  for (int k = 0; coupling->leader_q >= 0 && k < SRS_COUPLING_TERMS; k++) {
    if (coupling->coefficients[k] == 0) continue;
    fputs(is_first ? " " : " + ", stdout);
    is_first = false;
    print_number(coupling->coefficients[k]);
    if (k > 0) printf(" %s", srs_model_q_name(model, coupling->leader_q));
    if (k > 1) printf("^%d", k);
  }
  if (coupling->motion.kind != SRS_MOTION_NONE)
    printf("%s a motion (%s)", is_first ? "" : " +", srs_motion_kind_name(coupling->motion.kind));
  else if (is_first)
    fputs(" 0", stdout);
}

static void print_terms(const srs_model *model, const srs_tendon *tendon, int first, int end)
{
  for (int i = first; i < end; i++) {
    fputs(i > first ? " + " : "", stdout);
    print_number(tendon->coefficients[i]);
    printf(" %s", srs_model_q_name(model, tendon->q[i]));
  }
}

static void print_tendon(const srs_model *model, const srs_tendon *tendon)
{
  printf("tendon, %s L = ", tendon->is_held ? "holds" : "of length");
  print_terms(model, tendon, 0, tendon->n_terms);
  for (int k = 0; tendon->is_held && k < SRS_COUPLING_TERMS; k++) {
    if (k > 0 && (tendon->polynomial[k] == 0 || tendon->n_leaders == 0)) continue;
    fputs(k == 0 ? " at " : " + ", stdout);
    print_number(tendon->polynomial[k]);
    if (k > 0) printf(" L2%s", k == 2 ? "^2" : k == 3 ? "^3" : k == 4 ? "^4" : "");
  }
  if (tendon->n_leaders == 0) return;
  fputs(", L2 = ", stdout);
  print_terms(model, tendon, tendon->n_terms, tendon->n_terms + tendon->n_leaders);
}

void srs_loops_print(const srs_model *model, const srs_loops *loops)
{
  if (loops->n == 0) return;
  const int rows = srs_model_n_loop_rows(model), joints = srs_loops_joints(model);
  printf("loops: %d loop%s, %d row%s of rank %d at the start: %d joint%s, %d independent DoF\n", loops->n,
         loops->n == 1 ? "" : "s", rows, rows == 1 ? "" : "s", loops->rank, joints, joints == 1 ? "" : "s",
         srs_model_nv(model) - loops->rank);
  for (int i = 0; i < loops->n; i++) {
    const srs_closure *closure = srs_model_closure(model, i);
    printf("  %s: ", srs_model_loop_name(model, i));
    if (closure != NULL && closure->tendon != NULL)
      print_tendon(model, closure->tendon);
    else if (closure != NULL)
      printf("%s, holds %s to %s", srs_closure_kind_name(closure->kind), end_name(model, closure->link[1]),
             end_name(model, closure->link[0]));
    else
      print_coupling(model, srs_model_coupling(model, i - srs_model_n_closures(model)));
    if (closure != NULL && closure->motion.kind != SRS_MOTION_NONE)
      printf(", row %d moves (%s)", closure->motion_row, srs_motion_kind_name(closure->motion.kind));
    for (int j = 0; closure != NULL && closure->is_embedded && j < closure->n_independent; j++)
      printf("%s%s", j == 0 ? ", embedded by " : ", ", srs_model_v_name(model, closure->independent[j]));
    if (closure != NULL && closure->is_embedded && closure->n_independent == 0) fputs(", embedded", stdout);
    const int n = srs_model_loop_rows(model, i);
    printf("; %d row%s, rank %d", n, n == 1 ? "" : "s", loops->ranks[i]);
    if (loops->gaps[i] > 1e-12) printf("; open by %.3g as written", loops->gaps[i]);
    putchar('\n');
  }
  if (!loops->is_closed) printf("no assembly: %s\n", loops->problem);
}
