// Embedded loops against the multiplier form, linkage by linkage: accelerations, contacts' matrix, and what cannot be.

#include "engine/embedding.h"
#include "engine/fit.h"
#include "engine/operational_space.h"
#include "support/embedded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A x = b by Gauss's elimination with pivots from the whole matrix, entries below 1e-9 of the largest taken as zero:
// for consistent equations of which some say the same. A, b are spoiled; what is left free is 0.
static void solve(int n, double *A, double *b, double *x)
{
  int *column = malloc((size_t)n * sizeof *column);
  double largest = 0;
  for (int i = 0; i < n; i++) column[i] = i;
  int rank = 0;
  for (; rank < n; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs(A[i * n + j]) > fabs(A[r * n + c])) r = i, c = j;
    largest = fmax(largest, fabs(A[r * n + c]));
    if (fabs(A[r * n + c]) <= 1e-9 * largest) break;
    for (int j = 0; j < n; j++) {
      const double entry = A[rank * n + j];
      A[rank * n + j] = A[r * n + j], A[r * n + j] = entry;
    }
    const double right = b[rank];
    b[rank] = b[r], b[r] = right;
    for (int i = 0; i < n; i++) {
      const double entry = A[i * n + rank];
      A[i * n + rank] = A[i * n + c], A[i * n + c] = entry;
    }
    const int name = column[rank];
    column[rank] = column[c], column[c] = name;
    for (int i = rank + 1; i < n; i++) {
      const double share = A[i * n + rank] / A[rank * n + rank];
      for (int j = rank; j < n; j++) A[i * n + j] -= share * A[rank * n + j];
      b[i] -= share * b[rank];
    }
  }
  memset(x, 0, (size_t)n * sizeof *x);
  for (int i = rank - 1; i >= 0; i--) {
    double sum = b[i];
    for (int j = i + 1; j < rank; j++) sum -= A[i * n + j] * x[column[j]];
    x[column[i]] = sum / A[i * n + i];
  }
  free(column);
}

// The rows' velocities at integrate(q, v, s).
static void velocities_at(srs_workspace *w, const double *q, const double *v, double s, double *out)
{
  const srs_model *m = w->model;
  double *there = malloc((size_t)m->nq * sizeof *there);
  srs_closure_row *rows = aligned_alloc(64, ((size_t)m->n_loop_rows * sizeof *rows + 63) / 64 * 64);
  srs_integrate(m, q, v, s, there);
  srs_place_links(w, there);
  const int n = srs_closure_rows(w, there, 0, rows);
  srs_move_links(w, v);
  for (int i = 0; i < n; i++) out[i] = srs_row_velocity(&rows[i].row, w->velocity, v);
  free(rows);
  free(there);
}

// dG/dt v by differences of fourth order: errors of some 1e-12.
static void bias_by_differences(srs_workspace *w, const double *q, const double *v, double *bias)
{
  static const double weight[4] = {1, -8, 8, -1};
  const double s = 2e-4;
  const int n = w->model->n_loop_rows;
  double *at = malloc((size_t)n * sizeof *at);
  memset(bias, 0, (size_t)n * sizeof *bias);
  for (int k = 0; k < 4; k++) {
    velocities_at(w, q, v, s * (k < 2 ? k - 2 : k - 1), at);
    for (int i = 0; i < n; i++) bias[i] += weight[k] * at[i] / (12 * s);
  }
  free(at);
}

// a of [M G^T; G 0] [a; -lambda] = [tau - c; -dG/dt v].
static void accelerate_by_multipliers(srs_workspace *w, const double *q, const double *v, const double *tau, double *a)
{
  const srs_model *m = w->model;
  const int nv = m->nv, n_rows = m->n_loop_rows, n = nv + n_rows;
  double *M = malloc((size_t)(nv * nv) * sizeof *M), *c = malloc((size_t)nv * sizeof *c);
  double *A = calloc((size_t)(n * n), sizeof *A), *b = malloc((size_t)n * sizeof *b),
         *x = malloc((size_t)n * sizeof *x);
  double *J = malloc((size_t)(n_rows * nv) * sizeof *J);
  srs_closure_row *rows = aligned_alloc(64, ((size_t)n_rows * sizeof *rows + 63) / 64 * 64);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  assert_int_equal(srs_bias(w, q, v, c), SRS_OK);
  srs_place_links(w, q);
  srs_closure_rows(w, q, 0, rows);
  srs_fill_jacobian(w, rows, n_rows, J);
  bias_by_differences(w, q, v, b + nv);
  for (int i = 0; i < nv; i++) {
    b[i] = tau[i] - c[i];
    for (int j = 0; j < nv; j++) A[i * n + j] = M[i * nv + j];
    for (int r = 0; r < n_rows; r++) A[i * n + nv + r] = A[(nv + r) * n + i] = J[r * nv + i];
  }
  for (int r = 0; r < n_rows; r++) b[nv + r] = -b[nv + r];
  solve(n, A, b, x);
  memcpy(a, x, (size_t)nv * sizeof *a);
  void *const all[] = {M, c, A, b, x, J, rows};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

// A closed configuration and velocities that move along the loops, from random ones near the start.
static void random_state(testing_random *random, srs_workspace *w, double *q, double *v)
{
  const srs_model *m = w->model;
  srs_error error;
  srs_assembly_options options = srs_default_assembly_options();
  srs_assembly_report report;
  for (int tries = 0; tries < 100; tries++) {
    for (int i = 0; i < m->nv; i++) v[i] = testing_uniform(random, -0.4, 0.4);
    srs_integrate(m, m->neutral, v, 1, q);
    if (srs_assemble(w, &options, q, &report) != SRS_OK) continue;
    for (int i = 0; i < m->nv; i++) v[i] = testing_uniform(random, -3, 3);
    if (srs_assemble_velocity(w, &options, q, v, &report) == SRS_OK) return;
  }
  error = *srs_workspace_error(w);
  fail_msg("%s", error.message);
}

static void accelerations_are_those_of_multipliers(void **state)
{
  (void)state;
  testing_random random = testing_random_start(11);
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
    const srs_model *m = srs_scene_model(scene);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
    double q[64], v[64], tau[64], a[64], b[64], worst = 0;
    for (int trial = 0; trial < 20; trial++) {
      random_state(&random, w, q, v);
      for (int k = 0; k < m->nv; k++) tau[k] = testing_uniform(&random, -1, 1);
      if (srs_embedded_acceleration(w, q, v, tau, NULL, a) != SRS_OK) fail_msg("%s", srs_workspace_error(w)->message);
      accelerate_by_multipliers(w, q, v, tau, b);
      double size = 1, off = 0;
      for (int k = 0; k < m->nv; k++) size = fmax(size, fabs(b[k])), off = fmax(off, fabs(a[k] - b[k]));
      worst = fmax(worst, off / size);
    }
    print_message("%s: %.3g\n", embedded_mechanisms[i].name, worst);
    assert_true(worst < 1e-9);
    srs_workspace_destroy(w);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_those_of_multipliers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
