// Solver of the summation form of nonconvex contact problems.
//
// Friction polyhedra, the bilateral rows eliminated, the rows of contact/corners/nonconvex_lcp.h, Lemke's pivoting.
// Side k is solved in units of its own, a_k' = s_k a_k / |S b|; what adds up in a group are the a_k themselves.
//
// The certificate is that of an ordinary problem: with S = sum_k max(-epsilon, a_k) + (sides - 1) epsilon of its group
// in place of a_k, the law of each side is min(p_k, S) = 0. So b_k is raised by S - a_k. Impulses that do not meet it
// are handed back only where they are no worse than none (contact/iterate/admissible.h).
#include "contact/corners/summation.h"
#include "contact/algebra/budget.h"
#include "contact/iterate/admissible.h"
#include "contact/problem/bilateral.h"
#include "contact/problem/certificate.h"
#include "topology/base/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// R rows, U unknowns of the whole LCP (strides).
struct srs_summation {
  int most_unknowns;
  double *memory;
  int *indices;
  srs_share *shares;
  srs_fallback trials;   // R each of x, w, best: for impulses that are no answer
  srs_cone_problem cone; // R^2, …
  srs_bilateral bilateral;
  double *work, *square; // R^2 each
  double *x;             // R
  double *b, *w;         // R each: of the certificate
  srs_mlcp mlcp;         // U^2, …
  srs_lcp lcp;           // U^2, U: with the groups
  srs_lemke_memory lemke;
  double *z;                // U
  double *epsilon, *weight; // U: of sides
  int *first;               // R + 1
};

enum { ROW_MATRICES = 4, ROW_VECTORS = 14, MATRICES = 3, VECTORS = 8, MOST_WAYS = 40 };

static srs_status no_memory(srs_error *error, const srs_nonconvex_capacity *capacity)
{
  if (error == NULL) return SRS_ERROR_MEMORY;
  *error = (srs_error){.status = SRS_ERROR_MEMORY};
  (void)snprintf(error->message, sizeof error->message,
                 "no memory for problems of %d rows with %d sides in summation form", capacity->n_rows,
                 capacity->n_sides);
  return SRS_ERROR_MEMORY;
}

static void lay_out(srs_summation *s, size_t rows, size_t unknowns)
{
  double *m = s->memory;
  srs_bilateral *b = &s->bilateral;
  double **row_matrices[ROW_MATRICES] = {&s->cone.W, &b->U, &s->work, &s->square};
  double **row_vectors[ROW_VECTORS] = {&s->cone.b,    &s->cone.lower, &s->cone.upper, &b->impulse,    &b->y,
                                       &b->w,         &b->c,          &s->x,          &s->b,          &s->w,
                                       &s->mlcp.turn, &s->trials.x,   &s->trials.w,   &s->trials.best};
  double **vectors[VECTORS] = {&s->mlcp.lcp.q,   &s->mlcp.offset, &s->mlcp.q,  &s->lcp.q,
                               &s->lemke.column, &s->z,           &s->epsilon, &s->weight};
  for (int i = 0; i < ROW_MATRICES; i++, m += rows * rows) *row_matrices[i] = m;
  s->mlcp.lcp.M = m, m += unknowns * unknowns;
  s->lcp.M = m, m += unknowns * unknowns;
  s->lemke.factor = m, m += unknowns * unknowns;
  s->lemke.tableau = m, m += unknowns * (unknowns + 4);
  for (int i = 0; i < ROW_VECTORS; i++, m += rows) *row_vectors[i] = m;
  for (int i = 0; i < VECTORS; i++, m += unknowns) *vectors[i] = m;
  b->row = s->indices;
  s->first = b->row + rows;
  s->lemke.row = s->first + rows + 1;
  s->lemke.place = s->lemke.row + unknowns;
  s->lemke.pivot = s->lemke.place + 2 * unknowns + 1;
  s->mlcp.shares = s->shares;
  s->mlcp.cone = &s->cone;
  s->mlcp.weight = 1;
}

