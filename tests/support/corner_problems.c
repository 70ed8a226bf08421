// Contact problems with groups of sides, made by drawing lots.
#include "support/corner_problems.h"

#include <math.h>
#include <string.h>

typedef struct lots_drawn {
  int n_velocities, n_rows;
  double J[CORNER_ROWS][CORNER_VELOCITIES], inverse[CORNER_VELOCITIES];
  double inside[CORNER_VELOCITIES], free[CORNER_VELOCITIES]; // v°, v_free
} lots_drawn;

static double dot(const lots_drawn *d, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < d->n_velocities; i++) sum += a[i] * b[i];
  return sum;
}

static double *draw_row(testing_random *random, lots_drawn *d)
{
  double *row = d->J[d->n_rows++];
  for (int i = 0; i < d->n_velocities; i++) row[i] = testing_uniform(random, -1, 1);
  return row;
}

// Adds a multiple of v°, so that row . v° = wanted.
static void move_row(const lots_drawn *d, double wanted, double *row)
{
  const double share = (wanted - dot(d, row, d->inside)) / dot(d, d->inside, d->inside);
  for (int i = 0; i < d->n_velocities; i++) row[i] += share * d->inside[i];
}

static void draw_contact(testing_random *random, const corner_lots *lots, bool is_kept, lots_drawn *d,
                         corner_problem *corner)
{
  const int c = corner->problem.contacts.n_contacts++;
  const double mu = lots->most_friction > 0 ? testing_uniform(random, 0, lots->most_friction) : 0;
  corner->friction[c] = mu;
  corner->normal[c] = d->n_rows;
  corner->tangents[c] = (unsigned char)(lots->tangents < 0 ? testing_below(random, 4) : lots->tangents);
  double slip = 0;
  double *normal = draw_row(random, d);
  for (int k = 0; k < corner->tangents[c]; k++) slip = hypot(slip, dot(d, draw_row(random, d), d->inside));
  if (is_kept) move_row(d, mu * slip + testing_uniform(random, 0.05, 1), normal);
}

void corner_problem_draw(testing_random *random, const corner_lots *lots, corner_problem *corner)
{
  lots_drawn d = {.n_velocities = 2 + testing_below(random, CORNER_VELOCITIES - 1)};
  memset(corner, 0, sizeof *corner);
  srs_contact_problem *p = &corner->problem.contacts;
  for (int i = 0; i < d.n_velocities; i++) {
    d.inverse[i] = pow(10, testing_uniform(random, -1, 1));
    d.inside[i] = testing_uniform(random, -1, 1);
    d.free[i] = testing_uniform(random, -1, 1);
  }
  const int bilateral = lots->most_bilateral < d.n_velocities ? lots->most_bilateral : d.n_velocities - 1;
  p->n_bilateral = testing_below(random, bilateral + 1);
  for (int i = 0; i < p->n_bilateral; i++) move_row(&d, 0, draw_row(random, &d));
  const int n_contacts = testing_below(random, lots->most_contacts + 1);
  for (int i = 0; i < n_contacts; i++) draw_contact(random, lots, true, &d, corner);
  const int n_groups = 1 + testing_below(random, lots->most_groups);
  for (int group = 0, k = 0; group < n_groups; group++) {
    const int sides = 2 + testing_below(random, lots->most_sides - 1), kept = testing_below(random, sides);
    for (int i = 0; i < sides; i++, k++) {
      corner->side[k] = p->n_contacts;
      draw_contact(random, lots, i == kept, &d, corner);
    }
    corner->first[group + 1] = k;
  }
  const int n = d.n_rows;
  assert_true(n <= CORNER_ROWS);
  for (int i = 0; i < n; i++) {
    corner->b[i] = dot(&d, d.J[i], d.free);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < d.n_velocities; k++) corner->W[i * n + j] += d.J[i][k] * d.inverse[k] * d.J[j][k];
  }
  p->W = corner->W, p->b = corner->b, p->friction = corner->friction, p->tangents = corner->tangents;
  corner->problem.n_groups = n_groups;
  corner->problem.first = corner->first;
  corner->problem.side = corner->side;
}

// ---- the laws ----

static double contact_defect(const double *x, const double *w, int d, double mu)
{
  double pull = 0, slip = 0, along = 0;
  for (int k = 1; k <= d; k++) pull = hypot(pull, x[k]), slip = hypot(slip, w[k]);
  for (int k = 1; k <= d; k++) along = hypot(along, x[k] * slip + mu * x[0] * w[k]); // 0 where it slides or sticks
  const double sliding = slip > 1e-7 ? along / slip : 0;
  return fmax(fmax(fabs(fmin(x[0], w[0])), pull - mu * fmax(x[0], 0)), sliding);
}

