// Does the elimination of loops give what their matrix W gives: impulses, motion, rank, and which rows move nothing?
//
// Mechanisms are drawn: trees and chains with fixed and floating bases, masses of 1 to 10^4, loops of all kinds between
// neighbours, between branches and to the world, couplings, loops that are there twice, and rows of planar four-bars.

#include "contact/contact.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure.h"
#include "engine/loops/mechanism.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 60, MOST_ROWS = 120, MOST_V = 6 * MOST_LINKS };

typedef struct lots {
  int n_links;
  double depth_bias;
  bool is_floating, is_planar; // planar: all joints about z
  double mass_range;           // log10
  int n_loops, reach;          // loops between links that are at most so far apart; 0: anywhere
} lots;

static void name_of(char name[16], int k) { snprintf(name, 16, "l%d", k); }

static void add_link(srs_builder *builder, testing_random *random, const lots *l, int k)
{
  char name[16], joint_name[16], parent[16];
  name_of(name, k);
  snprintf(joint_name, sizeof joint_name, "j%d", k);
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = pow(10, testing_uniform(random, 0, l->mass_range));
  for (int i = 0; i < 3; i++) {
    link.com[i] = testing_uniform(random, -0.3, 0.3);
    link.inertia[i] = 0.1 * link.mass;
  }
  const bool is_free = l->is_floating && k == 0, is_special = !l->is_planar && testing_below(random, 6) == 0;
  const srs_joint_kind special[] = {SRS_JOINT_PRISMATIC, SRS_JOINT_SPHERICAL, SRS_JOINT_UNIVERSAL, SRS_JOINT_HELICAL,
                                    SRS_JOINT_CYLINDRICAL};
  srs_joint_def joint = srs_default_joint_def(is_free      ? SRS_JOINT_FREE
                                              : is_special ? special[testing_below(random, 5)]
                                                           : SRS_JOINT_REVOLUTE);
  joint.name = joint_name;
  joint.child = name;
  if (k > 0) {
    name_of(parent, testing_uniform(random, 0, 1) < l->depth_bias ? k - 1 : testing_below(random, k));
    joint.parent = parent;
  }
  joint.pitch = 0.1;
  for (int i = 0; i < 3; i++) {
    joint.origin.position[i] = l->is_planar && i == 2 ? 0 : testing_uniform(random, -0.5, 0.5);
    joint.axis[i] = l->is_planar ? i == 2 : testing_uniform(random, -1, 1);
    joint.axis2[i] = testing_uniform(random, -1, 1);
  }
  srs_error error;
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void add_closure(srs_builder *builder, testing_random *random, const lots *l, int i, int copies)
{
  static const srs_closure_kind kinds[] = {SRS_CLOSURE_POINT, SRS_CLOSURE_REVOLUTE, SRS_CLOSURE_ROD,
                                           SRS_CLOSURE_UNIVERSAL, SRS_CLOSURE_PLANAR};
  char name[32], a[16], b[16];
  const int from = testing_below(random, l->n_links - 1);
  const int reach = l->reach > 0 && from + l->reach < l->n_links ? l->reach : l->n_links - 1 - from;
  const bool on_world = l->reach == 0 && testing_below(random, 4) == 0;
  name_of(a, from), name_of(b, from + 1 + testing_below(random, reach));
  srs_closure_def closure =
      srs_default_closure_def(l->is_planar ? SRS_CLOSURE_REVOLUTE : kinds[testing_below(random, 5)]);
  closure.frame_a = on_world ? NULL : a;
  closure.frame_b = b;
  closure.length = 0.3;
  for (int c = 0; c < 3; c++) {
    closure.pose_a.position[c] = l->is_planar && c == 2 ? 0 : testing_uniform(random, -0.5, 0.5);
    closure.pose_b.position[c] = l->is_planar && c == 2 ? 0 : testing_uniform(random, -0.5, 0.5);
  }
  for (int copy = 0; copy < copies; copy++) {
    snprintf(name, sizeof name, "loop%d-%d", i, copy);
    closure.name = name;
    srs_error error;
    if (srs_builder_add_closure(builder, &closure, &error) != SRS_OK) fail_msg("%s", error.message);
  }
}

// May fail, where a coordinate is none or follows another already.
static void add_coupling(srs_builder *builder, testing_random *random, const lots *l)
{
  char follower[16], leader[16];
  const int a = testing_below(random, l->n_links);
  snprintf(follower, sizeof follower, "j%d", a);
  snprintf(leader, sizeof leader, "j%d", a > 0 ? a - 1 : a + 1);
  srs_coupling_def coupling = srs_default_coupling_def();
  coupling.follower = follower, coupling.leader = leader;
  (void)srs_builder_add_coupling(builder, &coupling, NULL);
}

// NULL: what was drawn cannot be built.
static srs_model *draw(testing_random *random, lots *l)
{
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  for (int k = 0; k < l->n_links; k++) add_link(builder, random, l, k);
  for (int i = 0; i < l->n_loops; i++) add_closure(builder, random, l, i, testing_below(random, 5) == 0 ? 2 : 1);
  if (!l->is_planar && testing_below(random, 3) == 0) add_coupling(builder, random, l);
  srs_model *model = NULL;
  (void)srs_builder_build(builder, NULL, &model, NULL);
  srs_builder_destroy(builder);
  return model;
}

// W of the rows, entry by entry, as a step adds it up; rows that move nothing are zero. Returns the least share of a
// row's entry in the sizes of the terms that it is the sum of.
static double fill_matrix(srs_workspace *w, const srs_closure_row *rows, int n, const double *mobility, double *W)
{
  static srs_row sides[2 * MOST_ROWS];
  static double lambda[4 * MOST_ROWS * MOST_ROWS];
  int row_of[2 * MOST_ROWS], n_sides = 0, bad = -1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < rows[i].row.n_sides; k++) row_of[n_sides] = i, sides[n_sides++] = srs_row_side(&rows[i].row, k);
  assert_int_equal(srs_workspace_reserve_rows(w, n_sides), SRS_OK);
  assert_int_equal(srs_delassus_of_rows(w, sides, n_sides, NULL, lambda, &bad), SRS_OK);
  double parts[MOST_ROWS] = {0}, least = 1;
  memset(W, 0, (size_t)n * (size_t)n * sizeof *W);
  for (int i = 0; i < n_sides; i++)
    for (int j = 0; j < n_sides; j++) {
      const double entry = lambda[i * n_sides + j];
      const int a = row_of[i], b = row_of[j];
      if (mobility[a] > 0 && mobility[b] > 0) W[a * n + b] += entry;
      if (a == b) parts[a] += fabs(entry);
    }
  for (int i = 0, at = 0; i < n; i++, at += n + 1)
    if (mobility[i] > 0) least = fmin(least, W[at] / parts[i]);
  return least;
}