srs_status srs_summation_create(const srs_nonconvex_capacity *capacity, srs_summation **summation, srs_error *error)
{
  srs_summation *s = calloc(1, sizeof *s);
  if (s == NULL) return no_memory(error, capacity);
  s->most_unknowns = (capacity->n_rows + 2) / 3 * (capacity->n_directions + 2) + capacity->n_sides;
  const size_t rows = (size_t)srs_dense_stride(capacity->n_rows), unknowns = (size_t)srs_dense_stride(s->most_unknowns);
  s->memory = srs_reserve_unused(ROW_MATRICES * rows * rows + ROW_VECTORS * rows + MATRICES * unknowns * unknowns +
                                     unknowns * (unknowns + 4) + VECTORS * unknowns + 1,
                                 sizeof *s->memory);
  s->indices = srs_reserve_unused(2 * rows + 4 * unknowns + 2, sizeof *s->indices);
  s->shares = srs_reserve_unused(unknowns + 1, sizeof *s->shares);
  if (s->memory == NULL || s->indices == NULL || s->shares == NULL) {
    srs_summation_destroy(s);
    return no_memory(error, capacity);
  }
  lay_out(s, rows, unknowns);
  *summation = s;
  return SRS_OK;
}

void srs_summation_destroy(srs_summation *summation)
{
  if (summation == NULL) return;
  srs_release(summation->memory);
  srs_release(summation->indices);
  srs_release(summation->shares);
  free(summation);
}

// ---- one solve ----

static void set_sizes(srs_summation *s, const srs_contact_problem *p)
{
  srs_cone_problem *cone = &s->cone;
  cone->n = srs_contact_problem_rows(p) - p->n_bilateral, cone->stride = srs_dense_stride(cone->n);
  cone->n_contacts = p->n_contacts, cone->n_unilateral = p->n_unilateral, cone->n_box = p->n_box;
  cone->friction = p->friction;
  cone->first = s->first;
  s->first[0] = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    s->first[c + 1] = s->first[c] + 1 + srs_contact_tangents(p, c);
    for (int i = s->first[c]; i < s->first[c + 1]; i++) s->mlcp.turn[i] = 0;
    if (srs_contact_tangents(p, c) >= 2) s->mlcp.turn[s->first[c] + 1] = 1;
  }
  s->bilateral.n = p->n_bilateral, s->bilateral.stride = srs_dense_stride(p->n_bilateral);
}

static int unknowns_of(const srs_contact_problem *p, int n_directions)
{
  int n = p->n_unilateral + 2 * p->n_box;
  for (int c = 0; c < p->n_contacts; c++) n += srs_mlcp_contact_unknowns(srs_contact_tangents(p, c), n_directions);
  return n;
}

static void assemble(srs_summation *s, const srs_side_groups *groups)
{
  srs_mlcp_assemble(&s->mlcp);
  srs_mlcp shifted = s->mlcp;
  shifted.lcp = srs_mlcp_pure(&s->mlcp);
  srs_summation_form(&shifted, groups, s->epsilon, s->weight, &s->lcp);
}

// The matrix is not copositive, so pivoting may end on a ray although there is a solution. Rows times positive factors
// are the same problem and lead to other pivots.
static void stretch_rows(srs_lcp *lcp, int attempt)
{
  for (int i = 0; i < lcp->n; i++) {
    const unsigned mixed = ((unsigned)i * 2654435761U) ^ ((unsigned)attempt * 2246822519U);
    const int exponent = (int)((mixed >> 13) % 9) - 4;
    double *row = lcp->M + (size_t)i * (size_t)lcp->stride;
    for (int j = 0; j < lcp->n; j++) row[j] = ldexp(row[j], exponent);
    lcp->q[i] = ldexp(lcp->q[i], exponent);
  }
}

