// Walls of bricks that slide on each other: many contacts that hold each other, of which some slide.
//
// Three to five layers of one to three bricks on a floor under tilted gravity, four contacts between each pair that
// touches, masses to 1 : 100, friction 0.3 to 0.9, and speeds as of bricks that were nudged. W = J M^-1 J^T has half as
// much rank as rows or less. Damped steps end at residuals of 1e-3 in most of these; a few proximal points from sweeps
// and then smoothed contacts lead on.
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BRICKS = 15, MOST_CONTACTS = 160, MOST_ROWS = 3 * MOST_CONTACTS };

static const double half[3] = {0.1, 0.05, 0.05}; // m, of a brick

typedef struct wall {
  int n_bricks, n_contacts;
  double at[MOST_BRICKS][3], mass[MOST_BRICKS], speed[MOST_BRICKS][6];
  double J[MOST_ROWS][6 * MOST_BRICKS], W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS];
} wall;

// Rows of one body at a point: of the velocity along the axes `first`, `first + 1`, `first + 2`, times sign.
static void add_rows(wall *w, int body, const double point[3], int first, double sign)
{
  double r[3];
  for (int k = 0; k < 3; k++) r[k] = point[k] - w->at[body][k];
  for (int k = 0; k < 3; k++) {
    const int axis = (first + k) % 3, x = (axis + 1) % 3, y = (axis + 2) % 3;
    double *row = w->J[3 * w->n_contacts + k] + 6 * (size_t)body;
    row[axis] = sign;
    row[3 + x] = sign * r[y]; // v = angular x r
    row[3 + y] = -sign * r[x];
  }
}

static void add_contact(wall *w, int upper, int lower, const double point[3], int normal, double friction)
{
  add_rows(w, upper, point, normal, 1);
  if (lower >= 0) add_rows(w, lower, point, normal, -1);
  w->friction[w->n_contacts++] = friction;
}

// The corners of what two bricks, one above the other, share; or of a brick on the floor.
static void stack(wall *w, int upper, int lower, double friction)
{
  double from = w->at[upper][0] - half[0], to = w->at[upper][0] + half[0];
  if (lower >= 0) from = fmax(from, w->at[lower][0] - half[0]), to = fmin(to, w->at[lower][0] + half[0]);
  if (!(from < to - 1e-3)) return;
  for (int k = 0; k < 4; k++) {
    const double point[3] = {k % 2 == 0 ? from : to, k < 2 ? -half[1] : half[1], w->at[upper][2] - half[2]};
    add_contact(w, upper, lower, point, 2, friction);
  }
}

static void place(testing_random *random, wall *w)
{
  const int layers = 3 + testing_below(random, 3), columns = 1 + testing_below(random, 3);
  const double friction = testing_uniform(random, 0.3, 0.9);
  memset(w, 0, sizeof *w);
  for (int i = 0; i < layers * columns; i++) {
    const int layer = i / columns;
    w->at[i][0] = 2 * half[0] * (i % columns) + (layer % 2 == 0 ? 0 : testing_uniform(random, 0.02, 0.06));
    w->at[i][2] = half[2] * (1 + 2 * layer);
    w->mass[i] = pow(10, testing_uniform(random, -1, 1));
    w->n_bricks++;
    for (int j = layer == 0 ? -1 : (layer - 1) * columns; j < layer * columns; j++) {
      if (layer == 0 && j >= 0) break;
      stack(w, i, j, friction);
    }
  }
}

static void draw(testing_random *random, wall *w)
{
  const double dt = 1e-3, tilt[3] = {testing_uniform(random, -3, 3), testing_uniform(random, -3, 3), -9};
  place(random, w);
  const int n = 3 * w->n_contacts, size = 6 * w->n_bricks;
  double inverse[6 * MOST_BRICKS], free[6 * MOST_BRICKS];
  for (int j = 0; j < size; j++) {
    const double *h = half, m = w->mass[j / 6];
    const int k = j % 6, x = (k + 1) % 3, y = (k + 2) % 3;
    inverse[j] = k < 3 ? 1 / m : 3 / (m * (h[x] * h[x] + h[y] * h[y]));
    free[j] = testing_uniform(random, -0.01, 0.01) + (k < 3 ? dt * tilt[k] : 0);
  }
  for (int i = 0; i < n; i++) {
    w->b[i] = 0;
    for (int k = 0; k < size; k++) w->b[i] += w->J[i][k] * free[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < size; k++) sum += w->J[i][k] * inverse[k] * w->J[j][k];
      w->W[i * n + j] = sum;
    }
  }
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void walls_that_slide_are_solved_in_little_work(void **state)
{
  (void)state;
  enum { MOST = 60 };
  const double most_work = 1.2e8; // the median; 1.4e8 to 1.8e8 with damped steps first
  const int n = testing_draws(MOST);
  static wall w;
  double work[MOST];
  testing_random random = testing_random_start(2611);
  srs_contact_solver *solver;
  double *x = calloc(MOST_ROWS, sizeof *x);
  int unsolved = 0;
  assert_non_null(x);
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < n; i++) {
    draw(&random, &w);
    const srs_contact_problem p = {.n_contacts = w.n_contacts, .W = w.W, .b = w.b, .friction = w.friction};
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(solver, &p, NULL, false, x, NULL, &report), SRS_OK);
    unsolved += report.status != SRS_CONTACT_SOLVED;
    work[i] = report.work;
  }
  qsort(work, (size_t)n, sizeof *work, compare);
  print_message("%d walls: %d unsolved, work %.3g in the median, %.3g at most\n", n, unsolved, work[n / 2],
                work[n - 1]);
  srs_contact_solver_destroy(solver);
  free(x);
  assert_int_equal(unsolved, 0);
  assert_true(work[n / 2] <= most_work);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(walls_that_slide_are_solved_in_little_work)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
