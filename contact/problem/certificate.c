// How well do impulses solve a contact problem? The certificate.
//
// The answer is measured on the original Delassus matrix W and vector b, whatever a solver did to them. In scaled
// units, x = S^-1 lambda / |S b| and w = S w / |S b|, every row's error is its distance from the fixed point of the
// projection that defines it (the natural map): w for a bilateral row, min(x, w) for a unilateral one, x - clamp(x - w)
// for a box row, x - P_K(x - w - mu |w_t| e_n) for a contact. S holds the anisotropy of tangent rows, so that the cone
// is round.
#include "contact/problem/certificate.h"
#include "contact/problem/blocks.h"
#include "contact/problem/cone.h"

#include <float.h>

enum { MOST = SRS_CONTACT_TANGENTS_MOST };

static inline double larger(double a, double b) { return a > b ? a : b; }

SRS_CONTACT_KERNEL
static void velocity(int n, const double *W, const double *b, const double *x, double *w)
{
  for (int i = 0; i < n; i++) w[i] = srs_dot(n, W + (size_t)i * (size_t)n, x) + b[i];
}

SRS_CONTACT_INLINE void block_velocities(int tangents, const srs_contact_problem *problem, size_t n, const double *x,
                                         double *w)
{
  const double *block = problem->W, *b = problem->b;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int rows = 1 + (tangents >= 0 ? tangents : srs_contact_tangents(problem, c));
    for (int k = 0; k < rows; k++) w[k] = srs_dot(rows, block + (size_t)k * n, x) + b[k];
    block += (size_t)rows * (n + 1), b += rows, x += rows, w += rows;
  }
}

// The same for decoupled contacts.
SRS_CONTACT_KERNEL
static void velocity_apart(const srs_contact_problem *problem, const srs_contact_form *form, const double *x, double *w)
{
  if (form->tangents == 2)
    block_velocities(2, problem, (size_t)form->n, x, w);
  else if (form->tangents == 1)
    block_velocities(1, problem, (size_t)form->n, x, w);
  else
    block_velocities(-1, problem, (size_t)form->n, x, w);
}

// Sums and maxima over contacts.
typedef struct figures {
  double exact, polyhedral; // squares of the natural map: the cone's, the polyhedron's
  double normal, cone, sliding;
} figures;

// No impulse, and the contact does not close: no violation.
SRS_CONTACT_INLINE bool is_free(int d, const double *impulse, const double *velocity)
{
  if (!(velocity[0] >= 0)) return false;
  for (int k = 0; k <= d; k++)
    if (impulse[k] != 0) return false;
  return true;
}

// e: of its tangents, NULL: 1 each. inverse: 1 / |S b|.
SRS_CONTACT_INLINE void measure_contact(int d, const double *impulse, const double *velocity, const double *e,
                                        double mu, double s, double size, double inverse,
                                        const srs_polyhedron *polyhedron, figures *f)
{
  double x[1 + MOST] = {impulse[0]}, w[1 + MOST] = {velocity[0]}, against[MOST]; // where the cone is round
  for (int k = 1; k <= d; k++) {
    x[k] = e == NULL ? impulse[k] : impulse[k] / e[k - 1];
    w[k] = e == NULL ? velocity[k] : velocity[k] * e[k - 1];
  }
  const double pull = inverse / s, push = s * inverse, unit = s * size;
  f->normal = larger(f->normal, fabs(x[0] < w[0] ? x[0] : w[0]));
  for (int k = 0; k <= d; k++) x[k] *= pull, w[k] *= push; // so that no square overflows
  const double slip = srs_length(d, w + 1), most = mu * x[0];
  f->cone = larger(f->cone, unit * (srs_length(d, x + 1) - most));
  if (slip > 0) {
    for (int k = 0; k < d; k++) against[k] = x[1 + k] + (d == 1 ? copysign(most, w[1]) : most * w[1 + k] / slip);
    const double off = srs_length(d, against);
    f->sliding = larger(f->sliding, unit * (off < slip ? off : slip));
  }
  f->exact += srs_cone_defect(d, x, w, mu);
  if (polyhedron != NULL) f->polyhedral += srs_polyhedron_defect(polyhedron, d, x, w, mu);
}

SRS_CONTACT_INLINE figures measure_contacts(int tangents, const srs_contact_problem *problem, const double *scale,
                                            double size, const srs_polyhedron *polyhedron, const double *x,
                                            const double *w)
{
  figures f = {0};
  const double inverse = 1 / size;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = tangents >= 0 ? tangents : srs_contact_tangents(problem, c);
    double own[MOST];
    const double *e = tangents >= 0 ? NULL : srs_contact_anisotropies(problem, c, d, own);
    if (polyhedron != NULL || !is_free(d, x, w))
      measure_contact(d, x, w, e, problem->friction[c], *scale, size, inverse, polyhedron, &f);
    x += 1 + d, w += 1 + d, scale += 1 + d;
  }
  if (polyhedron == NULL) f.polyhedral = f.exact;
  return f;
}