// The impulses without the bilateral rows' go to x. Returns the pivots.
static int pivot(srs_summation *s, int n_sides, srs_lemke_status *status)
{
  int pivots;
  const double n = s->lcp.n, usual = 20 * n + 100, most = s->trials.left / (n * n + 1);
  *status = srs_lemke(&s->lcp, &s->lemke, (int)fmin(usual, most), s->z, &pivots);
  (void)srs_spend(&s->trials.left, pivots * n * n);
  double *z = s->z + n_sides;
  for (int i = 0; i < s->mlcp.lcp.n; i++) z[i] += s->mlcp.offset[i];
  srs_mlcp_impulse(&s->mlcp, z, s->x);
  return pivots;
}

static double sum_of(const srs_nonconvex_solver *solver, const srs_side_groups *groups, int group, double epsilon)
{
  double sum = (groups->first[group + 1] - groups->first[group] - 1) * epsilon;
  for (int k = groups->first[group]; k < groups->first[group + 1]; k++) sum += fmax(-epsilon, solver->gap[k]);
  return sum;
}

// The certificate, the figures of groups, and the sides.
static void certify(srs_nonconvex_solver *solver, const srs_contact_problem *p, const srs_side_groups *groups,
                    double size, const srs_nonconvex_options *options, int *side, srs_nonconvex_report *report)
{
  srs_summation *s = solver->summation;
  const srs_polyhedron *polyhedron = &s->mlcp.polyhedron;
  const srs_contact_form form = srs_contact_any_form(p);
  srs_contact_problem shifted_problem = *p;
  shifted_problem.b = s->b;
  srs_contact_measure(p, &form, solver->scale, size, polyhedron, solver->impulse, solver->velocity, &report->contact);
  const double energy = report->contact.energy;
  report->violation = report->phantom = 0;
  memcpy(s->b, p->b, sizeof *s->b * (size_t)form.n);
  for (int k = 0; k < groups->first[groups->n]; k++) solver->gap[k] = solver->velocity[solver->normal[groups->side[k]]];
  for (int group = 0; group < groups->n; group++) {
    const double sum = sum_of(solver, groups, group, options->epsilon);
    const int first = groups->first[group];
    double most_push = 0, most_gap = -INFINITY;
    report->violation = fmax(report->violation, -sum);
    for (int k = first; k < groups->first[group + 1]; k++) {
      const int i = solver->normal[groups->side[k]];
      const double push = solver->impulse[i];
      s->b[i] += sum - solver->gap[k];
      report->phantom = fmax(report->phantom, sum * solver->scale[i] > 1e-9 * size ? push : 0);
      if (push > most_push || (most_push <= 0 && solver->gap[k] > most_gap)) side[group] = k - first;
      most_push = fmax(most_push, push), most_gap = fmax(most_gap, solver->gap[k]);
    }
  }
  srs_contact_measure(&shifted_problem, &form, solver->scale, size, polyhedron, solver->impulse, s->w,
                      &report->contact);
  report->contact.energy = energy;
  const double allowed =
      fmax(options->contact.tolerance, srs_contact_rounding(p, solver->scale, size, solver->impulse));
  report->status = report->contact.residual <= options->contact.tolerance ? SRS_CONTACT_SOLVED
                   : report->contact.residual <= allowed                  ? SRS_CONTACT_STAGNATED
                                                                          : SRS_CONTACT_UNSOLVED;
  report->contact.status = report->status;
}

typedef struct trial {
  srs_nonconvex_solver *solver;
  const srs_contact_problem *problem;
  const srs_side_groups *groups;
  double size;
  const srs_nonconvex_options *options;
  int *side;
  srs_nonconvex_report *report;
} trial;

