// Contacts that stand there more than once.
#include "contact/problem/duplicates.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 20, ROWS = 1 + 3 * COPIES + 1 };

// A unit mass on a wire along y is thrown at the floor, whose point the detector gives twenty times; and a limit along
// z.
typedef struct fixture {
  double J[ROWS][3], W[ROWS * ROWS], b[ROWS], friction[COPIES];
  srs_contact_problem problem;
} fixture;

static void make(fixture *f)
{
  const double v[3] = {3, 2, -1}, contact[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  memset(f, 0, sizeof *f);
  f->J[0][1] = 1;
  for (int c = 0; c < COPIES; c++) {
    memcpy(f->J[1 + 3 * c], contact, sizeof contact);
    f->friction[c] = 0.5;
  }
  f->J[ROWS - 1][0] = 1; // already leaves it
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < 3; k++) {
      f->b[i] += f->J[i][k] * v[k];
      for (int j = 0; j < ROWS; j++) f->W[i * ROWS + j] += f->J[i][k] * f->J[j][k];
    }
  f->problem = (srs_contact_problem){
      .n_bilateral = 1, .n_contacts = COPIES, .n_unilateral = 1, .W = f->W, .b = f->b, .friction = f->friction};
}

static void copies_are_found_and_others_are_not(void **state)
{
  (void)state;
  static fixture f;
  make(&f);
  int place[COPIES], count[COPIES];
  srs_duplicates duplicates = {.place = place, .count = count};
  assert_true(srs_duplicates_find(&f.problem, &duplicates));
  assert_int_equal(duplicates.n_contacts, 1);
  assert_int_equal(count[0], COPIES);
  f.friction[3] = 0.4;
  f.b[1 + 3 * 5] = -1.1;
  f.W[(1 + 3 * 7) * ROWS + 2] += 1e-9; // contact 7's row and contact 0's column
  assert_true(srs_duplicates_find(&f.problem, &duplicates));
  assert_int_equal(duplicates.n_contacts, 5);
  const srs_contact_problem two = {.n_contacts = 1, .W = f.W, .b = f.b, .friction = f.friction};
  assert_false(srs_duplicates_find(&two, &duplicates));
}

// Rows made by other sums: every entry but the diagonal's off by its last bits.
static void copies_but_for_rounding_are_copies(void **state)
{
  (void)state;
  static fixture f;
  make(&f);
  int place[COPIES], count[COPIES];
  srs_duplicates duplicates = {.place = place, .count = count};
  testing_random random = testing_random_start(351);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++)
      if (i != j) f.W[i * ROWS + j] *= 1 + testing_uniform(&random, -4e-16, 4e-16);
  assert_true(srs_duplicates_find(&f.problem, &duplicates));
  assert_int_equal(duplicates.n_contacts, 1);
  f.W[(1 + 3 * 7) * ROWS + 1] *= 1 + 1e-13; // contact 7's normal row and contact 0's: more than rounding
  assert_true(srs_duplicates_find(&f.problem, &duplicates));
  assert_int_equal(duplicates.n_contacts, 3); // these two, and all others
}

static void copies_share_equally(void **state)
{
  (void)state;
  static fixture f;
  make(&f);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(ROWS, &solver, NULL), SRS_OK);
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    double x[ROWS] = {0}, w[ROWS];
    srs_contact_report report;
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)name; // the slip is along t1: exact cone and pyramid agree
    for (int warm = 0; warm < 2; warm++) {
      assert_int_equal(srs_contact_solve(solver, &f.problem, &options, warm == 1, x, w, &report), SRS_OK);
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
      assert_int_equal(report.bilateral_rank, 1);
      for (int c = 0; c < COPIES; c++) {
        const double share[3] = {1.0 / COPIES, -0.5 / COPIES, 0};
        for (int k = 0; k < 3; k++) assert_true(fabs(x[1 + 3 * c + k] - share[k]) < 1e-12); // the default tolerance
      }
      assert_true(fabs(x[0] + 2) < 1e-12 && fabs(x[ROWS - 1]) < 1e-12 && fabs(w[1]) < 1e-12 &&
                  fabs(w[2] - 2.5) < 1e-12);
    }
  }
  srs_contact_solver_destroy(solver);
}

// Contacts of 1, 3 and 1 tangents, each twice, one of a different anisotropy: a diagonal problem with a bilateral row
// before and a unilateral one behind.
static void copies_of_any_size_share_equally(void **state)
{
  (void)state;
  enum { N = 1 + 2 + 4 + 2 + 4 + 2 + 1 };
  static const int like[N] = {0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9}; // rows with the same number are copies
  static const unsigned char tangents[5] = {1, 3, 1, 3, 1};
  static const double friction[5] = {0.5, 0.5, 0.5, 0.5, 0.5};
  double anisotropy[15] = {2, 0, 0, 1, 2, 3, 2, 0, 0, 1, 2, 3, 2, 0, 0}, W[N * N], b[N];
  for (int i = 0; i < N; i++) {
    b[i] = like[i] == 0 || like[i] == 9 ? -1 : like[i] == 1 || like[i] == 3 || like[i] == 7 ? -2 : 5;
    for (int j = 0; j < N; j++) W[i * N + j] = like[i] == like[j] ? 1 : 0;
  }
  const srs_contact_problem p = {.n_bilateral = 1,
                                 .n_contacts = 5,
                                 .n_unilateral = 1,
                                 .W = W,
                                 .b = b,
                                 .friction = friction,
                                 .tangents = tangents,
                                 .anisotropy = anisotropy};
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(N, &solver, NULL), SRS_OK);
  for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++)
    for (int differs = 0; differs < 2; differs++) {
      double x[N] = {0};
      srs_contact_report report;
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      anisotropy[6] = differs ? 1 : 2;
      assert_int_equal(srs_contact_solve(solver, &p, &options, differs == 1, x, NULL, &report), SRS_OK);
      assert_int_equal(report.status, SRS_CONTACT_SOLVED);
      assert_true(fabs(x[0] - 1) < 1e-12 && fabs(x[N - 1] - 1) < 1e-12 && fabs(x[13] - 2) < 1e-12);
      assert_true(fabs(x[14] + 2) < 1e-12); // mu 2 e, e = 2
      for (int k = 0; k < 4; k++) assert_true(fabs(x[3 + k] - x[9 + k]) < 1e-12 && x[3] > 0.9);
      if (!differs) assert_true(fabs(x[1] - x[7]) < 1e-12 && fabs(x[2] - x[8]) < 1e-12);
      assert_true(fabs(x[1] + x[7] - 2) < 1e-12);
    }
  srs_contact_solver_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_are_found_and_others_are_not),
      cmocka_unit_test(copies_but_for_rounding_are_copies),
      cmocka_unit_test(copies_share_equally),
      cmocka_unit_test(copies_of_any_size_share_equally),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
