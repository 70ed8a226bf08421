// Are the contact problems of others solved? Those of data/contact-problems (its README.md tells where they are from,
// and how far another solver came), read from FCLIB's files, each by both solvers of the exact cone: to a residual of
// 1e-10 as contact.h has it, figured here once more from the stored numbers.
#include "support/blocks.h"
#include "support/testing.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, LONGEST_NAME = 256 };

// Large ones take seconds: by the default solver alone, and not under the sanitizers, which see the same code in the
// others. SARRUS_LONG has all solved by both.
enum { SMALL = 100 }; // contacts
#ifdef __SANITIZE_ADDRESS__
static const bool with_large = false;
#else
static const bool with_large = true;
#endif

static const double enough = 1e-10; // what is asked of other solvers, too

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

// Names of the files there, sorted.
static int list(const char *folder, char names[MOST_FILES][LONGEST_NAME])
{
  DIR *stream = opendir(folder);
  assert_non_null(stream);
  int n = 0;
  for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending == NULL || strcmp(ending, ".hdf5") != 0) continue;
    assert_in_range(n, 0, MOST_FILES - 1);
    snprintf(names[n++], sizeof names[0], "%s", entry->d_name);
  }
  closedir(stream);
  qsort(names, (size_t)n, sizeof names[0], by_name);
  return n;
}

// |x - P_K(x - w - mu |w_t| e_n)|^2 of a contact of d rows.
static double defect(int d, const double *x, const double *w, double mu)
{
  double slip = 0, t = 0, y[3];
  for (int k = 1; k < d; k++) slip += w[k] * w[k];
  y[0] = x[0] - w[0] - mu * sqrt(slip);
  for (int k = 1; k < d; k++) y[k] = x[k] - w[k], t += y[k] * y[k];
  t = sqrt(t);
  double normal = y[0], shrink = 1; // of the projection: P = (normal, shrink y_t)
  if (mu * t <= -y[0])
    normal = shrink = 0;
  else if (t > mu * y[0])
    normal = (y[0] + mu * t) / (1 + mu * mu), shrink = mu * normal / t;
  double sum = (x[0] - normal) * (x[0] - normal);
  for (int k = 1; k < d; k++) sum += (x[k] - shrink * y[k]) * (x[k] - shrink * y[k]);
  return sum;
}

static double residual(const srs_contact_problem *p, const double *impulse)
{
  const int d = p->tangents != NULL ? 2 : 3, n = d * p->n_contacts;
  double sum = 0, size = 0, x[3], w[3];
  assert_int_equal(p->n_bilateral, 0);
  for (int pass = 0; pass < 2; pass++) // the size of b' first
    for (int c = 0; c < p->n_contacts; c++) {
      double diagonal = 0;
      for (int k = 0; k < d; k++) diagonal += p->W[(size_t)(d * c + k) * ((size_t)n + 1)] / d;
      const double s = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
      for (int k = 0; k < d; k++) {
        const double *row = p->W + (size_t)(d * c + k) * (size_t)n;
        w[k] = p->b[d * c + k];
        if (pass == 0) size += s * s * w[k] * w[k];
        for (int j = 0; j < n; j++) w[k] += row[j] * impulse[j];
        x[k] = impulse[d * c + k] / s, w[k] *= s;
      }
      if (pass == 1) sum += defect(d, x, w, p->friction[c]);
    }
  return size > 0 ? sqrt(sum / size) : 0;
}

static void solve(const char *name, const srs_contact_problem *p, srs_contact_method solver_name)
{
  const int n = srs_contact_problem_rows(p);
  srs_error error = {0};
  srs_contact_solver *solver = NULL;
  assert_int_equal(srs_contact_solver_create(n, &solver, &error), SRS_OK);
  double *impulse = calloc(2 * (size_t)n, sizeof *impulse), *velocity = impulse + n;
  assert_non_null(impulse);
  srs_contact_options options = srs_default_contact_options();
  options.method = solver_name;
  options.tolerance = 0.1 * enough;
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, p, &options, false, impulse, velocity, &report), SRS_OK);
  const bool is_exact = solver_name <= SRS_METHOD_MNCP_PLM; // others: with a polyhedron
  const double own = is_exact ? residual(p, impulse) : 0;
  srs_contact_judgement j;
  const srs_contact_claim claim = srs_contact_claim_of(&options, impulse, velocity);
  assert_int_equal(srs_contact_judge(p, &claim, &j, NULL), SRS_OK);
  if (report.residual > enough || own > enough || j.residual > enough)
    fail_msg("%s, %s: residual %g, figured here %g, judged %g", name, srs_contact_method_name(solver_name),
             report.residual, own, j.residual);
  // The kinds are zero where the natural map is; with friction up to 1 they are of its size, a factor of ten aside.
  assert_true(fmax(j.gap.relative, fmax(j.cone.relative, j.dissipation.relative)) <= 10 * enough);
  assert_true(j.velocity.relative <= 1e-12 && j.energy <= 0);
  free(impulse);
  srs_contact_solver_destroy(solver);
}