// The impulses of all rows for x of the others than the bilateral, and their certificate.
static double measure(void *data, const double *x)
{
  const trial *t = data;
  const srs_contact_problem *p = t->problem;
  srs_nonconvex_solver *solver = t->solver;
  srs_summation *s = solver->summation;
  const int first = p->n_bilateral;
  if (first > 0) srs_bilateral_recover(p, solver->scale, t->size, &s->bilateral, x, s->work, s->square);
  for (int i = 0; i < first; i++) solver->impulse[i] = solver->scale[i] * t->size * s->bilateral.impulse[i];
  for (int i = 0; i < s->cone.n; i++) solver->impulse[first + i] = solver->scale[first + i] * t->size * x[i];
  for (int i = 0; i < p->n_box; i++) { // scaling rounds
    double *at = solver->impulse + first + s->cone.n - p->n_box + i;
    *at = srs_clamp(*at, p->box_lower[i], p->box_upper[i]);
  }
  certify(solver, p, t->groups, t->size, t->options, t->side, t->report);
  return t->report->contact.residual;
}

static void hold_back(const trial *t)
{
  srs_summation *s = t->solver->summation;
  trial own = *t;
  srs_admissible admissible = {
      .fallback = &s->trials, .polyhedron = &s->mlcp.polyhedron, .measure = measure, .data = &own};
  admissible.work = srs_measure_work(s->cone.n + s->bilateral.n, s->bilateral.n, s->bilateral.rank);
  s->trials.cone = s->cone;
  srs_admissible_begin(&admissible);
  srs_admissible_offer(&admissible, s->x);
  (void)measure(&own, s->trials.best);
}

srs_status srs_summation_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, int *side, srs_nonconvex_report *report)
{
  srs_summation *s = solver->summation;
  const srs_contact_problem *p = &problem->contacts;
  const srs_side_groups groups = {problem->n_groups, problem->first, problem->side};
  const srs_contact_options *o = &options->contact;
  if (!(o->tolerance > 0) || o->n_directions < 4 || o->n_directions > SRS_CONTACT_DIRECTIONS_MOST ||
      o->n_directions % 2 != 0 || !isfinite(o->direction_angle))
    return SRS_ERROR_ARGUMENT;
  const int n_sides = groups.first[groups.n];
  if (unknowns_of(p, o->n_directions) + n_sides > s->most_unknowns) return SRS_ERROR_CAPACITY;
  const srs_contact_form form = srs_contact_any_form(p);
  srs_contact_scales(p, &form, solver->scale);
  double size = srs_contact_size(form.n, p->b, solver->scale);
  if (size == 0) size = 1;
  set_sizes(s, p);
  srs_polyhedron_make(o->n_directions, o->direction_angle, &s->mlcp.polyhedron);
  for (int k = 0; k < n_sides; k++) {
    const double scale = solver->scale[solver->normal[groups.side[k]]];
    s->epsilon[k] = options->epsilon * scale / size;
    s->weight[k] = 1 / scale;
  }
  srs_bilateral_eliminate(p, solver->scale, size, &s->bilateral, &s->cone, s->work);
  assemble(s, &groups);
  const double unknowns = s->lcp.n;
  const srs_allowance allowance =
      srs_allow(o->most_work, srs_fixed_work(form.n, p->n_bilateral, unknowns) + MOST_WAYS * srs_cube(s->lcp.n) / 3,
                srs_cube(form.n) / 3, srs_usual_work);
  s->trials.left = srs_allowance_search(&allowance);
  for (srs_lemke_status status = SRS_LEMKE_RAY; status != SRS_LEMKE_SOLVED && report->tries < MOST_WAYS;) {
    if (report->tries > 0) stretch_rows(&s->lcp, report->tries);
    report->iterations += pivot(s, n_sides, &status);
    report->tries++;
  }
  report->contact = (srs_contact_report){.stage = SRS_STAGE_LEMKE, .iterations = report->iterations};
  report->contact.bilateral_rank = s->bilateral.rank;
  trial t = {solver, p, &groups, size, options, side, report};
  (void)measure(&t, s->x);
  s->trials.left += allowance.held;
  if (report->status == SRS_CONTACT_UNSOLVED) hold_back(&t);
  report->contact.work = allowance.most - s->trials.left, report->contact.most_work = allowance.most;
  return SRS_OK;
}
