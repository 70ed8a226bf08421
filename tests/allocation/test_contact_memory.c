// A solve takes no memory, whatever the solver and the size; out of memory is said, and nothing leaks.
#include "support/contact_problems.h"

#include <math.h>
#include <stdlib.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the C library's own names for what we
// interpose
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *piece, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *piece);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static bool armed;
static int left, live, requests;

static bool refused(void)
{
  requests++;
  return armed && left-- <= 0;
}

static void *counted(void *piece)
{
  live += armed && piece != NULL;
  return piece;
}

void *malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : counted(__libc_calloc(count, size)); }
void *aligned_alloc(size_t alignment, size_t size)
{
  return refused() ? NULL : counted(__libc_memalign(alignment, size));
}
void *realloc(void *piece, size_t size) { return refused() ? NULL : __libc_realloc(piece, size); }
void free(void *piece)
{
  live -= armed && piece != NULL;
  __libc_free(piece);
}

static void no_solver_takes_memory(void **state)
{
  (void)state;
  enum { MOST_ROWS = 200 };
  const contact_lots lots = {10, 4, 3, 2, 2, 2, 1e6};
  testing_random random = testing_random_start(401);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  static double x[MOST_ROWS];
  for (int i = 0; i < 100; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    for (int name = 0; name < SRS_CONTACT_SOLVERS; name++) {
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.solver = (srs_contact_solver_name)name;
      const int before = requests;
      assert_int_equal(srs_contact_solve(solver, &drawn.problem, &options, false, x, NULL, &report), SRS_OK);
      assert_int_equal(requests, before);
    }
    random_problem_free(&drawn);
  }
  srs_contact_solver_destroy(solver);
}

// So many rows that BLAS and LAPACK do the work.
static void large_problems_take_no_memory(void **state)
{
  (void)state;
  enum { CONTACTS = 140, ROWS = 3 * CONTACTS };
  testing_random random = testing_random_start(402);
  double *W = calloc((size_t)ROWS * ROWS, sizeof *W);
  static double b[ROWS], x[ROWS], friction[CONTACTS];
  for (int i = 0; i < ROWS; i++) {
    b[i] = testing_uniform(&random, -1, 1);
    for (int j = 0; j <= i; j++) {
      const double entry = i == j ? 1 : testing_uniform(&random, -0.01, 0.01);
      W[(size_t)i * ROWS + (size_t)j] = W[(size_t)j * ROWS + (size_t)i] = entry;
    }
  }
  for (int c = 0; c < CONTACTS; c++) friction[c] = 0.5;
  const srs_contact_problem p = {.n_contacts = CONTACTS, .W = W, .b = b, .friction = friction};
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(ROWS, &solver, NULL), SRS_OK);
  for (int name = SRS_SOLVER_MNCP_RLM; name <= SRS_SOLVER_MNCP_PLM; name++) {
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.solver = (srs_contact_solver_name)name;
    const int before = requests;
    assert_int_equal(srs_contact_solve(solver, &p, &options, false, x, NULL, &report), SRS_OK);
    assert_int_equal(requests, before);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  }
  srs_contact_solver_destroy(solver);
  free(W);
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
      cmocka_unit_test(no_solver_takes_memory),
      cmocka_unit_test(large_problems_take_no_memory),
      cmocka_unit_test(a_solver_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
