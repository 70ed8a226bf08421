// How large is a contact problem, and how well do impulses solve it?
//
// Everything is judged on the matrix and the vector as they came, whatever a solver did to them. In scaled units,
// x = S^-1 lambda / |S b| and w = S w / |S b|, every row's error is its distance from the fixed point of the projection
// that defines it (the natural map): w for a bilateral row, min(x, w) for a unilateral one, x - clamp(x - w) for a box
// row, x - P_K(x - w - mu |w_t| e_n) for a contact. S holds the anisotropy of tangent rows, so that the cone is round.
#include "contact/problem/problem.h"
#include "contact/problem/blocks.h"
#include "contact/problem/cone.h"

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

typedef long long srs_answers __attribute__((vector_size(32))); // of four comparisons: -1 where that is so

// How many are not zero; -1 where one is not finite.
SRS_CONTACT_KERNEL
static long long count_entries(const double *x, size_t n)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  srs_answers n0 = {0}, n1 = {0};
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const srs_lanes x0 = srs_load(x + i), x1 = srs_load(x + i + 4), x2 = srs_load(x + i + 8), x3 = srs_load(x + i + 12);
    s0 += 0 * x0, s1 += 0 * x1, s2 += 0 * x2, s3 += 0 * x3;
    n0 -= (x0 != 0) + (x1 != 0), n1 -= (x2 != 0) + (x3 != 0);
  }
  for (; i + 4 <= n; i += 4) {
    const srs_lanes x0 = srs_load(x + i);
    s0 += 0 * x0;
    n0 -= x0 != 0;
  }
  n0 += n1;
  double rest = 0;
  long long count = n0[0] + n0[1] + n0[2] + n0[3];
  for (; i < n; i++) rest += 0 * x[i], count += fabs(x[i]) > 0;
  return srs_sum((s0 + s1) + (s2 + s3)) + rest == 0 ? count : -1;
}

// Those of contacts' own blocks that are not zero.
SRS_CONTACT_INLINE long long count_in_blocks(int tangents, const srs_contact_problem *problem, size_t n)
{
  long long count = 0;
  const double *block = problem->W;
  for (int c = 0; c < problem->n_contacts; c++) {
    const size_t rows = 1 + (size_t)(tangents >= 0 ? tangents : srs_contact_tangents(problem, c));
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < rows; j++) count += fabs(block[i * n + j]) > 0;
    block += rows * (n + 1);
  }
  return count;
}

// W is looked over once. Of large problems the first contact shows mostly that they are not apart.
static srs_status check_matrix(const srs_contact_problem *problem, srs_contact_form *form)
{
  const size_t n = (size_t)form->n;
  const srs_contact_blocks *blocks = problem->blocks;
  if (blocks != NULL) return all_finite(blocks->value, blocks->begin[blocks->n_nodes]) ? SRS_OK : SRS_ERROR_NOT_FINITE;
  bool may_be = problem->n_bilateral + problem->n_unilateral + problem->n_box == 0;
  if (may_be && n > 32) {
    const long long rows = 1 + srs_contact_tangents(problem, 0);
    may_be = count_entries(problem->W, (size_t)rows * n) <= rows * rows;
  }
  if (!may_be) return all_finite(problem->W, n * n) ? SRS_OK : SRS_ERROR_NOT_FINITE;
  const long long count = count_entries(problem->W, n * n);
  if (count < 0) return SRS_ERROR_NOT_FINITE;
  form->is_apart = problem->n_contacts == 1 || count == (form->tangents == 2   ? count_in_blocks(2, problem, n)
                                                         : form->tangents == 1 ? count_in_blocks(1, problem, n)
                                                                               : count_in_blocks(-1, problem, n));
  return SRS_OK;
}

static srs_status check_anisotropy(const srs_contact_problem *problem)
{
  for (int i = 0; problem->anisotropy != NULL && i < problem->n_contacts; i++)
    for (int k = 0; k < srs_contact_tangents(problem, i); k++) {
      const double e = srs_contact_anisotropy(problem, i, k);
      if (!isfinite(e)) return SRS_ERROR_NOT_FINITE;
      if (!(e > 0)) return SRS_ERROR_ARGUMENT;
    }
  return SRS_OK;
}

