// Are matrices of derivatives whole and consistent at every size and form of tree?
//
// They are filled by blocks of rows and columns, from runs of coordinates on one path. Trees of 1 to 41 links, bushes
// to chains, of hinges and of all kinds of joints: each entry is written, none beyond the matrix, and
//
//   dtau/da = M     M da/dtau = 1     M da/dq = -dtau/dq     M da/dv = -dtau/dv
//
// to 1e-11 of a row of M times a column of the solution, each by its size.

#include "support/matrices.h"
#include <sarrus/derivatives.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8, MATRICES = 7 };
typedef enum matrix { TAU_Q, TAU_V, TAU_A, A_Q, A_V, A_TAU, MASS } matrix;

typedef struct fixture {
  srs_model *model;
  srs_workspace *w;
  int nv;
  double *q, *v, *tau, *a, *wrenches;
  double *block[MATRICES], *of[MATRICES]; // a matrix between guards
} fixture;

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static fixture start(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds, double depth_bias)
{
  fixture f = {.model = testing_random_model(random, n_links, kinds, n_kinds, depth_bias)};
  const size_t nv = (size_t)srs_model_nv(f.model);
  f.nv = (int)nv;
  assert_int_equal(srs_workspace_create(f.model, &f.w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(f.w), SRS_OK);
  f.q = numbers((size_t)srs_model_nq(f.model)), f.v = numbers(nv), f.tau = numbers(nv), f.a = numbers(nv);
  f.wrenches = numbers(6 * (size_t)n_links);
  testing_random_q(random, f.model, f.q);
  testing_random_v(random, f.model, 1, f.v);
  testing_random_v(random, f.model, 1, f.tau);
  for (int i = 0; i < 6 * n_links; i++) f.wrenches[i] = testing_uniform(random, -1, 1);
  for (int k = 0; k < MATRICES; k++) {
    f.block[k] = numbers(nv * nv + (size_t)2 * GUARD);
    f.of[k] = f.block[k] + GUARD;
  }
  return f;
}

static void finish(fixture *f)
{
  free(f->q), free(f->v), free(f->tau), free(f->a), free(f->wrenches);
  for (int k = 0; k < MATRICES; k++) free(f->block[k]);
  srs_workspace_destroy(f->w);
  srs_model_destroy(f->model);
}

static void spoil(fixture *f)
{
  for (int k = 0; k < MATRICES; k++)
    for (int i = 0; i < f->nv * f->nv + 2 * GUARD; i++) f->block[k][i] = NAN;
}

static void compute(fixture *f, bool with_inverses)
{
  double *const *x = f->of;
  assert_int_equal(srs_forward_dynamics_derivatives(f->w, f->q, f->v, f->tau, f->wrenches, f->a, x[A_Q], x[A_V],
                                                    with_inverses ? x[A_TAU] : NULL),
                   SRS_OK);
  assert_int_equal(srs_inverse_dynamics_derivatives(f->w, f->q, f->v, f->a, f->wrenches, x[TAU_Q], x[TAU_V],
                                                    with_inverses ? x[TAU_A] : NULL),
                   SRS_OK);
}

// M X + sign B = 0; B NULL for the unit matrix.
static void check_solution(const fixture *f, matrix X, const double *B, double sign)
{
  const double *M = f->of[MASS], *x = f->of[X];
  const int n = f->nv;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double b = B != NULL ? B[i * n + j] : i == j ? 1 : 0;
      double sum = sign * b, row = 0, column = 0;
      for (int k = 0; k < n; k++) {
        sum += M[i * n + k] * x[k * n + j];
        row += fabs(M[i * n + k]);
        column = fmax(column, fabs(x[k * n + j]));
      }
      assert_true(fabs(sum) <= 1e-11 * (fabs(b) + row * column));
    }
}

static void check_guards(const fixture *f, int k)
{
  const size_t end = (size_t)f->nv * (size_t)f->nv;
  for (size_t i = 0; i < GUARD; i++) assert_true(isnan(f->block[k][i]) && isnan(f->of[k][end + i]));
}

static void check(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds, double depth_bias)
{
  fixture f = start(random, n_links, kinds, n_kinds, depth_bias);
  const size_t n = (size_t)f.nv * (size_t)f.nv;
  double *before[MATRICES];
  spoil(&f);
  compute(&f, true);
  for (int k = 0; k < MASS; k++) {
    before[k] = numbers(n);
    memcpy(before[k], f.of[k], n * sizeof *before[k]);
  }
  spoil(&f);
  compute(&f, false);
  for (int k = 0; k < MASS; k++) {
    check_guards(&f, k);
    if (k != TAU_A && k != A_TAU) testing_assert_close("without inverses", f.of[k], before[k], (int)n, 1e-12);
  }
  spoil(&f);
  compute(&f, true);
  assert_int_equal(srs_mass_matrix(f.w, f.q, f.of[MASS]), SRS_OK);
  for (int k = 0; k < MASS; k++) {
    check_guards(&f, k);
    assert_memory_equal(f.of[k], before[k], n * sizeof *before[k]);
    free(before[k]);
  }
  testing_assert_close("dtau/da", f.of[TAU_A], f.of[MASS], (int)n, 1e-12);
  check_solution(&f, A_TAU, NULL, -1);
  check_solution(&f, A_Q, f.of[TAU_Q], 1);
  check_solution(&f, A_V, f.of[TAU_V], 1);
  for (int i = 0; i < f.nv; i++)
    for (int j = 0; j < i; j++) assert_true(f.of[A_TAU][i * f.nv + j] == f.of[A_TAU][j * f.nv + i]);
  finish(&f);
}

static void matrices_of_all_sizes_are_whole(void **state)
{
  (void)state;
  static const srs_joint_kind hinge = SRS_JOINT_REVOLUTE, ball[] = {SRS_JOINT_SPHERICAL, SRS_JOINT_FIXED};
  testing_random random = testing_random_start(48);
  for (int n_links = 1; n_links <= 41; n_links += n_links < 20 ? 1 : 3)
    for (int bias = 0; bias <= 2; bias++) {
      check(&random, n_links, &hinge, 1, 0.5 * bias);
      check(&random, n_links, NULL, 0, 0.5 * bias);
      check(&random, n_links, ball, n_links > 1 ? 2 : 1, 0.5 * bias);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrices_of_all_sizes_are_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
