// Rows as a matrix, its least solutions and its null space; and a fit that keeps to limits and to what is frozen.

#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure_newton.h"
#include "support/linkages.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct problem {
  srs_workspace *w;
} problem;

static int evaluate(void *context, const double *q, srs_closure_row *rows)
{
  const problem *p = context;
  srs_place_links(p->w, q);
  return srs_closure_rows(p->w, q, 0, rows);
}

static void finish(problem *p, srs_closure_newton *fit)
{
  srs_model *model = (srs_model *)(uintptr_t)p->w->model;
  srs_closure_newton_destroy(fit);
  srs_workspace_destroy(p->w);
  srs_model_destroy(model);
}

// A chain of every kind of joint whose end is welded to the world, and a coupling.
static void start(testing_random *random, problem *p, srs_closure_newton **fit)
{
  srs_builder *builder = testing_random_builder(random, 8, NULL, 0, 0.6);
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_WELD);
  def.name = "weld";
  def.frame_b = "link7";
  linkages_close(builder, &def);
  assert_int_equal(srs_workspace_create(testing_build(builder), &p->w, NULL), SRS_OK);
  assert_int_equal(srs_closure_newton_create(p->w, srs_model_n_loop_rows(p->w->model), fit), SRS_OK);
}

static void lines_are_what_unit_velocities_do_to_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(661);
  for (int run = 0; run < 20; run++) {
    problem p;
    srs_closure_newton *fit;
    start(&random, &p, &fit);
    const int nv = p.w->model->nv;
    double q[MOST], v[MOST] = {0}, J[6 * MOST];
    testing_random_q(&random, p.w->model, q);
    const int n = evaluate(&p, q, fit->rows);
    srs_fill_jacobian(p.w, fit->rows, n, J);
    for (int c = 0; c < nv; c++) {
      double line[6], found[6];
      v[c] = 1;
      srs_move_links(p.w, v);
      v[c] = 0;
      for (int i = 0; i < n; i++) {
        line[i] = J[i * nv + c];
        found[i] = 0;
        for (int s = 0; s < fit->rows[i].row.n_sides; s++)
          found[i] += v6_dot(fit->rows[i].row.wrench[s], p.w->velocity[fit->rows[i].row.link[s]]);
      }
      testing_assert_close("column", line, found, n, 1e-13);
    }
    finish(&p, fit);
  }
}

static void least_solutions_and_null_parts_are_at_right_angles(void **state)
{
  (void)state;
  testing_random random = testing_random_start(662);
  for (int run = 0; run < 20; run++) {
    problem p;
    srs_closure_newton *fit;
    start(&random, &p, &fit);
    const int nv = p.w->model->nv;
    bool frozen[MOST] = {false};
    frozen[0] = frozen[nv - 1] = true;
    fit->frozen = frozen;
    double q[MOST], d[MOST], part[MOST], moved[MOST], x[6], J[6 * MOST];
    testing_random_q(&random, p.w->model, q);
    testing_random_v(&random, p.w->model, 1, d);
    fit->n = evaluate(&p, q, fit->rows);
    srs_closure_newton_null_part(fit, q, d, part);
    srs_fill_jacobian(p.w, fit->rows, fit->n, J);
    double inner = 0;
    for (int i = 0; i < fit->n; i++) {
      x[i] = 0;
      double left = 0;
      for (int c = 0; c < nv; c++) {
        left += J[i * nv + c] * part[c];
        x[i] += J[i * nv + c] * (frozen[c] ? 0 : d[c]);
      }
      assert_true(fabs(left) < 1e-10);
    }
    srs_closure_newton_least_norm(fit, x, moved);
    for (int c = 0; c < nv; c++) {
      inner += moved[c] * part[c];
      if (frozen[c]) assert_true(part[c] == 0 && moved[c] == 0);
      if (!frozen[c]) assert_true(fabs(part[c] + moved[c] - d[c]) < 1e-10); // the two make up d
    }
    assert_true(fabs(inner) < 1e-10);
    finish(&p, fit);
  }
}

static void a_fit_keeps_limits_and_what_is_frozen(void **state)
{
  (void)state;
  testing_random random = testing_random_start(663);
  problem p;
  assert_int_equal(srs_workspace_create(testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1)), &p.w, NULL), SRS_OK);
  srs_closure_newton *fit;
  assert_int_equal(srs_closure_newton_create(p.w, srs_model_n_loop_rows(p.w->model), &fit), SRS_OK);
  bool frozen[3] = {true, false, false};
  fit->frozen = frozen;
  fit->lower[1] = -0.2, fit->upper[1] = 0.3;
  int n_closed = 0;
  for (int run = 0; run < 100; run++) {
    double q[3] = {testing_uniform(&random, -0.5, 0.5), testing_uniform(&random, -0.2, 0.3), 0}, gap;
    const double crank = q[0];
    int iterations = 100;
    const bool is_closed = srs_closure_newton_solve(fit, evaluate, &p, 1e-12, q, &gap, &iterations);
    assert_true(q[0] == crank && q[1] >= -0.2 && q[1] <= 0.3);
    assert_true(is_closed == (gap <= 1e-12));
    if (!is_closed) assert_true(q[1] == -0.2 || q[1] == 0.3 || iterations == 100); // the limit is in the way
    n_closed += is_closed;
  }
  assert_in_range(n_closed, 10, 99); // both happen
  finish(&p, fit);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_what_unit_velocities_do_to_rows),
      cmocka_unit_test(least_solutions_and_null_parts_are_at_right_angles),
      cmocka_unit_test(a_fit_keeps_limits_and_what_is_frozen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