static srs_status find_form(const srs_contact_problem *problem, srs_contact_form *form)
{
  form->n = problem->n_bilateral + problem->n_contacts + problem->n_unilateral + problem->n_box;
  form->is_apart = false;
  form->tangents = problem->anisotropy != NULL ? -1 : 2;
  if (problem->tangents == NULL) {
    form->n += 2 * problem->n_contacts;
    return SRS_OK;
  }
  int most = 0, least = 3;
  for (int i = 0; i < problem->n_contacts; i++) {
    const int d = problem->tangents[i];
    form->n += d;
    most = d > most ? d : most, least = d < least ? d : least;
  }
  if (problem->anisotropy == NULL) form->tangents = most == least ? most : -1;
  return most > 3 ? SRS_ERROR_ARGUMENT : SRS_OK;
}

static srs_status check_friction(const srs_contact_problem *problem)
{
  double sum = 0;
  bool is_negative = false;
  for (int i = 0; i < problem->n_contacts; i++) {
    sum += 0 * problem->friction[i];
    is_negative |= problem->friction[i] < 0;
  }
  return sum != 0 ? SRS_ERROR_NOT_FINITE : is_negative ? SRS_ERROR_ARGUMENT : SRS_OK;
}

static srs_status check_bounds(const srs_contact_problem *problem)
{
  for (int i = 0; i < problem->n_box; i++) {
    if (isnan(problem->box_lower[i]) || isnan(problem->box_upper[i])) return SRS_ERROR_NOT_FINITE;
    if (problem->box_lower[i] > 0 || problem->box_upper[i] < 0) return SRS_ERROR_ARGUMENT;
  }
  return SRS_OK;
}

srs_status srs_contact_problem_check(const srs_contact_problem *problem, srs_contact_form *form)
{
  const int most = 1 << 20; // of rows of each kind, so that no size overflows
  if (problem->n_bilateral < 0 || problem->n_contacts < 0 || problem->n_unilateral < 0 || problem->n_box < 0 ||
      problem->n_bilateral > most || problem->n_contacts > most || problem->n_unilateral > most ||
      problem->n_box > most)
    return SRS_ERROR_ARGUMENT;
  srs_status status = find_form(problem, form);
  if (status == SRS_OK) status = check_anisotropy(problem);
  if (status != SRS_OK) return status;
  const size_t n = (size_t)form->n;
  if (n == 0) return SRS_OK;
  const srs_contact_blocks *blocks = problem->blocks;
  if ((problem->W == NULL) == (blocks == NULL) || problem->b == NULL ||
      (problem->n_contacts > 0 && problem->friction == NULL) ||
      (problem->n_box > 0 && (problem->box_lower == NULL || problem->box_upper == NULL)))
    return SRS_ERROR_ARGUMENT;
  if (blocks != NULL && blocks->first[blocks->n_nodes] != form->n) return SRS_ERROR_ARGUMENT;
  status = check_matrix(problem, form);
  if (status == SRS_OK && !all_finite(problem->b, n)) status = SRS_ERROR_NOT_FINITE;
  if (status == SRS_OK) status = check_friction(problem);
  if (status == SRS_OK) status = check_bounds(problem);
  return status;
}

static inline double larger(double a, double b) { return a > b ? a : b; }

static double scale_of(double diagonal) { return diagonal > 0 ? 1 / sqrt(diagonal) : 1; }

// `tangents` of all contacts, which are round; -1: they differ, or have anisotropy.
SRS_CONTACT_INLINE void contact_scales(int tangents, const srs_contact_problem *problem, const double *diagonal,
                                       size_t step, double *scale)
{
  diagonal += (size_t)problem->n_bilateral * step;
  scale += problem->n_bilateral;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = tangents >= 0 ? tangents : srs_contact_tangents(problem, c);
    const double *e = tangents >= 0 || problem->anisotropy == NULL ? NULL : problem->anisotropy + 3 * (size_t)c;
    double sum = *diagonal;
    for (int k = 1; k <= d; k++) sum += (e == NULL ? 1 : e[k - 1] * e[k - 1]) * diagonal[(size_t)k * step];
    *scale = scale_of(sum / (1 + d));
    for (int k = 1; k <= d; k++) scale[k] = *scale * (e == NULL ? 1 : e[k - 1]);
    diagonal += (size_t)(1 + d) * step, scale += 1 + d;
  }
}

void srs_contact_scales(const srs_contact_problem *problem, const srs_contact_form *form, double *scale)
{
  const bool has_blocks = problem->blocks != NULL;
  const size_t step = has_blocks ? 1 : (size_t)form->n + 1; // along the diagonal
  const double *diagonal = has_blocks ? scale : problem->W;
  if (has_blocks) srs_blocks_diagonal(problem->blocks, scale); // each entry is read before its place is taken
  for (int i = 0; i < problem->n_bilateral; i++) scale[i] = scale_of(diagonal[(size_t)i * step]);
  if (form->tangents == 2)
    contact_scales(2, problem, diagonal, step, scale);
  else if (form->tangents == 1)
    contact_scales(1, problem, diagonal, step, scale);
  else
    contact_scales(-1, problem, diagonal, step, scale);
  for (int i = form->n - problem->n_unilateral - problem->n_box; i < form->n; i++)
    scale[i] = scale_of(diagonal[(size_t)i * step]);
}

