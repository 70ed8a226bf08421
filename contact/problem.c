// How large is a contact problem, and how well do impulses solve it?
//
// Everything is judged on the matrix and the vector as they came, whatever a solver did to them. In scaled units,
// x = S^-1 lambda / |S b| and w = S w / |S b|, every row's error is its distance from the fixed point of the projection
// that defines it (the natural map): w for a bilateral row, min(x, w) for a unilateral one, x - clamp(x - w) for a box
// row, x - P_K(x - w - mu |w_t| e_n) for a contact.
#include "contact/problem.h"
#include "contact/cone.h"

#include <float.h>

int srs_contact_problem_rows(const srs_contact_problem *problem)
{
  return problem->n_bilateral + 3 * problem->n_contacts + problem->n_unilateral + problem->n_box;
}

SRS_CONTACT_KERNEL
static bool all_finite(const double *x, size_t n)
{
  double sum[4] = {0, 0, 0, 0}; // 0 * x is 0 for every finite x
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++) sum[k] += 0 * x[i + k];
  for (; i < n; i++) sum[0] += 0 * x[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

srs_status srs_contact_problem_check(const srs_contact_problem *problem)
{
  const int most = 1 << 20; // of rows of each kind, so that no size overflows
  if (problem->n_bilateral < 0 || problem->n_contacts < 0 || problem->n_unilateral < 0 || problem->n_box < 0 ||
      problem->n_bilateral > most || problem->n_contacts > most || problem->n_unilateral > most ||
      problem->n_box > most)
    return SRS_ERROR_ARGUMENT;
  if (problem->tangents != NULL || problem->extent != NULL) return SRS_ERROR_UNSUPPORTED;
  const size_t n = (size_t)srs_contact_problem_rows(problem);
  if (n == 0) return SRS_OK;
  if (problem->W == NULL || problem->b == NULL || (problem->n_contacts > 0 && problem->friction == NULL) ||
      (problem->n_box > 0 && (problem->box_lower == NULL || problem->box_upper == NULL)))
    return SRS_ERROR_ARGUMENT;
  if (!all_finite(problem->W, n * n) || !all_finite(problem->b, n) ||
      !all_finite(problem->friction, (size_t)problem->n_contacts))
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

void srs_contact_scales(const srs_contact_problem *problem, double *scale)
{
  const int n = srs_contact_problem_rows(problem), contacts = problem->n_bilateral;
  const size_t step = (size_t)n + 1; // along the diagonal
  const double *W = problem->W;
  for (int i = 0; i < contacts; i++) scale[i] = scale_of(W[(size_t)i * step]);
  for (int i = contacts; i < contacts + 3 * problem->n_contacts; i += 3) {
    const double *d = W + (size_t)i * step;
    scale[i] = scale[i + 1] = scale[i + 2] = scale_of((d[0] + d[step] + d[2 * step]) / 3);
  }
  for (int i = contacts + 3 * problem->n_contacts; i < n; i++) scale[i] = scale_of(W[(size_t)i * step]);
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

// A contact's unscaled figures; its part of the residual squared, and of the one with a polyhedron.
static double measure_contact(const double x[3], const double w[3], double mu, double s, double size,
                              const srs_polyhedron *polyhedron, double *polyhedral, srs_contact_report *report)
{
  const double slip = sqrt(w[1] * w[1] + w[2] * w[2]), most = mu * x[0], pull = 1 / (s * size), push = s / size;
  double against = sqrt(x[1] * x[1] + x[2] * x[2]);
  report->normal = larger(report->normal, fabs(x[0] < w[0] ? x[0] : w[0]));
  report->cone = larger(report->cone, against - most);
  if (slip > 0) {
    const double d1 = x[1] + most * w[1] / slip, d2 = x[2] + most * w[2] / slip;
    against = sqrt(d1 * d1 + d2 * d2);
    report->sliding = larger(report->sliding, against < s * s * slip ? against : s * s * slip);
  }
  const double scaled_x[3] = {pull * x[0], pull * x[1], pull * x[2]};
  const double scaled_w[3] = {push * w[0], push * w[1], push * w[2]};
  const double exact = srs_cone_defect(scaled_x, scaled_w, mu);
  *polyhedral += polyhedron != NULL ? srs_polyhedron_defect(polyhedron, scaled_x, scaled_w, mu) : exact;
  return exact;
}

void srs_contact_measure(const srs_contact_problem *problem, const double *scale, double size,
                         const srs_polyhedron *polyhedron, const double *impulse, double *w, srs_contact_report *report)
{
  const int n = srs_contact_problem_rows(problem), contacts = problem->n_bilateral;
  const int scalars = contacts + 3 * problem->n_contacts, boxes = scalars + problem->n_unilateral;
  const double inverse = 1 / size;
  velocity(n, problem->W, problem->b, impulse, w);
  report->bilateral = report->normal = report->cone = report->sliding = report->unilateral = report->box = 0;
  double sum = 0, exact = 0, polyhedral = 0, energy = 0;
  for (int i = 0; i < contacts; i++) {
    const double defect = scale[i] * w[i] * inverse;
    report->bilateral = larger(report->bilateral, fabs(w[i]));
    sum += defect * defect;
  }
  for (int c = 0; c < problem->n_contacts; c++) {
    const int i = contacts + 3 * c;
    exact += measure_contact(impulse + i, w + i, problem->friction[c], scale[i], size, polyhedron, &polyhedral, report);
  }
  for (int i = scalars; i < n; i++) {
    const double pull = inverse / scale[i], x = impulse[i] * pull, v = scale[i] * w[i] * inverse;
    const bool is_box = i >= boxes;
    const double lower = is_box ? problem->box_lower[i - boxes] : 0,
                 upper = is_box ? problem->box_upper[i - boxes] : INFINITY;
    const double defect = x - srs_clamp(x - v, lower * pull, upper * pull);
    const double own = fabs(impulse[i] - srs_clamp(impulse[i] - w[i], lower, upper));
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
  for (int i = 0; i < n; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double terms = fabs(problem->b[i]);
    for (int j = 0; j < n; j++) terms += fabs(row[j] * impulse[j]);
    terms *= scale[i] / size;
    sum += terms * terms;
  }
  return 4 * DBL_EPSILON * sqrt(sum);
}

void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w)
{
  srs_dense_multiply(problem->n, problem->n, problem->W, problem->stride, x, w);
  for (int i = 0; i < problem->n; i++) w[i] += problem->b[i];
}

double srs_cone_residual(const srs_cone_problem *problem, const double *x, const double *w)
{
  const int scalars = 3 * problem->n_contacts, boxes = scalars + problem->n_unilateral;
  double sum = 0;
  for (int c = 0; c < problem->n_contacts; c++)
    sum += srs_cone_defect(x + 3 * (size_t)c, w + 3 * (size_t)c, problem->friction[c]);
  for (int i = scalars; i < problem->n; i++) {
    const double lower = i < boxes ? 0 : problem->lower[i - boxes],
                 upper = i < boxes ? INFINITY : problem->upper[i - boxes];
    const double defect = x[i] - srs_clamp(x[i] - w[i], lower, upper);
    sum += defect * defect;
  }
  return sqrt(sum);
}
