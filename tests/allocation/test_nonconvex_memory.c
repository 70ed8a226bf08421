// Choosing sides takes no memory after creation, in either form; out of memory is said, and nothing leaks.
#include "allocation/counted_allocator.h"
#include "support/corner_problems.h"

static const srs_nonconvex_capacity capacity = {.n_rows = CORNER_ROWS,
                                                .n_groups = CORNER_GROUPS,
                                                .n_sides = CORNER_GROUPS * CORNER_SIDES,
                                                .n_directions = 4,
                                                .has_summation = true};

static void no_form_takes_memory(void **state)
{
  (void)state;
  testing_random random = testing_random_start(921);
  static corner_problem corner;
  srs_nonconvex_solver *solver;
  assert_int_equal(srs_nonconvex_solver_create(&capacity, &solver, NULL), SRS_OK);
  const corner_lots lots = {
      .most_groups = 6, .most_sides = 4, .most_contacts = 3, .most_bilateral = 2, .tangents = -1, .most_friction = 1};
  for (int i = 0; i < 100; i++) {
    corner_problem_draw(&random, &lots, &corner);
    for (int form = 0; form < 2; form++) {
      double x[CORNER_ROWS];
      int side[CORNER_GROUPS];
      srs_nonconvex_report report;
      srs_nonconvex_options options = srs_default_nonconvex_options();
      options.form = (srs_nonconvex_form)form;
      const long before = requests;
      assert_int_equal(srs_nonconvex_solve(solver, &corner.problem, &options, false, x, NULL, side, &report), SRS_OK);
      assert_int_equal(requests, before);
    }
  }
  srs_nonconvex_solver_destroy(solver);
}

static void a_solver_without_memory_says_so(void **state)
{
  (void)state;
  srs_status status = SRS_ERROR_MEMORY;
  for (int n = 0; status != SRS_OK; n++) {
    srs_nonconvex_solver *solver = NULL;
    srs_error error;
    left = n, live = 0, armed = true;
    status = srs_nonconvex_solver_create(&capacity, &solver, &error);
    if (status != SRS_OK) assert_int_equal(status, SRS_ERROR_MEMORY);
    srs_nonconvex_solver_destroy(solver);
    armed = false;
    assert_int_equal(live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_form_takes_memory),
      cmocka_unit_test(a_solver_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