// The squared natural map of the unilateral and box rows.
static double measure_scalars(const srs_contact_problem *problem, int n, const double *scale, double inverse,
                              const double *impulse, const double *w, srs_contact_report *report)
{
  const int boxes = n - problem->n_box, scalars = boxes - problem->n_unilateral;
  double sum = 0;
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
  return sum;
}

void srs_contact_measure_velocities(const srs_contact_problem *problem, const srs_contact_form *form,
                                    const double *scale, double size, const srs_polyhedron *polyhedron,
                                    const double *impulse, const double *w, srs_contact_report *report)
{
  const int n = form->n, first = problem->n_bilateral;
  const double inverse = 1 / size, *s = scale + first, *x = impulse + first;
  report->bilateral = report->unilateral = report->box = 0;
  double sum = 0, energy = 0;
  for (int i = 0; i < first; i++) {
    const double defect = scale[i] * w[i] * inverse;
    report->bilateral = larger(report->bilateral, fabs(w[i]));
    sum += defect * defect;
  }
  figures f;
  if (form->tangents == 2 && polyhedron == NULL)
    f = measure_contacts(2, problem, s, size, NULL, x, w + first);
  else if (form->tangents == 1 && polyhedron == NULL)
    f = measure_contacts(1, problem, s, size, NULL, x, w + first);
  else
    f = measure_contacts(-1, problem, s, size, polyhedron, x, w + first);
  sum += measure_scalars(problem, n, scale, inverse, impulse, w, report);
  for (int i = 0; i < n; i++) energy += impulse[i] * (w[i] + problem->b[i]);
  report->normal = f.normal, report->cone = f.cone, report->sliding = f.sliding;
  report->energy = 0.5 * energy;
  report->residual = sqrt(sum + f.polyhedral);
  report->exact_residual = sqrt(sum + f.exact);
}

void srs_contact_measure(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                         double size, const srs_polyhedron *polyhedron, const double *impulse, double *w,
                         srs_contact_report *report)
{
  if (problem->blocks != NULL)
    srs_blocks_velocity(problem->blocks, problem->b, impulse, w);
  else if (form->is_apart)
    velocity_apart(problem, form, impulse, w);
  else
    velocity(form->n, problem->W, problem->b, impulse, w);
  srs_contact_measure_velocities(problem, form, scale, size, polyhedron, impulse, w, report);
}

bool srs_contact_is_finite(int n, const double *impulse, const double *w, const srs_contact_report *report)
{
  double sum = 0 * report->residual; // 0 * x is 0 for every finite x
  for (int i = 0; i < n; i++) sum += 0 * impulse[i] + 0 * w[i];
  return sum == 0;
}

static const double most_rounding = 1e-6;

// An impulse that ran away makes any residual small beside its rounding.
static bool ran_away(const srs_contact_problem *problem, int n, const double *scale, double size, const double *impulse)
{
  for (int i = problem->n_bilateral; i < n; i++)
    if (!(fabs(impulse[i]) <= srs_cone_most * scale[i] * size)) return true;
  return false;
}

double srs_contact_rounding(const srs_contact_problem *problem, const double *scale, double size, const double *impulse)
{
  const int n = srs_contact_problem_rows(problem);
  double sum = 0;
  if (ran_away(problem, n, scale, size, impulse)) return 0;
  for (int i = 0; i < n && problem->blocks == NULL; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double terms = fabs(problem->b[i]);
    for (int j = 0; j < n; j++) terms += fabs(row[j] * impulse[j]);
    terms *= scale[i] / size;
    sum += terms * terms;
  }
  if (problem->blocks != NULL) sum = srs_blocks_terms(problem->blocks, problem->b, impulse, scale) / (size * size);
  return fmin(most_rounding, 16 * DBL_EPSILON * sqrt(sum)); // the data have a few roundings each
}

// Field by field, which is faster than the whole.
void srs_contact_report_clear(srs_contact_report *r)
{
  r->status = SRS_CONTACT_NOT_FINITE, r->stage = SRS_STAGE_NONE;
  r->iterations = r->bilateral_rank = r->bilateral_weakest = 0;
  r->work = r->most_work = r->residual = r->exact_residual = r->energy = r->bilateral_pivot = r->contraction = 0;
  r->bilateral = r->normal = r->cone = r->sliding = r->unilateral = r->box = 0;
}

void srs_contact_set_status(const srs_contact_problem *problem, const double *scale, double size, double tolerance,
                            const double *impulse, srs_contact_report *report)
{
  const bool has_answer = !ran_away(problem, srs_contact_problem_rows(problem), scale, size, impulse);
  if (report->residual <= tolerance && has_answer)
    report->status = SRS_CONTACT_SOLVED;
  else
    report->status = report->residual <= srs_contact_rounding(problem, scale, size, impulse) ? SRS_CONTACT_STAGNATED
                                                                                             : SRS_CONTACT_UNSOLVED;
}
