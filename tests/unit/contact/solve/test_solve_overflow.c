// Contact problems of finite numbers in which sums and products overflow, or vanish: whatever a solver makes of them,
// what it hands back is finite and inside its cones, or the call says that numbers overflow and hands back none.
//
// Small problems of ordinary numbers are drawn; then a few numbers of W, b and the friction are replaced by ones from
// 5e-324 to 1e308, as in files of strangers. W then need not be symmetric or positive.
#include "contact/problem/polyhedron.h"
#include "support/blocks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CONTACTS = 3, MOST_ROWS = 20 }; // rows: 4 of each contact, 4 bilateral, 2 unilateral, 2 box

typedef struct drawn {
  srs_contact_problem problem;
  int n;
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS], anisotropy[3 * MOST_CONTACTS];
  double lower[2], upper[2];
  unsigned char tangents[MOST_CONTACTS];
} drawn;

// ---- drawing ----

static double any_number(testing_random *random)
{
  static const double special[] = {0,      1e-300, 1e-12, 1e154,  -1e154, 1e200, 1e308, -1e308, 1e9, 1e16, 1e-5,
                                   5e-324, 1e-9,   1e300, -1e300, 1e-200, 1e30,  1e-30, -1,     1,   -1e5, 1e150};
  const int n = sizeof special / sizeof *special, choice = testing_below(random, 2 * n);
  if (choice < n) return special[choice];
  const double size = pow(10, testing_uniform(random, -308, 308));
  return choice % 2 == 0 ? size : -size;
}

// Rows of a drawn matrix: diagonal entries 2 and more, the others below 1/4.
static void draw_matrix(testing_random *random, drawn *d)
{
  const bool is_apart = testing_below(random, 6) == 0;
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j <= i; j++) {
      const double entry = i == j ? 2 + i : is_apart ? 0 : 0.25 / (1 + i + j);
      d->W[i * d->n + j] = d->W[j * d->n + i] = entry;
    }
}

static void put_extremes(testing_random *random, drawn *d)
{
  const bool is_symmetric = testing_below(random, 2) == 0;
  for (int k = 1 + testing_below(random, 4); k > 0; k--) {
    const double number = any_number(random);
    const int i = testing_below(random, d->n), j = testing_below(random, 2) == 0 ? i : testing_below(random, d->n);
    const int what = testing_below(random, 8);
    if (what < 4) {
      d->W[i * d->n + j] = number;
      if (is_symmetric) d->W[j * d->n + i] = number;
    } else if (what < 6) {
      d->b[i] = number;
    } else if (what == 6 && d->problem.n_contacts > 0) {
      d->friction[testing_below(random, d->problem.n_contacts)] = fabs(number);
    } else if (d->problem.anisotropy != NULL && number != 0) {
      d->anisotropy[testing_below(random, 3 * d->problem.n_contacts)] = fabs(number);
    } else if (d->problem.n_box > 0) {
      d->upper[0] = fabs(number);
    }
  }
}

static void draw(testing_random *random, drawn *d)
{
  srs_contact_problem *p = &d->problem;
  const int form = testing_below(random, 4); // in space, planar, any tangents, with anisotropy
  *d =
      (drawn){.problem = {.W = d->W, .b = d->b, .friction = d->friction, .box_lower = d->lower, .box_upper = d->upper}};
  p->n_contacts = testing_below(random, MOST_CONTACTS + 1);
  p->n_bilateral = testing_below(random, 5) * (testing_below(random, 3) > 0);
  if (testing_below(random, 3) == 0) p->n_unilateral = testing_below(random, 3), p->n_box = testing_below(random, 3);
  if (p->n_contacts + p->n_bilateral + p->n_unilateral + p->n_box == 0 || form == 3) p->n_contacts = MOST_CONTACTS;
  for (int c = 0; c < p->n_contacts; c++) {
    d->friction[c] = 0.25 * (1 + testing_below(random, 4));
    d->tangents[c] = form == 1 ? 1 : form == 0 ? 2 : (unsigned char)testing_below(random, 4);
    for (int k = 0; k < 3; k++) d->anisotropy[3 * c + k] = testing_uniform(random, 0.5, 2);
  }
  if (form > 0) p->tangents = d->tangents;
  if (form == 3) p->anisotropy = d->anisotropy;
  for (int k = 0; k < p->n_box; k++) d->lower[k] = -1, d->upper[k] = 2;
  d->n = srs_contact_problem_rows(p);
  draw_matrix(random, d);
  for (int i = 0; i < d->n; i++) d->b[i] = testing_uniform(random, -2, 1);
  put_extremes(random, d);
}

// ---- judging ----

static bool all_finite(const double *x, int n)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

