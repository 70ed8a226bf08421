// The max form as one linear complementarity problem: answers that were found by choosing sides solve it.
#include "contact/corners/nonconvex_lcp.h"
#include "support/corner_problems.h"

#include <math.h>
#include <string.h>

enum { MOST = 200 };

typedef struct fixture {
  double W[CORNER_ROWS * CORNER_ROWS], b[CORNER_ROWS], turn[CORNER_ROWS];
  double M[MOST * MOST], q[MOST], offset[MOST], pure[MOST], big[MOST * MOST], big_q[MOST], z[MOST];
  int rows[CORNER_ROWS + 1];
  srs_share shares[MOST];
  srs_cone_problem cone;
  srs_mlcp mlcp;
  srs_lcp lcp;
} fixture;

// Without tangents and bilateral rows: a row is a contact.
static void assemble(const corner_problem *corner, const srs_side_groups *groups, double gamma, fixture *f)
{
  const int n = corner->problem.contacts.n_contacts, stride = srs_dense_stride(n);
  memset(f, 0, sizeof *f);
  for (int i = 0; i < n; i++) {
    f->rows[i + 1] = i + 1;
    f->b[i] = corner->b[i];
    for (int j = 0; j < n; j++) f->W[i * stride + j] = corner->W[i * n + j];
  }
  f->cone = (srs_cone_problem){
      .n = n, .stride = stride, .n_contacts = n, .first = f->rows, .W = f->W, .b = f->b, .friction = corner->friction};
  f->mlcp = (srs_mlcp){.cone = &f->cone,
                       .turn = f->turn,
                       .shares = f->shares,
                       .lcp = {.M = f->M, .q = f->q},
                       .offset = f->offset,
                       .q = f->pure};
  f->lcp = (srs_lcp){.M = f->big, .q = f->big_q};
  srs_polyhedron_make(4, 0, &f->mlcp.polyhedron);
  srs_mlcp_assemble(&f->mlcp);
  assert_true(srs_max_form_unknowns(groups, n) <= MOST);
  srs_max_form(&f->mlcp, groups, gamma, &f->lcp);
  assert_int_equal(f->lcp.n, srs_max_form_unknowns(groups, n));
}

// The unknowns that EBT add, for impulses and velocities.
static void fill(const srs_side_groups *groups, const corner_problem *corner, double gamma, const double *x,
                 const double *w, double *z)
{
  const int sides = groups->first[groups->n], d = sides, g = d + groups->n, h = g + sides, p = h + sides;
  for (int group = 0; group < groups->n; group++) {
    int freest = groups->first[group];
    for (int k = groups->first[group]; k < groups->first[group + 1]; k++) {
      const double a = w[groups->side[k]];
      z[k] = 1 - fmin(a, 1);
      z[h + k] = fmax(0, -a);
      if (z[k] < z[freest]) freest = k;
    }
    z[g + freest] = 1;
    z[d + group] = gamma - z[freest];
  }
  for (int i = 0; i < corner->problem.contacts.n_contacts; i++) z[p + groups->n + i] = x[i];
}

static void answers_of_chosen_sides_solve_it(void **state)
{
  (void)state;
  const double gamma = 1e3;
  const srs_nonconvex_capacity capacity = {
      .n_rows = CORNER_ROWS, .n_groups = CORNER_GROUPS, .n_sides = CORNER_GROUPS * CORNER_SIDES, .n_directions = 4};
  srs_nonconvex_solver *solver;
  assert_int_equal(srs_nonconvex_solver_create(&capacity, &solver, NULL), SRS_OK);
  static corner_problem corner;
  static fixture f;
  testing_random random = testing_random_start(911);
  const corner_lots lots = {.most_groups = 6, .most_sides = 4, .most_contacts = 4};
  for (int i = 0; i < 300; i++) {
    double x[CORNER_ROWS], w[CORNER_ROWS];
    int side[CORNER_GROUPS];
    srs_nonconvex_report report;
    corner_problem_draw(&random, &lots, &corner);
    const srs_side_groups groups = {corner.problem.n_groups, corner.first, corner.side};
    assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, NULL, false, x, w, side, &report), SRS_OK);
    assemble(&corner, &groups, gamma, &f);
    fill(&groups, &corner, gamma, x, w, f.z);
    for (int row = 0; row < f.lcp.n; row++) {
      double sum = f.lcp.q[row];
      for (int j = 0; j < f.lcp.n; j++) sum += f.lcp.M[row * f.lcp.stride + j] * f.z[j];
      assert_true(fabs(fmin(sum, f.z[row])) < 1e-7); // the solver's 1e-9 of b, about 10, times rows' sizes
    }
  }
  srs_nonconvex_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_of_chosen_sides_solve_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
