// A solve takes no memory, whatever the solver and the size; out of memory is said, and nothing leaks.
#include "allocation/counted_allocator.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_qr.h"
#include "contact/algebra/semidefinite.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

// OpenBLAS's kernels for AVX-512 take some for certain sizes.
static void a_product_takes_no_memory_at_any_size(void **state)
{
  (void)state;
  enum { MOST = 70 };
  static double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST];
  testing_random random = testing_random_start(404);
  for (int i = 0; i < MOST * MOST; i++) A[i] = testing_uniform(&random, -1, 1), B[i] = testing_uniform(&random, -1, 1);
  srs_blocks_multiply(false, false, MOST, MOST, MOST, 1, A, MOST, B, MOST, C, MOST); // OpenBLAS's pool
  const long before = requests;
  for (int kind = 0; kind < 4; kind++)
    for (int n = 1; n <= MOST; n++)
      for (int k = 1; k <= MOST; k += 3) {
        memset(C, 0, sizeof C);
        srs_blocks_multiply(kind % 2 == 1, kind > 1, 33, n, k, 2, A, MOST, B, MOST, C, MOST);
        double sum = 0;
        for (int l = 0; l < k; l++)
          sum += 2 * A[kind % 2 == 1 ? l * MOST + 32 : 32 * MOST + l] *
                 B[kind > 1 ? (n - 1) * MOST + l : l * MOST + n - 1];
        assert_true(fabs(C[32 * MOST + n - 1] - sum) < 1e-12 && C[32 * MOST + n % MOST] * (n < MOST) == 0);
      }
  assert_int_equal(requests, before);
}

static void no_solver_takes_memory(void **state)
{
  (void)state;
  enum { MOST_ROWS = 200 };
  const contact_lots lots = {.most_contacts = 10,
                             .most_bilateral = 4,
                             .most_copies = 3,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 2,
                             .most_mass_ratio = 1e6,
                             .has_any_tangents = true,
                             .most_anisotropy = 10};
  testing_random random = testing_random_start(401);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  static double x[MOST_ROWS];
  for (int i = 0; i < 100; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    for (int name = 0; name < SRS_CONTACT_METHODS; name++) {
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      const long before = requests;
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(requests, before);
    }
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
}

// A wall of balls, each touching the next: W is block tridiagonal, and ordered and factored as such.
static void a_large_sparse_problem_takes_no_memory(void **state)
{
  (void)state;
  enum { CONTACTS = 80, N = 3 * CONTACTS };
  static double W[N * N], b[N], friction[CONTACTS], x[N];
  testing_random random = testing_random_start(403);
  for (int c = 0; c < CONTACTS; c++) {
    friction[c] = testing_uniform(&random, 0, 1);
    for (int k = 0; k < 3; k++) {
      const int i = 3 * c + k;
      b[i] = testing_uniform(&random, -1, 0.2);
      W[i * N + i] = 2;
      if (c > 0) W[i * N + i - 3] = W[(i - 3) * N + i] = -1; // of the ball between
    }
  }
  const srs_contact_problem p = {.n_contacts = CONTACTS, .W = W, .b = b, .friction = friction};
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(N, &solver, NULL), SRS_OK);
  for (int name = SRS_METHOD_MNCP_RLM; name <= SRS_METHOD_MNCP_PLM; name++)
    for (int again = 0; again < 2; again++) { // the pattern is known then
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      const long before = requests;
      assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(requests, before);
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
    }
  srs_contact_solver_destroy(solver);
}

// What is done with so many rows that BLAS does the work.
static void large_systems_take_no_memory(void **state)
{
  (void)state;
  enum { N = 200, STRIDE = N };
  static double A[N * STRIDE], G[2 * N * STRIDE], copy[N * STRIDE], tall[2 * STRIDE], x[STRIDE];
  static int pivot[N];
  testing_random random = testing_random_start(402);
  for (int i = 0; i < N * STRIDE; i++) A[i] = testing_uniform(&random, -1, 1);
  for (int i = 0; i < N; i++) A[i * STRIDE + i] += 20;
  srs_dense_warm_up(N); // BLAS takes memory for good at its first call
  const long before = requests;
  srs_dense_gram(N, A, STRIDE, G);
  memcpy(copy, G, sizeof copy);
  assert_true(srs_dense_cholesky(N, G, STRIDE, 0));
  assert_int_equal(srs_semidefinite_factor(N, copy, STRIDE, pivot, 1e-12, x), N);
  memcpy(copy, A, sizeof A);
  assert_true(srs_dense_lu(N, copy, STRIDE, pivot) > 0);
  srs_dense_qr(N, G, STRIDE, 64, tall, x);
  assert_int_equal(requests, before);
}

static void a_solver_without_memory_says_so(void **state)
{
  (void)state;
  srs_status status = SRS_ERROR_MEMORY;
  for (int n = 0; status != SRS_OK; n++) {
    srs_contact_solver *solver = NULL;
    srs_error error;
    left = n, live = 0, armed = true;
    status = srs_contact_solver_create(12, &solver, &error);
    if (status != SRS_OK) assert_int_equal(status, SRS_ERROR_MEMORY);
    if (status == SRS_OK) {
      left = 1; // growing fails and changes nothing
      assert_int_equal(srs_contact_solver_reserve(solver, 60, &error), SRS_ERROR_MEMORY);
      const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0}, mu = 0.5;
      double x[3];
      srs_contact_report report;
      const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
      assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_OK);
    }
    srs_contact_solver_destroy(solver);
    armed = false;
    assert_int_equal(live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_product_takes_no_memory_at_any_size),  cmocka_unit_test(no_solver_takes_memory),
      cmocka_unit_test(a_large_sparse_problem_takes_no_memory), cmocka_unit_test(large_systems_take_no_memory),
      cmocka_unit_test(a_solver_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
