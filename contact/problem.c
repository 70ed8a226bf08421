// How large is a contact problem, and how well do impulses solve it?
//
// Everything is judged on the matrix and the vector as they came, whatever a solver did to them. In scaled units,
// x = S^-1 lambda / |S b| and w = S w / |S b|, every row's error is its distance from the fixed point of the projection
// that defines it (the natural map): w for a bilateral row, min(x, w) for a unilateral one, x - clamp(x - w) for a box
// row, x - P_K(x - w - mu |w_t| e_n) for a contact. S holds the extents of tangent rows, so that the cone is round.
#include "contact/problem.h"
#include "contact/blocks.h"
#include "contact/cone.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

// Kept out of the usual way, which is gone often.
static __attribute__((noinline)) int count_tangents(const unsigned char *tangents, int n_contacts)
{
  int n = 0;
  for (int i = 0; i < n_contacts; i++) n += tangents[i];
  return n;
}

int srs_contact_problem_rows(const srs_contact_problem *p)
{
  const int usual = p->n_bilateral + 3 * p->n_contacts + p->n_unilateral + p->n_box;
  if (p->tangents == NULL) return usual;
  return usual - 2 * p->n_contacts + count_tangents(p->tangents, p->n_contacts);
}

SRS_CONTACT_KERNEL
static bool all_finite(const double *x, size_t n)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}; // 0 * x is 0 for every finite x
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 += 0 * srs_load(x + i);
    s1 += 0 * srs_load(x + i + 4);
    s2 += 0 * srs_load(x + i + 8);
    s3 += 0 * srs_load(x + i + 12);
  }
  double rest = 0;
  for (; i < n; i++) rest += 0 * x[i];
  return srs_sum((s0 + s1) + (s2 + s3)) + rest == 0;
}

static srs_status check_tangents(const srs_contact_problem *problem)
{
  if (problem->tangents == NULL && problem->extent == NULL) return SRS_OK;
  for (int i = 0; i < problem->n_contacts; i++) {
    if (srs_contact_tangents(problem, i) > 3) return SRS_ERROR_ARGUMENT;
    for (int k = 0; problem->extent != NULL && k < srs_contact_tangents(problem, i); k++) {
      const double e = srs_contact_extent(problem, i, k);
      if (!isfinite(e)) return SRS_ERROR_NOT_FINITE;
      if (!(e > 0)) return SRS_ERROR_ARGUMENT;
    }
  }
  return SRS_OK;
}

srs_status srs_contact_problem_check(const srs_contact_problem *problem)
{
  const int most = 1 << 20; // of rows of each kind, so that no size overflows
  if (problem->n_bilateral < 0 || problem->n_contacts < 0 || problem->n_unilateral < 0 || problem->n_box < 0 ||
      problem->n_bilateral > most || problem->n_contacts > most || problem->n_unilateral > most ||
      problem->n_box > most)
    return SRS_ERROR_ARGUMENT;
  const srs_status status = check_tangents(problem);
  if (status != SRS_OK) return status;
  const size_t n = (size_t)srs_contact_problem_rows(problem);
  if (n == 0) return SRS_OK;
  if ((problem->W == NULL) == (problem->blocks == NULL) || problem->b == NULL ||
      (problem->n_contacts > 0 && problem->friction == NULL) ||
      (problem->n_box > 0 && (problem->box_lower == NULL || problem->box_upper == NULL)))
    return SRS_ERROR_ARGUMENT;
  if (problem->blocks != NULL && problem->blocks->first[problem->blocks->n_nodes] != (int)n) return SRS_ERROR_ARGUMENT;
  const bool is_finite = problem->blocks == NULL
                             ? all_finite(problem->W, n * n)
                             : all_finite(problem->blocks->value, problem->blocks->begin[problem->blocks->n_nodes]);
  if (!is_finite || !all_finite(problem->b, n) || !all_finite(problem->friction, (size_t)problem->n_contacts))
    return SRS_ERROR_NOT_FINITE;
  for (int i = 0; i < problem->n_contacts; i++)
    if (problem->friction[i] < 0) return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < problem->n_box; i++) {
    if (isnan(problem->box_lower[i]) || isnan(problem->box_upper[i])) return SRS_ERROR_NOT_FINITE;
    if (problem->box_lower[i] > 0 || problem->box_upper[i] < 0) return SRS_ERROR_ARGUMENT;
  }
  return SRS_OK;
}

static double scale_of(double diagonal) { return diagonal > 0 ? 1 / sqrt(diagonal) : 1; }

