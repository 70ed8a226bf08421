// Do rows on links and on coordinates give the matrix J M^-1 J^T, the velocity J v and the response M^-1 J^T lambda? On
// random trees with every kind of joint, against matrices.
//
// Tolerance 1e-10, as the recursions' own (test_dynamics.c).

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/step_row.h"
#include "engine/loops/mechanism.h"
#include "support/testing.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, SIDES = SRS_ROW_SIDES * ROWS };

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

// A row of random sides, and its line of J, by unit velocities.
static srs_step_row random_row(testing_random *random, srs_workspace *w, int kind)
{
  const srs_model *m = w->model;
  srs_step_row row = srs_empty_row();
  const int n = 1 + testing_below(random, kind == 1 ? SRS_ROW_WRENCHES : SRS_ROW_SIDES);
  for (int i = 0; i < n; i++) {
    const bool is_coordinate = kind == 0 || i >= SRS_ROW_WRENCHES || (kind == 2 && testing_below(random, 2) > 0);
    if (is_coordinate) {
      srs_coordinate_sides(w, testing_below(random, m->nv), testing_uniform(random, -1, 1), &row);
    } else {
      double f[6];
      for (int j = 0; j < 6; j++) f[j] = testing_uniform(random, -1, 1);
      srs_wrench_side(testing_below(random, m->n_links + 1) - 1, v6_load(f), &row);
    }
  }
  return row;
}

static void fill_jacobian(srs_workspace *w, const srs_step_row *rows, double *J)
{
  const int nv = w->model->nv;
  double *unit = numbers((size_t)nv);
  for (int i = 0; i < nv; i++) {
    unit[i] = 1;
    srs_move_links(w, unit);
    for (int r = 0; r < ROWS; r++) J[r * nv + i] = srs_row_velocity(&rows[r], w->velocity, unit);
    unit[i] = 0;
  }
  free(unit);
}

// W of the rows from that of their sides.
static void find_matrix(srs_workspace *w, const srs_step_row *rows, double *W)
{
  srs_row *sides = aligned_alloc(32, SIDES * sizeof *sides);
  double *of_sides = numbers((size_t)SIDES * SIDES);
  int owner[SIDES], n = 0, bad_v;
  for (int r = 0; r < ROWS; r++)
    for (int side = 0; side < rows[r].n_sides; side++) {
      owner[n] = r;
      sides[n++] = srs_row_side(&rows[r], side);
    }
  assert_int_equal(srs_delassus_of_rows(w, sides, n, NULL, of_sides, &bad_v), SRS_OK);
  memset(W, 0, sizeof(double[ROWS * ROWS]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) W[owner[i] * ROWS + owner[j]] += of_sides[i * n + j];
  free(sides), free(of_sides);
}

static void check_model(testing_random *random, int n_links, double depth_bias, int kind)
{
  srs_error error;
  srs_model *model = testing_random_model(random, n_links, NULL, 0, depth_bias);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, &error), SRS_OK);
  assert_int_equal(srs_workspace_reserve_rows(w, SIDES), SRS_OK);
  const size_t nv = (size_t)model->nv;
  double *q = numbers((size_t)model->nq), *M = numbers(nv * nv), *J = numbers(ROWS * nv), *X = numbers(ROWS * nv);
  double *dv = numbers(nv), *expected = numbers(nv), *on_coordinates = numbers(nv), *v = numbers(nv);
  v6 *on_links = aligned_alloc(32, (size_t)model->n_links * sizeof *on_links);
  double W[ROWS * ROWS], theirs[ROWS * ROWS];
  srs_step_row *rows = aligned_alloc(32, ROWS * sizeof *rows);
  testing_random_q(random, model, q);
  testing_random_v(random, model, 1, v);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK); // places the links
  for (int r = 0; r < ROWS; r++) rows[r] = random_row(random, w, kind);
  fill_jacobian(w, rows, J);
  srs_move_links(w, v);
  find_matrix(w, rows, W);

  memcpy(X, J, ROWS * nv * sizeof *X);
  assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (int)nv, ROWS, M, (int)nv, X, (int)nv), 0);
  memset(on_links, 0, (size_t)model->n_links * sizeof *on_links);
  for (int r = 0; r < ROWS; r++) {
    double speed = 0;
    for (size_t k = 0; k < nv; k++) speed += J[(size_t)r * nv + k] * v[k];
    const double ours = srs_row_velocity(&rows[r], w->velocity, v);
    testing_assert_close("velocity", &ours, &speed, 1, 1e-12);
    for (int s = 0; s < ROWS; s++) {
      double sum = 0;
      for (size_t k = 0; k < nv; k++) sum += J[(size_t)r * nv + k] * X[(size_t)s * nv + k];
      theirs[r * ROWS + s] = sum;
    }
    const double impulse = testing_uniform(random, -1, 1);
    srs_row_push(&rows[r], impulse, on_links, on_coordinates);
    for (size_t k = 0; k < nv; k++) expected[k] += impulse * X[(size_t)r * nv + k];
  }
  testing_assert_close("W", W, theirs, ROWS * ROWS, 1e-10);
  srs_respond(w, on_links, on_coordinates, dv);
  testing_assert_close("response", dv, expected, (int)nv, 1e-10);
  free(q), free(M), free(J), free(X), free(dv), free(expected), free(on_coordinates), free(v), free(on_links);
  free(rows);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void rows_of_any_sides_agree_with_matrices(void **state)
{
  (void)state;
  static const int sizes[] = {1, 2, 3, 5, 10, 30, 60};
  testing_random random = testing_random_start(61);
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
    for (int round = 0; round < 9; round++)
      for (int kind = 0; kind < 3; kind++) check_model(&random, sizes[s], 0.5 * (round % 3), kind);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_any_sides_agree_with_matrices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