double corner_problem_velocities(const corner_problem *corner, const double *x, double *w)
{
  const srs_contact_problem *p = &corner->problem.contacts;
  const int n = srs_contact_problem_rows(p);
  double worst = 0;
  for (int i = 0; i < n; i++) {
    w[i] = corner->b[i];
    for (int j = 0; j < n; j++) w[i] += corner->W[i * n + j] * x[j];
    if (i < p->n_bilateral) worst = fmax(worst, fabs(w[i]));
  }
  return worst;
}

double corner_problem_defect(const corner_problem *corner, const int *choice, const double *x)
{
  const srs_contact_problem *p = &corner->problem.contacts;
  double w[CORNER_ROWS];
  double worst = corner_problem_velocities(corner, x, w);
  bool is_side[CORNER_ROWS] = {false};
  for (int group = 0; group < corner->problem.n_groups; group++) {
    double most = -INFINITY, push = 0;
    for (int k = corner->first[group]; k < corner->first[group + 1]; k++) {
      const int c = corner->side[k], i = corner->normal[c];
      const bool is_chosen = k == corner->first[group] + choice[group];
      is_side[c] = true;
      most = fmax(most, w[i]);
      if (is_chosen) push = x[i];
      for (int row = i; row <= i + corner->tangents[c] && !is_chosen; row++) worst = fmax(worst, fabs(x[row]));
      if (is_chosen && x[i] != 0)
        worst = fmax(worst, contact_defect(x + i, w + i, corner->tangents[c], corner->friction[c]));
    }
    worst = fmax(worst, fabs(fmin(push, most))); // max_k a_k >= 0, and a push only where it is 0
  }
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = corner->normal[c];
    if (!is_side[c]) worst = fmax(worst, contact_defect(x + i, w + i, corner->tangents[c], corner->friction[c]));
  }
  return worst;
}

srs_contact_problem corner_problem_left(const corner_problem *corner, const int *choice, double *W, double *b,
                                        double *friction, unsigned char *tangents, int *rows)
{
  bool is_out[CORNER_ROWS] = {false};
  int row[CORNER_ROWS], n = 0;
  const srs_contact_problem *p = &corner->problem.contacts;
  const int whole = srs_contact_problem_rows(p);
  for (int group = 0; group < corner->problem.n_groups; group++)
    for (int k = corner->first[group]; k < corner->first[group + 1]; k++)
      is_out[corner->side[k]] = k != corner->first[group] + choice[group];
  for (int i = 0; i < p->n_bilateral; i++) row[n++] = i;
  srs_contact_problem left = {
      .n_bilateral = p->n_bilateral, .W = W, .b = b, .friction = friction, .tangents = tangents};
  for (int c = 0; c < p->n_contacts; c++) {
    if (is_out[c]) continue;
    friction[left.n_contacts] = corner->friction[c];
    tangents[left.n_contacts++] = corner->tangents[c];
    for (int k = 0; k <= corner->tangents[c]; k++) row[n++] = corner->normal[c] + k;
  }
  for (int i = 0; i < n; i++) {
    b[i] = corner->b[row[i]];
    for (int j = 0; j < n; j++) W[i * n + j] = corner->W[row[i] * whole + row[j]];
    if (rows != NULL) rows[i] = row[i];
  }
  return left;
}

double corner_problem_try(const corner_problem *corner, srs_contact_solver *solver, const int *choice, double *impulse)
{
  static double W[CORNER_ROWS * CORNER_ROWS];
  double b[CORNER_ROWS], x[CORNER_ROWS], friction[CORNER_ROWS];
  unsigned char tangents[CORNER_ROWS];
  int row[CORNER_ROWS];
  const srs_contact_problem left = corner_problem_left(corner, choice, W, b, friction, tangents, row);
  srs_contact_report report;
  srs_contact_options options = srs_default_contact_options();
  options.method = SRS_METHOD_MNCP_PLM;
  assert_int_equal(srs_contact_solve(solver, &left, &options, false, x, NULL, &report), SRS_OK);
  for (int i = 0; i < srs_contact_problem_rows(&corner->problem.contacts); i++) impulse[i] = 0;
  for (int i = 0; i < srs_contact_problem_rows(&left); i++) impulse[row[i]] = x[i];
  return report.residual < 1e-9 ? corner_problem_defect(corner, choice, impulse) : INFINITY;
}

bool corner_problem_next(const corner_problem *corner, int *choice)
{
  for (int group = 0; group < corner->problem.n_groups; group++) {
    if (++choice[group] < corner->first[group + 1] - corner->first[group]) return true;
    choice[group] = 0;
  }
  return false;
}