static const double least_size = 1e-290; // what has come to rest but for the last numbers rests: its inverse is none

double srs_contact_size(int n, const double *b, const double *scale)
{
  srs_lanes squares = {0};
  double most[4] = {0}, sum = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) most[k] = larger(most[k], fabs(scale[i + k] * b[i + k]));
  for (; i < n; i++) most[0] = larger(most[0], fabs(scale[i] * b[i]));
  const double largest = larger(larger(most[0], most[1]), larger(most[2], most[3]));
  if (!(largest > least_size)) return 0;
  const double inverse = 1 / largest;
  for (i = 0; i + 4 <= n; i += 4) {
    const srs_lanes part = srs_load(scale + i) * srs_load(b + i) * inverse;
    squares += part * part;
  }
  for (; i < n; i++) {
    const double part = scale[i] * b[i] * inverse;
    sum += part * part;
  }
  return largest * sqrt(srs_sum(squares) + sum);
}

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

// The same of contacts that are apart.
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

// What is summed, and the worst, over contacts.
typedef struct figures {
  double exact, polyhedral; // squares of the natural map: the cone's, the polyhedron's
  double normal, cone, sliding;
} figures;

// No impulse, and it does not close: nothing is wrong with it.
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
  double x[4] = {impulse[0]}, w[4] = {velocity[0]}, against[3]; // where the cone is round
  for (int k = 1; k <= d; k++) {
    x[k] = e == NULL ? impulse[k] : impulse[k] / e[k - 1];
    w[k] = e == NULL ? velocity[k] : velocity[k] * e[k - 1];
  }
  const double pull = inverse / s, push = s * inverse, unit = s * size;
  f->normal = larger(f->normal, fabs(x[0] < w[0] ? x[0] : w[0]));
  for (int k = 0; k <= d; k++) x[k] *= pull, w[k] *= push; // no square of these leaves the numbers there are
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
    const double *e = tangents >= 0 || problem->anisotropy == NULL ? NULL : problem->anisotropy + 3 * (size_t)c;
    if (polyhedron != NULL || !is_free(d, x, w))
      measure_contact(d, x, w, e, problem->friction[c], *scale, size, inverse, polyhedron, &f);
    x += 1 + d, w += 1 + d, scale += 1 + d;
  }
  if (polyhedron == NULL) f.polyhedral = f.exact;
  return f;
}

// Unilateral and box rows, from the first on: sum of the natural map's squares.
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

void srs_contact_measure(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                         double size, const srs_polyhedron *polyhedron, const double *impulse, double *w,
                         srs_contact_report *report)
{
  const int n = form->n, first = problem->n_bilateral;
  const double inverse = 1 / size, *s = scale + first, *x = impulse + first;
  if (problem->blocks != NULL)
    srs_blocks_velocity(problem->blocks, problem->b, impulse, w);
  else if (form->is_apart)
    velocity_apart(problem, form, impulse, w);
  else
    velocity(n, problem->W, problem->b, impulse, w);
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
    for (int node = 0; node < s->n_nodes; node++) srs_sparse_multiply(s, node, problem->packed, x, y + s->first[node]);
}

void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w)
{
  srs_cone_multiply(problem, x, w);
  for (int i = 0; i < problem->n; i++) w[i] += problem->b[i];
}

double srs_cone_terms(const srs_cone_problem *problem, const double *x)
{
  const srs_sparse *s = problem->sparse;
  const double *packed = problem->packed;
  double sum = 0;
  for (int i = 0; i < problem->n; i++) {
    double terms = fabs(problem->b[i]);
    for (int j = 0; s == NULL && j < problem->n; j++)
      terms += fabs(problem->W[(size_t)i * (size_t)problem->stride + (size_t)j] * x[j]);
    for (int k = s == NULL ? 0 : s->run_start[s->node[i]]; s != NULL && k < s->run_start[s->node[i] + 1]; k++)
      for (int j = s->run[k].from; j < s->run[k].to; j++) terms += fabs(*packed++ * x[j]);
    sum += terms * terms;
  }
  return sum;
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
