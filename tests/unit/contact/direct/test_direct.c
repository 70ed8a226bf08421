// Contact problems that need no search.
#include "contact/direct/direct.h"
#include "contact/problem/certificate.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 4, MOST_ROWS = 4 * MOST_CONTACTS };

typedef struct drawn {
  srs_contact_problem p;
  int n;
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS], anisotropy[3 * MOST_CONTACTS];
  unsigned char tangents[MOST_CONTACTS];
} drawn;

// W = J J^T: of a contact's own coordinates, or of as many that all contacts share.
static void draw(testing_random *random, int planar, int shared, drawn *d)
{
  double J[MOST_ROWS][MOST_ROWS + 4] = {0};
  *d = (drawn){.p = {.n_contacts = 2 + testing_below(random, MOST_CONTACTS - 1)}};
  d->p.W = d->W, d->p.b = d->b, d->p.friction = d->friction, d->p.tangents = d->tangents;
  d->p.anisotropy = planar ? NULL : d->anisotropy;
  for (int c = 0, i = 0; c < d->p.n_contacts; c++, i = d->n) {
    d->tangents[c] = (unsigned char)(planar ? 1 : testing_below(random, 4));
    d->friction[c] = testing_below(random, 5) == 0 ? 0 : testing_uniform(random, 0, 1);
    for (int k = 0; k < 3; k++) d->anisotropy[3 * c + k] = testing_uniform(random, 0.2, 2);
    d->n = i + 1 + d->tangents[c];
    for (int row = i; row < d->n; row++) {
      d->b[row] = testing_uniform(random, -1, 0.5);
      for (int k = 0; k < (shared > 0 ? shared : d->n - i); k++)
        J[row][shared > 0 ? k : i + k] = testing_uniform(random, -1, 1);
    }
  }
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < d->n; j++)
      for (int k = 0; k < MOST_ROWS + 4; k++) d->W[i * d->n + j] += J[i][k] * J[j][k];
}

// The residual of what comes out; infinite where nothing does.
static double residual(const drawn *d)
{
  double scale[MOST_ROWS], x[MOST_ROWS], w[MOST_ROWS];
  srs_contact_report report;
  srs_contact_form form;
  assert_int_equal(srs_contact_problem_check(&d->p, &form), SRS_OK);
  srs_contact_scales(&d->p, &form, scale);
  const double size = srs_contact_size(d->n, d->b, scale);
  if (srs_contact_direct(&d->p, &form, scale, size, x) < 0) return INFINITY;
  srs_contact_measure(&d->p, &form, scale, size, NULL, x, w, &report);
  return report.residual;
}

static void contacts_that_do_not_feel_each_other_are_answered_one_by_one(void **state)
{
  (void)state;
  testing_random random = testing_random_start(321);
  static drawn d;
  int n_exact = 0;
  for (int i = 0; i < 5000; i++) {
    draw(&random, i % 2, 0, &d);
    const double error = residual(&d);
    assert_true(error < INFINITY);
    n_exact += error < 1e-12; // a contact of ill-conditioned J has an answer 1e6 times as large as b
  }
  assert_true(n_exact > 4900);
}

// With six coordinates shared, W is mostly regular; with three there are many answers where all stick.
static void a_few_planar_contacts_are_answered_by_their_branches(void **state)
{
  (void)state;
  testing_random random = testing_random_start(322);
  static drawn d;
  int n_exact = 0, n_searched = 0, n_wrong = 0;
  const int count = 5000;
  for (int i = 0; i < count; i++) {
    draw(&random, 1, i % 2 == 0 ? 6 : 3, &d);
    const double error = residual(&d);
    n_searched += error == INFINITY;
    n_exact += error < 1e-12;
    n_wrong += error < INFINITY && error > 1e-6; // pivots are above 1e-8 of the largest
  }
  print_message("of %d: %d exact, %d left to the search\n", count, n_exact, n_searched);
  assert_int_equal(n_wrong, 0);
  assert_true(n_exact > count / 2);
}

static void what_is_coupled_in_space_is_left_to_the_search(void **state)
{
  (void)state;
  testing_random random = testing_random_start(323);
  static drawn d;
  for (int i = 0; i < 100; i++) {
    draw(&random, 0, 6, &d);
    assert_true(residual(&d) == INFINITY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_that_do_not_feel_each_other_are_answered_one_by_one),
      cmocka_unit_test(a_few_planar_contacts_are_answered_by_their_branches),
      cmocka_unit_test(what_is_coupled_in_space_is_left_to_the_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