static void every_problem_is_solved(int tangents)
{
  static char names[MOST_FILES][LONGEST_NAME];
  const int n = list(testing_data("contact-problems"), names);
  int seen = 0;
  for (int i = 0; i < n; i++) {
    char relative[300];
    snprintf(relative, sizeof relative, "contact-problems/%.255s", names[i]);
    srs_contact_file file;
    srs_error error = {0};
    if (srs_contact_file_read(testing_data(relative), &file, &error) != SRS_OK)
      fail_msg("%s: %s", names[i], error.message);
    if ((file.problem.tangents != NULL ? 1 : 2) == tangents) {
      seen++;
      const bool all = file.problem.n_contacts <= SMALL || getenv("SARRUS_LONG") != NULL;
      if (all || with_large) solve(names[i], &file.problem, SRS_METHOD_MNCP_RLM);
      if (all) solve(names[i], &file.problem, SRS_METHOD_MNCP_PLM);
      if (all) solve(names[i], &file.problem, SRS_METHOD_RELAXED);
      if (all) solve(names[i], &file.problem, SRS_METHOD_RELAXED_FIXED_POINT);
    }
    srs_contact_file_free(&file);
  }
  assert_int_equal(seen, tangents == 2 ? 16 : 4);
}

// By blocks and whole: velocities of one problem, residuals to 1e-12.
static void solve_by_blocks(const char *name, const srs_contact_problem *p, srs_contact_method solver_name)
{
  const int n = srs_contact_problem_rows(p);
  srs_contact_solver *solver = NULL;
  testing_blocks blocks;
  testing_blocks_make(p, &blocks);
  const srs_contact_sizes sizes = testing_sizes(&blocks.blocks, 4);
  double *x = calloc(4 * (size_t)n, sizeof *x), *w = x + n, *v = w + n, *y = v + n, apart = 0, size = 0;
  assert_non_null(x);
  srs_contact_options options = srs_default_contact_options();
  options.method = solver_name;
  srs_contact_report report, whole = {0};
  assert_int_equal(srs_contact_solver_create(n, &solver, NULL), SRS_OK);
  srs_status status = srs_contact_solver_reserve_blocks(solver, &sizes, NULL);
  for (; status == SRS_OK; status = srs_contact_solver_reserve_blocks(solver, &sizes, NULL)) // what elimination fills
    if (srs_contact_solve(solver, &blocks.problem, &options, false, x, v, &report) != SRS_ERROR_CAPACITY) break;
  const bool is_exact = solver_name <= SRS_METHOD_MNCP_PLM;
  if (is_exact) assert_int_equal(srs_contact_solve(solver, p, &options, false, y, w, &whole), SRS_OK);
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(p->b[i]));
    if (is_exact) apart = fmax(apart, fabs(v[i] - w[i]));
  }
  print_message("%s, %s: residual %.2g after %d iterations, from %s, velocities %.2g apart\n", name,
                srs_contact_method_name(solver_name), report.residual, report.iterations,
                srs_contact_stage_name(report.stage), apart / size);
  assert_true(status == SRS_OK && report.residual <= 1e-12 && whole.residual <= 1e-12 && apart <= 1e-9 * size);
  free(x);
  testing_blocks_free(&blocks);
  srs_contact_solver_destroy(solver);
}

static void large_ones_are_solved_by_blocks(void **state)
{
  (void)state;
  static char names[MOST_FILES][LONGEST_NAME];
  const int n = list(testing_data("contact-problems"), names);
  int seen = 0;
  for (int i = 0; i < n && with_large; i++) {
    char relative[300];
    snprintf(relative, sizeof relative, "contact-problems/%.255s", names[i]);
    srs_contact_file file;
    assert_int_equal(srs_contact_file_read(testing_data(relative), &file, NULL), SRS_OK);
    if (srs_contact_problem_rows(&file.problem) >= 300) {
      seen++;
      solve_by_blocks(names[i], &file.problem, SRS_METHOD_MNCP_RLM);
      solve_by_blocks(names[i], &file.problem, SRS_METHOD_MNCP_PLM);
      solve_by_blocks(names[i], &file.problem, SRS_METHOD_MLCP_PFB_RLM);
    }
    srs_contact_file_free(&file);
  }
  assert_true(seen == 2 || !with_large);
}

static void every_problem_in_space_is_solved(void **state)
{
  (void)state;
  every_problem_is_solved(2);
}

static void every_problem_in_the_plane_is_solved(void **state)
{
  (void)state;
  every_problem_is_solved(1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_problem_in_space_is_solved),
      cmocka_unit_test(every_problem_in_the_plane_is_solved),
      cmocka_unit_test(large_ones_are_solved_by_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
