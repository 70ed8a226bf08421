// Problems said with contacts alone: each kind of row by itself, solved both ways.
#include "contact/problem/as_contacts.h"
#include "support/testing.h"

#include <math.h>

enum { MOST = 12 };

// Solves a problem, and the one of contacts that stands for it: what it carries over is that one's answer.
static void assert_same_answer(const srs_contact_problem *p)
{
  double here[MOST] = {0}, w[MOST] = {0}, there[3 * MOST] = {0}, u[3 * MOST] = {0}, carried[3 * MOST];
  srs_contact_solver *solver = NULL;
  srs_contact_report report;
  srs_as_contacts as = {0};
  assert_int_equal(srs_contact_solver_create(3 * MOST, &solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, p, NULL, false, here, w, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  assert_int_equal(srs_as_contacts_make(p, &as), SRS_OK);
  assert_true(srs_is_as_contacts(&as.problem));
  assert_int_equal(srs_contact_solve(solver, &as.problem, NULL, false, there, u, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  const int n = srs_contact_problem_rows(&as.problem);
  srs_as_contacts_carry(&as, false, here, carried);
  testing_assert_close("impulse", carried, there, n, 1e-10); // both solved to 1e-12, W of about 1
  srs_as_contacts_carry(&as, true, w, carried);
  testing_assert_close("velocity", carried, u, n, 1e-10);
  srs_as_contacts_free(&as);
  srs_contact_solver_destroy(solver);
}

static const double W2[4] = {1, 0.2, 0.2, 2};

static void limits_are_contacts_without_friction(void **state)
{
  (void)state;
  const double b[2] = {-1, 3};
  assert_same_answer(&(srs_contact_problem){.n_unilateral = 2, .W = W2, .b = b});
}

static void dry_friction_is_a_tangent_under_a_given_normal(void **state)
{
  (void)state;
  const double b[3][2] = {{-5, 5}, {0.3, -0.2}, {0.9, -2}}; // slide, stick, one of each
  const double lower[2] = {-1, -0.5}, upper[2] = {1, 0.75}; // the second is not symmetric
  for (int i = 0; i < 3; i++)
    assert_same_answer(&(srs_contact_problem){.n_box = 2, .W = W2, .b = b[i], .box_lower = lower, .box_upper = upper});
  const double nothing[2] = {0, 0};
  assert_same_answer(
      &(srs_contact_problem){.n_box = 2, .W = W2, .b = b[0], .box_lower = nothing, .box_upper = nothing});
}

static void tangents_may_be_fewer_and_ellipses_long(void **state)
{
  (void)state;
  const double W[36] = {2, 0,  .1, 0, 0, .2, 0, 1, 0,  .3, 0, 0,  .1, 0, 3, 0, .1, 0,
                        0, .3, 0,  1, 0, 0,  0, 0, .1, 0,  2, .1, .2, 0, 0, 0, .1, 1};
  const double b[6] = {-1, -2, -1, 2, 0.5, 0.3}, friction[3] = {0.4, 0.5, 0.3};
  const unsigned char tangents[3] = {0, 1, 2};
  const double anisotropy[9] = {1, 1, 1, 2, 1, 1, 0.5, 3, 1};
  const srs_contact_problem p = {
      .n_contacts = 3, .W = W, .b = b, .friction = friction, .tangents = tangents, .anisotropy = anisotropy};
  assert_false(srs_is_as_contacts(&p));
  assert_same_answer(&p);
}

static void spin_and_endless_bounds_have_no_place(void **state)
{
  (void)state;
  const unsigned char spin[1] = {3};
  const double lower[1] = {0}, upper[1] = {INFINITY};
  srs_as_contacts as = {0};
  const srs_contact_problem spinning = {.n_contacts = 1, .tangents = spin},
                            endless = {.n_box = 1, .box_lower = lower, .box_upper = upper};
  assert_int_equal(srs_as_contacts_make(&spinning, &as), SRS_ERROR_UNSUPPORTED);
  assert_int_equal(srs_as_contacts_make(&endless, &as), SRS_ERROR_UNSUPPORTED);
  assert_null(as.memory);
  srs_as_contacts_free(&as);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_contacts_without_friction),
      cmocka_unit_test(dry_friction_is_a_tangent_under_a_given_normal),
      cmocka_unit_test(tangents_may_be_fewer_and_ellipses_long),
      cmocka_unit_test(spin_and_endless_bounds_have_no_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
