// Contact problems put into files: what goes in by a detour, what is refused, what becomes of the old file.
#include "support/contact_problems.h"
#include "support/fclib_sample.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void what_the_format_has_no_place_for_is_refused(void **state)
{
  (void)state;
  sample s;
  srs_error error = {0};
  make_sample(&s);
  const char *path = path_of("refused.hdf5");
  const unsigned char spin[1] = {3}, three[2] = {2, 3};
  srs_contact_file f = {.problem = s.file.problem};
  f.problem.n_bilateral = 0, f.problem.n_contacts = 1, f.problem.tangents = spin;
  assert_int_equal(srs_contact_file_write(path, &f, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "spin"));
  f.problem.n_contacts = 2, f.problem.tangents = three;
  assert_int_equal(srs_contact_file_write(path, &f, &error), SRS_ERROR_UNSUPPORTED);
  const double endless[1] = {INFINITY}, below[1] = {-1};
  f.problem = (srs_contact_problem){.n_box = 1, .W = s.W, .b = s.b, .box_lower = below, .box_upper = endless};
  assert_int_equal(srs_contact_file_write(path, &f, &error), SRS_ERROR_UNSUPPORTED);
  s.W[1] += 1e-3;
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_UNSUPPORTED);
  make_sample(&s);
  s.b[2] = NAN;
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_NOT_FINITE);
  make_sample(&s);
  s.guesses[9] = INFINITY;
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_NOT_FINITE);
  make_sample(&s);
  s.friction[1] = -1;
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_ARGUMENT);
  make_sample(&s);
  s.file.guesses = NULL;
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_file_write(path, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(access(path, F_OK), -1);
}

static void a_file_that_cannot_be_written_leaves_the_old_one(void **state)
{
  (void)state;
  sample s;
  make_sample(&s);
  char path[4200];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/no/such/folder.hdf5", testing_folder());
  assert_int_equal(srs_contact_file_write(path, &s.file, &error), SRS_ERROR_FILE);
  assert_string_not_equal(error.message, "");
  write_good(path_of("kept.hdf5"), &s.file);
  s.b[0] = INFINITY;
  assert_int_equal(srs_contact_file_write(path_of("kept.hdf5"), &s.file, &error), SRS_ERROR_NOT_FINITE);
  srs_contact_file f = read_good(path_of("kept.hdf5"));
  srs_contact_file_free(&f);
  snprintf(path, sizeof path, "%s.part", path_of("kept.hdf5"));
  assert_int_equal(access(path, F_OK), -1);
}

// Limits, dry friction, mixed tangents, ellipses: the answer of the one is that of the other, guesses too.
static void rows_without_a_place_are_written_as_contacts_that_ask_the_same(void **state)
{
  (void)state;
  testing_random random = testing_random_start(23);
  const contact_lots lots = {.most_contacts = 3,
                             .most_bilateral = 2,
                             .most_copies = 1,
                             .most_unilateral = 3,
                             .most_box = 3,
                             .most_friction = 1,
                             .most_mass_ratio = 10};
  for (int i = 0; i < 50; i++) {
    random_problem p = random_problem_make(&random, &lots);
    const int n = srs_contact_problem_rows(&p.problem);
    double *impulse = calloc(2 * (size_t)n, sizeof *impulse), *velocity = impulse + n;
    srs_contact_solver *solver = NULL;
    srs_contact_report report;
    assert_non_null(impulse);
    assert_int_equal(srs_contact_solver_create(3 * n, &solver, NULL), SRS_OK);
    assert_int_equal(srs_contact_solve(solver, &p.problem, NULL, false, impulse, velocity, &report), SRS_OK);
    const srs_contact_file file = {
        .problem = p.problem, .impulse = impulse, .velocity = velocity, .guesses = impulse, .n_guesses = 1};
    write_good(path_of("detour.hdf5"), &file);
    srs_contact_file back = read_good(path_of("detour.hdf5"));
    assert_int_equal(back.problem.n_unilateral + back.problem.n_box, 0);
    srs_contact_report there;
    assert_int_equal(srs_contact_certify(solver, &back.problem, back.impulse, &there), SRS_OK);
    if (report.status == SRS_CONTACT_SOLVED && there.residual > 1e-11) // of 1e-12 in the original's scales
      fail_msg("problem %d: residual %g there, %g here", i, there.residual, report.residual);
    const int m = srs_contact_problem_rows(&back.problem);
    for (int k = 0; k < m; k++) assert_true(back.guesses[k] == back.impulse[k]);
    srs_contact_file_free(&back);
    srs_contact_solver_destroy(solver);
    free(impulse);
    random_problem_free(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_format_has_no_place_for_is_refused),
      cmocka_unit_test(a_file_that_cannot_be_written_leaves_the_old_one),
      cmocka_unit_test(rows_without_a_place_are_written_as_contacts_that_ask_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