static double largest(const double *x, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static double difference(const double *x, const double *y, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

// Impulses by W have the rounding of the sums in it over its least pivot, the diagonal being 1; below this that shows.
static const double plain_pivot = 0.1;

typedef struct tally {
  int tried, certain, dependent, different;
  double worst_impulse, worst_motion, worst_moved;
} tally;

// Compares with the solver of contact problems, for velocities that the rows can have.
static void compare(testing_random *random, srs_workspace *w, const srs_closure_row *rows, int n,
                    const srs_elimination_report *report, tally *t)
{
  static double W[MOST_ROWS * MOST_ROWS], mobility[MOST_ROWS], on_v[MOST_V], dv[MOST_V], dv_tree[MOST_V];
  static v6 impulses[MOST_LINKS];
  double y[MOST_ROWS], x[MOST_ROWS] = {0}, impulse[MOST_ROWS], moved[MOST_ROWS], expected[MOST_ROWS],
                       velocity[MOST_ROWS];
  const srs_model *m = srs_workspace_model(w);
  const int nv = srs_model_nv(m);
  memcpy(mobility, report->mobility, (size_t)n * sizeof *mobility);
  const double left = fill_matrix(w, rows, n, mobility, W); // of sums in W
  for (int i = 0; i < n; i++) y[i] = testing_uniform(random, -1, 1);
  for (int i = 0; i < n * n; i++) x[i / n] += W[i] * y[i % n];
  const srs_contact_problem problem = {.n_bilateral = n, .W = W, .b = x};
  const srs_contact_options options = srs_default_contact_options();
  srs_contact_solver *solver = NULL;
  srs_contact_report solved;
  assert_int_equal(srs_contact_solver_create(n, &solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &problem, &options, false, expected, velocity, &solved), SRS_OK);
  srs_contact_solver_destroy(solver);

  srs_elimination_solve(w->elimination, x, impulse, dv, moved);
  memset(impulses, 0, sizeof impulses);
  memset(on_v, 0, sizeof on_v);
  for (int i = 0; i < n; i++) srs_row_push(&rows[i].row, impulse[i], impulses, on_v);
  srs_respond(w, impulses, on_v, dv_tree); // by the pivots that fill_matrix has left
  t->worst_motion = fmax(t->worst_motion, difference(dv, dv_tree, nv) / largest(dv, nv));
  for (int i = 0; i < n; i++)
    if (mobility[i] > 0) t->worst_moved = fmax(t->worst_moved, fabs(moved[i] + x[i]) / largest(x, n));
  t->dependent += report->rank < n;
  // W may take a pivot of its rounding for one of a row, never the other way round.
  assert_true(report->rank <= solved.bilateral_rank);
  t->different += report->rank < solved.bilateral_rank;
  if (report->rank < solved.bilateral_rank) return;
  const int weakest = solved.bilateral_weakest;
  if (weakest < 0) return;
  const int at = weakest * (n + 1);
  const double off = difference(impulse, expected, n) / largest(expected, n), own = W[at];
  t->worst_impulse = fmax(t->worst_impulse, off * fmin(1, left * solved.bilateral_pivot / own / plain_pivot));
}

static void check(testing_random *random, lots *l, tally *t)
{
  static srs_closure_row rows[MOST_ROWS];
  double q[7 * MOST_LINKS];
  srs_model *model = draw(random, l);
  if (model == NULL) return;
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_plan_elimination(w, true), SRS_OK);
  assert_non_null(w->elimination);
  testing_random_q(random, model, q);
  srs_place_links(w, q);
  const int n = srs_closure_rows(w, q, 0, rows);
  assert_true(n <= MOST_ROWS);
  srs_elimination_report report;
  t->tried++;
  if (srs_elimination_factor(w->elimination, rows, sizeof *rows, false, &report)) {
    t->certain++;
    compare(random, w, rows, n, &report, t);
  }
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void judge(const char *what, const tally *t)
{
  print_message("%s: %d of %d certain, %d of these with dependent rows, %d of another rank by W; impulses within %.1e, "
                "motion %.1e, rows %.1e\n",
                what, t->certain, t->tried, t->dependent, t->different, t->worst_impulse, t->worst_motion,
                t->worst_moved);
  assert_true(3 * t->certain > t->tried && 30 * t->different <= t->tried);
  assert_true(t->worst_impulse < 1e-10 && t->worst_motion < 1e-10 && t->worst_moved < 1e-11);
}

static void loops_of_neighbours_move_as_by_their_matrix(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2604);
  tally t = {0};
  for (int run = 0; run < 300; run++) {
    lots l = {.n_links = 20 + testing_below(&random, 40),
              .depth_bias = run % 3 == 0 ? 1 : 0.8,
              .is_floating = run % 2 == 0,
              .mass_range = run % 5 == 0 ? 4 : 0.5,
              .n_loops = 1 + testing_below(&random, 4),
              .reach = 12};
    check(&random, &l, &t);
  }
  judge("neighbours", &t);
}

static void loops_anywhere_move_as_by_their_matrix(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2605);
  tally t = {0};
  for (int run = 0; run < 300; run++) {
    lots l = {.n_links = 20 + testing_below(&random, 40),
              .depth_bias = (run % 4) / 4.0,
              .is_floating = run % 2 == 0,
              .mass_range = run % 5 == 0 ? 4 : 0.5,
              .n_loops = 1 + testing_below(&random, 5)};
    check(&random, &l, &t);
  }
  judge("anywhere", &t);
}

static void planar_loops_leave_out_what_moves_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2606);
  tally t = {0};
  for (int run = 0; run < 300; run++) {
    lots l = {.n_links = 20 + testing_below(&random, 40),
              .depth_bias = run % 3 == 0 ? 1 : 0.8,
              .is_floating = run % 2 == 0,
              .is_planar = true,
              .mass_range = run % 5 == 0 ? 4 : 0.5,
              .n_loops = 1 + testing_below(&random, 4),
              .reach = 12};
    check(&random, &l, &t);
  }
  judge("planar", &t);
  assert_true(t.dependent > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_of_neighbours_move_as_by_their_matrix),
      cmocka_unit_test(loops_anywhere_move_as_by_their_matrix),
      cmocka_unit_test(planar_loops_leave_out_what_moves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