// diagonal: the contact's first, step from one to the next.
SRS_CONTACT_INLINE void contact_scales(int d, const double *diagonal, size_t step, const double *e, double *scale)
{
  double sum = diagonal[0];
  for (int k = 0; k < d; k++) sum += (e == NULL ? 1 : e[k] * e[k]) * diagonal[(size_t)(k + 1) * step];
  scale[0] = scale_of(sum / (1 + d));
  for (int k = 0; k < d; k++) scale[k + 1] = scale[0] * (e == NULL ? 1 : e[k]);
}

void srs_contact_scales(const srs_contact_problem *problem, double *scale)
{
  const int n = srs_contact_problem_rows(problem);
  const bool has_blocks = problem->blocks != NULL;
  const size_t step = has_blocks ? 1 : (size_t)n + 1; // along the diagonal
  const double *W = has_blocks ? scale : problem->W;
  if (has_blocks) srs_blocks_diagonal(problem->blocks, scale);
  int i = 0;
  for (; i < problem->n_bilateral; i++) scale[i] = scale_of(W[(size_t)i * step]);
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = srs_contact_tangents(problem, c);
    const double *e = problem->extent == NULL ? NULL : problem->extent + 3 * (size_t)c;
    if (d == 2 && e == NULL)
      contact_scales(2, W + (size_t)i * step, step, NULL, scale + i);
    else if (d == 1 && e == NULL)
      contact_scales(1, W + (size_t)i * step, step, NULL, scale + i);
    else
      contact_scales(d, W + (size_t)i * step, step, e, scale + i);
    i += 1 + d;
  }
  for (; i < n; i++) scale[i] = scale_of(W[(size_t)i * step]);
}

double srs_contact_size(const srs_contact_problem *problem, const double *scale)
{
  const int n = srs_contact_problem_rows(problem);
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(scale[i] * problem->b[i]);
    if (size > largest) largest = size;
  }
  if (!(largest > 0)) return 0;
  const double inverse = 1 / largest;
  for (int i = 0; i < n; i++) {
    const double part = scale[i] * problem->b[i] * inverse;
    sum += part * part;
  }
  return largest * sqrt(sum);
}

SRS_CONTACT_KERNEL
static void velocity(int n, const double *W, const double *b, const double *x, double *w)
{
  for (int i = 0; i < n; i++) w[i] = srs_dot(n, W + (size_t)i * (size_t)n, x) + b[i];
}

static double larger(double a, double b) { return a > b ? a : b; }

// A contact's unscaled figures; its part of the residual squared, and of the one with a polyhedron. e: of its tangents,
// NULL: 1 each. inverse: 1 / |S b|.
SRS_CONTACT_INLINE double measure_contact(int d, const double *impulse, const double *velocity, const double *e,
                                          double mu, double s, double inverse, const srs_polyhedron *polyhedron,
                                          double *polyhedral, srs_contact_report *report)
{
  double x[4] = {impulse[0]}, w[4] = {velocity[0]}, against[3]; // where the cone is round
  for (int k = 1; k <= d; k++) {
    x[k] = e == NULL ? impulse[k] : impulse[k] / e[k - 1];
    w[k] = e == NULL ? velocity[k] : velocity[k] * e[k - 1];
  }
  const double pull = inverse / s, push = s * inverse, unit = s / inverse;
  report->normal = larger(report->normal, fabs(x[0] < w[0] ? x[0] : w[0]));
  for (int k = 0; k <= d; k++) x[k] *= pull, w[k] *= push; // no square of these leaves the numbers there are
  const double slip = srs_length(d, w + 1), most = mu * x[0];
  report->cone = larger(report->cone, unit * (srs_length(d, x + 1) - most));
  if (slip > 0) {
    for (int k = 0; k < d; k++) against[k] = x[1 + k] + most * w[1 + k] / slip;
    const double off = srs_length(d, against);
    report->sliding = larger(report->sliding, unit * (off < slip ? off : slip));
  }
  const double exact = srs_cone_defect(d, x, w, mu);
  *polyhedral += polyhedron != NULL ? srs_polyhedron_defect(polyhedron, d, x, w, mu) : exact;
  return exact;
}