// But for rounding, 1e-9 of the bound, and numbers that vanish beside the largest impulse.
static bool is_inside(const drawn *d, const double *x)
{
  const srs_contact_problem *p = &d->problem;
  double vanishing = DBL_MIN;
  for (int i = 0; i < d->n; i++) vanishing = fmax(vanishing, DBL_MIN * fabs(x[i]));
  x += p->n_bilateral;
  for (int c = 0; c < p->n_contacts; c++) {
    const int tangents = p->tangents == NULL ? 2 : p->tangents[c];
    long double square = 0;
    for (int k = 0; k < tangents; k++) {
      const long double t = (long double)x[1 + k] / (p->anisotropy == NULL ? 1 : p->anisotropy[3 * c + k]);
      square += t * t;
    }
    if (x[0] < 0 || sqrtl(square) > d->friction[c] * (long double)x[0] * (1 + 1e-9) + vanishing) return false;
    x += 1 + tangents;
  }
  for (int i = 0; i < p->n_unilateral; i++)
    if (x[i] < 0) return false;
  x += p->n_unilateral;
  for (int i = 0; i < p->n_box; i++)
    if (x[i] < d->lower[i] * (1 + 1e-9) || x[i] > d->upper[i] * (1 + 1e-9)) return false;
  return true;
}

static void print(const drawn *d)
{
  const srs_contact_problem *p = &d->problem;
  printf("%d bilateral, %d contacts, %d unilateral, %d box\n", p->n_bilateral, p->n_contacts, p->n_unilateral,
         p->n_box);
  for (int i = 0; i < d->n; i++) {
    for (int j = 0; j < d->n; j++) printf(" %9.3g", d->W[i * d->n + j]);
    printf("  b %9.3g\n", d->b[i]);
  }
  for (int c = 0; c < p->n_contacts; c++)
    printf("mu %g, tangents %d, e %g %g %g\n", d->friction[c], p->tangents == NULL ? 2 : p->tangents[c],
           d->anisotropy[(ptrdiff_t)3 * c], d->anisotropy[(ptrdiff_t)3 * c + 1], d->anisotropy[(ptrdiff_t)3 * c + 2]);
}

static const char *fault_of(const drawn *d, srs_status status, const double *x, const double *w,
                            const srs_contact_report *report)
{
  if (status != SRS_OK && status != SRS_ERROR_DIVERGED) return "another status";
  if (!all_finite(x, d->n)) return "impulses that are not finite";
  if (status != SRS_OK) return report->status == SRS_CONTACT_NOT_FINITE ? NULL : "a report that does not say so";
  if (report->status == SRS_CONTACT_NOT_FINITE) return "a report that says not finite";
  if (!all_finite(w, d->n)) return "velocities that are not finite";
  if (!isfinite(report->residual)) return "a residual that is not finite";
  if (report->status != SRS_CONTACT_UNSOLVED) return NULL; // inside, but for the residual
  return is_inside(d, x) ? NULL : "impulses outside their cones";
}

typedef struct counts {
  int faults, overflows, solved;
} counts;

static void solve(const drawn *d, srs_contact_solver *solver, const srs_contact_problem *problem, int method, bool warm,
                  const char *form, counts *sum)
{
  double x[MOST_ROWS] = {0}, w[MOST_ROWS];
  srs_contact_report report;
  srs_contact_options options = srs_default_contact_options();
  options.method = (srs_contact_method)method;
  options.most_work = 3e5;
  for (int i = 0; i < d->n && warm; i++) x[i] = i % 2 == 0 ? 1e300 : -1;
  const srs_status status = srs_contact_solve(solver, problem, &options, warm, x, w, &report);
  sum->overflows += status == SRS_ERROR_DIVERGED;
  sum->solved += status == SRS_OK && report.status == SRS_CONTACT_SOLVED;
  const char *fault = fault_of(d, status, x, w, &report);
  if (fault == NULL) return;
  if (sum->faults++ > 20) return;
  printf("%s, %s: %s (status %d, %s, residual %g)\n", srs_contact_method_name(options.method), form, fault, (int)status,
         srs_contact_status_name(report.status), report.residual);
  print(d);
  for (int i = 0; i < d->n; i++) printf("  x %g w %g\n", x[i], w[i]);
}

static void what_is_handed_back_is_finite_or_overflow(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1910);
  const int problems = getenv("SARRUS_LONG") != NULL ? 200000 : 600;
  srs_contact_solver *solver;
  counts sum = {0};
  drawn d;
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int k = 0; k < problems; k++) {
    draw(&random, &d);
    testing_blocks by_blocks;
    testing_blocks_make(&d.problem, &by_blocks);
    const srs_contact_sizes sizes = testing_sizes(&by_blocks.blocks, 4);
    assert_int_equal(srs_contact_solver_reserve_blocks(solver, &sizes, NULL), SRS_OK);
    for (int method = 0; method < SRS_CONTACT_METHODS; method++) {
      solve(&d, solver, &d.problem, method, k % 5 == 4, "dense", &sum);
      solve(&d, solver, &by_blocks.problem, method, k % 5 == 4, "by blocks", &sum);
    }
    testing_blocks_free(&by_blocks);
  }
  srs_contact_solver_destroy(solver);
  printf("%d problems by %d solvers, dense and by blocks: %d solved, %d overflow\n", problems, SRS_CONTACT_METHODS,
         sum.solved, sum.overflows);
  assert_int_equal(sum.faults, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_handed_back_is_finite_or_overflow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