void srs_contact_measure(const srs_contact_problem *problem, const double *scale, double size,
                         const srs_polyhedron *polyhedron, const double *impulse, double *w, srs_contact_report *report)
{
  const int n = srs_contact_problem_rows(problem), contacts = problem->n_bilateral;
  const int boxes = n - problem->n_box, scalars = boxes - problem->n_unilateral;
  const double inverse = 1 / size;
  if (problem->blocks == NULL)
    velocity(n, problem->W, problem->b, impulse, w);
  else
    srs_blocks_velocity(problem->blocks, problem->b, impulse, w);
  report->bilateral = report->normal = report->cone = report->sliding = report->unilateral = report->box = 0;
  double sum = 0, exact = 0, polyhedral = 0, energy = 0;
  for (int i = 0; i < contacts; i++) {
    const double defect = scale[i] * w[i] * inverse;
    report->bilateral = larger(report->bilateral, fabs(w[i]));
    sum += defect * defect;
  }
  for (int c = 0, i = contacts; c < problem->n_contacts; c++) {
    const double mu = problem->friction[c], *x = impulse + i;
    const double *e = problem->extent == NULL ? NULL : problem->extent + 3 * (size_t)c;
    const int d = srs_contact_tangents(problem, c);
    if (d == 2 && e == NULL)
      exact += measure_contact(2, x, w + i, NULL, mu, scale[i], inverse, polyhedron, &polyhedral, report);
    else if (d == 1 && e == NULL)
      exact += measure_contact(1, x, w + i, NULL, mu, scale[i], inverse, polyhedron, &polyhedral, report);
    else
      exact += measure_contact(d, x, w + i, e, mu, scale[i], inverse, polyhedron, &polyhedral, report);
    i += 1 + d;
  }
  for (int i = scalars; i < n; i++) {
    const double pull = inverse / scale[i], x = impulse[i] * pull, v = scale[i] * w[i] * inverse;
    const bool is_box = i >= boxes;
    const double lower = is_box ? problem->box_lower[i - boxes] : 0,
                 upper = is_box ? problem->box_upper[i - boxes] : INFINITY;
    // x - clamp(x - v, lower, upper), also where v is lost in x
    const double defect = srs_clamp(v, x - upper * pull, x - lower * pull);
    const double own = fabs(srs_clamp(w[i], impulse[i] - upper, impulse[i] - lower));
    if (is_box)
      report->box = larger(report->box, own);
    else
      report->unilateral = larger(report->unilateral, own);
    sum += defect * defect;
  }
  for (int i = 0; i < n; i++) energy += impulse[i] * (w[i] + problem->b[i]);
  report->energy = 0.5 * energy;
  report->residual = sqrt(sum + polyhedral);
  report->exact_residual = sqrt(sum + exact);
}

double srs_contact_rounding(const srs_contact_problem *problem, const double *scale, double size, const double *impulse)
{
  const int n = srs_contact_problem_rows(problem);
  double sum = 0;
  for (int i = 0; i < n && problem->blocks == NULL; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double terms = fabs(problem->b[i]);
    for (int j = 0; j < n; j++) terms += fabs(row[j] * impulse[j]);
    terms *= scale[i] / size;
    sum += terms * terms;
  }
  if (problem->blocks != NULL) sum = srs_blocks_terms(problem->blocks, problem->b, impulse, scale) / (size * size);
  return 4 * DBL_EPSILON * sqrt(sum);
}

void srs_contact_judge(const srs_contact_problem *problem, const double *scale, double size, double tolerance,
                       const double *impulse, srs_contact_report *report)
{
  if (report->residual <= tolerance)
    report->status = SRS_CONTACT_SOLVED;
  else
    report->status = report->residual <= srs_contact_rounding(problem, scale, size, impulse) ? SRS_CONTACT_STAGNATED
                                                                                             : SRS_CONTACT_UNSOLVED;
}

void srs_cone_multiply(const srs_cone_problem *problem, const double *x, double *y)
{
  const srs_sparse *s = problem->sparse;
  if (s == NULL)
    srs_dense_multiply(problem->n, problem->n, problem->W, problem->stride, x, y);
  else
    for (int node = 0; node < s->n_nodes; node++)
      srs_sparse_multiply(s, node, problem->W, problem->stride, x, y + s->first[node]);
}

void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w)
{
  srs_cone_multiply(problem, x, w);
  for (int i = 0; i < problem->n; i++) w[i] += problem->b[i];
}

double srs_cone_residual(const srs_cone_problem *problem, const double *x, const double *w)
{
  const int scalars = srs_cone_scalars(problem), boxes = scalars + problem->n_unilateral;
  double sum = 0;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int i = srs_cone_first(problem, c), d = srs_cone_tangents(problem, c);
    const double mu = problem->friction[c];
    sum += d == 2 ? srs_cone_defect(2, x + i, w + i, mu) : srs_cone_defect(d, x + i, w + i, mu);
  }
  for (int i = scalars; i < problem->n; i++) {
    const double lower = i < boxes ? 0 : problem->lower[i - boxes],
                 upper = i < boxes ? INFINITY : problem->upper[i - boxes];
    const double defect = srs_clamp(w[i], x[i] - upper, x[i] - lower);
    sum += defect * defect;
  }
  return sqrt(sum);
}

srs_status srs_contact_complain(srs_error *error, srs_status status, const char *format, ...)
{
  if (error == NULL) return status;
  *error = (srs_error){.status = status};
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}
